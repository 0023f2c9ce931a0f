// Labelled curves over steps; the curves of the setting before stay as ghosts.

import {framedView} from '../shared/frame.js';
import {GridFrame} from '../shared/grid_view.js';
import {drawCurves} from './picture.js';
import {curveSentence, curvesOf} from './scene.js';

function curveRows({facts, point}) {
  const rows = Array.from({length: point.T}, (_, t) => [
    String(t + 1),
    point.tokens?.[t] ?? '',
    ...curvesOf(point).map(curve => (Number.isNaN(curve[t]) ? '' : curve[t])),
  ]);
  return [[facts.x, 'label', ...facts.models], ...rows];
}
class Curves extends GridFrame {
  sentence = curveSentence;
  rowsOf = curveRows;
  picture = drawCurves;

  notes({before}) {
    return before ? 'Esc also drops the dotted lines of the setting before.' : '';
  }
}
export default framedView(Curves, {name: 'curves', label: 'curves over steps'});
