// A distribution over the V tokens of a vocabulary.

/** The softmax of logits, in float64: equal ones stay equal, others differ. */
export function softmaxOf(logits) {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = Float64Array.from(logits, x => Math.exp(x - most));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map(power => power / sum);
}
/** Rank of a token, from 1; of equals the first comes first. */
export function rankOf(p, id) {
  let rank = 1;
  for (let k = 0; k < p.length; k++) {
    if (p[k] > p[id] || (p[k] === p[id] && k < id)) rank += 1;
  }
  return rank;
}
/** The likeliest tokens of logits, so many, with their probabilities. */
export function likeliestOf(logits, count) {
  const p = softmaxOf(logits);
  return likeliestIds(p, count).map(id => [id, p[id]]);
}
/** The likeliest tokens, so many, by their ranks. */
export function likeliestIds(p, count) {
  const found = [];
  for (let id = 0; id < p.length; id++) {
    if (found.length === count && p[id] <= p[found.at(-1)]) continue;
    const at = found.findIndex(other => p[id] > p[other]);
    found.splice(at < 0 ? found.length : at, 0, id);
    found.length = Math.min(found.length, count);
  }
  return found;
}
