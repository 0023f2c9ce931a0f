// What answers in Python's place: places, runs, and a text of the reader's own to write on from.

import {serve} from '../shared/graph/serving.js';
import {readerOf} from '../shared/splitting/readers.js';
import {runName} from './names.js';
import {NextToken} from './next_token.js';
import {promptOf} from './prompts.js';
import {Writer} from './writer.js';

class Answers {
  constructor({facts, nets, state}) {
    this.facts = {...facts, ...state.facts};
    this.model = new NextToken(nets.model, facts);
    this.reader = facts.reader ? readerOf(facts.reader) : null;
    this.writer = new Writer(this.model, this.facts, state.facts.ids);
    this.told = state.facts;
  }
  async hear(message, to) {
    if ('text' in message) await this.read(message, to);
    else await this.make(message, to);
  }
  /** A part that the page wants; nobody waits for one of a prompt that is over. */
  async make({want}, {send}) {
    const {writer} = this;
    try {
      const part = await writer.part(want);
      if (!writer.over) send({part: want}, [part]);
    } catch (error) {
      if (!writer.over) throw error;
    }
  }
  /** All anew behind another text; the picture stays as it is if the model cannot read it. */
  async read(message, {signal, set, send}) {
    const {seed, steps, words} = this.facts;
    const ids = promptOf(message.text, this.reader, this.facts);
    const again = ids.join() === this.writer.prompt.join(); // what it is making is waited for
    const writer = again ? this.writer : new Writer(this.model, this.facts, ids);
    signal.addEventListener('abort', () => writer === this.writer || writer.end());
    const greedy = runName({method: 'greedy', knob: 0, seed}, [], steps);
    const first = {};
    for (const name of ['after', 'prompt', greedy]) first[name] = await writer.part(name);
    signal.throwIfAborted();
    if (!again) this.writer.end();
    this.writer = writer;
    const known = {places: ['after'], runs: [greedy], stopped: {}};
    const prompt = ids.map(id => words[id]);
    this.told = {...this.told, text: message.text, ids, prompt, ...known};
    set({facts: this.told, first, written: [], focus: 1});
    send({...message, problem: ''});
  }
}
serve(given => new Answers(given));
