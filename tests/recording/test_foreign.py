"""Models in the styles of courses and tutorials, which know nothing of the record."""

import warnings

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import seqviz as sv
from tests.recording.foreign import silent
from tests.recording.foreign.einsum import SelfAttention
from tests.recording.foreign.styles import STREAM, STYLES

aten = torch.ops.aten
each_style = pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)


class Softmaxes(TorchDispatchMode):
    """Takes down what every softmax gives, below all that the record sees."""

    def __init__(self):
        super().__init__()
        self.found = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if func in (aten._softmax.default, aten._safe_softmax.default):
            self.found.append(result.detach().clone())
        if func is aten._scaled_dot_product_flash_attention_for_cpu.default:
            query, key, *_, causal = args[:5]
            scores = query @ key.mT / query.shape[-1] ** 0.5
            later = torch.ones(scores.shape[-2:]).triu(1).bool()
            scores = scores.masked_fill(later, float("-inf")) if causal else scores
            self.found.append(scores.softmax(-1).detach())
        return result


def by_hand(style, model):
    """The weights at each path; steps are put together to one map."""
    with Softmaxes() as seen:
        model(*style.inputs)
    count = len(style.paths)
    return {
        path: torch.cat([style.fold(one) for one in seen.found[k::count]], 2).numpy()
        for k, path in enumerate(style.paths)
    }


def recorded(style, model):
    """The output, and each path's calls put together."""
    with warnings.catch_warnings(), sv.record(model, keep=("attention",)) as rec:
        warnings.simplefilter("error")
        output = model(*style.inputs)
    dims = {call.dims for calls in rec.attention.values() for call in calls}
    assert dims == {("batch", "head", "query", "key")}
    return output, {
        path: np.concatenate([call.values for call in calls], axis=2)
        for path, calls in rec.attention.items()
    }


def assert_maps(style, found, expected):
    assert list(found) == style.paths
    for path, weights in expected.items():
        assert found[path].shape == weights.shape, path
        np.testing.assert_allclose(found[path], weights, rtol=0, atol=1e-6, err_msg=path)


@each_style
@pytest.mark.parametrize("training", [False, True])
def test_nothing_else_changes(style, training):
    model = style.model().train(training)
    torch.manual_seed(1)
    expected = by_hand(style, model)
    runs = []
    for run in (lambda: (model(*style.inputs),), lambda: recorded(style, model)):
        torch.manual_seed(1)
        output, *rest = run()
        model.zero_grad()
        output.square().sum().backward()
        gradients = [p.grad.clone() for p in model.parameters() if p.grad is not None]
        runs.append((output, gradients, torch.get_rng_state()))
    plain, seen = runs
    assert torch.equal(plain[0], seen[0])
    assert torch.equal(plain[2], seen[2])
    assert len(plain[1]) == len(seen[1])
    assert all(map(torch.equal, plain[1], seen[1]))
    assert_maps(style, *rest, expected)  # of a dropout, before it


def scripted():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return torch.jit.script(silent.PlainAttention(8))


@pytest.mark.parametrize("make", [lambda: silent.LinearAttention(8), scripted])
def test_attention_that_shows_no_weights_is_named(make):
    model = silent.Mixed(make()).eval()
    plain = model(STREAM)
    with pytest.warns(UserWarning, match="'silent'"), sv.record(model) as rec:
        assert torch.equal(model(STREAM), plain)
    assert list(rec.attention) == ["heard"]


@pytest.mark.parametrize("whole", [False, True])
def test_a_compiled_module_is_never_silently_left_out(whole):
    model = silent.Mixed(SelfAttention()).eval()
    plain = model(STREAM)
    if whole:
        model = torch.compile(model, backend="eager")
    else:
        model.silent = torch.compile(model.silent, backend="eager")
    model(STREAM)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with sv.record(model) as rec:
                assert torch.equal(model(STREAM), plain)
        except ValueError as problem:
            assert "record" in str(problem)  # noqa: PT017
            return
    told = " ".join(str(one.message) for one in caught)
    for name in ("heard", "silent"):
        assert any(name in path for path in rec.attention) or name in told
