"""record under gradient checkpointing: what runs again in the backward pass is recorded once."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from seqviz import nn as ours
from seqviz.recording import record
from tests.recording.small_models import bert, gpt2, t5

IDS = torch.tensor([[5, 9, 3, 7, 4, 30], [8, 6, 11, 2, 0, 0]])


class Both(nn.Module):
    """An LSTM, and attention over its outputs."""

    def __init__(self, rnn, attention, need_weights):
        super().__init__()
        self.lstm, self.look = rnn(8, 8, num_layers=2, dropout=0.3), attention(8, 2, dropout=0.3)
        self.need_weights = need_weights

    def forward(self, x):
        output, _ = self.lstm(x)
        return self.look(output, output, output, need_weights=self.need_weights)[0]


@pytest.mark.parametrize(("reentrant", "need_weights"), [(True, True), (False, False)])
@pytest.mark.parametrize("home", [nn, ours], ids=["torch", "sv"])
def test_each_module_is_recorded_once(home, reentrant, need_weights):
    model = Both(home.LSTM, home.MultiheadAttention, need_weights)
    x = torch.randn(5, 3, 8, requires_grad=True)
    gradients = []
    for recording in (True, False):
        torch.manual_seed(1)
        x.grad = None
        if recording:
            with record(model) as rec:
                checkpoint(model, x, use_reentrant=reentrant).sum().backward()
        else:
            model(x).sum().backward()
        gradients.append(x.grad)
    torch.testing.assert_close(*gradients)
    for kind in ("hidden", "cell", "gates", "attention"):
        (calls,) = getattr(rec, kind).values()
        assert len(calls) == 1, kind


def test_gradients_are_those_without_a_checkpoint():
    lstm, x = nn.LSTM(3, 4), torch.randn(6, 2, 3, requires_grad=True)
    with record(lstm) as plain:
        lstm(x)[0].sum().backward()
    with record(lstm) as rec:
        checkpoint(lstm, x, use_reentrant=False)[0].sum().backward()
    np.testing.assert_allclose(rec.gradients[""][0], plain.gradients[""][0], rtol=1e-5)
    with record(lstm) as rec:
        checkpoint(lstm, x, use_reentrant=True)[0].sum().backward()
    with pytest.raises(ValueError, match=r"no gradient has come yet.*use_reentrant=True"):
        _ = rec.gradients


@pytest.mark.parametrize(("make", "reentrant"), [(bert, True), (gpt2, False), (t5, True)])
def test_checkpoints_of_transformers(make, reentrant):
    model = make().train()
    inputs = {"input_ids": IDS} | ({"decoder_input_ids": IDS} if make is t5 else {})
    model.enable_input_require_grads()
    runs = []
    with record(model) as plain:
        torch.manual_seed(1)
        model(**inputs, use_cache=False)
    paths = list(plain.attention)
    model.activation_checkpointing_enable({"use_reentrant": reentrant})
    with record(model) as rec:
        model.get_submodule(paths[-1]).register_forward_pre_hook(lambda *a: runs.append(1))
        torch.manual_seed(1)
        model(**inputs, use_cache=False)[0].sum().backward()
    assert len(runs) == 2, "a checkpoint runs it again"
    assert {path: len(calls) for path, calls in rec.attention.items()} == dict.fromkeys(paths, 1)
    for path in paths:
        np.testing.assert_allclose(rec.attention[path][0], plain.attention[path][0], atol=1e-6)
