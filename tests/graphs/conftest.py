"""Graphs in the page in which functions of scripts are called."""

import pytest
import torch

from seqviz.graphs import packed

RUN = """async (told, numbers, calls, options) => {
    const net = load(told, numbers.buffer);
    const seen = a => Array.isArray(a) ? seen(a[0]) : [a.shape, Array.from(flat(a))];
    const found = [];
    for (const given of calls) {
        const inputs = given.map(([name, ...one]) => [name, tensor(...one)]);
        const {output, kept} = await run(net, Object.fromEntries(inputs), options);
        found.push([output.map(seen), Object.entries(kept).map(([name, a]) => [name, seen(a)])]);
    }
    return found;
}"""


@pytest.fixture
def in_page(script):
    """What runs a graph in the page: for each call its outputs, and what is kept by name."""

    def run(graph, *calls, keep=(), precision="full"):
        travels = packed(graph, precision)
        given = [[*map(_given, graph.inputs, call)] for call in calls]
        sent = travels.told, travels.numbers, given, {"keep": [*keep]}
        return [
            ([*map(_tensor, outputs)], {name: _tensor(one) for name, one in kept})
            for outputs, kept in script("shared/graph/running.js", RUN, *sent)
        ]

    return run


def _given(name, one):
    kind = {torch.bool: "truth", torch.float32: "float"}.get(one.dtype, "whole")
    return [name, list(one.shape), one.flatten().tolist(), kind]


def _tensor(found):
    shape, numbers = found
    return torch.tensor(numbers).float().reshape(shape)
