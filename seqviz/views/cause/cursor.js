// Where things are in two texts, and how the cursor moves over their grids.

/**
 * @typedef {Object} Spot a cell: of this text (0) or the other (1), at a stage (0: embeddings, k:
 * after block k - 1), of a token
 * @property {0 | 1} text
 * @property {number} stage
 * @property {number} token
 */

/** The stream that has the logits. */
export const lastStream = facts => facts.streams.length - 1;
/** The tokens of a text that a stream carries. */
export const sideOf = (facts, text, stream) => facts.tokens[text][facts.streams[stream].tokens];
/** Stages of a stream, with its embeddings. */
export const stagesOf = (facts, stream) => facts.streams[stream].blocks.length + 1;
/** Whether the grids show the stream whose words are told, token by token. */
export const tellsWords = ({facts, state}) =>
  facts.says === 'tokens' && state.stream === lastStream(facts);

// The token that is asked for: hidden, or the last one.
function askedOf(facts, text) {
  const stream = lastStream(facts);
  const tokens = sideOf(facts, text, stream);
  if (facts.kind === 'next') return tokens.length - 1;
  if (facts.kind !== 'masked') return 0;
  const hidden = tokens.indexOf(facts.mask);
  const special = facts.special[text][facts.streams[stream].tokens];
  const words = tokens.map((_, k) => k).filter(k => !special.includes(k));
  return hidden >= 0 ? hidden : (words.at(-1) ?? 0);
}
/**
 * The token whose answer is looked at, of each text.
 * @returns {[number, number]}
 */
export function answerTokens(facts, {token}) {
  if (token < 0) return [askedOf(facts, 0), askedOf(facts, 1)];
  const last = sideOf(facts, 1, lastStream(facts)).length - 1;
  return [token, Math.min(token, last)];
}
/** A row of the answers: of a token, or the only one. */
export const answersAt = (facts, answers, token) => answers?.[facts.says === 'text' ? 0 : token];

/** What a stage is called. */
export function stageName({facts, state}, stage, stream = state.stream) {
  if (stage === 0) return 'embeddings';
  const last = stage === stagesOf(facts, stream) - 1;
  return last && tellsWords({facts, state}) ? 'answer' : `after block ${stage - 1}`;
}

// ---- the cursor
/**
 * The next spot: up from the other text one comes into this one.
 * @param {Object} facts
 * @param {number} stream
 * @param {Spot} at
 * @param {number} across
 * @param {number} up
 * @returns {Spot}
 */
export function moved(facts, stream, {text, stage, token}, across, up) {
  const top = stagesOf(facts, stream) - 1;
  let next = {text, stage: stage + up};
  if (next.stage > top) next = text ? {text: 0, stage: 0} : {text, stage: top};
  if (next.stage < 0) next = text ? {text, stage: 0} : {text: 1, stage: top};
  const most = sideOf(facts, next.text, stream).length - 1;
  return {...next, token: Math.max(0, Math.min(most, token + across))};
}
/** What is carried, with one more: of one place the last one counts. */
export function withCarried(carried, one) {
  const place = ({stream, stage, token, head}) => JSON.stringify([stream, stage, token, head]);
  return [...carried.filter(other => place(other) !== place(one)), one];
}
/**
 * What is held, put at a cell of this text.
 * @param {number} stream
 * @param {{stage: number, token: number, head: [number, number] | null}} held
 * @param {{stage: number, token: number}} to a head stays in its block
 */
export function placed(stream, held, to) {
  return {
    stream,
    stage: held.head ? held.stage : to.stage,
    token: to.token,
    head: held.head ?? null,
    from_stage: held.stage,
    from_token: held.token,
  };
}
