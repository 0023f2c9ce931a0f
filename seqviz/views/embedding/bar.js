// The controls over the picture: which tab; the field and the sums; the word, the layer, Play.

import {button, choice, segments, slider, tick} from '../shared/controls.js';
import {onKeys} from '../shared/keys.js';
import {html} from '../shared/nodes.js';
import {readable} from '../shared/texts.js';
import {nth} from './sentence.js';

const HINT = 'a word, or king - man + woman, or man : king :: woman : ?';

export class Bar {
  /**
   * @param {Element} bar
   * @param {Object} facts
   * @param {Object} hands what the controls do: `tab`, `ask`, `pick`, `zoom`, `sense`, `layer`,
   * `play`, `leave`
   */
  constructor(bar, facts, hands, signal) {
    const senses = Object.keys(facts.senses);
    if (senses.length) {
      this.tabs = segments(bar, '', {map: 'Words', senses: 'Senses'}, hands.tab);
      this.tabs.group.setAttribute('aria-label', 'what is shown');
    }
    this.words = html(bar, 'span', {class: 'part'});
    this.addField(facts, hands, signal);
    if (facts.presets.length) this.addPresets(facts, hands);
    this.zoom = tick(this.words, 'Zoom', hands.zoom);
    if (senses.length) this.addSenses(bar, senses, hands);
  }
  addField(facts, hands, signal) {
    const label = html(this.words, 'label', {class: 'setting'}, 'Word or sum ');
    const first = facts.presets[0] ?? 'king - man + woman';
    const quiet = {spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off'};
    const look = {type: 'text', dir: 'auto', class: 'ask', placeholder: first, title: HINT};
    this.field = html(label, 'input', {...look, ...quiet});
    const keys = {Enter: () => hands.ask(this.field.value), Escape: hands.leave};
    onKeys(this.field, keys, signal);
    this.field.addEventListener('input', hands.written, {signal});
    this.field.addEventListener('keydown', event => event.stopPropagation(), {signal});
  }
  addPresets({presets, sums}, hands) {
    const own = {'aria-label': 'sums that were counted beforehand', class: 'presets'};
    this.presets = html(this.words, 'select', own);
    html(this.presets, 'option', {value: ''}, 'Sums…');
    const ranked = presets.map(text => sums.find(sum => sum.text === text));
    const group = (label, some) => {
      if (!some.length) return;
      const node = html(this.presets, 'optgroup', {label});
      for (const {text, rank} of some) {
        const sum = readable(text, Infinity);
        html(node, 'option', {value: text}, rank > 1 ? `${sum} (${nth(rank)})` : sum);
      }
    };
    const right = ranked.filter(({rank}) => rank === 1);
    const missed = ranked.filter(({rank}) => rank > 1);
    group('lands on the answer', right);
    group('misses it', missed);
    this.presets.addEventListener('change', () => hands.pick(this.presets.value));
  }
  addSenses(bar, senses, hands) {
    this.senses = html(bar, 'span', {class: 'part'});
    this.names = Object.fromEntries(senses.map(word => [word, word]));
    this.sense = choice(this.senses, 'Word', hands.sense);
    this.play = button(this.senses, 'Play', {class: 'play'}, hands.play);
    this.layer = slider(this.senses, 'Layer', hands.layer, {min: 0, step: 1});
  }
  /** @param {Object} now where the controls stand: the traits, `layers`, `playing`, `written` */
  show({tab, word, question, zoom, sense_word: sense, layer, layers, playing, written}) {
    this.tabs?.show(tab);
    this.words.hidden = tab !== 'map';
    this.zoom.show(zoom);
    if (!written) this.field.value = question || word;
    if (this.presets) this.presets.value = question;
    if (this.presets && this.presets.selectedIndex < 0) this.presets.value = '';
    if (!this.senses) return;
    this.senses.hidden = tab !== 'senses';
    this.sense.show(sense, this.names);
    this.layer.show(layer, String(layer), {max: layers - 1});
    this.play.textContent = playing ? 'Pause' : 'Play';
  }
}
