// What a saved copy of a page holds of the answers that it got: the picture as it stands.

import {withValues} from '../objects.js';

const textOfBytes = ({buffer, byteOffset, byteLength}) => {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
};
const bytesOfText = text =>
  new DataView(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);

/**
 * What is to be kept of the state of a view, where answers have changed it.
 * @param {Object} state
 * @param {(name: string) => boolean} holds whether the page has got a part
 * @param {boolean} anew whether all parts are others than those of the page
 * @returns {{facts: Object, first: Object<string, string>, anew: boolean}} parts in base64
 */
export function nowOf({facts, first}, holds, anew) {
  const others = Object.entries(first).filter(([name]) => !holds(name));
  return {facts, first: withValues(Object.fromEntries(others), textOfBytes), anew};
}
/** Puts into the state of a view what a copy kept. */
export function putBack(state, {facts, first, anew}) {
  const own = anew ? {} : state.first;
  Object.assign(state, {facts, first: {...own, ...withValues(first, bytesOfText)}});
}
