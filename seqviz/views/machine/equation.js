// One number in words: what it is, and the equation that makes it.

import {shapeText} from '../shared/graph/tensors.js';
import {explain, resolve} from './explaining.js';
import {functionText} from './explaining/functions.js';
import {made} from './explaining/reader.js';
import {inMarks, written} from '../shared/scene/names.js';

const TERMS = 3; // of a long sum that are written
const FEW = 4; // terms that are all written
const NAMED = 6; // terms that all have names

/**
 * @typedef {Object} World
 * @property {Facts} facts
 * @property {Stage[]} stages
 * @property {Numbers} numbers
 * @property {{source: string[], target: string[]}} labels
 */
/**
 * What a number is and how it was made.
 * @param {World} world
 * @param {string} node
 * @param {number} index
 * @returns {{title: string, pieces: [string, string][], inputs: Input[], best: Input[],
 * value: number} | null} pieces of text, each with "focus", "quiet" or ""; `best` are the inputs
 * that matter most; null while parts are under way
 */
export function equationOf(world, node, index) {
  const {facts, numbers} = world;
  const explained = explain(facts.graph, numbers, node, index);
  if (!explained) return null;
  const place = placeOf(world, node, index) ?? placeOf(world, explained.node, explained.index);
  const line = new Line();
  line.say(written(explained.value), 'focus');
  const {inputs = [], best = []} = WORDS[explained.kind](line, explained, world, place) ?? {};
  return {
    title: titleOf(world, place, explained),
    pieces: line.pieces,
    inputs: [...explained.inputs, ...inputs, ...productsBehind(world, place)],
    best: made(best),
    value: explained.value,
  };
}

// ---- what a number is
const MAPS = {scores: 'q · k', masked: 'score', softmax: 'weight', weights: 'weight'};
// Where a number stands in the anatomy: at a stage, in a map, among the logits; null if nowhere.
function placeOf({facts, stages, numbers}, node, index) {
  const stage = stages.find(({place}) => place.node === node);
  if (stage) return {stage, ...numbers.placed(stage.place, index)};
  const {logits, streams} = facts.anatomy;
  if (logits?.node === node) return {logits, ...numbers.placed(logits, index)};
  for (const stream of streams) {
    const parts = stream.blocks.flatMap(block => block.parts);
    for (const part of parts.filter(({is}) => is === 'attention')) {
      const map = Object.keys(MAPS).find(name => part[name] === node);
      if (map) return {map, part, stream, ...numbers.mapped(part, node, index)};
    }
  }
  return null;
}
function titleOf({facts, numbers, labels}, place, {node, index}) {
  if (place?.stage) {
    const {stage, token, k} = place;
    const title = `${stage.name}, ${labels[stage.tokens][token]}, number ${k}`;
    if (stage.place.head === null || stage.joined) return title;
    return `${title}, head ${Math.floor(k / numbers.length(stage.place, 'number'))}`;
  }
  if (place?.map) {
    const {map, part, stream, head, query, key} = place;
    const keys = labels[part.cross ? 'source' : stream.tokens];
    return `${MAPS[map]}, head ${head}: ${labels[stream.tokens][query]} to ${keys[key]}`;
  }
  if (place?.logits) {
    const {tokens} = facts.anatomy.streams.at(-1);
    const at = facts.anatomy.probabilities === 'text' ? 'the text' : labels[tokens][place.token];
    const name = facts.classes ? inMarks(facts.classes[place.k]) : `answer ${place.k}`;
    return `score of ${name}, ${at}`;
  }
  if (numbers.isWeight(node)) return `${nameOfWeight(node)}, number ${index}`;
  const {module} = facts.graph.nodes.find(({name}) => name === node) ?? {};
  return `${module || node}, number ${index}`;
}
const nameOfWeight = name => name.replace(/^[a-z]+_/, '');
// A score is scaled or masked: what it is of is seen in the products behind it.
function productsBehind({facts, numbers}, place) {
  if (place?.map !== 'masked') return [];
  const {part, head, query, key} = place;
  const at = numbers.atMap(part, part.scores, head, query, key);
  return explain(facts.graph, numbers, part.scores, at)?.inputs ?? [];
}
// What a term is called: the name of its stage without its block; "" where it is none.
function termName(world, term, place) {
  if (!term.node) return '';
  if (place?.map === 'masked') return nameInScore(world, term, place.part);
  const {facts, stages, numbers} = world;
  const isHere = ({place: of}) => {
    if (of.node === term.node) return true;
    const at = numbers.at(of, place?.token ?? 0, place?.k ?? 0);
    const [node, index] = resolve(facts.graph, numbers, of.node, at);
    return node === term.node && index === term.index;
  };
  const own = stages.filter(({stream}) => stream === place?.stage?.stream);
  const name = (own.find(isHere) ?? stages.find(isHere))?.name;
  return name ? name.replace(/^.*block \d+ · /, '') : '';
}
function nameInScore({facts, numbers}, {node}, {mask, scale}) {
  const isMask = mask && resolve(facts.graph, numbers, mask, 0)[0] === node;
  if (isMask) return 'mask';
  return scale === 1 ? 'q · k' : `q · k ÷ ${written(scale)}`;
}

// ---- the pieces of an equation
class Line {
  pieces = [];

  say(text, look = '') {
    this.pieces.push([text, look]);
  }
  /** A term of a sum, with its sign. */
  add(value, first = false) {
    const size = written(Math.abs(value));
    const isBelow = value < 0 && size !== '0';
    const sign = isBelow ? (first ? '−' : ' − ') : first ? '' : ' + ';
    this.say(sign + size);
  }
}
const inBrackets = value =>
  written(value).startsWith('−') ? `(${written(value)})` : written(value);
