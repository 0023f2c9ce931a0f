"""sv.nn's MultiheadAttention is torch's, number for number."""

import pytest
import torch

from seqviz.nn import MultiheadAttention, causal_mask
from tests.nn.parity import CLOSE, everything, twins
from tests.refusing import refused


def inputs(module, T=4, S=6, batch=3):
    """Query, key and value, laid out as the module takes them."""
    shapes = [(T, module.embed_dim), (S, module.kdim), (S, module.vdim)]
    if batch is not None:
        place = 0 if module.batch_first else 1
        shapes = [(*shape[:place], batch, *shape[place:]) for shape in shapes]
    return [torch.randn(shape, dtype=torch.float64) for shape in shapes]


def assert_equal(theirs, ours, given, **options):
    expected = everything(theirs, given, **options)
    assert not any(x.isnan().any() for x in expected[0] + expected[1])
    torch.testing.assert_close(everything(ours, given, **options), expected, **CLOSE)


PADDING = torch.tensor([[0, 0, 0, 0, 1, 1], [0, 1, 0, 1, 0, 0], [0] * 6]).bool()
BETWEEN = torch.ones(4, 6, dtype=torch.bool).triu(2)
MASKS = {
    "none": {},
    "padding": {"key_padding_mask": PADDING},
    "between": {"attn_mask": BETWEEN},
    "both": {"key_padding_mask": PADDING, "attn_mask": BETWEEN},
    "causal": {"attn_mask": BETWEEN, "is_causal": True},
    "a mask for each head": {"attn_mask": torch.arange(6 * 4 * 6).reshape(6, 4, 6) % 5 == 1},
    "floats": {"attn_mask": torch.linspace(-3, 3, 24).reshape(4, 6).double()},
    "float padding": {"key_padding_mask": torch.linspace(-3, 3, 18).reshape(3, 6).double()},
    "both of floats": {
        "attn_mask": torch.zeros(4, 6).double().masked_fill(BETWEEN, -torch.inf),
        "key_padding_mask": torch.zeros(3, 6).double().masked_fill(PADDING, -torch.inf),
    },
}


@pytest.mark.parametrize("masks", MASKS.values(), ids=list(MASKS))
def test_masks_mean_what_torchs_mean(masks):
    for batch_first, sizes in ((True, {}), (False, {"kdim": 3, "vdim": 5, "bias": False})):
        theirs, ours = twins("MultiheadAttention", 8, 2, batch_first=batch_first, **sizes)
        given = inputs(ours)
        assert_equal(theirs, ours, given, average_attn_weights=batch_first, **masks)
        assert torch.equal(ours(*given, **masks)[0], ours(*given)[0]) == (not masks), "not felt"


def test_without_a_batch_and_without_weights():
    theirs, ours = twins("MultiheadAttention", 6, 3)
    for options in ({}, {"need_weights": False}, {"attn_mask": BETWEEN}):
        assert_equal(theirs, ours, inputs(ours, batch=None), **options)


@pytest.mark.parametrize("options", [{}, {"bias": False}, {"kdim": 3}, {"vdim": 3}])
def test_an_equal_seed_gives_equal_weights_under_equal_names(options):
    modules = []
    for kind in (torch.nn.MultiheadAttention, MultiheadAttention):
        torch.manual_seed(3)
        modules.append(kind(8, 2, **options).state_dict())
    torch.testing.assert_close(modules[1], modules[0], rtol=0, atol=0)


def test_a_row_without_keys_is_zero_and_has_gradients():
    theirs, ours = twins("MultiheadAttention", 8, 2, batch_first=True)
    given, padding = inputs(ours), PADDING.clone()
    padding[1] = True
    between = torch.zeros(4, 6, dtype=torch.bool)
    between[2] = True
    for masks in ({"key_padding_mask": padding}, {"attn_mask": between}):
        (output, weights), to_inputs, to_weights = everything(ours, given, **masks)
        expected, gone = theirs(*given, **masks)
        nowhere = gone.isnan()
        assert nowhere.any()
        assert not nowhere.all()
        assert not weights[nowhere].any()
        lost = nowhere.all(dim=-1)
        torch.testing.assert_close(output[lost], ours.out_proj.bias.expand_as(output[lost]))
        torch.testing.assert_close(output[~lost], expected[~lost], **CLOSE)
        for gradient in (*to_inputs, *to_weights.values()):
            assert not gradient.isnan().any()


