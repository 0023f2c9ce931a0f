// The table of positions: a cursor on a position and a pair, a slider for the shift.

import {settingControls} from '../shared/controls.js';
import {framedView} from '../shared/frame.js';
import {GridFrame} from '../shared/grid_view.js';
import {numberIn, oneOf} from '../shared/link.js';
import {html} from '../shared/nodes.js';
import {Images} from '../shared/pixels.js';
import {signed} from '../shared/texts.js';
import {drawTable} from './picture.js';
import {everyPosition, shiftedPair, shownTable, similarities, tableSentence} from './scene.js';

/**
 * @typedef {GridScene & {table: Table, label: string, pair: number, shift: number, images: Images}}
 * TableScene
 */

const ABOUT = {
  name: 'positions',
  label: 'table of positions',
  title: 'How a position is written',
  beneath: 'The pair',
};

function tableRows({table, pair, shift, t}) {
  const pairOf = [2 * pair, 2 * pair + 1];
  const names = pairOf.map(dimension => `dimension ${dimension}`);
  const early = names.map(name => `${name} from ${shift} before`);
  const header = ['table', 'position', ...names, ...early, `similarity to position ${t}`];
  const alike = similarities(table, t);
  const before = p => (p < shift ? ['', ''] : shiftedPair(table, p - shift, pair, shift));
  const values = p => [...pairOf.map(dimension => table.at(p, dimension)), ...before(p), alike[p]];
  return [header, ...everyPosition(table, p => [table.label, String(p), ...values(p)])];
}
// Table, pair and shift as settings of a grid.
function tableControls(facts, table) {
  const numbers = (from, count) => Array.from({length: count}, (_, k) => from + k);
  const control = (name, values) => ({name, values, texts: values.map(String)});
  const controls = [
    control('pair', numbers(0, table.pairs)),
    control('shift', numbers(1, table.shifts)),
  ];
  return facts.models.length > 1 ? [control('table', facts.models), ...controls] : controls;
}
class Positions extends GridFrame {
  sentence = tableSentence;
  rowsOf = tableRows;
  picture = drawTable;
  images = new Images();

  get chooses() {
    return 'pair';
  }
  turned({table, pair}, by) {
    return {pair: Math.max(0, Math.min(table.pairs - 1, pair + by))};
  }
  ownReaders({table}) {
    return {
      label: oneOf(this.facts.models),
      pair: numberIn(0, table.pairs - 1),
      shift: numberIn(1, table.shifts),
    };
  }
  addControls() {
    this.controlsNode = html(this.bar, 'span', {class: 'controls'});
    this.showTable = null;
    super.addControls();
  }
  showOwn({table, label, pair, shift}) {
    const set = (name, value) => this.set({[name === 'table' ? 'label' : name]: value});
    this.showTable ??= settingControls(this.controlsNode, tableControls(this.facts, table), set);
    this.showTable({table: label, pair, shift});
  }
  /** The pair, and all that the map shows. */
  tables() {
    const {table, t, pair} = this.now();
    const names = Array.from({length: table.d}, (_, k) => `dimension ${k}`);
    const map = everyPosition(table, p => [`position ${p}`, ...table.row(p)]);
    const caption = `${table.label}: every position and dimension`;
    const [{rows, ...told}] = super.tables();
    const own = rows.map(([, ...cells]) => cells); // which table it is the caption says
    const whole = {caption, rows: [['position', ...names], ...map], at: [t, 2 * pair]};
    return [{...told, caption: `${table.label}, pair ${pair}`, rows: own}, whole];
  }
  cursorText() {
    const {table, t, pair} = this.now();
    const values = [0, 1].map(k => signed(table.at(t, 2 * pair + k)));
    return `position ${t}, pair ${pair}: ${values.join(' and ')}`;
  }
  /** With the table on screen. */
  complete(now) {
    return {...now, table: shownTable(now), images: this.images};
  }
  notes() {
    return 'Framed: position and pair under the cursor.';
  }
}
export default framedView(Positions, ABOUT);
