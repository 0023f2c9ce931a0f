// What each method keeps at a place, and where a random number falls.

const EPSILON = 1e-12;
export const KNOBS = {'top-k': 'k', nucleus: 'p', temperature: 'temperature'};

const stopAt = (stops, value) => stops.findIndex(stop => Math.abs(stop - value) < 1e-9);

/**
 * @param {Place} place
 * @param {string} method
 * @param {number} knob
 * @param {Object} facts
 * @returns {{n: number, mass: number, after: Float64Array}} how many tokens, their probability
 * together, what each of the named ones has after decoding
 */
export function keptAt(place, method, knob, facts) {
  const {vocabulary: V, temperatures, nucleus} = facts;
  if (method === 'sample') return {n: V, mass: 1, after: place.p};
  if (method === 'temperature') {
    const sum = place.sums[stopAt(temperatures, knob)];
    return {n: V, mass: 1, after: place.p.map(p => p ** (1 / knob) / sum)};
  }
  const {n, mass} =
    method === 'nucleus'
      ? nucleusAt(place, knob, nucleus, V)
      : firstOf(place, method === 'greedy' ? 1 : knob);
  return {n, mass, after: place.p.map((p, r) => (r < n ? p / mass : 0))};
}
const firstOf = ({cumulated}, n) => ({n, mass: cumulated[n - 1]});

/** The first rank, from 0, up to which tokens have p together; -1 if none. */
export const firstWith = (cumulated, p) => cumulated.findIndex(sum => sum >= p - EPSILON);

function nucleusAt(place, p, stops, V) {
  if (p === 1) return {n: V, mass: 1};
  const r = firstWith(place.cumulated, p);
  if (r >= 0) return firstOf(place, r + 1);
  const k = stopAt(stops, p);
  return {n: place.counts[k], mass: place.masses[k]};
}
/** On which rank, from 0, a number from 0 to 1 falls; -1 on a token that has no name here. */
export function fallenOn({after}, u) {
  let sum = 0;
  return after.findIndex(q => (sum += q) > u);
}
/** The random number of a step: mulberry32, which Python has, too. */
export function luckOf(seed, step) {
  const a = (Math.imul(seed, 0x9e3779b1) + Math.imul(step + 1, 0x6d2b79f5) + 5) | 0;
  let t = Math.imul(a ^ (a >>> 15), 1 | a);
  t ^= (t + Math.imul(t ^ (t >>> 7), 61 | t)) | 0;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
/** The seed of another try at the same step. */
export const seedOf = (luck, tries) => (luck + tries * 1000003) % 2 ** 31;

// ---- texts
/** The shortest period in which a text ends, and where its first round begins; null if none. */
export function periodOf(ids) {
  for (let size = 1; size <= ids.length / 2; size++) {
    let start = ids.length - size;
    while (start > 0 && ids[start - 1] === ids[start - 1 + size]) start--;
    if (ids.length - start >= 2 * size) return {size, start};
  }
  return null;
}
/** Whether each token ends a stretch of `span` tokens that has stood in the text before. */
export function repeatsIn(ids, span) {
  const seen = new Set();
  return Array.from(ids, (_, k) => {
    if (k < span - 1) return false;
    const stretch = ids.slice(k - span + 1, k + 1).join(' ');
    const had = seen.has(stretch);
    seen.add(stretch);
    return had;
  });
}
