"""A tiny view whose page holds a worker, and what that worker answers."""

from dataclasses import dataclass

import numpy as np
import traitlets

from seqviz.views.shared.answering import Answering
from seqviz.views.shared.traits import Whole, control
from seqviz.views.shared.widget import View

# It writes down what it is told; its sentence says whether it greys out.
VIEW = """
const NAMES = ['facts', 'first', 'step', 'silent'];
const bytes = ({buffer, byteOffset, byteLength}) =>
    [...new Uint8Array(buffer, byteOffset, byteLength)];
function render({model, el}) {
    const root = document.createElement('div'), said = document.createElement('p');
    Object.assign(root, {className: 'seqviz', model, log: [], bytes});
    root.style.height = '200px';
    said.className = 'say';
    said.textContent = model.kernel === false && !model.answers ? 'grey' : 'alive';
    Object.assign(root.dataset, {view: 'tiny', ready: true});
    root.append(said);
    el.append(root);
    model.on('msg:custom', (message, buffers) => root.log.push([message, buffers.map(bytes)]));
    const all = () => [model.get('facts').text, model.get('step')];
    for (const name of NAMES) model.on('change:' + name, () => root.log.push([name, all()]));
    return () => root.remove();
}
export default {render};
"""
# What it gets at its start it says when it is asked; of texts, some are wrong, slow or deadly.
WORKER = """
let given = null;
const heard = [];
const say = (message, more) => postMessage({send: {...message, problem: '', ...more}});
onmessage = ({data: {start, message}}) => {
    if (start) {
        given = start;
        if (given.facts.dies) throw new Error('no start');
        return;
    }
    heard.push(message);
    const {facts, graphs, state} = given;
    const {want, text} = message;
    if (want === 'nothing') postMessage({send: {...message, problem: 'no such part'}});
    else if (want) postMessage({send: {part: want}, buffers: [new Uint8Array([7, 8]).buffer]});
    else if (message.tell) {
        const numbers = new Uint8Array(graphs.net.numbers);
        say(message, {numbers: [...numbers.slice(-3)], size: numbers.length, told: graphs.net.told,
            facts, state, heard: heard.slice(0, -1)});
    } else if (text === 'wrong') say(message, {problem: 'Error: text: wrong'});
    else if (text === 'deadly') setTimeout(() => { throw new Error('it fell'); });
    else if (text !== 'slow') {
        const first = {own: new Uint8Array([text.length]).buffer};
        postMessage({set: {facts: {text}, first, step: 3, silent: []}});
        say(message);
    }
};
"""


NUMBERS = np.random.default_rng(0).integers(0, 256, 3_000_000, np.uint8).tobytes()


@dataclass(frozen=True)
class Net:
    """A graph as it travels."""

    told: dict
    numbers: bytes


class Tiny(View):
    """A view with two parts of its own and a worker."""

    _esm, _css = VIEW, ""
    step = control(Whole(1))
    silent = control(traitlets.List())

    def __init__(self, numbers=NUMBERS, says="In this page: a <b>net</b>, 3 MB.", **facts):
        parts = {"own": bytes([1, 2, 3]), "late": bytes([4, 5])}
        super().__init__({"text": "ab"}, parts, ["own"])
        self.net, self.given, self.says = Net({"version": 1}, numbers), facts, says

    def _answering(self, precision):
        facts = {"precision": precision, **self.given}
        return Answering(WORKER, facts, {"net": self.net}, self.says)

    def _plain(self):
        return "tiny"

    def table(self):
        return [["value"]]
