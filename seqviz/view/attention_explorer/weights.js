// The weights of a head: bytes to numbers, pieces to words, specials out, the strongest first.
// Numbers only, no page.

// ---- a part to float64: row maximum * (byte / 255)^2, or row maximum * half
export const SQUARES = Float64Array.from({length: 256}, (_, b) => (b / 255) * (b / 255));
let halves;
const halfTable = () =>
  (halves ??= Float64Array.from({length: 0x7c01}, (_, h) =>
    h < 1024 ? h * 2 ** -24 : (1 + (h & 1023) / 1024) * 2 ** ((h >> 10) - 15),
  ));
// What leaves when special tokens are hidden; what of the two controls changes a kind, as in
// Python.
const leaving = (tokens, special) => (special.length < tokens.length ? special : []);
export function stateOf(kind, words, specials) {
  const leave =
    leaving(kind.queries, kind.specialQueries).length + leaving(kind.keys, kind.specialKeys).length;
  return {
    words: words && Boolean(kind.wordQueries || kind.wordKeys),
    specials: leave ? specials : 'shown',
  };
}
export const ending = ({words, specials}) =>
  (words ? ' words' : '') + (specials === 'shown' ? '' : ` ${specials}`);
// A part begins with floats, see packing.py: row maxima; where keys can leave, the maxima of the
// others (0: the row's) and what
// their sums lost; where rows do not sum to 1, what the rows lost. Then a value for each cell. Runs
// are of keys with one of the
// maxima.
function layoutOf(kind) {
  const Q = kind.queries.length;
  const K = kind.keys.length;
  const special = leaving(kind.keys, kind.specialKeys);
  const runs = [];
  let at = 0;
  for (const k of [...special, K]) {
    if (k > at) runs.push({from: at, to: k, r: special.length ? 1 : 0});
    if (k < K) runs.push({from: k, to: k + 1, r: 0});
    at = k + 1;
  }
  return {
    Q,
    K,
    runs,
    split: special.length > 0,
    lists: 1 + (special.length ? 2 : 0) + (kind.sums ? 0 : 1),
  };
}
// A part as its floats' bytes and its codes. A page holds the floats of all maps of a kind
// together: `floats` is of so many `maps`,
// of which this is number `at`.
export function partOf(bytes, kind) {
  const {Q, lists} = layoutOf(kind);
  return {floats: bytes, maps: 1, at: 0, codes: bytes.subarray(4 * Q * lists)};
}
export function floatsOf({floats, maps, at}, {Q, lists, split}) {
  const all = new Uint8Array(4 * Q * lists);
  for (let plane = 0; plane < 4 * lists; plane++) {
    // the lowest bytes of a list come first, then the next
    for (
      let q = 0, from = (plane * maps + at) * Q, to = (plane >> 2) * 4 * Q + (plane & 3);
      q < Q;
      q++, to += 4
    ) {
      all[to] = floats[from + q];
    }
  }
  const rows = Array.from({length: lists}, (_, r) => new Float32Array(all.buffer, 4 * r * Q, Q));
  if (split) {
    rows[1].forEach((v, q) => {
      rows[1][q] = v || rows[0][q];
    });
  }
  return rows;
}
// Of rows from..to of a map: the floats of all, a code for each cell, the share of the row's
// maximum that a code stands for.
function opened(part, layout, precision, from, to) {
  const {K} = layout;
  const {codes} = part;
  const floats = floatsOf(part, layout);
  return precision === 'half'
    ? {
        floats,
        codes: new Uint16Array(codes.slice(2 * from * K, 2 * to * K).buffer),
        shares: halfTable(),
      }
    : {floats, codes: codes.subarray(from * K, to * K), shares: SQUARES};
}
// Adds rows from..to of a map.
function addTo(values, part, layout, precision, from, to) {
  const {floats, codes, shares} = opened(part, layout, precision, from, to);
  for (let q = from, i = 0; q < to; q++) {
    for (const run of layout.runs) {
      const scale = floats[run.r][q];
      for (let k = run.from; k < run.to; k++, i++) values[i] += scale * shares[codes[i]];
    }
  }
  return floats;
}
export function decoded(part, kind, precision, from = 0, to = kind.queries.length) {
  const layout = layoutOf(kind);
  const n = to - from;
  const values = new Float64Array(n * layout.K);
  const floats = addTo(values, part, layout, precision, from, to);
  const totals = Float64Array.from({length: n}, (_, q) =>
    kind.sums
      ? 1
      : summed(values.subarray(q * layout.K, (q + 1) * layout.K)) + floats.at(-1)[from + q],
  );
  return {values, totals, lost: layout.split ? floats[2].subarray(from, to) : new Float32Array(n)};
}
export const summed = values => values.reduce((sum, v) => sum + v, 0);
const raise = (onto, values) =>
  values.forEach((v, i) => {
    if (v > onto[i]) onto[i] = v;
  });
