// The arithmetic of the net:
// h_t = tanh(W_hh h_{t-1} + W_xh x_t + b), p_t = softmax(W_hy h_t + b_y)

/** A row of a matrix times a vector. */
export function dot(W, row, v) {
  const start = row * v.length;
  let sum = 0;
  for (let j = 0; j < v.length; j++) sum += W[start + j] * v[j];
  return sum;
}
function softmax(z) {
  const most = Math.max(...z);
  const e = z.map(v => Math.exp(v - most));
  const sum = e.reduce((a, b) => a + b);
  return e.map(v => v / sum);
}
/**
 * @typedef {Object} Net weights by their names on the slide, matrices row by row
 * @property {Float32Array} W_xh (units, tokens)
 * @property {Float32Array} W_hh (units, units)
 * @property {Float32Array} b (units)
 * @property {Float32Array} W_hy (tokens, units)
 * @property {Float32Array} b_y (tokens)
 * @property {Float32Array} [h_0] (units), a learned start
 */

/**
 * Reads a text step by step: each id but the last is an input, the next one its target (-1
 * without).
 * @param {boolean} learned start at h_0, else at zero
 */
export function forward({W_xh, W_hh, b, W_hy, b_y, h_0}, ids, learned) {
  const V = b_y.length;
  let h = learned ? h_0 : new Float32Array(b.length);
  return ids.slice(0, Math.max(1, ids.length - 1)).map((id, t) => {
    const before = h;
    h = b.map((bias, k) => Math.tanh(dot(W_hh, k, before) + W_xh[k * V + id] + bias));
    const p = softmax(Array.from(b_y, (bias, k) => dot(W_hy, k, h) + bias));
    return {id, target: ids[t + 1] ?? -1, before, h, p, chosen: p.indexOf(Math.max(...p))};
  });
}
