// Masked words in a page without Python: the worker takes the questions that widget.py takes.

import {serve} from '../shared/graph/serving.js';
import {readerOf} from '../shared/splitting/readers.js';
import {piecesAlone} from '../shared/splitting/word_pieces.js';
import {guessOf, packedGuesses} from './answers/guesses.js';
import {MaskedModel} from './answers/model.js';
import {readText, toldOf} from './answers/reading.js';

const PART = /^sentence (\d+)(?:: (\d+) (\d+))?$/;

class MaskedAnswers {
  /** @param {{facts: Object, nets: Object<string, Net>, state: Object}} given see `serve` */
  constructor({facts, nets, state}) {
    this.told = facts; // by Python
    this.facts = state.facts; // of the view, where sentences and pairs come to be more
    this.model = new MaskedModel(facts, nets);
    this.reader = readerOf(facts.reader);
    this.words = piecesAlone(
      this.reader.names([...new Array(state.facts.vocabulary).keys()]),
    ).tokens;
    this.parts = new Map();
  }
  async hear(message, to) {
    if ('want' in message) {
      to.send({part: message.want}, [new Uint8Array(await this.part(message.want))]);
      return;
    }
    const {ask: asked} = message;
    to.send({asked, done: 0});
    if ('text' in message) await this.addText(message, to);
    else await this.addPair(message, to);
    to.send({sentence: this.facts.sentences.length, ...message, asked});
  }
  async addText({ask: asked, text}, {signal, set, send}) {
    const {told, reader, words} = this;
    const {sentences} = this.facts;
    if (sentences.length === told.most.sentences) {
      throw new Error(`text: ${told.most.sentences} sentences are the most: open the page again`);
    }
    const read = readText(text, reader, told, words.length);
    const {ids, maskable} = read;
    const hears = done => send({asked, done, of: maskable.length});
    const guesses = await this.guesses(ids, eachAlone(maskable), {signal, hears});
    const part = `sentence ${sentences.length + 1}`;
    this.parts.set(part, packedGuesses(guesses, maskable, ids.length, words));
    const more = {part, marks: sentences[0].marks, compared: this.model.compared};
    this.tell({sentences: [...sentences, toldOf(read, guesses, more)], text}, set);
  }
  async addPair({sentence, masks}, {signal, set}) {
    const {sentences, pairs} = this.facts;
    const [first, second] = masks.toSorted((a, b) => a - b);
    const name = `${sentences[sentence - 1].part}: ${first} ${second}`;
    await this.part(name, signal);
    if (!pairs.includes(name)) this.tell({pairs: [...this.facts.pairs, name]}, set);
  }
  tell(changes, set) {
    this.facts = {...this.facts, ...changes};
    set({facts: this.facts});
  }
  // A worker that begins anew makes it of what the page knows.
  async part(name, signal) {
    if (!this.parts.has(name)) {
      const [, number, ...masks] = PART.exec(name) ?? [];
      const sentence = this.facts.sentences[number - 1];
      if (!sentence) throw new Error(`'${name}' is not in this view any more.`);
      const ids = this.told.ids[number - 1] ?? sentence.ids;
      const pair = masks[0] ? masks.map(mask => mask - 1) : null;
      const places = pair ?? [...ids.keys()].filter(k => !sentence.special.includes(k));
      const guesses = await this.guesses(ids, pair ? [pair] : eachAlone(places), {signal});
      const rows = pair ? [[0, 1], 2] : [places, ids.length];
      this.parts.set(name, packedGuesses(guesses, ...rows, this.words));
    }
    return this.parts.get(name);
  }
  // Hides groups of places, those of one group at once.
  async guesses(ids, groups, how) {
    const said = await this.model.read(ids, groups, how);
    return said.map(one => guessOf(one, ids[one.place], this.told.guesses));
  }
}
const eachAlone = places => places.map(place => [place]);
serve(given => new MaskedAnswers(given));