// The largest of several sheets, cell by cell; `sheets` are functions, so that one is decoded at a
// time.
export function largest([first, ...others]) {
  const {hidden, values, peaks, ...sheet} = first();
  const {n, m} = sheet;
  for (const other of others) {
    const {hidden: gone, values: seen, peaks: most} = other();
    raise(hidden, gone);
    raise(values, seen);
    raise(peaks, most);
  }
  const totals = Float64Array.from(
    {length: n},
    (_, r) => summed(values.subarray(r * m, r * m + m)) + hidden[r],
  );
  return {...sheet, values, totals, hidden, peaks, most: Math.max(...peaks)};
}
// A page holds means and rollouts as what their bytes differ from what is expected: two bits for
// each, four in a byte, 3 for -1;
// 2 is any other difference, and these follow.
export function wholePart(part, expected, kind) {
  const layout = layoutOf(kind);
  const {Q, K, runs} = layout;
  const {codes: rest} = part;
  const floats = floatsOf(part, layout);
  const codes = new Uint8Array(Q * K);
  for (let q = 0, i = 0; q < Q; q++) {
    for (const run of runs) {
      const scale = floats[run.r][q] || 1;
      for (let k = run.from; k < run.to; k++, i++) {
        codes[i] = Math.min(255, Math.floor(255 * Math.sqrt(expected[i] / scale) + 0.5));
      }
    }
  }
  for (let i = 0, other = Math.ceil((Q * K) / 4); i < Q * K; i++) {
    const bits = (rest[i >> 2] >> (2 * (i & 3))) & 3;
    codes[i] += bits === 2 ? rest[other++] : bits === 3 ? -1 : bits;
  }
  return {...part, codes};
}
// Expected of a mean: the mean of the decoded maps that it is made of.
export function meanOf(parts, kind) {
  const layout = layoutOf(kind);
  const mean = new Float64Array(layout.Q * layout.K);
  for (const part of parts) addTo(mean, part, layout, 'byte', 0, layout.Q);
  for (let i = 0; i < mean.length; i++) mean[i] /= parts.length;
  return mean;
}
// Expected of a rollout: as `near_rollout` in Python.
const PRODUCT = 256;
const WHOLE = 2 ** 20;
export function nearRollout(weights, before, n) {
  if (!before) return weights.map((v, i) => 0.5 * v + (i % (n + 1) ? 0 : 0.5));
  const through = n <= PRODUCT ? product(weights, before, n) : throughOthers(weights, before, n);
  return through.map((v, i) => 0.5 * before[i] + 0.5 * v);
}
function product(a, b, n) {
  const rows = new Float64Array(n);
  const columns = new Float64Array(n);
  const out = new Float64Array(n * n);
  for (let q = 0, i = 0; q < n; q++) {
    for (let k = 0; k < n; k++, i++) {
      if (a[i] > rows[q]) rows[q] = a[i];
      if (b[i] > columns[k]) columns[k] = b[i];
    }
  }
  const whole = (v, largest) => Math.floor((v / (largest || 1)) * WHOLE + 0.5);
  const right = b.map((v, i) => whole(v, columns[i % n]));
  for (let q = 0, i = 0; q < n; q++) {
    const row = out.subarray(q * n, q * n + n);
    for (let k = 0; k < n; k++, i++) {
      for (let c = 0, at = k * n, v = whole(a[i], rows[q]); c < n; c++, at++) {
        row[c] += v * right[at];
      }
    }
    for (let c = 0; c < n; c++) row[c] *= (rows[q] * columns[c]) / WHOLE ** 2;
  }
  return out;
}
function throughOthers(weights, before, n) {
  const through = new Float64Array(n * n);
  const others = new Float64Array(n);
  for (let i = 0; i < n * n; i++) others[i % n] += before[i];
  for (let k = 0; k < n; k++) others[k] = (others[k] - before[k * n + k]) / Math.max(1, n - 1);
  for (let q = 0, i = 0; q < n; q++) {
    for (let k = 0, sum = summed(weights.subarray(i, i + n)); k < n; k++, i++) {
      through[i] = weights[i] * before[k * n + k] + (sum - weights[i]) * others[k];
    }
  }
  return through;
}

