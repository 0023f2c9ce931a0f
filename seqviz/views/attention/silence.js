// Heads that are silenced: the button beside the map's title, a chip for each, which map is shown.

import {button, segments} from '../shared/controls.js';
import {lackOf, needsKernel} from '../shared/kernel.js';
import {html} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';
import {isHead} from './places.js';

/** @typedef {[string, number, number]} Silent kind, layer and head of a head that is silenced */

const SHOWN_RUNS = {after: 'After', before: 'Before', difference: 'Difference'};
const SILENCING = 'silencing a head';
const NAMED = 2; // of more heads only the number is said

/** The heads without which the model ran. */
export const silentOf = ({silence}) => silence?.heads ?? [];
/**
 * Whether a head is among these.
 * @param {Silent[]} heads
 * @param {Silent} head
 * @returns {boolean}
 */
export const includes = (heads, head) => heads.some(one => one.every((v, i) => v === head[i]));
const headText = ([kind, layer, head], several) =>
  `${several ? `${readable(kind)} ` : ''}layer ${layer}, head ${head}`;
/** The heads in words. */
export function silentText({silence: {heads}, kinds}) {
  if (heads.length > NAMED) return `${heads.length} heads`;
  return heads.map(head => headText(head, kinds.length > 1)).join(' and ');
}
/** All heads in short, for a table. */
export const silentList = heads =>
  heads.map(([kind, layer, head]) => `${kind} ${layer}.${head}`).join('; ');

/** What silences heads and lets them speak; it wants heads until a run has answered. */
export class Silencer {
  /**
   * @param {{main: Element, silencer: Element, silence: Element}} nodes
   * @param {Facts} facts
   * @param {Object} model
   * @param {Runs} runs
   * @param {(changes: Object) => void} set
   */
  constructor({silencer, silence}, facts, model, runs, set) {
    Object.assign(this, {silencer, silence, facts, model, runs, set});
    this.gone = needsKernel(model);
    this.several = facts.kinds.length > 1;
    this.heads = silentOf(facts);
    this.button = button(silencer, '', {'data-focus': 'silencer'}, () => this.toggle());
    if (this.heads.length) this.addChips();
    silence.hidden = !this.heads.length && !this.gone;
    const what = this.heads.length ? 'another head' : SILENCING;
    if (this.gone) html(silence, 'span', {class: 'soft'}, `${what} ${lackOf(model)}`);
    this.status = html(silence, 'span', {class: 'runs', 'aria-hidden': true});
  }
  addChips() {
    const {silence, heads, several, set} = this;
    const group = html(silence, 'span', {class: 'chips', role: 'group', 'aria-label': 'silenced'});
    html(group, 'span', {class: 'soft', 'aria-hidden': true}, 'without');
    for (const head of heads) {
      const text = headText(head, several);
      const look = {
        class: 'chip',
        'aria-label': `let ${text} speak`,
        title: `let ${text} speak`,
        'data-focus': head.join(' '),
      };
      if (this.gone) html(group, 'span', {class: 'chip'}, text);
      else button(group, `${text} ✕`, look, () => this.want(this.others(head)));
    }
    const reset = {'data-focus': 'reset', title: 'let all heads speak'};
    if (!this.gone) button(group, 'reset', reset, () => this.want([]));
    this.switch = segments(silence, 'map', SHOWN_RUNS, show => set({show}));
  }
  /** What was asked for last, or what is on screen. */
  get wanted() {
    return (this.runs.underway && this.runs.wish.silent) || this.heads;
  }
  placeOf({layer, head}) {
    return isHead(layer, head) ? [this.kind, layer, head] : null;
  }
  others(head) {
    return this.wanted.filter(one => !includes([one], head));
  }
  want(silent) {
    if (!this.gone) this.runs.start({silent});
  }
  /**
   * Silences a head, or lets it speak.
   * @param {{layer: Layer, head: Head} | null} [at] the one in focus if none is given
   */
  toggle(at) {
    const place = at ? this.placeOf(at) : this.place;
    if (!place || this.gone) return;
    const [, layer, head] = place;
    const now = includes(this.wanted, place);
    this.set({layer, head});
    this.want(now ? this.others(place) : [...this.wanted, place]);
  }
  /**
   * Shows what can be done with the head in focus.
   * @param {Scene} scene
   * @param {number} right pixels beside the button that are taken
   * @returns {number} pixels that the button takes beside the title
   */
  draw({kind, layer, head, pre, measure}, right) {
    const at = pre ?? {layer, head};
    this.kind = kind.name;
    this.place = this.placeOf(at);
    const silent = this.place && includes(this.wanted, this.place);
    const text = !this.place
      ? 'Silence a head'
      : silent
        ? `Let head ${at.head} speak`
        : `Silence head ${at.head}`;
    this.switch?.show(this.model.get('show')); // as it was put: its map may be under way
    const wide = Math.ceil(measure(text, '600 13px')) + 24;
    if (this.button.textContent !== text) {
      this.button.textContent = text;
      this.button.style.width = `${wide}px`;
    }
    this.silencer.style.right = `${right}px`;
    this.button.disabled = this.gone || !this.place;
    this.button.title = this.gone
      ? `${SILENCING} ${lackOf(this.model)}`
      : this.place
        ? 'the model runs again without it, before and after side by side: key s'
        : 'a mean or a maximum cannot be silenced: choose one head';
    this.status.textContent = this.runs.underway ? 'runs …' : '';
    return wide;
  }
}
