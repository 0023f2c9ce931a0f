"""record on attention of sv.nn and torch.nn: true weights, and callers that notice nothing."""

import copy
import warnings
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from torch import nn
from torch.backends import mha
from torch.nn import functional as F

from seqviz import nn as ours
from seqviz.recording import record
from seqviz.recording.weighing import Weighing
from tests.pairwise import pairwise
from tests.recording.small_models import state_of

KINDS = [nn.MultiheadAttention, ours.MultiheadAttention]
PADDING = torch.tensor([[False] * 5, [False] * 3 + [True] * 2, [False] * 4 + [True]])
CAUSAL = torch.ones(5, 5, dtype=torch.bool).triu(1)
SLOW = {"enable_nested_tensor": False}


@pytest.fixture(autouse=True)
def _the_fast_path_is_left_as_it_was():
    before = mha.get_fastpath_enabled()
    yield
    after = mha.get_fastpath_enabled()
    mha.set_fastpath_enabled(before)
    assert after == before


def weights_seen(model, run):
    """The weights of every attention, from its inputs, without dropout, asked for one by one."""
    seen, handles = {}, []

    def ask(path, module, args, kwargs):
        options = kwargs | {"need_weights": True, "average_attn_weights": False}
        train = module.training
        _, weights = type(module).forward(module.train(False), *args, **options)
        module.train(train)
        weights = weights.detach()
        seen.setdefault(path, []).append(weights if weights.dim() == 4 else weights[None])

    for path, module in model.named_modules():
        if isinstance(module, tuple(KINDS)):
            hook = lambda m, a, k, path=path: ask(path, m, a, k)  # noqa: E731
            handles.append(module.register_forward_pre_hook(hook, with_kwargs=True))
    before = mha.get_fastpath_enabled()
    mha.set_fastpath_enabled(False)
    try:
        run()
    finally:
        mha.set_fastpath_enabled(before)
        for handle in handles:
            handle.remove()
    return seen


def assert_recorded(rec, expected, tolerance=1e-6):
    assert rec.attention.keys() == expected.keys()
    for path, calls in expected.items():
        assert len(rec.attention[path]) == len(calls)
        for kept, weights in zip(rec.attention[path], calls, strict=True):
            assert kept.dims == ("batch", "head", "query", "key")
            np.testing.assert_allclose(kept, weights, rtol=0, atol=tolerance)


MASKS = {
    "none": {},
    "padding": {"key_padding_mask": PADDING},
    "causal": {"attn_mask": CAUSAL, "is_causal": True},
    "both": {"key_padding_mask": PADDING, "attn_mask": CAUSAL},
}


@pytest.mark.parametrize(
    ("kind", "masks", "need", "average", "batch_first", "train", "grad"),
    pairwise(KINDS, list(MASKS), *[[True, False]] * 5),
)
def test_the_caller_gets_what_it_would_have_got(
    kind, masks, need, average, batch_first, train, grad
):
    module = kind(8, 2, dropout=0.4, batch_first=batch_first).double().train(train)
    x = torch.randn((3, 5, 8) if batch_first else (5, 3, 8), dtype=torch.float64)
    options = MASKS[masks] | {"need_weights": need, "average_attn_weights": average}

    def run():
        torch.manual_seed(1)
        return module(x, x, x, **options), torch.get_rng_state()

    with torch.set_grad_enabled(grad):
        (output, weights), random = run()
        with record(module) as rec:
            (again, others), random_again = run()
        expected = weights_seen(module, run)
    fast = kind is nn.MultiheadAttention and batch_first and not (train or grad)
    torch.testing.assert_close(again, output, rtol=0, atol=1e-10 if fast else 0)
    assert (others is None) == (weights is None) == (not need)
    if need:
        torch.testing.assert_close(others, weights, rtol=0, atol=1e-10 if fast else 0)
    assert torch.equal(random, random_again)
    assert again.requires_grad == grad
    assert_recorded(rec, expected, 1e-10)
    np.testing.assert_allclose(rec.attention[""][0].values.sum(-1), 1)


@pytest.mark.parametrize(
    ("bias", "bias_kv", "zero", "other_sizes", "batch_first", "need", "dtype"),
    pairwise(*[[True, False]] * 6, [torch.float32, torch.float64, torch.bfloat16]),
)
def test_every_option_of_torchs_attention(
    bias, bias_kv, zero, other_sizes, batch_first, need, dtype
):
    sizes = {"kdim": 6, "vdim": 10} if other_sizes else {}
    more = {"add_bias_kv": bias_kv, "add_zero_attn": zero, "batch_first": batch_first}
    module = nn.MultiheadAttention(8, 2, bias=bias, dtype=dtype, **sizes, **more)
    query, key, value = (
        torch.randn((3, time, size) if batch_first else (time, 3, size), dtype=dtype)
        for time, size in ((5, 8), (7, sizes.get("kdim", 8)), (7, sizes.get("vdim", 8)))
    )
    _, expected = module(query, key, value, average_attn_weights=False)
    with record(module) as rec:
        module(query, key, value, need_weights=need)
    (call,) = rec.attention[""]
    assert call.values.shape == (3, 2, 5, 7 + bias_kv + zero)
    close = {"rtol": 0, "atol": 2e-2 if dtype == torch.bfloat16 else 1e-6}
    torch.testing.assert_close(torch.tensor(call.values), expected, check_dtype=False, **close)