def test_dropout_drops_weights_only_while_training():
    theirs, ours = twins("MultiheadAttention", 8, 2, dropout=0.5)
    given = inputs(ours)
    for module in (theirs, ours):
        torch.manual_seed(1)
        module.drawn = module(*given, average_attn_weights=False)
    torch.testing.assert_close(ours.drawn, theirs.drawn, **CLOSE)
    assert (ours.drawn[1] == 0).any()
    ours.eval()
    before = torch.get_rng_state()
    _, weights = ours(*given)
    assert torch.equal(torch.get_rng_state(), before)
    torch.testing.assert_close(weights.sum(-1), torch.ones(3, 4).double())


def test_other_floats():
    for dtype in (torch.bfloat16, torch.float16):
        module = MultiheadAttention(8, 2, dtype=dtype)
        x = torch.randn(4, 3, 8, dtype=dtype)
        output, weights = module(x, x, x, key_padding_mask=torch.zeros(3, 4))
        assert output.dtype == weights.dtype == dtype


def test_what_does_not_fit():
    module = MultiheadAttention(8, 2, kdim=4, vdim=5)
    q, k, v = torch.zeros(4, 3, 8), torch.zeros(6, 3, 4), torch.zeros(6, 3, 5)
    given = {"query": q, "key": k, "value": v}
    module(**given)

    def but(**change):
        return lambda: module(**(given | change))

    wrong = {
        "num_heads must divide embed_dim=8.* got 3": lambda: MultiheadAttention(8, 3),
        r"query must be \(time, batch, 8\), or.*4, 3, 7": but(query=q[..., 1:]),
        r"key must be .* none of the three has a batch": but(query=q[:, 0]),
        r"one vector for each of key \(6, 3, 4\)": but(value=v[1:]),
        "the batch of query, 2, got 3 .*batch_first=False": but(query=q[:, 1:]),
        r"must have shape \(3, 6\), got \(6, 3\)": but(key_padding_mask=k[..., 0]),
        r"attn_mask must have .*\(4, 6\) or \(6, 4, 6\), got \(3, 4, 6\)": but(
            attn_mask=torch.zeros(3, 4, 6)
        ),
        "is_causal only says that attn_mask is causal": but(is_causal=True),
    }
    refused(ValueError, wrong)
    wrong = {
        r"key must be a float.*int64: embed ids": but(key=k.long()),
        r"int32: use mask\.bool\(\)": but(key_padding_mask=k[..., 0].int()),
    }
    refused(TypeError, wrong)


@pytest.mark.filterwarnings("error")
def test_a_mask_the_wrong_way_round_is_warned_of_and_no_other():
    module, x = MultiheadAttention(8, 2), torch.randn(4, 3, 8)
    everything, later = torch.ones(4, 4).bool(), torch.ones(4, 4).tril().bool()
    for wrong in (everything, later, torch.zeros(4, 4).masked_fill(later, -torch.inf)):
        with pytest.warns(UserWarning, match="must not attend.* pass ~attn_mask"):
            module(x, x, x, attn_mask=wrong)
    later_and_itself = later.tril(-1)  # of a model that reads from the right
    for mask in (causal_mask(4), later_and_itself, torch.eye(4).bool(), torch.zeros(4, 4)):
        module(x, x, x, attn_mask=mask)
    module(x[:1], x[:1], x[:1], attn_mask=causal_mask(1))


@pytest.mark.parametrize(("batch_first", "batch"), [(True, 3), (False, 3), (False, None)])
def test_keys_and_values_can_be_projected_before(batch_first, batch):
    ours = MultiheadAttention(8, 2, kdim=4, vdim=5, batch_first=batch_first)
    query, key, value = (x.float() for x in inputs(ours, batch=batch))
    again = ours(query, projected=ours.key_values(key, value))
    torch.testing.assert_close(again, ours(query, key, value), rtol=0, atol=0)


def test_wrong_projected():
    module, x = MultiheadAttention(8, 2), torch.randn(4, 3, 8)
    kept, other = module.key_values(x, x), MultiheadAttention(8, 4).key_values(x, x)
    wrong = {
        r"the 2 rows of query.*got .* = \(3, 2, 4, 4\).*select": lambda: module(
            x[:, :2], projected=kept
        ),
        "2 heads of 4 numbers": lambda: module(x, projected=other),
        "key and value must be None beside projected": lambda: module(x, x, x, projected=kept),
        "3 rows cannot take 2": lambda: kept.followed_by(kept.select(torch.tensor([2, 0]))),
    }
    refused(ValueError, wrong)
    wrong = {
        "projected must be what key_values": lambda: module(x, projected=(x, x)),
        "key must be a float tensor, got NoneType": lambda: module(x),
    }
    refused(TypeError, wrong)
