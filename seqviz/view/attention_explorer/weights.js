// The weights of a head: bytes to numbers, pieces to words, specials out, the strongest first. Numbers only, no page.

// ---- a part to float64: row maximum * (byte / 255)^2, or row maximum * half
const SQUARES = Float64Array.from({length: 256}, (_, b) => (b / 255) * (b / 255));
let halves;
const halfTable = () => halves ??= Float64Array.from({length: 0x7c01}, (_, h) => h < 1024 ? h * 2 ** -24 : (1 + (h & 1023) / 1024) * 2 ** ((h >> 10) - 15));
// Row maxima come first, then row totals where rows do not sum to 1.
const lead = ({queries, sums}) => queries.length * (sums ? 4 : 8);
function decoded(bytes, kind, precision) {
  const Q = kind.queries.length, K = kind.keys.length, start = lead(kind), values = new Float64Array(Q * K), before = new Float32Array(bytes.slice(0, start).buffer);
  const half = precision === 'half', codes = half ? new Uint16Array(bytes.slice(start).buffer) : bytes.subarray(start), shares = half ? halfTable() : SQUARES;
  for (let q = 0, i = 0; q < Q; q++) for (const end = i + K, most = before[q]; i < end; i++) values[i] = most * shares[codes[i]];
  return {values, totals: kind.sums ? new Float32Array(Q).fill(1) : before.subarray(Q)};
}
const summed = values => values.reduce((sum, v) => sum + v, 0);
// The largest of several maps, cell by cell; `maps` are functions, so that one is decoded at a time.
function largest(maps, {queries, keys}) {
  const [{values}, ...others] = maps.map((map, i) => i ? map : map()), K = keys.length;
  for (const other of others) other().values.forEach((v, i) => { if (v > values[i]) values[i] = v; });
  return {values, totals: Float64Array.from(queries, (_, q) => summed(values.subarray(q * K, q * K + K)))};
}
// A page holds the mean of some heads as what it differs, byte by byte, from the mean of the decoded heads.
function plainMean(rest, parts, kind) {
  const Q = kind.queries.length, K = kind.keys.length, start = lead(kind), bytes = rest.slice(), before = new Float32Array(rest.slice(0, 4 * Q).buffer), mean = new Float64Array(Q * K);
  for (const part of parts) {
    const most = new Float32Array(part.slice(0, 4 * Q).buffer);
    for (let q = 0, i = 0, at = start; q < Q; q++) for (const end = i + K, scale = most[q]; i < end; i++) mean[i] += scale * SQUARES[part[at++]];
  }
  for (let q = 0, i = 0; q < Q; q++) {
    if (before[q] > 0) for (let k = 0; k < K; k++, i++) bytes[start + i] += Math.min(255, Math.floor(255 * Math.sqrt(mean[i] / parts.length / before[q]) + 0.5));
    else i += K;
  }
  return bytes;
}

// ---- a thumbnail: round(255 * sqrt(block maximum / map maximum)), from the bytes as they came
function thumbOf(bytes, kind, precision) {
  const Q = kind.queries.length, K = kind.keys.length, [rows, columns] = kind.thumb, out = new Uint8Array(rows * columns);
  const column = Uint16Array.from({length: K}, (_, k) => Math.floor(k * columns / K)), row = q => Math.floor(q * rows / Q) * columns;
  if (precision === 'half') {
    const {values} = decoded(bytes, kind, precision), most = values.reduce((a, b) => Math.max(a, b), 0) || 1;
    for (let q = 0, i = 0; q < Q; q++) for (let k = 0; k < K; k++, i++) {
      const at = row(q) + column[k];
      out[at] = Math.max(out[at], Math.round(255 * Math.sqrt(values[i] / most)));
    }
    return out;
  }
  const before = new Float32Array(bytes.slice(0, 4 * Q).buffer), most = before.reduce((a, b) => Math.max(a, b), 0) || 1;
  for (let q = 0, i = lead(kind); q < Q; q++) {
    const from = row(q), scale = Math.sqrt(before[q] / most), strongest = new Uint8Array(columns);
    for (let k = 0; k < K; k++, i++) if (bytes[i] > strongest[column[k]]) strongest[column[k]] = bytes[i];
    for (let c = 0; c < columns; c++) out[from + c] = Math.max(out[from + c], Math.round(strongest[c] * scale));
  }
  return out;
}

