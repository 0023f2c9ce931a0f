// What can be drawn of a model, in the order in which it computes: one stage a vector of a token.

/**
 * @typedef {Object} Stage
 * @property {string} id "0.e1", "0.norm", "0.x", "0.2.end", "0.last"; "0.2.1.query" is
 * stream, block, part, role
 * @property {string} name with its block, "block 2 · Q"
 * @property {string} short without it, "Q"
 * @property {Place} place
 * @property {'source' | 'target'} tokens whose vectors they are
 * @property {number} stream
 * @property {number | null} block
 * @property {number | null} part of the block
 * @property {string} role
 * @property {boolean} depth0 whether it stands in the picture of the whole model
 * @property {boolean} joined whether the heads' results stand side by side in it
 */

const NORM = 'Norm';
// The roles of each kind of part, in order, and what a column of them is called.
const ATTENTION = {
  norm: NORM,
  query: 'Q',
  key: 'K',
  value: 'V',
  context: 'joined',
  into: 'to W_O',
  update: 'W_O',
  after: 'x +',
  post: NORM,
};
const FEED = {
  norm: NORM,
  gate: 'gate',
  up: 'up',
  act: 'act',
  hidden: 'hidden',
  update: 'down',
  after: 'x +',
  post: NORM,
};
const BOX = {norm: NORM, update: 'adds', after: 'x +', post: NORM};
const JOINED_NAMES = {context: 'heads joined', into: 'what W_O reads'};
const ROLES = {attention: ATTENTION, feed: FEED, box: BOX};

/**
 * The stages of a model.
 * @param {Anatomy} anatomy
 * @returns {Stage[]}
 */
export function stagesOf(anatomy) {
  return anatomy.streams.flatMap((stream, number) => stagesOfStream(anatomy, stream, number));
}
function stagesOfStream(anatomy, stream, number) {
  const side = stream.side && `${stream.side} `;
  const common = {stream: number, block: null, part: null, tokens: stream.tokens};
  const stage = (role, name, place) => ({
    ...common,
    id: `${number}.${role}`,
    name: side + name,
    short: name,
    place,
    role,
    depth0: role !== 'norm',
    joined: false,
  });
  const readsLast = stream === anatomy.streams.at(-1) ? 'h, output layer' : 'h, to the decoder';
  const summed = stream.norm ? 'x: summed, normed' : 'x: summed';
  const {norm, start, last, end} = stream;
  return [
    ...stream.embedded.map(({name, place}, k) => stage(`e${k}`, name, place)),
    ...(norm && !isSame(norm, start) ? [stage('norm', NORM, norm)] : []),
    {...stage('x', stream.embedded.length > 1 ? summed : 'x', start), short: 'x'},
    ...stream.blocks.flatMap(block => stagesOfBlock(anatomy, block, {...common, side})),
    ...(isSame(last, end) ? [] : [{...stage('last', readsLast, last), short: 'h'}]),
  ];
}
function stagesOfBlock(anatomy, block, {side, ...common}) {
  const [stream, number] = [common.stream, block.number];
  const before = `${side}block ${number} · `;
  const parts = block.parts.flatMap((part, k) =>
    rolesOf(part)
      .filter(role => !(isLast(role, part) && isSame(part[role], block.end)))
      .map(role => ({
        ...common,
        id: `${stream}.${number}.${k}.${role}`,
        name: before + nameOf(part, role),
        short: shortOf(part, role),
        place: part[role],
        tokens: tokensOf(anatomy, part, role) ?? common.tokens,
        block: number,
        part: k,
        role,
        depth0: role === 'update',
        joined: role === 'context',
      })),
  );
  const end = {
    ...common,
    id: `${stream}.${number}.end`,
    name: `${side}x after block ${number}`,
    short: block.parts.at(-1)?.post ? NORM : 'x +',
    place: block.end,
    block: number,
    role: 'end',
    depth0: true,
    joined: false,
  };
  return [...parts, end];
}
// Some are one: `act` and `hidden` without a gate, `update` and `after` where nothing is added.
const TWINS = {hidden: 'act', after: 'update'};
const rolesOf = part =>
  Object.keys(ROLES[part.is]).filter(role => {
    const twin = part[TWINS[role]];
    return part[role] && !(twin && isSame(twin, part[role]));
  });
const isLast = (role, part) => role === (part.post ? 'post' : 'after');
const isSame = (a, b) => a.node === b.node;
// Keys and values of cross-attention are those of the other text.
function tokensOf(anatomy, part, role) {
  const isOther = part.cross && (role === 'key' || role === 'value');
  return isOther ? anatomy.streams[0].tokens : null;
}
/** Whether a part's result stands in the place of what it reads. */
export const replaces = part => isSame(part.update, part.after);
/** The name of a part as a sentence has it. */
export function partName(part) {
  if (part.is === 'box') return part.name;
  if (part.is === 'feed') return 'feed-forward';
  return part.cross ? 'cross-attention' : 'attention';
}
const shortOf = (part, role) => (role === 'act' && part.name ? part.name : ROLES[part.is][role]);
function nameOf(part, role) {
  if (role === 'update') return replaces(part) ? part.name : `${partName(part)} adds`;
  if (role === 'after') return 'sum';
  const short = shortOf(part, role);
  if (part.is === 'attention') {
    const name = JOINED_NAMES[role] ?? short;
    return part.cross ? `cross-attention ${name}` : name;
  }
  return role === 'up' || role === 'gate' ? `feed-forward, ${short}` : short;
}