// ---- a thumbnail: round(255 * sqrt(block maximum / map maximum)), at most 48 a side
export const THUMB = 48;
function blocksOf(n, m) {
  const rows = Math.min(n, THUMB);
  const columns = Math.min(m, THUMB);
  return {
    rows,
    columns,
    best: new Float64Array(rows * columns),
    edges: Array.from({length: columns + 1}, (_, b) => Math.ceil((b * m) / columns)),
  };
}
export function thumbOf(values, n, m) {
  const {rows, columns, best, edges} = blocksOf(n, m);
  for (let r = 0; r < n; r++) {
    for (let b = 0, at = Math.floor((r * rows) / n) * columns; b < columns; b++, at++) {
      let peak = best[at];
      for (let i = r * m + edges[b], end = r * m + edges[b + 1]; i < end; i++) {
        if (values[i] > peak) peak = values[i];
      }
      best[at] = peak;
    }
  }
  return shaded(best);
}
// The same of a part: the largest code of a row's block is its largest weight.
export function thumbOfPart(part, kind, precision) {
  const layout = layoutOf(kind);
  const {Q, K} = layout;
  const {rows, columns, best, edges} = blocksOf(Q, K);
  const {floats, codes, shares} = opened(part, layout, precision, 0, Q);
  for (let q = 0; q < Q; q++) {
    for (const run of layout.runs) {
      const scale = floats[run.r][q];
      const from = q * K + run.from;
      const to = q * K + run.to;
      for (
        let i = from,
          b = Math.floor((run.from * columns) / K),
          at = Math.floor((q * rows) / Q) * columns + b;
        i < to;
        b++, at++
      ) {
        let peak = 0;
        for (const end = Math.min(q * K + edges[b + 1], to); i < end; i++) {
          if (codes[i] > peak) peak = codes[i];
        }
        if (scale * shares[peak] > best[at]) best[at] = scale * shares[peak];
      }
    }
  }
  return shaded(best);
}
function shaded(best) {
  const thumb = new Uint8Array(best.length);
  let most = 0;
  for (let i = 0; i < best.length; i++) if (best[i] > most) most = best[i];
  for (let i = 0; most > 0 && i < best.length; i++) {
    thumb[i] = Math.round(255 * Math.sqrt(best[i] / most));
  }
  return thumb;
}

// ---- what is shown of a map: words for pieces, without specials, rows scaled to 1
function unitsOf(tokens, numbers, texts, special) {
  const starts = [...tokens.keys()].filter(i => !numbers || !i || numbers[i] !== numbers[i - 1]);
  const units = starts.map((from, n) => {
    const to = starts[n + 1] ?? tokens.length;
    const own = special.filter(i => i >= from && i < to).length;
    return {from, to, text: numbers ? texts[n] : tokens[from], special: own === to - from};
  });
  const seen = new Map();
  for (const {text} of units) seen.set(text, (seen.get(text) ?? 0) + 1);
  return units.map(unit => ({...unit, twin: seen.get(unit.text) > 1}));
}
export function axesOf(kind, {words, specials}) {
  const side = name => {
    const all = unitsOf(
      kind[name.toLowerCase()],
      words ? kind['word' + name] : null,
      kind['wordText' + name],
      kind['special' + name],
    );
    const rest = specials === 'shown' ? all : all.filter(({special}) => !special);
    return rest.length ? rest : all;
  };
  return {rows: side('Queries'), columns: side('Keys')};
}
// What bytes took from the sum of a row counts where the row is scaled to 1. What is hidden is what
// the sum leaves of the total,
// known to 0.001, or the hidden bytes added up, whichever is rounded less; both in steps of a byte.
export function sheetOf(map, {keys}, {rows, columns}, renormalised) {
  const n = rows.length;
  const m = columns.length;
  const K = keys.length;
  const values = new Float64Array(n * m);
  const totals = new Float64Array(n);
  const hidden = new Float64Array(n);
  const peaks = new Float64Array(n);
  const gone = Array.from(keys, (_, i) => i).filter(
    i => !columns.some(({from, to}) => i >= from && i < to),
  );
  for (let r = 0; r < n; r++) {
    const {from, to} = rows[r];
    const at = r * m;
    let left = 0;
    let steps = 0;
    let lost = 0;
    for (let q = from; q < to; q++) {
      for (let c = 0; c < m; c++) {
        let sum = 0;
        for (let i = q * K + columns[c].from, end = q * K + columns[c].to; i < end; i++) {
          sum += map.values[i];
        }
        values[at + c] += sum;
      }
      let roots = 0;
      let most = 0;
      for (const i of gone) {
        const v = map.values[q * K + i];
        left += v;
        roots += Math.sqrt(v);
        if (v > most) most = v;
      }
      steps += roots * Math.sqrt(most);
      totals[r] += map.totals[q];
      lost += map.lost[q];
    }
    let seen = 0;
    for (let c = 0; c < m; c++) seen += values[at + c] /= to - from;
    totals[r] /= to - from;
    const whole = seen + lost / (to - from);
    const rounded = steps / (to - from) > 0.25 + (lost ? 0 : seen);
    hidden[r] = rounded && totals[r] > whole ? totals[r] - whole : left / (to - from);
    if (renormalised && seen > 0) {
      for (let c = 0; c < m; c++) values[at + c] /= whole;
      totals[r] = 1;
      hidden[r] = 0;
    }
    for (let c = 0; c < m; c++) if (values[at + c] > peaks[r]) peaks[r] = values[at + c];
  }
  return {
    rows,
    columns,
    n,
    m,
    values,
    totals,
    hidden,
    peaks,
    most: peaks.reduce((a, b) => Math.max(a, b), 0),
  };
}