@pytest.mark.parametrize("kind", KINDS, ids=["torch", "sv"])
def test_a_row_without_keys(kind):
    module, padding = kind(8, 2), PADDING.clone()
    padding[1] = True
    x = torch.randn(5, 3, 8)
    with record(module) as rec:
        output, _ = module(x, x, x, key_padding_mask=padding, need_weights=False)
        module(x, x, x, key_padding_mask=padding)
    assert not output.isnan().any()
    without, with_them = (call.values for call in rec.attention[""])
    assert not without[1].any()
    assert np.isnan(with_them[1]).all() == (kind is nn.MultiheadAttention)  # as it uses them
    np.testing.assert_allclose(without[[0, 2]], with_them[[0, 2]], atol=1e-6)


def encoder(batch_first=True, layers=2, **options):
    layer = nn.TransformerEncoderLayer(
        8, 2, 12, dropout=0.3, batch_first=batch_first, norm_first=not batch_first
    )
    return nn.TransformerEncoder(layer, layers, **options)


PARTS = {
    "encoder": lambda: encoder(**SLOW),
    "nested": encoder,
    "layer": lambda: encoder(**SLOW).layers[0],
    "time first": lambda: encoder(batch_first=False, **SLOW),
}


@pytest.mark.parametrize(
    ("part", "masks", "grad", "train", "enabled"),
    pairwise(list(PARTS), list(MASKS), *[[True, False]] * 3),
)
def test_the_encoder(part, masks, grad, train, enabled, monkeypatch):
    fast = Mock(wraps=torch._transformer_encoder_layer_fwd)
    monkeypatch.setattr(torch, "_transformer_encoder_layer_fwd", fast)
    mha.set_fastpath_enabled(enabled)
    model = PARTS[part]().train(train)
    x = torch.randn((5, 3, 8) if part == "time first" else (3, 5, 8))
    options = {"src_key_padding_mask": PADDING} if masks in ("padding", "both") else {}
    if masks in ("causal", "both"):
        options["src_mask" if part == "layer" else "mask"] = CAUSAL

    def run():
        torch.manual_seed(1)
        return model(x, **options)

    with torch.set_grad_enabled(grad), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The PyTorch API of nested tensors")
        plain = run()
        on_it = fast.called
        before = state_of(model)
        with record(model) as rec:
            recorded = run()
        expected = weights_seen(model, run)
    assert on_it == (enabled and not train and not grad and part != "time first")
    if on_it:  # it is left while recording: another order of sums, and values at padding
        seen = ~PADDING if masks in ("padding", "both") else torch.ones(3, 5, dtype=torch.bool)
        torch.testing.assert_close(recorded[seen], plain[seen], rtol=0, atol=1e-6)
    else:
        torch.testing.assert_close(recorded, plain, rtol=0, atol=0)
    assert_recorded(rec, expected)
    assert mha.get_fastpath_enabled() == enabled
    mha.set_fastpath_enabled(True)
    assert state_of(model) == before


