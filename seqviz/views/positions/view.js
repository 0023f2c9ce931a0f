// The table of positions: a cursor on a position and a pair, a slider for the shift.

import {html, keep} from '../shared/base.js';
import {settingControls} from '../shared/controls.js';
import {gridView} from '../shared/grid_view.js';
import {numberIn, oneOf} from '../shared/link.js';
import {drawTable} from './picture.js';
import {everyPosition, shiftedPair, shownTable, similarities} from './scene.js';
import {tableSentence} from './sentence.js';

/**
 * @typedef {GridScene & {table: Table, label: string, pair: number, shift: number, kept: Object}}
 * TableScene `kept` holds the image of the table last drawn
 */

// What gridView knows, with the table on screen.
const tableNow = now => ({...now, table: shownTable(now)});

function tableRows(now) {
  const {table, pair, shift, t} = tableNow(now);
  const even = 2 * pair;
  const alike = similarities(table, t);
  const names = [`dimension ${even}`, `dimension ${even + 1}`];
  const header = [
    'table',
    'position',
    ...names,
    ...names.map(name => `${name} from ${shift} before`),
    `similarity to position ${t}`,
  ];
  const before = p => (p < shift ? ['', ''] : shiftedPair(table, p - shift, pair, shift));
  return [
    header,
    ...everyPosition(table, p => [
      table.label,
      String(p),
      table.at(p, even),
      table.at(p, even + 1),
      ...before(p),
      alike[p],
    ]),
  ];
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
export default {
  render: context => {
    const {model, el} = context;
    const kept = {};
    const complain = text => {
      el.querySelector('.problem').textContent = text;
    };
    const node = html(null, 'span', {class: 'controls'});
    let show = null;
    const set = (name, value) =>
      keep(model, {[name === 'table' ? 'label' : name]: value}, complain);
    const end = gridView(context, {
      name: 'positions',
      label: 'table of positions',
      controls: {
        label: ({facts}) => oneOf(facts.models),
        pair: now => numberIn(0, shownTable(now).pairs - 1),
        shift: now => numberIn(1, shownTable(now).shifts),
      },
      chooses: 'pair',
      always: true,
      beneath: 'The pair',
      heading: () => 'How a position is written',
      notes: () => 'Framed: position and pair under the cursor.',
      up: ({pair, ...now}, by) => ({
        pair: Math.max(0, Math.min(shownTable(now).pairs - 1, pair + by)),
      }),
      sentence: now => tableSentence(tableNow(now)),
      rows: tableRows,
      draw: (stage, now) => {
        const scene = {...tableNow(now), kept};
        show ??= settingControls(node, tableControls(now.facts, scene.table), set);
        show({table: scene.label, pair: scene.pair, shift: scene.shift});
        return drawTable(stage, scene);
      },
    });
    el.querySelector('.bar').prepend(node);
    return end;
  },
};
