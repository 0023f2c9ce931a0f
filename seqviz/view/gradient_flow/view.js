// The norm of a gradient at each time step. Chart and cursor: chart.js, grid_view.js; the matrix
// beside it: spectrum.js.

import {readable, svg} from '../shared/base.js';
import {
  directLabels,
  drawCursor,
  drawLine,
  drawMarks,
  drawPath,
  figures,
  hatch,
  labelRows,
  labelWidth,
  lookOf,
  markRows,
  plotOf,
  powerText,
  powers,
  stretches,
  tokenRoom,
  trail,
  xAxis,
  yAxis,
} from '../shared/chart.js';
import {gridView} from '../shared/grid_view.js';
import {settingsRow} from '../shared/settings.js';
import {radiusOf, spectrum, spectrumHeight} from './spectrum.js';

const LEAST = 3;
const normText = log => (log === -Infinity ? 'no gradient' : figures(10 ** log));
// Window and slope of the half farther from the loss, of the last run of steps with a gradient;
// null if that is too short.
function fitted(line) {
  const last = line.findLastIndex(Number.isFinite);
  const start = line.subarray(0, last + 1).findLastIndex(v => !Number.isFinite(v)) + 1;
  const size = Math.floor((last - start + 1) / 2);
  if (last < 0 || size < LEAST) return null;
  let across = 0;
  let square = 0;
  let sum = 0;
  for (let k = 0; k < size; k++) {
    const t = k - (size - 1) / 2;
    across += t * line[start + k];
    square += t * t;
    sum += line[start + k];
  }
  return {
    start,
    end: start + size - 1,
    last,
    slope: across / square,
    factor: 10 ** (-across / square),
    mean: sum / size,
  };
}
function span(line) {
  const runs = stretches(line, v => v === -Infinity);
  const count = runs.reduce((sum, [a, b]) => sum + b - a + 1, 0);
  const [[a, b]] = runs;
  return runs.length > 1
    ? `${count} of ${line.length} steps`
    : a === b
      ? `step ${a + 1}`
      : `steps ${a + 1} to ${b + 1}`;
}
function gradientSentence({facts, point, model, t}) {
  const arrays = point.models[facts.models.indexOf(model)];
  const [line, sigma] = arrays;
  const lost = line.includes(-Infinity);
  const fit = fitted(line);
  const clauses = [];
  if (point.marks.length) {
    const gone = point.marks.find(([step]) => line[step - 1] === -Infinity);
    const [step, text] = gone ?? point.marks[0];
    clauses.push([
      {b: gone ? 'no gradient' : `a gradient of ${normText(line[step - 1])}`},
      ` reaches step ${step}, ${readable(text)}`,
    ]);
  } else if (lost) clauses.push([{b: 'no gradient'}, ` reaches ${span(line)}`]);
  if (fit && !lost && !point.marks.length) {
    clauses.push([
      `from step ${fit.end + 1} back to ${fit.start + 1} each step multiplies the gradient by `,
      {b: figures(fit.factor)},
      ' on average',
    ]);
    if (sigma.length) {
      clauses.push([
        `the spectral radius is ${figures(radiusOf(arrays))}, the largest singular value ${figures(sigma[0])}`,
      ]);
    }
  }
  if (!clauses.length) clauses.push([`the gradient at step ${t + 1} is ${normText(line[t])}`]);
  return [
    `${readable(model)}: `,
    ...clauses.flatMap((clause, k) => (k ? ['; ', ...clause] : clause)),
    '.',
  ];
}
function gradientRows({facts, point}) {
  const rows = [['model', 'what', 'number', 'label', 'value']];
  facts.models.forEach((label, m) => {
    const [line, ...spectrum] = point.models[m];
    line.forEach((v, t) =>
      rows.push([
        label,
        'log10 of the norm',
        String(t + 1),
        point.tokens?.[t] ?? '',
        v === -Infinity ? 'no gradient' : v,
      ]),
    );
    ['singular value', 'eigenvalue real part', 'eigenvalue imaginary part'].forEach((what, k) =>
      spectrum[k].forEach((v, n) => rows.push([label, what, String(n + 1), '', v])),
    );
  });
  return rows;
}