@pytest.mark.parametrize(("train", "batch_first"), [(True, False), (False, True)])
def test_the_transformer_and_its_decoder(train, batch_first):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "enable_nested_tensor is True")
        model = nn.Transformer(8, 2, 1, 1, 12, dropout=0.3, batch_first=batch_first).train(train)
    src, tgt = torch.randn(3, 5, 8), torch.randn(3, 4, 8)
    if not batch_first:
        src, tgt = src.transpose(0, 1), tgt.transpose(0, 1)

    def run():
        torch.manual_seed(1)
        return model(
            src, tgt, tgt_mask=CAUSAL[:4, :4], tgt_is_causal=True,
            src_key_padding_mask=PADDING, memory_key_padding_mask=PADDING,
        )  # fmt: skip

    with torch.no_grad(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The PyTorch API of nested tensors")
        plain = run()
        with record(model) as rec:
            recorded = run()
        expected = weights_seen(model, run)
    torch.testing.assert_close(recorded, plain, rtol=0, atol=1e-6)
    assert_recorded(rec, expected)
    kinds = "encoder.layers.0.self", "decoder.layers.0.self", "decoder.layers.0.multihead"
    assert list(rec.attention) == [f"{kind}_attn" for kind in kinds]
    cross = rec.attention["decoder.layers.0.multihead_attn"][0]
    assert cross.shape == (3, 2, 4, 5)
    assert not cross.values[1, :, :, 3:].any()


def test_a_fused_call_that_is_none_is_refused(monkeypatch):
    model, own, look = nn.MultiheadAttention(8, 2), F.scaled_dot_product_attention, Weighing

    def lies(*args, **kwargs):
        return own(*args, **kwargs) + 1e-3

    lies.__name__, see = own.__name__, look.__torch_function__
    monkeypatch.setattr(
        look, "__torch_function__", lambda s, f, *rest: see(s, lies if f is own else f, *rest)
    )
    with pytest.raises(AssertionError, match=r"its definition differ by 1\.0e-03"), record(model):
        model(*[torch.randn(5, 3, 8)] * 3, need_weights=False)
    assert "forward" not in vars(model)


def test_nested_tensors_are_refused():
    nested = torch.nested.nested_tensor([torch.randn(3, 8), torch.randn(5, 8)])
    model = encoder().eval()
    with torch.no_grad(), record(model), pytest.raises(ValueError, match="to_padded_tensor"):
        model.layers[0](nested)


class Both(nn.Module):
    """An LSTM, and attention over its outputs."""

    def __init__(self, kind=nn.MultiheadAttention):
        super().__init__()
        self.lstm, self.look = nn.LSTM(3, 8), kind(8, 2)

    def forward(self, x, times=1):
        output, _ = self.lstm(x)
        for _ in range(times):
            output, _ = self.look(output, output, output, need_weights=False)
        return output


def test_a_model_with_both_keeps_both():
    model = Both()
    with record(model) as rec:
        model(torch.randn(5, 2, 3), times=2).sum().backward()
    assert rec.hidden["lstm"][0].shape == (1, 5, 2, 8)
    assert [call.shape for call in rec.attention["look"]] == [(2, 2, 5, 5)] * 2
    assert "look" not in rec.hidden
    assert (rec.gradients["lstm"][0].values > 0).all()
    assert rec.traces()["h"].shape == (5, 8)
    assert rec.cells == {"lstm": "LSTM"}


def test_keep_chooses():
    model, x = Both(), torch.randn(5, 2, 3)
    fused = model.lstm.forward
    with record(model, keep=("attention",)) as rec:
        assert model.lstm.forward == fused
        model(x)
    assert rec.kinds == ["attention"]
    assert len(rec.attention["look"]) == 1
    with pytest.raises(AttributeError, match="no 'hidden'; it keeps attention"):
        _ = rec.hidden
    with pytest.raises(ValueError, match="traces are of an RNN, LSTM or GRU"):
        rec.traces()
    with record(model, keep=("hidden",)) as rec:
        model(x)
    assert rec.kinds == ["hidden"]


def test_the_model_is_left_as_it_was_also_after_an_exception():
    model = nn.ModuleList([encoder(**SLOW), Both(ours.MultiheadAttention)])
    own = model[1].look.forward
    model[1].look.forward = own  # set on the instance by someone before us
    before, numbers = state_of(model), copy.deepcopy(model.state_dict())
    x, wrong = torch.ones(3, 5, 8), torch.ones(3, 5, 7)
    random = torch.get_rng_state()

    def run(given):
        with record(model):
            model[0].eval()(x)
            model[0].train()
            assert model[1].look.forward is not own
            model[0].eval()(given)
            model[0].train()

    run(x)
    assert state_of(model) == before
    with pytest.raises((AssertionError, RuntimeError)):
        run(wrong)
    model[0].train()
    assert state_of(model) == before
    assert model[1].look.__dict__["forward"] is own
    torch.testing.assert_close(model.state_dict(), numbers, rtol=0, atol=0)
    assert torch.equal(torch.get_rng_state(), random)


def test_shared_layers_and_hooks():
    model, seen = nn.MultiheadAttention(8, 2), []
    model.register_forward_hook(lambda m, a, out: seen.append(out[1]))
    pair = nn.ModuleList([model, model])
    with record(pair) as rec:
        for module in pair:
            module(*[torch.randn(5, 3, 8)] * 3, need_weights=False)
    assert seen == [None, None]
    assert {path: len(calls) for path, calls in rec.attention.items()} == {"0": 2}


@pytest.mark.parametrize("heads", [2, 3], ids=["fast", "odd heads are slow"])
def test_each_run_is_recorded_once(heads):
    layer = nn.TransformerEncoderLayer(6, heads, 12, batch_first=True).eval()
    model, runs = nn.TransformerEncoder(layer, 2, **SLOW).eval(), []
    model.layers[1].linear1.register_forward_hook(lambda *a: runs.append(1))
    for grad in (True, False):
        with torch.set_grad_enabled(grad), record(model) as rec:
            model(torch.randn(3, 5, 6))
            model(torch.randn(4, 6))  # without a batch
        assert [len(calls) for calls in rec.attention.values()] == [2, 2]
        assert [call.shape[0] for call in rec.attention["layers.0.self_attn"]] == [3, 1]
    assert len(runs) == 4


def test_the_record_is_a_copy_and_bfloat16_becomes_float32():
    model = nn.MultiheadAttention(8, 2).bfloat16()
    x = torch.randn(5, 3, 8, dtype=torch.bfloat16)
    with record(model) as rec, torch.no_grad():
        _, weights = model(x, x, x, average_attn_weights=False)
        kept = weights.float().clone()
        weights.zero_()
    assert rec.attention[""][0].values.dtype == "float32"
    np.testing.assert_array_equal(rec.attention[""][0], kept)
