// What a reader said, in the browser's own store: nothing is sent anywhere.

const FULL = 'This browser keeps nothing more: what you say is forgotten when the page is closed.';
const UNREADABLE = 'What this browser had kept could not be read: it begins anew.';

/**
 * A table of records by name that outlives the page where the browser lets it.
 * @param {string} place name of the table in the store
 * @param {() => Storage} storage may throw: a browser can forbid it
 * @returns {Object} `all`, `of`, `keep`, `forget`, and `problem`: what to say of the store
 */
export function memoryOf(place, storage = () => localStorage) {
  let here = {};
  let problem = '';
  function read() {
    let text = null;
    try {
      text = storage().getItem(place);
    } catch {
      problem = FULL;
    }
    if (text === null) return here;
    try {
      here = {...tableOf(text)};
    } catch {
      problem = UNREADABLE;
    }
    return here;
  }
  function write() {
    try {
      storage().setItem(place, JSON.stringify(here));
    } catch {
      problem = FULL;
    }
  }
  return {
    all: () => ({...read()}),
    of: name => read()[name],
    keep(name, record) {
      here = {...read(), [name]: record};
      write();
    },
    forget() {
      here = {};
      write();
    },
    problem: () => problem,
  };
}
function tableOf(text) {
  const table = JSON.parse(text);
  if (typeof table !== 'object' || table === null || Array.isArray(table)) throw new TypeError();
  return table;
}