// ---- sums: what the bytes of a row gained or lost of its total is undone, in each cell as far as
// it may have been rounded
// The largest of a row comes back but for the rounding of its float, see packing.py.
function stepOf({columns, m, values, peaks}, r, c, crest) {
  const {from, to, special} = columns[c];
  const v = values[r * m + c];
  const most = special ? peaks[r] : crest;
  return v < most || to - from > 1 ? Math.sqrt((to - from) * v * most) : v / 16;
}
function leanOf(sheet, r) {
  const {columns, m, values, totals, hidden} = sheet;
  const row = values.subarray(r * m, r * m + m);
  const crest = row.reduce((most, v, c) => (columns[c].special ? most : Math.max(most, v)), 0);
  const steps = row.reduce((all, _, c) => all + stepOf(sheet, r, c, crest), 0);
  const lean = steps && (totals[r] - hidden[r] - summed(row)) / steps;
  return {crest, lean: Math.max(-0.99, Math.min(1.25, 255 * lean)) / 255};
}
export function massOf(sheet, r, c) {
  const {crest, lean} = ((sheet.leans ??= [])[r] ??= leanOf(sheet, r));
  return sheet.values[r * sheet.m + c] + lean * stepOf(sheet, r, c, crest);
}

// ---- the strongest: of the first n rows, of a row, of a column
// The rows that a decoder has written in its first steps: those of a word when all its pieces are.
export const writtenOf = ({rows}, steps) => rows.findLastIndex(({to}) => to <= steps) + 1;
export function strongest({rows, columns, m, values}, n) {
  const search = counts => {
    let best = -1;
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < m; c++) {
        if (counts(r, c) && values[r * m + c] > (values[best] ?? 0)) best = r * m + c;
      }
    }
    return best;
  };
  let best = search((r, c) => !rows[r].special && !columns[c].special);
  if (best < 0) {
    best = Math.max(
      0,
      search(() => true),
    );
  }
  return {row: Math.floor(best / m), column: best % m};
}
// The weights of one row (a query), or of the first n of one column (a key).
export function series({values, m}, {side, at}, n) {
  return side === 'query'
    ? values.subarray(at * m, at * m + m)
    : Float64Array.from({length: n}, (_, r) => values[r * m + at]);
}
export const firstLargest = list => list.reduce((best, v, i) => (v > list[best] ? i : best), 0);
export function ranked(list, count) {
  return [...list.keys()].sort((a, b) => list[b] - list[a] || a - b).slice(0, count);
}

// ---- gold links of what is shown: sure ones count as sure if any token pair of the two words is
export function linksOf(gold, {rows, columns}) {
  if (!gold) return [];
  const place = units => i => units.findIndex(({from, to}) => i >= from && i < to);
  const row = place(rows);
  const column = place(columns);
  const known = new Map();
  for (const [kind, pairs] of [
    ['possible', gold.possible],
    ['sure', gold.sure],
  ]) {
    for (const [q, k] of pairs) {
      const r = row(q);
      const c = column(k);
      if (r >= 0 && c >= 0) known.set(`${r} ${c}`, {row: r, column: c, sure: kind === 'sure'});
    }
  }
  return [...known.values()];
}
// A weight in words: never a round 0 for one that is not 0.
export const weight = v => (v === 0 ? '0' : v < 0.001 ? '<0.001' : v.toFixed(v < 0.0095 ? 3 : 2));
// A colour's place on the scale, 0 to 1.
export const level = {
  linear: (v, most) => v / most,
  row: (v, _, peak) => v / peak,
  log: v => 1 + Math.log10(v) / 4,
};
