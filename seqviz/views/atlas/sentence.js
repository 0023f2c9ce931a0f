// The sentence over the atlas, in pieces: {b} in focus, {strong} the point; and the line under it.

import {runsLeft} from '../shared/direction.js';
import {phrase} from '../shared/nodes.js';
import {many, readable} from '../shared/texts.js';
import {bothScores} from './map.js';
import {NO_KIND, percentText, scoreText} from './names.js';

const TIMES = 2; // an even spread: from here on it is told
const ELSE = 0.02; // of the sentences: from here on what else it does is told
const LISTED = 6; // keys of a word

const joined = lists => lists.flatMap((one, k) => (k ? [', ', ...one] : one));
/** What a head does most; what else, or what it does beyond an even spread. */
export function headSentence(head, {heads, names}) {
  const {sentences} = heads.facts;
  const [first, second] = head.most;
  const share = percentText(first.n / sentences);
  const me = {b: `Head ${head.name}`};
  const what = {strong: names.place(first.place)};
  const begun = phrase`${me} attends most to ${what} in ${{strong: share}} of sentences`;
  if (second && second.n / sentences >= ELSE) {
    const rest = second.n < sentences - first.n ? `, ${percentText(second.n / sentences)}` : '';
    return phrase`${begun}; else to ${{strong: names.place(second.place)}}${rest}.`;
  }
  const more = Object.keys(head.values)
    .filter(score => names.to(score) && score !== first.place)
    .map(score => ({score, times: head.values[score] / heads.even[score]}))
    .filter(({times}) => times >= TIMES)
    .sort((a, b) => b.times - a.times)
    .slice(0, 2)
    .map(({score, times}, k) => {
      const as = `${times.toFixed(1)} ×${k ? '' : ' even'}`;
      return phrase`${{strong: as}} ${names.to(score)}`;
    });
  return more.length ? phrase`${begun}; ${joined(more)}.` : phrase`${begun}.`;
}
function wordSentence({row, word}, {heads, head}) {
  const {words, rows} = heads.examples(head.i)[row];
  const quoted = k => `“${readable(words[k])}”`;
  const keys = rows[word]
    .slice(0, LISTED)
    .filter(({weight}, k) => !k || weight >= 0.05)
    .map(({key, weight}) => phrase`${{strong: quoted(key)}} ${scoreText(weight)}`);
  const said = keys.length ? joined(keys) : ['nothing by .01'];
  return phrase`${{b: quoted(word)}} attends to ${said}.`;
}
function litSentence({heads, kind, find, lit}) {
  const on = heads.list.filter(({i}) => lit.has(i));
  const layers = [...new Set(on.map(({layer}) => layer))];
  const [first, ...rest] = find ? [`“${readable(find)}”`] : kind;
  const name = find ? first : first.toUpperCase() + rest.join('');
  const where = layers.length > 6 ? `${layers.length} layers` : `layers ${layers.join(', ')}`;
  const place = on.length ? phrase`, in ${{strong: where}}` : '';
  const rule = !find && heads.facts.kinds.find(([one]) => one === kind);
  const by = ({values}) => values[rule[1]];
  const best = rule && on.length ? on.reduce((a, b) => (by(a) >= by(b) ? a : b)).name : '';
  const most = best ? phrase`; most, ${{strong: best}}` : '';
  const none = kind === NO_KIND && !find ? ': no rule fits' : '';
  return phrase`${{b: name}}: ${{strong: `${on.length} of ${heads.count}`}} heads${place}${most}${none}.`;
}
function allSentence({heads, names}) {
  const counts = new Map();
  for (const {most} of heads.list) {
    counts.set(most[0].place, (counts.get(most[0].place) ?? 0) + 1);
  }
  const [first, ...rest] = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const [place, n] = first;
  if (heads.count === 1) return headSentence(heads.list[0], {heads, names});
  const of = `Of ${heads.count} heads `;
  const attend = n === 1 ? 'attends' : 'attend';
  const begun = phrase`${of}${{strong: String(n)}} ${attend} most to ${{b: names.place(place)}}`;
  const more = rest.map(([other, k]) => {
    return phrase`${{strong: String(k)}} to ${{strong: names.place(other)}}`;
  });
  return phrase`${joined([begun, ...more])}.`;
}
/**
 * The sentence of what is on screen.
 * @param {Object} world
 * @returns {(string | Object)[]} pieces for say()
 */
export function atlasSentence(world) {
  const {head, over, focused, heads, kind, lit} = world;
  const pointed = over?.head && heads.byName.get(over.head);
  if (pointed) return headSentence(pointed, world);
  if (head) return focused ? wordSentence(focused, world) : headSentence(head, world);
  return lit && (kind || world.find) ? litSentence(world) : allSentence(world);
}
/** The line under the picture. */
export function noteOf(world) {
  const {head, over, focused, heads} = world;
  if (head && focused) {
    const {words} = heads.examples(head.i)[focused.row];
    const said = words.map((word, k) => {
      const text = (k ? ' ' : '') + readable(word);
      return k === focused.word ? {strong: text} : text;
    });
    return runsLeft(words) ? ['\u2067', ...said, '\u2069'] : said;
  }
  const pointed = over?.head && heads.byName.get(over.head);
  const one = pointed || head;
  if (one && head) return scoresNote(one, world);
  if (one) return phrase`${{strong: one.name}} ${one.kinds.join(', ')} · ${bothScores(one, world)}`;
  if (world.kind && world.kind !== NO_KIND) return ruleNote(world.kind, world);
  const {sentences, given, run, cut, words} = heads.facts;
  const left = run - sentences;
  const stopped = run < given ? `, of ${many(given)} that were given` : '';
  const short = left ? `; ${many(left)} without a word left out` : '';
  const long = cut ? `; ${many(cut)} too long, cut` : '';
  const all = `${many(sentences)} sentences${stopped}, ${many(words)} words${short}${long}.`;
  return [`${all} A mean says what a head does often, not what for.`];
}
const NOTED = 'previous next itself first separator same entropy position'.split(' ');
function scoresNote({values}, {names, heads}) {
  const kept = NOTED.filter(score => heads.facts.axes.includes(score));
  return [kept.map(score => `${names.short(score)} ${scoreText(values[score])}`).join(' · ')];
}
/** What the rule of a kind asks for besides. */
function ruleNote(kind, {names, heads}) {
  const [, score, least, times] = heads.facts.kinds.find(([name]) => name === kind);
  const even = scoreText(heads.even[score]);
  const draws = times > 2 ? ', twice what any word draws' : '';
  const over = `by 3 errors ${times} × an even spread (${even})${draws}`;
  return [`${names.short(score)} ≥ ${scoreText(least)}; ${over}; 10 sentences.`];
}
