"""record on attention that a decoder calls once a step: a run of steps is one map."""

import weakref

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import seqviz as sv
from seqviz.recording import record

SCORES = {"additive": {}, "general": {}, "dot": {}, "location": {"max_length": 9}}


class Decoder(nn.Module):
    """s_t = GRU(c_t, s_{t-1}), where c_t is what s_{t-1} attends to."""

    def __init__(self, score="additive", **options):
        super().__init__()
        self.look = sv.nn.Attention(4, 4, score, **options)
        self.cell = nn.GRUCell(4, 4)

    def step(self, s, keys, mask=None):
        c, alpha = self.look(s, keys, mask=mask)
        return self.cell(c, s), alpha

    def forward(self, s, keys, steps, mask=None):
        alphas = []
        for _ in range(steps):
            s, alpha = self.step(s, keys, mask)
            alphas.append(alpha)
        return s, torch.stack(alphas, dim=1)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("grad", [True, False])
def test_the_steps_of_a_run_are_one_map(score, grad):
    model, s, keys = Decoder(score, **SCORES[score]), torch.randn(3, 4), torch.randn(3, 6, 4)
    mask = torch.arange(6) >= torch.tensor([[6], [4], [2]])
    with torch.set_grad_enabled(grad):
        plain = model(s, keys, 5, mask)
        with record(model) as rec:
            recorded = model(s, keys, 5, mask)
    torch.testing.assert_close(recorded, plain, rtol=0, atol=0)
    (call,) = rec.attention["look"]
    assert call.dims == ("batch", "head", "query", "key")
    np.testing.assert_array_equal(call.values[:, 0], plain[1].detach())
    assert not call.values[2, :, :, 2:].any()
    assert rec.nbytes == call.values.nbytes
    assert "forward" not in vars(model.look)


def test_other_keys_begin_another_map():
    model, s = Decoder(), torch.randn(3, 4)
    with record(model) as rec:
        for length in (6, 6, 7):
            model(s, torch.randn(3, length, 4), 5)
        keys = torch.randn(3, 6, 4)
        model(s, keys, 2)
        model(s, keys.clone(), 2)
        for _ in range(4):
            s, _ = model.step(s, keys)
    shapes = [call.shape[2:] for call in rec.attention["look"]]
    assert shapes == [(5, 6), (5, 6), (5, 7), (2, 6), (2, 6), (4, 6)]


def test_the_graph_is_not_kept():
    model, keys = Decoder(), torch.ones(3, 6, 4, requires_grad=True)
    with record(model) as rec:
        out = model(torch.randn(3, 4), keys * 2, 5)[0]
    held = weakref.ref(keys)
    del keys, out
    assert held() is None
    assert rec.attention["look"][0].shape == (3, 1, 5, 6)


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_checkpoint_is_recorded_once(reentrant):
    model, s = Decoder(), torch.randn(3, 4, requires_grad=True)
    with record(model) as rec:
        out, _ = checkpoint(model, s, torch.randn(3, 6, 4), 5, use_reentrant=reentrant)
        out.sum().backward()
    assert [call.shape for call in rec.attention["look"]] == [(3, 1, 5, 6)]


@pytest.mark.parametrize("wiring", ["bahdanau", "luong"])
def test_sequence_to_sequence(wiring):
    model = sv.nn.Seq2Seq(20, 21, 8, 12, attention="additive", wiring=wiring).eval()
    source, target = torch.randint(3, 20, (2, 6)), torch.tensor([[1, 4, 5, 6], [1, 7, 8, 9]])
    with torch.no_grad(), record(model) as rec:
        _, alpha = model(source, target, need_weights=True)
        found = sv.decoding.greedy(model.step, target[:1, :1], 5, state=model.encode(source[:1]))
    forced, free = rec.attention["decoder.attention"]
    np.testing.assert_array_equal(forced.values[:, 0], alpha)
    assert free.shape == (1, 1, len(found[0]), 6)
    assert [call.shape[1] for call in rec.hidden["encoder.rnn"]] == [6, 6]
