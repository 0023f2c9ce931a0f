"""One head silenced in models that know nothing of it, against its slice set by hand."""

import pytest
import torch

import seqviz as sv
from tests.recording.foreign.styles import STYLES

CUTS = [
    pytest.param(style, cut, id=f"{name}, {cut[0]!r}")
    for name, style in STYLES.items()
    for cut in style.cuts
]
each_cut = pytest.mark.parametrize(("style", "cut"), CUTS)


def by_hand(style, model, module, part, by):
    """The output with this part of the module's input replaced."""

    def silence(_, args):
        first, *rest = args
        first = first.clone()
        own = first[..., part]
        own[:] = own.mean(style.batch, keepdim=True) if by == "mean" else 0
        return first, *rest

    handle = model.get_submodule(module).register_forward_pre_hook(silence)
    output = model(*style.inputs)
    handle.remove()
    return output


@pytest.mark.parametrize(
    ("style", "cut", "by"),
    [
        pytest.param(*one.values, by, id=f"{one.id}, {by}")
        for one in CUTS
        for by in ("zero", "mean")
        if by == "zero" or one.values[0].batch is not None
    ],
)
def test_a_head_silenced(style, cut, by):
    model, (layer, head, *where) = style.model(), cut
    plain, expected = model(*style.inputs), by_hand(style, model, *where, by)
    with sv.ablate(model, layer=layer, head=head, by=by):
        silenced = model(*style.inputs)
    torch.testing.assert_close(silenced, expected, rtol=0, atol=1e-6)
    assert (silenced - plain).abs().max() > 1e-4
    assert torch.equal(model(*style.inputs), plain)


@pytest.mark.parametrize("style", [STYLES["graph of modules"], STYLES["graph by einsum"]])
def test_a_model_without_a_batch_has_no_mean_over_it(style):
    model, (layer, head, *_) = style.model(), style.cuts[0]
    with (
        pytest.raises(ValueError, match="batch of several"),
        sv.ablate(model, layer=layer, head=head, by="mean"),
    ):
        model(*style.inputs)


@each_cut
def test_after_an_exception_the_model_is_as_before(style, cut):
    model, (layer, head, *_) = style.model(), cut
    plain, before = model(*style.inputs), [[*vars(m)] for m in model.modules()]

    def fail():
        with sv.ablate(model, layer=layer, head=head):
            model(*style.inputs)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert [[*vars(m)] for m in model.modules()] == before
    assert torch.equal(model(*style.inputs), plain)


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_a_record_beside_it(style):
    model, (layer, head, *_) = style.model(), style.cuts[0]
    with sv.ablate(model, layer=layer, head=head):
        alone = model(*style.inputs)
        with sv.record(model, keep=("attention",)) as rec:
            assert torch.equal(model(*style.inputs), alone)
    assert list(rec.attention) == style.paths
