// The vocabulary: how a text becomes tokens and back, as Lexicon in values.py has it.

import {readable} from '../shared/texts.js';

const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/; // as Python's split
const MOST_LISTED = 40;
// A text field has one line: what ends a line gets a mark there, the first of these that is no
// token.
const LINE_ENDS = [
  ['\n', '↵⏎␊'],
  ['\r', '␍⍇'],
];

export class Lexicon {
  /** @param {{vocabulary: string[], shown: string[], letters: boolean, most: number}} facts */
  constructor({vocabulary, shown, letters, most}) {
    Object.assign(this, {vocabulary, letters, most});
    const ids = words => words.map((word, id) => [word, id]);
    this.ids = new Map([...ids(shown), ...ids(vocabulary)]); // a token may be typed as it reads
    this.marks = LINE_ENDS.filter(([end]) => this.ids.has(end))
      .map(([end, marks]) => [end, [...marks].find(mark => !this.ids.has(mark))])
      .filter(([, mark]) => mark);
  }
  /**
   * @returns {{tokens: string[], ids: number[]} | {problem: string}} what the text cannot have is
   * said in a sentence
   */
  parse(text) {
    const tokens = this.letters ? [...text] : text.split(BLANK).filter(Boolean);
    const problem = this.problemWith(tokens);
    if (problem) return {problem};
    const ids = tokens.map(word => this.ids.get(word));
    return {tokens: ids.map(id => this.vocabulary[id]), ids};
  }
  problemWith(tokens) {
    if (!tokens.length) return 'Nothing to read: type at least one token.';
    if (tokens.length > this.most) {
      return `${tokens.length} tokens are too many: at most ${this.most}.`;
    }
    const unknown = tokens.find(word => !this.ids.has(word));
    if (unknown === undefined) return '';
    const listed = this.vocabulary.slice(0, MOST_LISTED).map(word => readable(word));
    const more = this.vocabulary.length - MOST_LISTED;
    const rest = more > 0 ? ` and ${more} more` : '';
    return `“\u2068${readable(unknown)}\u2069” is not in the vocabulary: ${listed.join(' ')}${rest}`;
  }
  join(tokens) {
    return tokens.join(this.letters ? '' : ' ');
  }
  toField(text) {
    return this.marks.reduce((line, [end, mark]) => line.replaceAll(end, mark), text);
  }
  fromField(line) {
    return this.marks.reduce((text, [end, mark]) => text.replaceAll(mark, end), line);
  }
}