// ---- the picture: the chart, and a panel for each matrix beside or below it
function drawGradients(stage, scene) {
  const {W, facts, point, model, tone} = scene;
  const looks = facts.models.map((_, k) => lookOf(tone, k));
  const squares = facts.models
    .map((name, k) => ({
      name,
      arrays: point.models[k],
      look: looks[k],
      focus: name === model,
      ...scene,
      radius: facts.radius,
      top: facts.top,
    }))
    .filter(({arrays}) => arrays[1].length);
  const beside = (squares.length === 1 && W >= 700) || (squares.length === 2 && W >= 900);
  const size = beside
    ? squares.length === 1
      ? 190
      : 164
    : Math.min(190, (W - 16) / Math.min(squares.length || 1, W < 600 ? 2 : 4) - 28);
  const room = beside ? squares.length * (size + 28) + 8 : 0;
  const root = svg(stage, 'svg', {'aria-hidden': true});
  const chart = gradientChart(root, scene, looks, W - room);
  const columns = Math.max(1, Math.floor((W - 8) / (size + 28)));
  const places = squares.map((square, k) => {
    const x = beside ? W - room + 20 + k * (size + 28) : 8 + (k % columns) * (size + 28);
    const y = beside
      ? 8
      : chart.height + 16 + Math.floor(k / columns) * (spectrumHeight(size) + 20);
    spectrum(root, square, x, y, size);
    return {model: square.name, x, y};
  });
  const height = Math.max(chart.height, ...places.map(({y}) => y + spectrumHeight(size) + 4));
  root.setAttribute('viewBox', `0 0 ${W} ${height}`);
  root.setAttribute('height', height);
  return (x, y) => {
    const panel = places.find(
      place =>
        x >= place.x - 8 &&
        x < place.x + size + 8 &&
        y >= place.y &&
        y < place.y + spectrumHeight(size),
    );
    return panel ? {model: panel.model} : chart.hit(x, y);
  };
}
function gradientChart(root, {facts, at, point, model, t, tone, measure}, looks, W) {
  const lines = point.models.map(([line]) => line);
  const chosen = facts.models.indexOf(model);
  const narrow = W < 520;
  const fits = lines.map(fitted);
  const fit = fits[chosen];
  const kind = facts.choices.map(({name}) => at[name]).filter(value => typeof value === 'string');
  const [least, most] = facts.ranges[[point.T, ...kind].join('\n')];
  const scale = powers(least, most, narrow ? 5 : 7);
  const entries = lines.map((line, k) => ({
    name: facts.models[k],
    look: looks[k],
    strong: k === chosen && lines.length > 1,
    more: [
      [normText(line[t]), 'hot'],
      ...(fits[k] ? [[`×${figures(fits[k].factor)}`, 'soft']] : []),
    ],
  }));
  const right = 14 + Math.max(...scale.map(v => measure(powerText(v), '12px mono')));
  const left = narrow ? 10 : labelWidth(entries, measure, 150);
  const width = W - left - right;
  const legend = narrow ? labelRows(null, entries, W, 0, measure, tone).height : 0;
  const room = tokenRoom(point.tokens, (width - 20) / Math.max(1, point.T - 1), measure);
  const lost = lines.map(line => stretches(line, v => v === -Infinity));
  const lanes = lines.length > 1 ? lost.flatMap((runs, k) => (runs.length ? [k] : [])) : [];
  const shape = y0 =>
    plotOf({
      x0: left,
      y0,
      width,
      height: narrow ? 230 : 300,
      T: point.T,
      low: scale[0],
      high: scale.at(-1),
    });
  const marks = markRows(point.marks, shape(0), measure);
  const rows = marks.length ? 1 + Math.max(...marks.map(mark => mark.row)) : 0;
  const stacked = width < 380;
  const plot = shape(legend + 28 + 17 * (rows + stacked));
  const clear = plot.pitch / 2;
  svg(
    root,
    'text',
    {x: plot.x1, y: legend + 12, class: 'soft', 'text-anchor': 'end'},
    'norm of the gradient',
  );
  if (fit) fitWindow(root, plot, fit, legend + 12 + 17 * stacked, tone);
  yAxis(root, plot, scale, powerText, tone, 'right');
  const words = 'no gradient reaches here';
  const notes = [];
  for (const [a, b] of lost[chosen]) {
    const x = Math.max(plot.x0, plot.X(a) - clear);
    const wide = Math.min(plot.x1, plot.X(b) + clear) - x;
    hatch(root, x, plot.y0, wide, plot.height, tone.soft);
    if (measure(words, '700 12px') + 16 < wide) notes.push(x + wide / 2);
  }
  lanes.forEach((k, lane) =>
    lost[k].forEach(([a, b]) =>
      svg(root, 'path', {
        d: `M${Math.max(plot.x0, plot.X(a) - clear)} ${plot.y1 - 6 - 9 * lane}H${Math.min(plot.x1, plot.X(b) + clear)}`,
        stroke: looks[k].colour,
        'stroke-width': 6,
        'stroke-dasharray': '2 3',
      }),
    ),
  );
  drawMarks(root, plot, marks, tone);
  // the wide one below: lines that agree are both seen
  const order = [chosen, ...lines.keys()].filter((k, i) => !i || k !== chosen);
  for (const k of order) {
    drawLine(root, plot, lines[k], looks[k], tone, k === chosen && lines.length > 1);
  }
  for (const k of order) {
    if (k === chosen || order.length < 3) {
      reference(root, plot, point.models[k], fits[k], k === chosen ? tone.ink : tone.soft);
    }
  }
  drawCursor(root, plot, t, lines, looks, tone);
  for (const x of notes) {
    const size = measure(words, '700 12px') + 16;
    const y = plot.y0 + plot.height / 2;
    svg(root, 'rect', {x: x - size / 2, y: y - 12, width: size, height: 24, fill: tone.bg, rx: 4});
    svg(root, 'text', {x, y: y + 4, 'text-anchor': 'middle', class: 'strong'}, words);
  }
  xAxis(root, plot, {tokens: point.tokens, t, room, W, measure, tone});
  const foot = plot.y1 + room.height + 18;
  const title = narrow ? '← back through time' : '← the gradient flows back through time';
  svg(root, 'text', {x: plot.x1, y: foot, class: 'soft', 'text-anchor': 'end'}, title);
  const more = settingsRow(
    root,
    {facts, at, W, measure},
    plot.x0,
    foot,
    width - measure(title) - 16,
  );
  const begun = entries.map((entry, k) => {
    const first = lines[k].findIndex(Number.isFinite);
    return {...entry, joined: first === 0, y: first < 0 ? plot.y1 : plot.Y(lines[k][first])};
  });
  const labels = narrow
    ? labelRows(root, entries, W, 0, measure, tone).hit
    : directLabels(root, plot, begun, 'left', left, measure);
  return {
    height: foot + more + 8,
    hit: (x, y) => {
      const label = labels(x, y);
      if (label !== undefined) return {model: facts.models[label]};
      if (x < plot.x0 || x > plot.x1 || y < plot.y0 - 20 || y > plot.y1 + room.height) return {};
      const step = plot.stepAt(x);
      const off = line => Math.abs(plot.Y(line[step]) - y);
      const near = lines.reduce(
        (best, line, k) =>
          off(line) < off(lines[best]) - 0.5 || Number.isNaN(off(lines[best])) ? k : best,
        chosen,
      );
      return off(lines[near]) < 12 ? {step, model: facts.models[near]} : {step};
    },
  };
}
// The steps that the factor is fitted to.
function fitWindow(root, plot, {start, end, factor}, y, tone) {
  const a = plot.X(start);
  const b = plot.X(end);
  const words = `×${figures(factor)} a step back, fitted to steps ${start + 1} to ${end + 1}`;
  svg(root, 'text', {x: plot.x0, y, class: 'soft'}, words);
  svg(root, 'path', {
    d: `M${a} ${plot.y0 + 8}v-6H${b}v6`,
    fill: 'none',
    stroke: tone.soft,
    'stroke-width': 1.5,
  });
}
// What the spectral radius alone would give, through the middle of the window.
function reference(root, plot, arrays, fit, stroke) {
  const own = radiusOf(arrays);
  if (!fit || !own) return;
  const middle = (fit.start + fit.end) / 2;
  const values = Array.from(arrays[0], (_, t) =>
    t >= fit.start && t <= fit.last ? fit.mean - Math.log10(own) * (t - middle) : NaN,
  );
  drawPath(root, trail(plot, values), {
    stroke,
    'stroke-width': 2,
    'stroke-dasharray': '0.1 8',
    'stroke-linecap': 'round',
  });
}
export default {
  render: context =>
    gridView(context, {
      name: 'gradients',
      label: 'norm of the gradient by time step',
      controls: ['model'],
      heading: () => 'How much gradient reaches each time step',
      notes: ({point: {models}}) =>
        [
          [
            models.some(([line]) => fitted(line)),
            'The factor × is fitted to the half of the steps farther from the loss.',
          ],
          [
            models.some(([line, sigma]) => sigma.length && fitted(line)),
            'Dotted lines: the slope that the spectral radius alone would give.',
          ],
          [
            models.some(([, sigma]) => sigma.length),
            'Circles: eigenvalues, with the unit circle and the spectral radius (dashed). Bars: singular values, with a line at 1.',
          ],
          [models.some(([line]) => line.includes(-Infinity)), 'Hatched: the norm is exactly 0.'],
        ]
          .filter(([is]) => is)
          .map(([, note]) => note)
          .join(' '),
      up: ({facts, model}, by) => ({
        model:
          facts.models[
            (facts.models.indexOf(model) + by + facts.models.length) % facts.models.length
          ],
      }),
      sentence: gradientSentence,
      rows: gradientRows,
      draw: drawGradients,
      reading: ({t, point, facts, model}) =>
        `step ${t + 1} of ${point.T}: ${normText(point.models[facts.models.indexOf(model)][0][t])}`,
    }),
};
