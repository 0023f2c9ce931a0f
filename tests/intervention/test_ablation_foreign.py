"""One head silenced in models that know nothing of it, against its slice set by hand."""

import pytest
import torch

import seqviz as sv
from tests.recording.foreign.styles import STYLES

each_style = pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)


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


@each_style
def test_a_head_silenced(style):
    model = style.model()
    plain = model(*style.inputs)
    for layer, head, *where in style.cuts:
        for by in ("zero", "mean")[: 1 if style.batch is None else 2]:
            expected = by_hand(style, model, *where, by)
            with sv.ablate(model, layer=layer, head=head, by=by):
                silenced = model(*style.inputs)
            torch.testing.assert_close(silenced, expected, rtol=0, atol=1e-6)
            assert (silenced - plain).abs().max() > 1e-4, (layer, head, by)
            assert torch.equal(model(*style.inputs), plain)


def test_a_model_without_a_batch_has_no_mean_over_it():
    style = STYLES["graph by einsum"]
    model, (layer, head, *_) = style.model(), style.cuts[0]
    with (
        pytest.raises(ValueError, match="batch of several"),
        sv.ablate(model, layer=layer, head=head, by="mean"),
    ):
        model(*style.inputs)


@each_style
def test_a_record_beside_it_and_an_exception_leave_the_model_as_before(style):
    model, (layer, head, *_) = style.model(), style.cuts[0]
    plain, before = model(*style.inputs), [[*vars(m)] for m in model.modules()]

    def fail():
        with sv.ablate(model, layer=layer, head=head):
            alone = model(*style.inputs)
            with sv.record(model, keep=("attention",)) as rec:
                assert torch.equal(model(*style.inputs), alone)
            assert list(rec.attention) == style.paths
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert [[*vars(m)] for m in model.modules()] == before
    assert torch.equal(model(*style.inputs), plain)
