"""How a machine's numbers are explained, and what its sentences and equations say."""

import random
from array import array

import pytest

from tests.browser.machine_worlds import world

pytestmark = pytest.mark.browser

ROOM = "machine/"
SHOWN = """(name, facts, parts) => {
    window.worlds ??= {};
    const arrays = Object.fromEntries(
        Object.entries(parts).map(([part, {buffer}]) => [part, new Float32Array(buffer)]));
    window.worlds[name] = new Numbers(facts, part => arrays[part] ?? null);
}"""
# What a number is by its explanation, and the largest term of it.
RECOMPUTED = """
    const sums = terms => [terms.reduce((a, b) => a + b, 0), Math.max(...terms.map(Math.abs))];
    const functions = {
        div: (a, b) => a / b, neg: a => -a, relu: a => Math.max(a, 0), exp: Math.exp,
        gelu: a => a * normal(a), gelu_tanh: a => a / (1 + Math.exp(-2 * Math.sqrt(2 / Math.PI) * (a + 0.044715 * a ** 3))),silu: a => a / (1 + Math.exp(-a)), eq: (a, b) => +(a === b),
        sigmoid: a => 1 / (1 + Math.exp(-a)), tanh: Math.tanh, cos: Math.cos, sin: Math.sin,
        rsqrt: a => 1 / Math.sqrt(a), pow: (a, b) => a ** b, ge: (a, b) => +(a >= b),
        le: (a, b) => +(a <= b), lt: (a, b) => +(a < b), ne: (a, b) => +(a !== b),
        gt: (a, b) => +(a > b), logical_not: a => +!a, logical_and: (a, b) => +(a && b),
        logical_or: (a, b) => +(a || b), bitwise_not: a => +!a, any: (...all) => +all.some(Boolean),
        _to_copy: Math.trunc, bitwise_and: (a, b) => a & b,
    };
    function normal(x) { // the share of a normal distribution below x, by its series
        let [term, sum] = [x, x];
        for (let k = 1; k < 120; k++) sum += (term *= (x * x) / (2 * k + 1));
        return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }
    const recomputed = {
        product: ({pairs, bias, times, biasTimes}) => sums(
            [...pairs.map(([a, b]) => times * a.value * b.value), biasTimes * (bias?.value ?? 0)]),
        sum: ({terms, over}) => sums(terms.map(one => one.times * one.value / over)),
        norm({row, at, eps, gain, shift, root}) {
            const values = row.map(one => one.value);
            const mean = root ? 0 : sums(values)[0] / row.length;
            const variance = sums(values.map(x => (x - mean) ** 2))[0] / row.length;
            const own = (values[at] - mean) / Math.sqrt(variance + eps) * (gain?.value ?? 1);
            return sums([own, shift?.value ?? 0]);
        },
        softmax({row, at}) {
            const most = Math.max(...row.map(one => one.value));
            const all = row.map(one => Math.exp(one.value - most));
            return [all[at] / sums(all)[0], 1];
        },
        function: ({name, of}) => [functions[name](...of.map(one => one.value)), 1],
    };
"""
CHECKED = (
    """(name, wanted) => {%s
    const numbers = window.worlds[name];
    const {graph} = numbers.facts;
    const kinds = {};
    const wrong = [];
    for (const [node, index] of wanted) {
        const found = explain(graph, numbers, node, index);
        kinds[found.kind] = (kinds[found.kind] ?? 0) + 1;
        const own = numbers.value(node)[index];
        const [value, size] = recomputed[found.kind]?.(found) ?? [own, 1];
        const inputs = found.inputs.every(one => numbers.value(one.node)[one.index] === one.value);
        const same = value === own || Math.abs(value - own) <= 1e-5 * Math.max(size, 1e-3);
        if (!same || !inputs || found.value !== own) wrong.push([node, index, own, value, found.kind]);
    }
    return [wrong, kinds];
}"""
    % RECOMPUTED
)


@pytest.fixture(scope="module")
def shown(script):
    """What brings a world's numbers to the page, once, and returns its facts."""
    known = {}

    def show(name, made=world):
        if name not in known:
            known[name], parts = (one := made(name))["facts"], one["parts"]
            parts = {part: array("f", values).tobytes() for part, values in parts.items()}
            script(ROOM + "cells.js", SHOWN, name, known[name], parts)
        return known[name]

    return show


@pytest.mark.parametrize("name", ["bert", "gpt", "translator"])
def test_numbers_are_what_is_made_of_their_inputs(script, shown, name):
    facts = shown(name)
    draw = random.Random(3)
    nodes = sorted(node for node, shape in facts["shapes"].items() if 0 not in shape)
    size = {node: 1 for node in nodes}
    for node in nodes:
        for length in facts["shapes"][node]:
            size[node] *= length
    wanted = [(node, draw.randrange(size[node])) for node in draw.choices(nodes, k=1000)]
    wrong, kinds = script(ROOM + "explaining.js", CHECKED, name, wanted)
    assert "other" not in kinds
    assert wrong == []