const bySize = (a, b) => Math.abs(b.term) - Math.abs(a.term);
const sumOfTerms = terms => terms.reduce((sum, {term}) => sum + term, 0);
// The largest terms of a sum, each said; then the sum of all others.
function sayTerms(line, terms, say) {
  const sorted = [...terms].sort(bySize);
  const shown = sorted.slice(0, sorted.length > FEW ? TERMS : FEW);
  shown.forEach((term, k) => say(term, k === 0));
  const rest = sorted.slice(shown.length);
  if (rest.length) {
    line.add(sumOfTerms(rest));
    line.say(` (${rest.length} more)`, 'quiet');
  }
  return shown;
}
function productWords(line, {pairs, bias, times, biasTimes}) {
  line.say(times === 1 ? ' = ' : ` = ${written(times)} × (`);
  const all = pairs.map(([a, b]) => ({a, b, term: a.value * b.value}));
  const finite = all.filter(({term}) => Number.isFinite(term));
  const shown = sayTerms(line, finite, ({a, b}, first) => {
    line.add(a.value, first);
    line.say(` × ${inBrackets(b.value)}`);
  });
  if (times !== 1) line.say(')');
  if (bias) {
    line.add(biasTimes * bias.value);
    line.say(' (bias)', 'quiet');
  }
  return {best: shown.map(({a}) => a)};
}
// A sum of sums is one sum, as far as what lies between has no name.
function openedTerms(world, terms, place) {
  return terms.flatMap(({times, ...input}) => {
    const name = termName(world, input, place);
    const inner = name ? null : termsOf(world, input);
    if (!inner) return {...input, name, term: times * input.value};
    const scaled = inner.map(one => ({...one, times: one.times * times}));
    return openedTerms(world, scaled, place);
  });
}
// The two terms of which a number is the sum; null if it is none.
function termsOf({facts, numbers}, {node, index}) {
  const {kind, terms} = (node && explain(facts.graph, numbers, node, index)) || {};
  return kind === 'sum' && terms.length === 2 ? terms : null;
}
function sumWords(line, {terms, over}, world, place) {
  const opened =
    terms.length === 2
      ? openedTerms(world, terms, place)
      : terms.map(one => ({...one, term: one.times * one.value}));
  line.say(over > 1 ? ' = (' : ' = ');
  if (opened.length > NAMED) sayTerms(line, opened, ({term}, first) => line.add(term, first));
  else opened.forEach(({term}, k) => line.add(term, k === 0));
  if (over > 1) line.say(`) ÷ ${over}`);
  sayNames(line, opened);
  return {inputs: made(opened)};
}
function sayNames(line, terms) {
  const names = terms.map(({name}) => name || 'the other');
  if (terms.some(({name}) => name)) line.say(`   (${names.join(', ')})`, 'quiet');
}
function normWords(line, {row, at, mean, deviation, gain, shift, root}, world, place) {
  const own = row[at];
  const centred = root ? written(own.value) : `(${written(own.value)} − ${inBrackets(mean)})`;
  line.say(` = ${centred} ÷ ${written(deviation)}`);
  if (gain) line.say(` × ${inBrackets(gain.value)}`);
  if (shift) line.add(shift.value);
  const steps = [
    ...(root ? ['over the root of the mean square'] : ['less the mean', 'over the deviation']),
    ...(gain ? ['times gain'] : []),
    ...(shift ? ['plus shift'] : []),
  ];
  const inner = termsOf(world, own);
  if (!inner) {
    line.say(`   (${steps.join(', ')})`, 'quiet');
    return {best: [own]};
  }
  const terms = openedTerms(world, inner, place);
  line.say(`   where ${written(own.value)} = `, 'quiet');
  terms.forEach(({term}, k) => line.add(term, k === 0));
  sayNames(line, terms);
  return {best: [own], inputs: made(terms)};
}
function softmaxWords(line, {row, at, most, sum, log}) {
  const own = row[at].value;
  const less = `   (each less the largest, ${written(most)})`;
  if (log) line.say(` = ${written(own - most)} − log ${written(sum)}`);
  else {
    line.say(` = exp(${written(own)}) ÷ Σ exp = `);
    line.say(`${written(Math.exp(own - most))} ÷ ${written(sum)}`);
  }
  line.say(less, 'quiet');
  return {best: [row[at]]};
}
const TABLES = {token: 'tokens', segment: 'segments', position: 'positions'};
function rowWords(line, {table, row, number, learned}, world, place) {
  const known = TABLES[place?.stage?.short];
  const of = known ? `the table of ${known}` : nameOfWeight(table);
  const where =
    row === null ? `number ${number} of ${of}` : `row ${row} of ${of}, number ${number}`;
  line.say(`: ${where}; ${learned ? 'learned' : 'not learned'}`);
}
function functionWords(line, {name, of}) {
  const values = of.map(({value}) => written(value));
  line.say(` = ${functionText(name, values)}`);
  return {best: of.slice(0, 1)};
}
function otherWords(line, {name, shapes}) {
  const read = shapes.slice(0, TERMS).map(shapeText);
  line.say(`: one number of ${inMarks(name)} of ${read.join(', ')}`);
}
const WORDS = {
  product: productWords,
  sum: sumWords,
  norm: normWords,
  softmax: softmaxWords,
  row: rowWords,
  function: functionWords,
  fixed: line => line.say(': a number of the model itself, not of the text'),
  input: line => line.say(': read from the text'),
  other: otherWords,
};
