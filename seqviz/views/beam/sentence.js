// The one sentence over the beam-search tree, made from the numbers on screen.

import {runsLeft, turnedText} from '../shared/direction.js';
import {phrase} from '../shared/nodes.js';
import {together} from '../shared/pieces.js';
import {inText, share, signed} from '../shared/texts.js';
import {highest, normalised, pathTo, rankedNodes, shortOf} from './search.js';

const PATH_LETTERS = 40;
const word = ({tree, short}, node) => short[tree.token[node]];
/**
 * The tokens of a path as one text, from the end as many as fit.
 * @param {Scene} scene `tree` and `facts` are read
 * @param {number[]} nodes
 * @param {(text: string) => boolean} [fits] if nothing else is said, 40 letters
 * @returns {string}
 */
export function pathText(scene, nodes, fits = text => [...text].length <= PATH_LETTERS) {
  const {tree, facts} = scene;
  const alone = nodes.map(node => facts.words[tree.token[node]]);
  const {letters} = together(alone);
  const words = letters.filter((one, k) => one || !alone[k]).map(one => inText(one, 24));
  const left = runsLeft(words);
  const trim = text => (left ? turnedText : String)(text.replace(/^ +| +$/g, ''));
  let text = '';
  for (const one of words.toReversed()) {
    const longer = text ? one + facts.joint + text : one;
    if (text && !fits(longer)) return `… ${trim(text)}`;
    text = longer;
  }
  return trim(text);
}
const pathPieces = (scene, node) => phrase`“${{i: pathText(scene, pathTo(scene.tree, node))}}”`;
function tooLow(tree, node) {
  const gap = shortOf(tree, node);
  if (gap === 0) return ', level with the last that stays';
  return gap > 0 ? `, ${gap < 0.005 ? '<0.01' : signed(gap)} too low` : '';
}
function rankedBy({tree, penalty}, node) {
  const score = signed(tree.score[node]);
  return penalty
    ? `${signed(normalised(tree, node, penalty))} (${score} over ${tree.step[node]}^${signed(penalty)})`
    : score;
}
/**
 * The node in focus, else who leads and who is pruned; while backtracking, how far it is.
 * @param {Scene} scene
 * @returns {(string | Object)[]} pieces
 */
export function headline(scene) {
  const {tree, node, step, width, back} = scene;
  if (back) return backPieces(scene);
  if (node >= 0) return nodePieces(scene);
  if (step === 0) return [`Step 0 of width ${width}: nothing is chosen yet.`];
  return step === tree.T ? endPieces(scene) : leadPieces(scene);
}
function nodePieces(scene) {
  const {tree, node, step, penalty} = scene;
  const path = pathPieces(scene, node);
  const score = {b: signed(tree.score[node])};
  const p = share(Math.exp(tree.log_probability[node]));
  const likely = phrase`; probability of “${{i: word(scene, node)}}” ${p}.`;
  if (!tree.kept[node]) return phrase`${path} is pruned at ${score}${tooLow(tree, node)}${likely}`;
  if (!tree.finished[node]) return phrase`${path} stays with ${score}${likely}`;
  const ranked = rankedNodes(tree, step, penalty);
  const rank = `, rank ${ranked.indexOf(node) + 1} of ${ranked.length}`;
  return phrase`${path} is finished with ${{b: rankedBy(scene, node)}}${rank}${likely}`;
}
function leadPieces(scene) {
  const {tree, step, width} = scene;
  const leader = highest(tree, tree.stays[step]);
  const lost = tree.lost[step];
  const score = {b: signed(tree.score[leader])};
  const path = pathPieces(scene, leader);
  const lead = phrase`Step ${step} of width ${width}: ${path} leads with ${score}`;
  if (!lost.length) return phrase`${lead}; nothing is pruned.`;
  const greedy = tree.greedy.find(node => lost.includes(node));
  const loser = greedy ?? highest(tree, lost);
  const whose = greedy === undefined ? '' : 'greedy’s ';
  const gone = `pruned at ${signed(tree.score[loser])}${tooLow(tree, loser)}`;
  return phrase`${lead}; ${whose}${pathPieces(scene, loser)} ${gone}.`;
}
function endPieces(scene) {
  const {tree, step, width, penalty} = scene;
  const ranked = rankedNodes(tree, step, penalty);
  const [first] = ranked;
  const start = `After ${step} step${step > 1 ? 's' : ''} of width ${width}`;
  const none = tree.finished[first] ? '' : ' nothing is finished;';
  const score = {b: rankedBy(scene, first)};
  const best = phrase`${start}${none} ${pathPieces(scene, first)} is best with ${score}`;
  const greedy = ranked.indexOf(tree.greedy.at(-1));
  if (ranked.length === 1) return phrase`${best}.`;
  if (greedy === 0) return phrase`${best}, as greedy finds too.`;
  const k = Math.max(1, greedy);
  const whose = greedy > 0 ? 'greedy’s ' : '';
  const value = signed(normalised(tree, ranked[k], penalty));
  return phrase`${best}; ${whose}${pathPieces(scene, ranked[k])} is number ${k + 1} with ${value}.`;
}
// Backtracking: what has been read so far, from the end, and the parent that comes next.
function backPieces(scene) {
  const {tree, back} = scene;
  const path = pathTo(tree, back.from);
  const k = path.indexOf(back.at);
  const read = pathText(scene, path.slice(k)).replace(/^… /, '');
  const next =
    k > 0 ? phrase`its parent is “${{i: word(scene, path[k - 1])}}”` : 'the whole path is found';
  const text = {i: (k > 0 ? '… ' : '') + read};
  return phrase`Backtracking, ${path.length - k} of ${path.length}: “${text}”; ${next}.`;
}

/**
 * The node in focus in numbers, beside the controls.
 * @param {{tree: Tree, node: number, penalty: number, locked: boolean}} now
 * @returns {string} empty without a node
 */
export function nodeReading({tree, node, penalty, locked}) {
  if (node < 0) return '';
  const numbers = `log p ${signed(tree.log_probability[node])}, score ${signed(tree.score[node])}`;
  const power = `${tree.step[node]}^${signed(penalty)}`;
  const ranked = penalty ? `, over ${power} = ${signed(normalised(tree, node, penalty))}` : '';
  return `node ${node}${locked ? ', locked' : ''}: ${numbers}${ranked}`;
}
