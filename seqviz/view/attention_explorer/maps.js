// Where the maps come from: asked for by name, decoded when needed, the last few kept.

import {
  THUMB,
  axesOf,
  decoded,
  ending,
  floatsOf,
  largest,
  meanOf,
  nearRollout,
  partOf,
  sheetOf,
  thumbOf,
  thumbOfPart,
  wholePart,
} from './weights.js';

const CELLS_KEPT = 6e6;
// What opens like a head: numbers, means, maxima, rollout.
export const named = (layer, head) =>
  typeof layer === 'string' && layer === head
    ? layer === 'max'
      ? 'Maximum of all heads'
      : 'Mean of all heads'
    : typeof layer === 'string'
      ? `Head ${head} · ${layer} over layers`
      : head === 'rollout'
        ? `Rollout to layer ${layer}`
        : typeof head === 'string'
          ? `Layer ${layer} · ${head} over heads`
          : `Layer ${layer} · head ${head}`;
export const brief = (layer, head) => `${layer}.${head}`;
// Layers go by the model's own numbers; lists of layers are in their order.
export const placeOfLayer = ({numbers}, layer) => numbers.indexOf(layer);
export const nearestLayer = ({numbers}, layer) =>
  numbers.reduce((best, one) => (Math.abs(one - layer) < Math.abs(best - layer) ? one : best));

