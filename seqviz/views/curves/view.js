// Labelled curves over steps; the curves of the setting before stay as ghosts.

import {gridView} from '../shared/grid_view.js';
import {drawCurves} from './picture.js';
import {curveSentence} from './sentence.js';

function curveRows({facts, point}) {
  const value = v => (Number.isNaN(v) ? '' : v);
  return [
    [facts.x, 'label', ...facts.models],
    ...Array.from({length: point.T}, (_, t) => [
      String(t + 1),
      point.tokens?.[t] ?? '',
      ...point.models.map(([curve]) => value(curve[t])),
    ]),
  ];
}
export default {
  render: context =>
    gridView(context, {
      name: 'curves',
      label: 'curves over steps',
      controls: {},
      up: null,
      heading: () => '',
      notes: ({before}) => (before ? 'Esc also drops the dotted lines of the setting before.' : ''),
      sentence: curveSentence,
      rows: curveRows,
      draw: drawCurves,
    }),
};