// ---- what is shown of a map: words for pieces, without specials, rows scaled to 1
function unitsOf(tokens, numbers, texts, special) {
  const starts = [...tokens.keys()].filter(i => !numbers || !i || numbers[i] !== numbers[i - 1]);
  const units = starts.map((from, n) => {
    const to = starts[n + 1] ?? tokens.length, own = special.filter(i => i >= from && i < to).length;
    return {from, to, text: numbers ? texts[n] : tokens[from], special: own === to - from};
  });
  const seen = new Map();
  for (const {text} of units) seen.set(text, (seen.get(text) ?? 0) + 1);
  return units.map(unit => ({...unit, twin: seen.get(unit.text) > 1}));
}
function axesOf(kind, {words, specials}) {
  const side = name => {
    const all = unitsOf(kind[name.toLowerCase()], words ? kind['word' + name] : null, kind['wordText' + name], kind['special' + name]);
    const rest = specials === 'shown' ? all : all.filter(({special}) => !special);
    return rest.length ? rest : all;
  };
  return {rows: side('Queries'), columns: side('Keys')};
}
function sheetOf(map, {keys}, {rows, columns}, renormalised) {
  const n = rows.length, m = columns.length, K = keys.length, values = new Float64Array(n * m), totals = new Float64Array(n), hidden = new Float64Array(n), peaks = new Float64Array(n);
  for (let r = 0; r < n; r++) {
    const {from, to} = rows[r], at = r * m;
    let all = 0;
    for (let q = from; q < to; q++) {
      for (let c = 0; c < m; c++) {
        let sum = 0;
        for (let i = q * K + columns[c].from, end = q * K + columns[c].to; i < end; i++) sum += map.values[i];
        values[at + c] += sum;
      }
      for (let i = q * K; i < q * K + K; i++) all += map.values[i];
      totals[r] += map.totals[q];
    }
    let seen = 0;
    for (let c = 0; c < m; c++) seen += values[at + c] /= to - from;
    totals[r] /= to - from;
    hidden[r] = Math.max(0, all / (to - from) - seen);
    if (hidden[r] < 1e-9 * seen) hidden[r] = 0;
    if (renormalised && seen > 0) {
      for (let c = 0; c < m; c++) values[at + c] /= seen;
      totals[r] = 1;
      hidden[r] = 0;
    }
    for (let c = 0; c < m; c++) if (values[at + c] > peaks[r]) peaks[r] = values[at + c];
  }
  return {rows, columns, n, m, values, totals, hidden, peaks, most: peaks.reduce((a, b) => Math.max(a, b), 0)};
}

// ---- the strongest: of all, of a row, of a column
function strongest({rows, columns, n, m, values}) {
  const search = counts => {
    let best = -1;
    for (let r = 0; r < n; r++) for (let c = 0; c < m; c++) if (counts(r, c) && values[r * m + c] > (values[best] ?? 0)) best = r * m + c;
    return best;
  };
  let best = search((r, c) => !rows[r].special && !columns[c].special);
  if (best < 0) best = Math.max(0, search(() => true));
  return {row: Math.floor(best / m), column: best % m};
}
// The weights of one row (a query) or one column (a key).
function series({values, n, m}, {side, at}) {
  return side === 'query' ? values.subarray(at * m, at * m + m) : Float64Array.from({length: n}, (_, r) => values[r * m + at]);
}
const firstLargest = list => list.reduce((best, v, i) => v > list[best] ? i : best, 0);
function ranked(list, count) {
  return [...list.keys()].sort((a, b) => list[b] - list[a] || a - b).slice(0, count);
}

// ---- gold links of what is shown: sure ones count as sure if any token pair of the two words is
function linksOf(gold, {rows, columns}) {
  if (!gold) return [];
  const place = units => i => units.findIndex(({from, to}) => i >= from && i < to), row = place(rows), column = place(columns), known = new Map();
  for (const [kind, pairs] of [['possible', gold.possible], ['sure', gold.sure]]) for (const [q, k] of pairs) {
    const r = row(q), c = column(k);
    if (r >= 0 && c >= 0) known.set(`${r} ${c}`, {row: r, column: c, sure: kind === 'sure'});
  }
  return [...known.values()];
}
// A weight in words: never a round 0 for one that is not 0.
const weight = v => v === 0 ? '0' : v < 0.001 ? '<0.001' : v.toFixed(v < 0.0095 ? 3 : 2);
// A colour's place on the scale, 0 to 1.
const level = {linear: (v, most) => v / most, row: (v, _, peak) => v / peak, log: v => 1 + Math.log10(v) / 4};
