// What travels as one part: arrays by name, and beside them whatever JSON holds; see codec.py.

const HEAD = 4; // bytes that say how long the head is
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
