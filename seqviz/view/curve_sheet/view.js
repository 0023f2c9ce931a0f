// Labelled curves over steps; the curves of the setting before stay as ghosts. Chart and controls:
// chart.js, grid_view.js.

import {readable, svg} from '../shared/base.js';
import {
  cut,
  decimals,
  directLabels,
  drawCursor,
  drawLine,
  drawMarks,
  drawPath,
  figures,
  labelRows,
  labelWidth,
  lookOf,
  markRows,
  plotOf,
  tickText,
  ticks,
  tokenRoom,
  trail,
  xAxis,
  yAxis,
} from '../shared/chart.js';
import {gridView} from '../shared/grid_view.js';
import {settingsRow, settingsText} from '../shared/settings.js';

// As many places for every value as the axis needs: 0.001 beside 0.224.
const valueText = ({places}, v) =>
  Number.isNaN(v) ? 'no value' : places === null ? figures(v) : decimals(v, places);
function curveSentence({facts, point, t}) {
  const token = point.tokens ? [', ', {i: readable(point.tokens[t])}] : [];
  return [
    `At ${readable(facts.x)} ${t + 1}`,
    ...token,
    ': ',
    ...point.models.flatMap(([line], k) => [
      k ? ', ' : '',
      readable(facts.models[k]) + ' ',
      {b: valueText(facts, line[t])},
    ]),
    '.',
  ];
}
function curveRows({facts, point}) {
  const value = v => (Number.isNaN(v) ? '' : v);
  return [
    [facts.x, 'label', ...facts.models],
    ...Array.from({length: point.T}, (_, t) => [
      String(t + 1),
      point.tokens?.[t] ?? '',
      ...point.models.map(([line]) => value(line[t])),
    ]),
  ];
}
function drawCurves(stage, {W, facts, at, point, before, t, tone, measure}) {
  const lines = point.models.map(([line]) => line);
  const looks = lines.map((_, k) => lookOf(tone, k));
  const narrow = W < 600;
  const old =
    before && before.point.T === point.T ? before.point.models.map(([line]) => line) : null;
  const moved = k => old && valueText(facts, old[k][t]) !== valueText(facts, lines[k][t]);
  const end = line => line.findLastIndex(Number.isFinite);
  const scale = ticks(...facts.range, narrow ? 5 : 7);
  const [low, high] = facts.fixed ? facts.range : [scale.at[0], scale.at.at(-1)];
  const text = v => tickText(v, scale.gap);
  const left = 14 + Math.max(...scale.at.map(v => measure(text(v), '12px mono')));
  const entries = lines.map((line, k) => ({
    name: facts.models[k],
    look: looks[k],
    more: [
      [valueText(facts, line[t]), 'hot'],
      ...(moved(k) ? [[`was ${valueText(facts, old[k][t])}`, 'second']] : []),
    ],
    at: end(line),
  }));
  const right = narrow ? 10 : labelWidth(entries, measure, 150);
  const width = W - left - right;
  const legend = narrow ? labelRows(null, entries, W, 0, measure, tone) : {height: 0};
  const room = tokenRoom(point.tokens, (width - 20) / Math.max(1, point.T - 1), measure);
  const height = narrow ? 220 : 300;
  const shape = y0 => plotOf({x0: left, y0, width, height, T: point.T, low, high});
  const marks = markRows(point.marks, shape(0), measure);
  const rows = marks.length ? 1 + Math.max(...marks.map(mark => mark.row)) : 0;
  const plot = shape(legend.height + 28 + 17 * rows);
  const root = svg(stage, 'svg', {'aria-hidden': true});
  svg(
    root,
    'text',
    {x: plot.x0, y: legend.height + 12, class: 'soft'},
    cut(facts.y, width, measure),
  );
  yAxis(root, plot, scale.at, text, tone, 'left');
  drawMarks(root, plot, marks, tone);
  old?.forEach(line =>
    drawPath(root, trail(plot, line), {
      stroke: tone.soft,
      'stroke-width': 1.25,
      'stroke-dasharray': '2 4',
    }),
  );
  lines.forEach((line, k) => drawLine(root, plot, line, looks[k], tone));
  drawCursor(root, plot, t, lines, looks, tone);
  xAxis(root, plot, {tokens: point.tokens, t, room, W, measure, tone});
  const y = plot.y1 + room.height + 18;
  const title = cut(facts.x, width / 2, measure);
  svg(root, 'text', {x: plot.x1, y, class: 'soft', 'text-anchor': 'end'}, title);
  const total =
    y + 8 + settingsRow(root, {facts, at, W, measure}, plot.x0, y, width - measure(title) - 16);
  root.setAttribute('viewBox', `0 0 ${W} ${total}`);
  root.setAttribute('height', total);
  if (old) ghostNote(root, facts, before, plot, legend.height + 12, measure);
  const ended = entries.map(({at, ...entry}, k) => ({
    ...entry,
    joined: at === point.T - 1,
    y: at < 0 ? plot.y1 : plot.Y(Math.max(low, Math.min(high, lines[k][at]))),
  }));
  const labels = narrow
    ? labelRows(root, entries, W, 0, measure, tone).hit
    : directLabels(root, plot, ended, 'right', right, measure);
  return (x, y) =>
    x >= plot.x0 && x <= plot.x1 && y >= plot.y0 - 20 && y <= plot.y1 + room.height
      ? {step: plot.stepAt(x)}
      : labels(x, y) === undefined
        ? {}
        : {};
}
// The ghosts and the setting they belong to.
function ghostNote(root, facts, before, plot, y, measure) {
  const note = cut(
    `dotted: before, ${settingsText(facts, before.at)}`,
    plot.width - measure(readable(facts.y)) - 24,
    measure,
    160,
  );
  svg(root, 'text', {x: plot.x1, y, class: 'second', 'text-anchor': 'end'}, note);
}
export default {
  render: context =>
    gridView(context, {
      name: 'curves',
      label: 'curves over steps',
      controls: [],
      up: null,
      heading: () => '',
      notes: ({before}) => (before ? 'Esc also drops the dotted lines of the setting before.' : ''),
      sentence: curveSentence,
      rows: curveRows,
      draw: drawCurves,
    }),
};
