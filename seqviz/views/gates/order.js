// In which order the units stand in the block; it comes from the run as recorded, so that a hold
// never moves them.

const TURNS = 0.3; // size from which a value of the memory counts as of one sign

/** The orders by name. */
export const ORDERS = {
  grouped: 'turn, keep',
  keeps: 'keeps longest first',
  stored: 'as stored',
};
const column = ({order, H}, values, u) => order.map(t => values[t * H + u]);
// How often the memory of a unit changes its sign over the steps.
function turnsOf(layer, u) {
  const signs = column(layer, layer.curves[layer.kind.memory], u)
    .filter(value => Math.abs(value) > TURNS)
    .map(Math.sign);
  return signs.filter((sign, k) => k > 0 && sign !== signs[k - 1]).length;
}
function mean(layer, u) {
  const values = column(layer, layer.curves[layer.kind.memory], u);
  return values.reduce((a, b) => a + b, 0) / values.length;
}
// What the gate that keeps leaves of the first memory at the end, as a logarithm.
function kept(layer, u) {
  const gate = layer.curves[layer.kind.keeps];
  return column(layer, gate, u)
    .slice(1)
    .reduce((sum, value) => sum + Math.log(value + 1e-30), 0);
}
/**
 * The units in an order: "grouped" has those that change their sign twice or more first, the rest
 * from + to −; "keeps" has the longest memory first.
 * @param {Layer} layer
 * @param {'grouped' | 'keeps' | 'stored'} how
 * @returns {{units: number[], split: number}} units from 0; before which place a line stands, 0 for
 * none
 */
export function orderOf(layer, how) {
  const units = Array.from({length: layer.H}, (_, u) => u);
  const by = value => {
    const values = units.map(value);
    return units.sort((a, b) => values[b] - values[a] || a - b);
  };
  if (how === 'keeps' && layer.kind.keeps) return {units: by(u => kept(layer, u)), split: 0};
  if (how !== 'grouped') return {units, split: 0};
  const turns = units.map(u => turnsOf(layer, u));
  const large = Math.max(...units.map(u => Math.abs(mean(layer, u))), 1);
  const sorted = by(u => mean(layer, u) / large + (turns[u] > 1 ? 3 * turns[u] : 0));
  const split = sorted.filter(u => turns[u] > 1).length;
  return {units: sorted, split: split < layer.H ? split : 0};
}
