// One reading of a text: its tokens, and the numbers about them that Python hands over by name.

export class Reading {
  /**
   * @param {Object} facts as widget.py gives them
   * @param {(name: string) => Float32Array | Promise<Float32Array>} get
   */
  constructor(facts, get) {
    const {tokens} = facts;
    const letters = tokens.every(token => [...token].length === 1);
    const kind = letters ? 'character' : 'token'; // what one of them is called
    Object.assign(this, facts, {facts, get, kind, T: tokens.length});
    this.next = facts.forecast ? get('next') : null;
    this.busiest = facts.units > 1 ? get('busiest') : [];
    this.varied = facts.units > 1 ? get('varied') : []; // unit, spread, unit, spread ...
  }
  /** The value of a unit at each token; a promise where Python is asked for it. */
  valuesOf(unit) {
    return this.get(`unit ${unit}`);
  }
  /**
   * What was expected after a token, and the token that came.
   * @returns {?{guesses: {token: string, p: number}[], came?: string, p: number, rank: number}}
   * null without a forecast; `p` and `rank` of what came are NaN where they are not known
   */
  expected(t) {
    if (!this.next) return null;
    const size = this.next.length / this.T;
    const k = size / 2 - 1;
    const row = this.next.subarray(t * size, (t + 1) * size);
    const guess = (_, i) => ({token: this.words[row[i]], p: row[k + i]});
    const guesses = Array.from({length: k}, guess);
    return {guesses, came: this.tokens[t + 1], p: row[2 * k], rank: row[2 * k + 1]};
  }
  /** The most active units at a token; none where there is only one. */
  busy(t) {
    const k = this.busiest.length / this.T / 2;
    const row = this.busiest.slice(2 * k * t, 2 * k * (t + 1));
    return Array.from({length: k}, (_, i) => ({unit: row[i], value: row[k + i]}));
  }
}