export function mapSource(facts, model, get, signal) {
  const maps = new Map();
  const waiting = new WeakSet();
  const sheets = new Map();
  const axes = new Map();
  const cells = new Map();
  const courses = new Map();
  const means = new Map();
  const pictures = new Map();
  const page = model.kernel === false;
  // Parts number the kinds of the first checkpoint, then those of the next: each is as its kind.
  const kindOf = g => facts.kinds[g % facts.kinds.length];
  const count = n => Array.from({length: n}, (_, i) => i);
  // What did not come is asked for again the next time.
  let failures = 0;
  function forget() {
    failures++;
    for (const cache of [maps, sheets, cells, courses, means, pictures]) {
      for (const [key, value] of cache) if (value instanceof Promise) cache.delete(key);
    }
  }
  // A value now, or a promise of it.
  const then = (value, next) => (value instanceof Promise ? value.then(next) : next(value));
  const all = (values, next) =>
    values.some(v => v instanceof Promise) ? Promise.all(values).then(next) : next(values);
  // What is made once: the same promise while it is under way, the value after; the last few cells
  // are kept.
  function kept(cache, key, size, make) {
    const before = failures;
    const value = cache.has(key) ? cache.get(key) : make();
    cache.delete(key);
    if (value instanceof Promise && failures > before) return value;
    cache.set(key, value);
    for (const old of [...cache.keys()].slice(0, -2)) {
      if (cache.size * size > CELLS_KEPT) cache.delete(old);
    }
    if (value instanceof Promise && !waiting.has(value)) {
      waiting.add(value);
      value.then(made => cache.get(key) === value && cache.set(key, made));
    }
    return value;
  }
  const members = ({numbers, heads}, layer, head) =>
    (typeof layer === 'string' ? numbers : [layer]).flatMap(l =>
      (typeof head === 'string' ? count(heads) : [head]).map(h => [l, h]),
    );
  // In a page the floats of all maps of a kind stand together: of each layer its heads, their mean
  // and its rollout, then of the means over layers.
  function partNamed(g, layer, head, name = `${g} ${layer} ${head}`) {
    const kind = kindOf(g);
    const {layers: L, heads: H, self} = kind;
    const wide = H + 1 + self;
    if (!page) return then(get(name), bytes => partOf(bytes, kind));
    const at =
      (layer === 'mean' ? L : placeOfLayer(kind, layer)) * wide +
      ({mean: H, rollout: H + 1}[head] ?? head);
    return all([get(name), get(`${g} floats`)], ([codes, floats]) => ({
      codes,
      floats,
      maps: L * wide + H + 1,
      at,
    }));
  }
  const decode = (g, part) => decoded(part, kindOf(g), facts.precision);
  const made = (g, layer, head) => then(wholeOf(g, layer, head), part => decode(g, part));
  // The part of a map; in a page a mean or a rollout is made from what it differs from what is
  // expected.
  function wholeOf(g, layer, head) {
    const kind = kindOf(g);
    const name = `${g} ${layer} ${head}`;
    const differs =
      page && facts.precision === 'byte' && (layer === 'mean' || typeof head === 'string');
    if (!differs) return partNamed(g, layer, head);
    const below = kind.numbers[placeOfLayer(kind, layer) - 1];
    const expected =
      head === 'rollout'
        ? all(
            [made(g, layer, 'mean'), below === undefined ? null : made(g, below, 'rollout')],
            ([weights, before]) =>
              nearRollout(weights.values, before && before.values, kind.keys.length),
          )
        : all(
            head === layer
              ? kind.numbers.map(l => wholeOf(g, l, head))
              : members(kind, layer, head).map(place => partNamed(g, ...place)),
            parts => meanOf(parts, kind),
          );
    return kept(means, name, 0, () =>
      all([partNamed(g, layer, head, `${name} rest`), expected], ([rest, known]) =>
        wholePart(rest, known, kind),
      ),
    );
  }
  const isMax = (layer, head) => layer === 'max' || head === 'max';
  const size = ({queries, keys}) => queries.length * keys.length;
  const map = (g, layer, head) =>
    kept(maps, `${g} ${layer} ${head}`, size(kindOf(g)), () => made(g, layer, head));
  // What is on screen: `screen` holds words and specials, see stateOf.
  function axesShown(g, screen) {
    const key = `${g % facts.kinds.length} ${screen.words} ${screen.specials !== 'shown'}`;
    return axes.get(key) ?? axes.set(key, {...axesOf(kindOf(g), screen), key}).get(key);
  }
  // A maximum is of what is on screen of the heads.
  const most = (g, layer, head, screen) =>
    all(
      members(kindOf(g), layer, head).map(place => partNamed(g, ...place)),
      parts => largest(parts.map(part => () => cut(g, decode(g, part), screen))),
    );
  const cut = (g, made, screen) =>
    sheetOf(made, kindOf(g), axesShown(g, screen), screen.specials === 'renormalised');
  function sheet(g, layer, head, screen) {
    const key = `${g} ${layer} ${head}${ending(screen)}`;
    const shown = axesShown(g, screen);
    return kept(sheets, key, size(kindOf(g)), () =>
      then(
        isMax(layer, head)
          ? most(g, layer, head, screen)
          : then(map(g, layer, head), made => cut(g, made, screen)),
        sheet => ({...sheet, key, axes: shown.key}),
      ),
    );
  }
  const numbersOf = bytes => new Float32Array(bytes.slice().buffer);
  // A list for each score: of layers in their order, of heads.
  function scores(g, screen) {
    const {layers, heads, scores: names} = kindOf(g);
    return then(get(`${g} scores${ending(screen)}`), bytes => {
      const [numbers] = floatsOf({floats: bytes, maps: 1, at: 0}, {Q: bytes.length / 4, lists: 1});
      return Object.fromEntries(
        names.map((name, s) => [
          name,
          count(layers).map(l =>
            numbers.subarray((s * layers + l) * heads, (s * layers + l + 1) * heads),
          ),
        ]),
      );
    });
  }
  // The rows of a map, of every head.
  function rowsOf(g, {from, to}) {
    const kind = kindOf(g);
    const K = kind.keys.length;
    const places = each(kind);
    if (page) {
      return all(
        places.map(place => partNamed(g, ...place)),
        parts => parts.map(part => decoded(part, kind, facts.precision, from, to)),
      );
    }
    return all(
      count(to - from).map(q => get(`${g} row ${from + q}`)),
      parts => {
        const rows = parts.map(numbersOf);
        const none = new Float32Array(to - from);
        return places.map((_, i) => ({
          values: Float64Array.from(rows.flatMap(row => [...row.subarray(i * K, (i + 1) * K)])),
          totals: none,
          lost: none,
        }));
      },
    );
  }
  // What reads the weight of one cell, as it is on screen, from the rows of a map.
  function cellReader(g, row, column, screen) {
    const {columns} = axesShown(g, screen);
    const alone = {rows: [{...row, from: 0, to: row.to - row.from}], columns};
    const rescaled = screen.specials === 'renormalised';
    return made => sheetOf(made, kindOf(g), alone, rescaled).values[columns.indexOf(column)];
  }
  // It in every head.
  function cell(g, row, column, screen) {
    const {layers, heads} = kindOf(g);
    const read = cellReader(g, row, column, screen);
    return kept(cells, `${g} ${row.from} ${column.from}${ending(screen)}`, layers * heads, () =>
      then(rowsOf(g, row), maps => {
        const weights = Float64Array.from(maps, read);
        return count(layers).map(l => weights.subarray(l * heads, (l + 1) * heads));
      }),
    );
  }
  // It at every checkpoint, of one head.
  function course(g, layer, head, row, column, screen) {
    const kind = kindOf(g);
    const key = `${facts.kinds.indexOf(kind)} ${layer} ${head} ${row.from} ${column.from}${ending(screen)}`;
    const read = cellReader(g, row, column, screen);
    const weightIn = part => read(decoded(part, kind, facts.precision, row.from, row.to));
    const numbers = facts.checkpoints.map(
      (_, at) => at * facts.kinds.length + facts.kinds.indexOf(kind),
    );
    return kept(courses, key, numbers.length, () =>
      all(
        numbers.map(one => partNamed(one, layer, head)),
        parts => parts.map(weightIn),
      ),
    );
  }

  // ---- thumbnails by place: sent as one part, in a page made from the maps
  const each = ({numbers, heads: H}) => numbers.flatMap(l => count(H).map(h => [l, h]));
  const rolled = {
    mean: ({numbers, heads: H}) => [
      ...numbers.map(l => [l, 'mean']),
      ...count(H).map(h => ['mean', h]),
      ['mean', 'mean'],
    ],
    max: ({numbers, heads: H}) => [
      ...numbers.map(l => [l, 'max']),
      ...count(H).map(h => ['max', h]),
      ['max', 'max'],
    ],
    rollout: ({numbers, self}) => (self ? numbers.map(l => [l, 'rollout']) : []),
  };
  async function fromMaps(g, screen, places) {
    const found = [];
    const {rows, columns} = axesShown(g, screen);
    const whole = !ending(screen);
    for (let i = 0; i < places.length && !signal.aborted; i += 24) {
      // some at a time: the page stays alive
      const some = places.slice(i, i + 24);
      const thumb = ({values}) => thumbOf(values, rows.length, columns.length);
      const thumbs = await Promise.all(
        some.map(place =>
          isMax(...place)
            ? then(most(g, ...place, screen), thumb)
            : then(wholeOf(g, ...place), part =>
                whole
                  ? thumbOfPart(part, kindOf(g), facts.precision)
                  : thumb(cut(g, decode(g, part), screen)),
              ),
        ),
      );
      found.push(...thumbs.map((thumb, k) => [brief(...some[k]), thumb]));
    }
    return found;
  }
  function sent(g, screen, bytes) {
    const kind = kindOf(g);
    const {rows, columns} = axesShown(g, screen);
    const size = Math.min(rows.length, THUMB) * Math.min(columns.length, THUMB);
    return [...each(kind), ...Object.values(rolled).flatMap(places => places(kind))].map(
      (place, i) => [brief(...place), bytes.subarray(i * size, (i + 1) * size)],
    );
  }
  // Rows, columns, and the thumbnail at "layer.head"; in a page of the heads and of one roll-up.
  function thumbs(g, rollup, screen) {
    const kind = kindOf(g);
    const {rows, columns} = axesShown(g, screen);
    const state = `${g}${ending(screen)}`;
    const album = (...found) => ({
      rows: Math.min(rows.length, THUMB),
      columns: Math.min(columns.length, THUMB),
      key: `${state} ${rollup}`,
      at: new Map(found.flat()),
    });
    if (!page) {
      return kept(pictures, state, 0, () =>
        then(get(`${g} thumbs${ending(screen)}`), bytes => album(sent(g, screen, bytes))),
      );
    }
    const some = name =>
      kept(pictures, `${state} only ${name}`, 0, () =>
        fromMaps(g, screen, name === 'heads' ? each(kind) : rolled[name](kind)),
      );
    return kept(pictures, `${state} with ${rollup}`, 0, () =>
      all(['heads', ...(rollup === 'rollout' ? ['mean'] : []), rollup].map(some), found =>
        album(...found),
      ),
    );
  }
  return {kindOf, sheet, scores, cell, course, thumbs, forget};
}
