// The worker's side of a page that answers: messages in, state and answers out, as Python would.

import {wishOf} from '../answers/wishes.js';
import {withValues} from '../objects.js';
import {load} from './loading.js';

/**
 * @typedef {Object} Answers
 * @property {(message: Object, to: {signal: AbortSignal, set: Function, send: Function}) =>
 * Promise<void>} hear answers a message: `set(state)` and `send(message, buffers)`, until `signal`
 * says that a newer one of the same wish has come
 */
/**
 * Listens to the page.
 * @param {(given: {facts: Object, nets: Object<string, Net>, state: Object}) => Answers} make
 */
export function serve(make) {
  const underWay = new Map(); // what ends the last message of each wish
  let answers;
  self.onmessage = ({data}) => {
    if ('start' in data) {
      answers = made(make, data.start);
      answers.catch(() => {}); // told with each message
    } else {
      answer(answers, data.message, underWay);
    }
  };
}
async function made(make, {facts, graphs, state}) {
  const nets = withValues(graphs, ({told, numbers}) => load(told, numbers));
  return make({facts, nets, state});
}
async function answer(answers, message, underWay) {
  const wish = wishOf(message);
  const ends = new AbortController();
  underWay.get(wish)?.abort();
  underWay.set(wish, ends);
  const {signal} = ends;
  const post = (told, buffers = []) => signal.aborted || self.postMessage(told, buffers);
  const set = state => post({set: state});
  const send = (told, buffers = []) => {
    const own = buffers.map(ownBuffer);
    post({send: told, buffers: own}, own);
  };
  try {
    const answering = await answers;
    await answering.hear(message, {signal, set, send});
  } catch (error) {
    send({...message, problem: problemOf(message, error)});
  } finally {
    if (underWay.get(wish) === ends) underWay.delete(wish);
  }
}
// What is wrong with a text the page says as a sentence, without the name of an argument.
function problemOf(asked, {message}) {
  if (!('text' in asked || 'texts' in asked)) return message;
  const problem = message.replace(/^text: /, '');
  return problem.charAt(0).toUpperCase() + problem.slice(1);
}
// A buffer goes over to the page as it is, of numbers that lie in one a copy.
function ownBuffer(numbers) {
  if (numbers instanceof ArrayBuffer) return numbers;
  const {buffer, byteOffset, byteLength} = numbers;
  return buffer.slice(byteOffset, byteOffset + byteLength);
}
