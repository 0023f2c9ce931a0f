"""Whole programs of torch.export in the page: any length, every value, recurrence."""

import pytest
import torch
from torch import nn

from seqviz.graphs import exported
from tests.graphs import parity

pytestmark = pytest.mark.browser

GENERATOR = torch.Generator().manual_seed(0)
CLOSE = {"atol": 1e-6, "rtol": 1e-6}


def drawn(*shape):
    return torch.randn(shape, generator=GENERATOR) / 2


class Block(nn.Module):
    """Of torch's own modules: attention, a mask, norms, products."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 12)
        self.attention = nn.MultiheadAttention(12, 3, batch_first=True)
        self.norm = nn.LayerNorm(12)
        self.hidden, self.out = nn.Linear(12, 20), nn.Linear(20, 5)

    def forward(self, ids, padding):
        x = self.embedding(ids)
        future = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu(1)
        context, weights = self.attention(
            x, x, x, key_padding_mask=padding, attn_mask=future, average_attn_weights=False
        )
        x = self.norm(x + context)
        return self.out(nn.functional.gelu(self.hidden(x))).log_softmax(-1), weights


def read(length):
    padding = torch.zeros(1, length, dtype=torch.bool)
    padding[0, 1::4] = True
    return torch.randint(0, 11, (1, length), generator=GENERATOR), padding


def test_every_value_is_pythons_at_any_length(in_page):
    torch.manual_seed(1)
    model = Block().eval()
    graph = exported(model, read(6))
    numbers = [node.name for node in graph.nodes if node.shape]
    assert len(numbers) > 30
    calls = [read(length) for length in (1, 2, 7, 13)]
    for call, (output, found) in zip(calls, in_page(graph, *calls, keep=numbers), strict=True):
        _, expected = graph.run(call, keep=numbers)
        for name, one in expected.items():
            one = one[0] if isinstance(one, tuple) else one
            torch.testing.assert_close(found[name], one.float(), **CLOSE)
        with torch.no_grad():
            torch.testing.assert_close(output, list(model(*call)), **CLOSE)


def recurrent(mode, layers, both, time=5, batch=1):
    inputs, units = 3, 4
    gates = {"LSTM": 4, "RNN_TANH": 1, "RNN_RELU": 1}.get(mode, 3)
    start = [drawn(layers * (1 + both), batch, units) for _ in range(1 + (mode == "LSTM"))]
    weights = []
    for layer in range(layers):
        for _ in range(1 + both):
            width = units * (1 + both) if layer else inputs
            rows = gates * units
            weights += [drawn(rows, width), drawn(rows, units), drawn(rows), drawn(rows)]
    args = drawn(time, batch, inputs), start, weights, mode, layers, both
    return parity.Case("seqviz.recurrent", args)


def test_recurrent_nets_step_as_torchs(script):
    cases = [
        recurrent(mode, layers, both)
        for mode in ("RNN_TANH", "RNN_RELU", "LSTM", "GRU", "GRU_BEFORE")
        for layers, both in ((1, False), (1, True), (3, False), (2, True))
    ]
    cases += [recurrent("LSTM", 2, True, time=1), recurrent("GRU_BEFORE", 1, True, batch=3)]
    assert parity.wrong(script, cases) == ""
