// What stands where the cursor is.

/** The stream in focus. */
export const streamIn = ({anatomy}, {stream}) => anatomy.streams[stream];
/** The block in focus. */
export const blockIn = (facts, state) => streamIn(facts, state).blocks[state.block];
export const isAttention = part => part?.is === 'attention';
/** The attention in focus, null if the part is another or there is none. */
export function attentionIn(facts, state) {
  const part = blockIn(facts, state)?.parts[state.part];
  return isAttention(part) ? part : null;
}
/** Which text asks, and which one has the keys. */
export function sidesOf(facts, state) {
  const {tokens} = streamIn(facts, state);
  const {cross} = attentionIn(facts, state) ?? {};
  return {asking: tokens, answering: cross ? facts.anatomy.streams[0].tokens : tokens};
}
/** The tokens of a stream. */
export const tokensIn = ({anatomy, tokens}, stream) => tokens[anatomy.streams[stream].tokens];
/** The tokens to which the attention in focus attends. */
export const keysIn = (facts, state) => facts.tokens[sidesOf(facts, state).answering];
/** The stream that has the answers. */
export const answering = ({streams}) => streams.length - 1;
/** The token whose answer is told: that in focus, or the last where another stream has it. */
export function answeredToken({anatomy, tokens}, state) {
  if (anatomy.probabilities === 'text') return 0;
  const stream = answering(anatomy);
  return state.stream === stream ? state.token : tokensIn({anatomy, tokens}, stream).length - 1;
}
