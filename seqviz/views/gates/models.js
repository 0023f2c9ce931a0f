// The models in sight: their layers and answers, as recorded and with a gate held.

import {answersOf, layerOf, rerun} from './cells.js';

/**
 * @typedef {Object} Model
 * @property {string} label
 * @property {string[]} labels that it chooses from; none without a read-out
 * @property {Layer} layer
 * @property {(curves: Curves) => Answer[]} answer
 * @property {Answer[]} answers as recorded
 * @property {Curves} after with the hold, else as recorded
 * @property {Answer[]} answersAfter
 * @property {string} unitTrait which control has its unit
 */

/**
 * The models without a hold.
 * @param {Facts} facts
 * @param {(part: string) => Object<string, Float32Array>} get
 * @returns {Model[]}
 */
export function modelsOf(facts, get) {
  return facts.models.map((given, k) => {
    const {label, answers: labels} = given;
    const layer = layerOf(get(`layer ${k}`), given, facts.tokens.length);
    const readOut = labels.length ? get(`answers ${k}`) : null;
    const answer = curves => (readOut ? answersOf(readOut, labels, layer, curves.h) : []);
    const answers = answer(layer.curves);
    return {
      label,
      labels,
      layer,
      answer,
      answers,
      after: layer.curves,
      answersAfter: answers,
      unitTrait: k ? 'second_unit' : 'unit',
    };
  });
}
/**
 * Runs one of them again with a gate held; the other is as recorded, as are both without a hold.
 * @param {Model[]} models
 * @param {number} number which one
 * @param {Hold | null} hold
 */
export function runAgain(models, number, hold) {
  models.forEach((one, k) => {
    const held = hold && k === number;
    one.after = held ? rerun(one.layer, hold) : one.layer.curves;
    one.answersAfter = held ? one.answer(one.after) : one.answers;
  });
}
