// What it costs to silence each head alone, asked one after the other when a person wants it; the
// control beside a cost is that of the same head at the other tokens.

import {button} from '../shared/controls.js';
import {listen, needsKernel} from '../shared/kernel.js';
import {floatsOf} from './packing.js';
import {count, everyHead} from './places.js';
import {change} from './weights.js';

const RUN_TIME = 60000; // milliseconds of a run
const TITLE =
  'what silencing costs: runs the model without each head in turn, and orders the heads by what is lost at the token in focus';

/** Runs, and what has come of them. */
export class Costs {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    const {model, facts, signal} = explorer;
    Object.assign(this, {explorer, facts, runs: 0, underWay: null});
    this.came = new Map(); // costs by token, by kind, layer and head
    this.can = Boolean(facts.reasons && facts.silence) && !needsKernel(model);
    const refused = ({part, problem}) => {
      if (!problem || !String(part).startsWith('cost ')) return;
      this.stop();
      explorer.complain(problem);
    };
    listen(model, 'msg:custom', refused, signal);
  }
  partOf = (k, layer, head) => `cost ${k} ${layer} ${head}`;
  /** How many heads of a kind have come. */
  countOf(k) {
    const parts = everyHead(this.facts.kinds[k]).map(place => this.partOf(k, ...place));
    return [parts.filter(part => this.came.has(part)).length, parts.length];
  }

  // ---- runs
  async start(k) {
    const {explorer, came} = this;
    const run = ++this.runs;
    this.underWay = k;
    explorer.set({sort: 'cost', least: 0, beside: 'heads'});
    for (const place of everyHead(this.facts.kinds[k])) {
      const part = this.partOf(k, ...place);
      if (came.has(part)) continue;
      const bytes = await explorer.get(part, RUN_TIME);
      came.set(part, floatsOf(bytes));
      if (run !== this.runs || explorer.signal.aborted) return;
      explorer.later();
    }
    this.stop();
  }
  stop() {
    this.runs++;
    this.underWay = null;
    this.explorer.later();
  }
  /** The button that begins, tells how far it is, and stops. */
  addButton(bar, kindNow) {
    const press = () => (this.underWay === null ? this.start(kindNow()) : this.stop());
    const {explorer} = this;
    const node = button(bar, '', {title: TITLE, 'data-focus': 'costs'}, press);
    node.hidden = !this.can || explorer.single;
    return () => {
      const [come, all] = this.countOf(kindNow());
      const text = this.underWay === null ? 'Cost?' : `${come} of ${all} · stop`;
      if (node.textContent !== text) node.textContent = text;
    };
  }

  // ---- what came
  /**
   * What a head costs at a token, and the median of the other tokens; at none the mean of all.
   * @param {number} k the kind
   * @param {Layer} layer
   * @param {Head} head
   * @param {number | null} token
   * @returns {{cost: number, others: number[]} | null} the others rise; null until it comes
   */
  of(k, layer, head, token) {
    const all = this.came.get(this.partOf(k, layer, head));
    if (!all) return null;
    if (token === null) return {cost: all.reduce((a, b) => a + b, 0) / all.length, others: []};
    const others = [...all].filter((_, at) => at !== token).sort((a, b) => a - b);
    return {cost: all[token], others};
  }
  /**
   * Costs of all heads; those that have not come stand last.
   * @returns {number[][] | null} of layers in their order, of heads; null if none has come
   */
  ranking(k, token) {
    const {numbers, heads} = this.facts.kinds[k];
    if (!this.countOf(k)[0]) return null;
    return numbers.map(layer =>
      count(heads).map(head => this.of(k, layer, head, token)?.cost ?? -Infinity),
    );
  }
}
/** The one in the middle. */
export const medianOf = ({others}) => others[Math.floor((others.length - 1) / 2)];
/** In words, with its control. */
export function costText(found) {
  if (!found) return '';
  const {cost, others} = found;
  const told = ` · silencing costs ${change(cost)}`;
  if (!others.length) return `${told} on average`;
  const ends = `${change(others[0])} to ${change(others.at(-1))}`;
  return `${told}, at the other tokens ${change(medianOf(found))} (${ends})`;
}
