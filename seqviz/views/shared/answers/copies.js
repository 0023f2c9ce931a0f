// What a saved copy of a page holds of the answers that it got: the picture as it stands.

const textOfBytes = ({buffer, byteOffset, byteLength}) => {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return bytes.toBase64?.() ?? btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''));
};
const bytesOfText = text =>
  new DataView(
    (Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), c => c.charCodeAt(0))).buffer,
  );
/** An object with each value changed. */
export const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/**
 * @typedef {Object} Now what is on screen, where answers have changed it
 * @property {Object} facts
 * @property {Object<string, string>} first parts that the page has not got, in base64
 * @property {boolean} anew whether all its parts are others than those of the page
 * @property {Object[]} messages that a new worker is sent again
 */

/**
 * What is to be kept of the state of a view.
 * @param {Object} state
 * @param {(name: string) => boolean} holds whether the page has got a part
 * @param {{anew: boolean, messages: Object[]}} more
 * @returns {Now}
 */
export function nowOf({facts, first}, holds, more) {
  const others = Object.entries(first).filter(([name]) => !holds(name));
  return {facts, first: mapped(Object.fromEntries(others), textOfBytes), ...more};
}
/**
 * Puts into the state of a view what a copy kept.
 * @param {Object} state
 * @param {Now} now
 */
export function putBack(state, {facts, first, anew}) {
  const own = anew ? {} : state.first;
  Object.assign(state, {facts, first: {...own, ...mapped(first, bytesOfText)}});
}
/** Bytes by name, of their own: a worker gets them without what lies beside them. */
export const copied = first =>
  mapped(
    first,
    ({buffer, byteOffset, byteLength}) =>
      new DataView(buffer.slice(byteOffset, byteOffset + byteLength)),
  );
