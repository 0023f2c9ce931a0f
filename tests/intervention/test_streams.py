"""Which modules are blocks, and what is no stream, in models of many kinds."""

import numpy as np
import pytest
import torch
from torch import nn

import seqviz as sv
from seqviz.blocks import stacks_of
from seqviz.recording import Record
from tests.intervention.streams import IDS, Embedded, Mix, Words, made
from tests.recording.small_models import gpt2
from tests.refusing import refused

torch.set_num_threads(1)


def mixes(count):
    return [Mix() for _ in range(count)]


class Added(Words):
    """Blocks whose result is added to the stream: none of them gives it."""

    def forward(self, ids):
        x = self.words(ids)
        for block in self.blocks:
            x = x + block(x)
        return self.out(x)


class Pyramid(Words):
    """Blocks that read fewer and fewer positions."""

    def forward(self, ids):
        x = self.words(ids)
        for block in self.blocks:
            x = block(x)[:, ::2]
        return x


class Idle(Words):
    """Blocks that are not called."""

    def forward(self, ids):
        return self.out(self.words(ids))


def encoder(**options):
    layer = nn.TransformerEncoderLayer(16, 4, 12, batch_first=True)
    return nn.TransformerEncoder(layer, 2, **options)


def test_the_lists_of_blocks():
    shared = Mix()
    models = {
        "an encoder in a chain": (
            nn.Sequential(Embedded(), encoder(), nn.Linear(16, 4)),
            {"1.layers": ["1.layers.0", "1.layers.1"]},
        ),
        "a chain in a chain": (
            nn.Sequential(nn.Embedding(4, 16), nn.Sequential(*mixes(2)), nn.Linear(16, 4)),
            {"1": ["1.0", "1.1"]},
        ),
        "a chain of everything": (
            nn.Sequential(Embedded(), *mixes(2), nn.Linear(16, 4)),
            {"": ["1", "2"]},
        ),
        "one block": (Words(nn.ModuleList(mixes(1))), {"blocks": ["blocks.0"]}),
        "one module in several places": (
            Words(nn.ModuleList([shared, shared, Mix()])),
            {"blocks": ["blocks.0", "blocks.2"]},
        ),
        "a list of lists": (
            nn.ModuleList([nn.ModuleList(mixes(2)), nn.ModuleList(mixes(1))]),
            {"0": ["0.0", "0.1"], "1": ["1.0"]},
        ),
        "no list": (nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4)), {}),
        "a net over time": (nn.Sequential(nn.Embedding(4, 8), nn.LSTM(8, 8)), {"": ["1"]}),
        "a dict": (nn.ModuleDict({"a": Mix(), "b": Mix()}), {"": ["a", "b"]}),
    }
    for what, (model, expected) in models.items():
        found = {stack.path: list(stack.blocks) for stack in stacks_of(model)}
        assert found == expected, what


def recorded(model, *given, **more):
    with sv.record(model, keep="states") as rec, torch.no_grad():
        model(*given, **more)
    return rec.states


def test_what_is_no_stream_is_refused():
    def of(model, given=IDS):
        return lambda: recorded(model, given)

    def patched(model):
        with sv.patch(model, layer=0, token=0, value=[0.0] * 16):
            model(IDS)

    added, pyramid = (kind(nn.ModuleList(mixes(2))) for kind in (Added, Pyramid))
    net = sv.nn.LSTM(3, 3)
    refused(ValueError, {
        r"'blocks.1' \(Mix\) reads something else than 'blocks.0' gave": of(added),
        "layer=0 is no block: .*'blocks.1'": lambda: patched(added),
        "'blocks.1' .*reads something else": of(pyramid),
        r"model \(LSTM\): its blocks cannot be told.*found no list": of(net, torch.ones(2, 1, 3)),
        "found 'blocks', of which no module ran": of(Idle(nn.ModuleList(mixes(2)))),
    })  # fmt: skip
    with sv.record(added, keep="states"):
        pass  # nothing ran: nothing is wrong


def test_padding_and_torchs_fast_path():
    torch.manual_seed(0)
    model, x = encoder().eval(), torch.randn(2, 5, 16)
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    given = {"src_key_padding_mask": padding}
    with torch.no_grad():
        plain = model(x, **given)
    (states,) = recorded(model, x, **given)["layers"]
    shown = ~padding.numpy()
    np.testing.assert_allclose(states.values[2][shown], plain.numpy()[shown], rtol=0, atol=1e-5)
    with torch.no_grad():
        assert torch.equal(model(x, **given), plain)


def test_runs_are_calls_of_their_own():
    model = made("GPT-2")
    with sv.record(model, keep="states") as rec, torch.no_grad():
        model.generate(IDS[:1], max_new_tokens=3, do_sample=False, pad_token_id=0)
    assert [call.shape[2] for call in rec.states["transformer.h"]] == [6, 1, 1]
    blocks = nn.ModuleList(mixes(2))
    with sv.record(blocks, keep="states") as rec, torch.no_grad():
        for _ in range(2):  # by a loop of the user's own
            x = torch.randn(1, 4, 16)
            for block in blocks:
                x = block(x)
    assert [call.shape for call in rec.states[""]] == [(3, 1, 4, 16)] * 2


def test_a_record_of_states_is_saved_and_loaded(tmp_path):
    model = made("GPT-2")
    with sv.record(model, keep=("states", "contexts")) as rec, torch.no_grad():
        model(IDS)
    rec.save(tmp_path / "run.npz")
    again = Record.load(tmp_path / "run.npz")
    states, same = (one.states["transformer.h"][0] for one in (rec, again))
    assert same.labels == states.labels
    np.testing.assert_array_equal(same, states)
    assert again.contexts.keys() == rec.contexts.keys()


def test_what_a_checkpoint_runs_again_is_replaced_again():
    gradients = []
    for checkpoint in (False, True):
        torch.manual_seed(0)
        model = gpt2(resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0).train()
        if checkpoint:
            model.gradient_checkpointing_enable({"use_reentrant": False})
        with (
            sv.patch(model, layer=0, token=2, value=torch.ones(16)),
            sv.record(model, keep="states") as rec,
        ):
            model(IDS, use_cache=False).logits.square().sum().backward()
        assert len(rec.states["transformer.h"]) == 1
        gradients.append(model.transformer.h[0].mlp.c_fc.weight.grad)
    torch.testing.assert_close(*gradients)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_numbers(dtype):
    model = made("own list").to(dtype)
    with (
        sv.patch(model, layer=0, token=1, value=[0.5] * 16),
        sv.record(model, keep="states") as rec,
        torch.no_grad(),
    ):
        model(IDS)
    state = rec.states["blocks"][0].at(layer="0", batch=0, time=1)
    np.testing.assert_array_equal(state, [0.5] * 16)
    assert sv.lens(model, IDS).logits.shape == (4, 2, 6, 40)
