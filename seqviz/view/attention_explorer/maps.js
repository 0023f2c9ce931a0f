// Where the maps come from: asked for by name, decoded when needed, the last few kept.

const CELLS_KEPT = 6e6;
// What opens like a head: numbers, means, maxima, rollout.
const named = (layer, head) => typeof layer === 'string' && layer === head ? layer === 'max' ? 'Maximum of all heads' : 'Mean of all heads'
  : typeof layer === 'string' ? `Head ${head} · ${layer} over layers`
  : head === 'rollout' ? `Rollout to layer ${layer}` : typeof head === 'string' ? `Layer ${layer} · ${head} over heads` : `Layer ${layer} · head ${head}`;
const brief = (layer, head) => `${layer}.${head}`;

function mapSource(facts, model, get, signal) {
  const maps = new Map(), waiting = new WeakSet(), sheets = new Map(), axes = new Map(), cells = new Map(), means = new Map(), pictures = new Map(), page = model.kernel === false;
  const count = n => Array.from({length: n}, (_, i) => i);
  // What did not come is asked for again the next time.
  let failures = 0;
  function forget() {
    failures++;
    for (const cache of [maps, sheets, cells, means, pictures]) for (const [key, value] of cache) if (value instanceof Promise) cache.delete(key);
  }
  // A value now, or a promise of it.
  const then = (value, next) => value instanceof Promise ? value.then(next) : next(value);
  const all = (values, next) => values.some(v => v instanceof Promise) ? Promise.all(values).then(next) : next(values);
  // What is made once: the same promise while it is under way, the value after; the last few cells are kept.
  function kept(cache, key, size, make) {
    const before = failures, value = cache.has(key) ? cache.get(key) : make();
    cache.delete(key);
    if (value instanceof Promise && failures > before) return value;
    cache.set(key, value);
    for (const old of [...cache.keys()].slice(0, -2)) if (cache.size * size > CELLS_KEPT) cache.delete(old);
    if (value instanceof Promise && !waiting.has(value)) {
      waiting.add(value);
      value.then(made => cache.get(key) === value && cache.set(key, made));
    }
    return value;
  }
  // The bytes of a map; in a page a mean over heads or layers is made from these and what it differs.
  const members = ({layers, heads}, layer, head) => (typeof layer === 'string' ? count(layers) : [layer]).flatMap(l => (typeof head === 'string' ? count(heads) : [head]).map(h => `${l} ${h}`));
  const decode = (bytes, kind) => () => decoded(bytes, kind, facts.precision);
  function bytesOf(g, layer, head) {
    const kind = facts.kinds[g], name = `${g} ${layer} ${head}`, differs = page && facts.precision === 'byte' && (layer === 'mean') !== (head === 'mean');
    if (!differs) return get(name);
    return kept(means, name, 0, () => all([get(`${name} rest`), ...members(kind, layer, head).map(part => get(`${g} ${part}`))],
      ([rest, ...parts]) => plainMean(rest, parts, kind)));
  }
  function map(g, layer, head) {
    const kind = facts.kinds[g];
    return kept(maps, `${g} ${layer} ${head}`, kind.queries.length * kind.keys.length, () => layer === 'max' || head === 'max'
      ? all(members(kind, layer, head).map(part => get(`${g} ${part}`)), parts => largest(parts.map(bytes => decode(bytes, kind)), kind))
      : then(bytesOf(g, layer, head), bytes => decode(bytes, kind)()));
  }
  function axesShown(g, words, specials) {
    const key = `${g} ${words} ${specials !== 'shown'}`;
    return axes.get(key) ?? axes.set(key, {...axesOf(facts.kinds[g], {words, specials}), key}).get(key);
  }
  function sheet(g, layer, head, words, specials) {
    const key = [g, layer, head, words, specials].join(' '), shown = axesShown(g, words, specials), kind = facts.kinds[g];
    return kept(sheets, key, kind.queries.length * kind.keys.length, () => then(map(g, layer, head),
      made => ({...sheetOf(made, kind, shown, specials === 'renormalised'), key, axes: shown.key})));
  }
  const floatsOf = bytes => new Float32Array(bytes.slice().buffer);
  // A list for each score: of layers, of heads.
  function scores(g) {
    const {layers, heads, scores: names} = facts.kinds[g];
    return then(get(`${g} scores`), bytes => {
      const numbers = floatsOf(bytes);
      return Object.fromEntries(names.map((name, s) => [name, count(layers).map(l => numbers.subarray((s * layers + l) * heads, (s * layers + l + 1) * heads))]));
    });
  }
  // The weight of one cell (of words: as words are made) in every head.
  function cell(g, {from: q0, to: q1}, {from: k0, to: k1}) {
    const {layers, heads, keys} = facts.kinds[g], pairs = count(q1 - q0).flatMap(q => count(k1 - k0).map(k => [q0 + q, k0 + k]));
    const each = () => page ? all(count(layers).flatMap(l => count(heads).map(h => get(`${g} ${l} ${h}`))), parts => pairs.map(([q, k]) => Float64Array.from(parts, bytes => one(bytes, facts.kinds[g], q * keys.length + k, q))))
      : all(pairs.map(([q, k]) => get(`${g} cell ${q} ${k}`)), parts => parts.map(floatsOf));
    return kept(cells, `${g} ${q0} ${q1} ${k0} ${k1}`, layers * heads, () => then(each(), lists => count(layers).map(l => Float64Array.from({length: heads}, (_, h) => lists.reduce((sum, values) => sum + values[l * heads + h], 0) / (q1 - q0)))));
  }
  function one(bytes, kind, i, q) {
    const n = lead(kind), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return view.getFloat32(4 * q, true) * (facts.precision === 'half' ? halfTable()[view.getUint16(n + 2 * i, true)] : SQUARES[bytes[n + i]]);
  }

  // ---- thumbnails: sent as one part, in a page made from the maps; those of maxima from the heads'
  const blocks = (g, list, rollout) => {
    const {layers: L, heads: H} = facts.kinds[g], at = (l, h) => list[l * H + h];
    const most = thumbs => thumbs.reduce((a, b) => a.map((v, i) => Math.max(v, b[i])));
    return {head: at, rollup: {
      mean: {layer: l => list[L * H + l], head: h => list[L * H + L + h], all: () => list[L * H + L + H]},
      max: {layer: l => most(count(H).map(h => at(l, h))), head: h => most(count(L).map(l => at(l, h))), all: () => most(list.slice(0, L * H))},
      rollout: {layer: l => rollout[l], head: h => list[L * H + L + h], all: () => list[L * H + L + H]},
    }};
  };
  async function fromMaps(g, places) {
    const list = [];
    for (let i = 0; i < places.length && !signal.aborted; i += 24) {   // some at a time: the page stays alive
      const parts = await Promise.all(places.slice(i, i + 24).map(place => bytesOf(g, ...place)));
      list.push(...parts.map(bytes => thumbOf(bytes, facts.kinds[g], facts.precision)));
    }
    return list;
  }
  function thumbs(g, rollup) {
    const {layers: L, heads: H, thumb: [rows, columns], self} = facts.kinds[g], size = rows * columns, key = page ? `${g} ${rollup === 'rollout'}` : `${g}`;
    if (pictures.has(key)) return pictures.get(key);
    const before = failures;
    let made;
    if (page) {
      const places = [...count(L).flatMap(l => count(H).map(h => [l, h])), ...count(L).map(l => [l, 'mean']), ...count(H).map(h => ['mean', h]), ['mean', 'mean']];
      const known = pictures.get(`${g} false`) ?? pictures.get(`${g} true`);
      made = (async () => {
        const list = (await known)?.list ?? await fromMaps(g, places), paths = rollup === 'rollout' && self ? await fromMaps(g, count(L).map(l => [l, 'rollout'])) : [];
        return {...blocks(g, list, paths), list};
      })();
    } else {
      made = then(get(`${g} thumbs`), bytes => {
        const list = count(L * H + L + H + 1 + (self ? L : 0)).map(i => bytes.subarray(i * size, (i + 1) * size));
        return blocks(g, list, list.slice(L * H + L + H + 1));
      });
    }
    if (made instanceof Promise && failures > before) return made;
    pictures.set(key, made);
    return then(made, value => { pictures.set(key, value); return value; });
  }
  return {sheet, scores, cell, thumbs, forget};
}
