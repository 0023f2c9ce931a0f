// The blocks that views of a page share: found by their names, wherever they stand.

const find = name => document.querySelector(`script[data-block="${name}"]`);

/**
 * @typedef {Object} Graph
 * @property {string} told the name of a block
 * @property {string[]} numbers names of blocks
 * @property {number} size bytes of the numbers
 * @property {string | null} beside the address of a file with these blocks
 */

/** The names of all blocks that answer, each once. */
export const blocksOf = ({script, graphs}) => [
  ...new Set([script, ...Object.values(graphs).flatMap(({told, numbers}) => [told, ...numbers])]),
];
/** Whether the page has not got some of these blocks. */
export const lacks = names => !names.every(find);
/** The elements of those blocks that the page has. */
export const elementsOf = names => names.map(find).filter(Boolean);
/** What stands in a block. */
async function bytesOf(host, name) {
  const block = find(name);
  if (!block) throw new Error('a part of the model is not in this page any more');
  return new Uint8Array(await host.unpack(block));
}
/** A block of text. */
export const textOf = async (host, name) => new TextDecoder().decode(await bytesOf(host, name));
/**
 * All numbers of a graph; the page is free for other things between two blocks.
 * @param {Element} host
 * @param {Graph} graph
 * @returns {Promise<ArrayBuffer>}
 */
export async function numbersOf(host, {numbers, size}) {
  const all = new Uint8Array(size);
  let at = 0;
  for (const name of numbers) {
    const piece = await bytesOf(host, name);
    all.set(piece, at);
    at += piece.length;
    await new Promise(done => setTimeout(done));
  }
  return all.buffer;
}
/**
 * Loads the files beside the page that blocks are in. All views of the page are told of it by
 * an event of the document, "seqviz-blocks".
 * @param {string[]} addresses
 */
export async function loadBeside(addresses) {
  await Promise.all(addresses.map(loaded));
  document.dispatchEvent(new Event('seqviz-blocks'));
}
function loaded(address) {
  const script = document.createElement('script');
  script.src = address;
  return new Promise((done, failed) => {
    script.onload = done;
    script.onerror = () => failed(new Error(`${address} does not come`));
    document.head.append(script);
  });
}
