// What travels as one part: arrays by name, and beside them whatever JSON holds; see codec.py.

const HEAD = 4; // bytes that say how long the head is
const ALIGNED = 8; // bytes: each array takes a multiple
const KINDS = {f4: Float32Array, f8: Float64Array, u1: Uint8Array, i4: Int32Array};

/**
 * Arrays and values by name.
 * @param {DataView} part
 * @returns {Object<string, any>}
 */
export function unpacked({buffer, byteOffset}) {
  const told = new DataView(buffer, byteOffset).getUint32(0, true);
  const start = byteOffset + HEAD;
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, start, told)));
  const values = Object.entries(head).map(([name, {is, kind, from, count}]) => {
    if (!kind) return [name, is];
    const Kind = KINDS[kind];
    const at = start + told + from;
    return [name, new Kind(buffer.slice(at, at + count * Kind.BYTES_PER_ELEMENT))];
  });
  return Object.fromEntries(values);
}
/**
 * The same the other way round, as codec.py packs it; `unpacked` gives it back.
 * @param {Object<string, any>} values typed arrays, and what JSON holds, by name
 * @returns {ArrayBuffer}
 */
export function packed(values) {
  const head = {};
  const rows = [];
  let size = 0;
  for (const [name, value] of Object.entries(values)) {
    const kind = kindOfArray(value);
    head[name] = kind ? {kind, from: size, count: value.length} : {is: value};
    if (!kind) continue;
    rows.push([size, value]);
    size += Math.ceil(value.byteLength / ALIGNED) * ALIGNED;
  }
  const told = new TextEncoder().encode(inAscii(JSON.stringify(head)));
  const part = new Uint8Array(HEAD + told.length + size);
  new DataView(part.buffer).setUint32(0, told.length, true);
  part.set(told, HEAD);
  for (const [at, {buffer, byteOffset, byteLength}] of rows) {
    part.set(new Uint8Array(buffer, byteOffset, byteLength), HEAD + told.length + at);
  }
  return part.buffer;
}
const kindOfArray = value => Object.keys(KINDS).find(kind => value instanceof KINDS[kind]);
// As Python writes JSON.
const inAscii = text =>
  text.replace(
    /[\u007f-\uffff]/g,
    letter => '\\u' + letter.charCodeAt(0).toString(16).padStart(4, '0'),
  );
