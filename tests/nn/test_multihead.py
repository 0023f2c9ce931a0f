"""sv.nn's MultiheadAttention is torch's, number for number."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from seqviz.nn import MultiheadAttention, causal_mask

torch.set_num_threads(1)
CLOSE = {"rtol": 0, "atol": 1e-10}
sizes = st.integers(1, 5)


def pair(*args, **options):
    """Torch's module and ours with the same weights, in float64; biases are not zero."""
    theirs = torch.nn.MultiheadAttention(*args, **options).double()
    for name, weight in theirs.named_parameters():
        if "bias" in name:
            torch.nn.init.normal_(weight)
    ours = MultiheadAttention(*args, **options).double()
    ours.load_state_dict(theirs.state_dict())
    return theirs, ours


def inputs(module, T=4, S=6, batch=3):
    """Query, key and value, laid out as the module takes them."""
    shapes = [(T, module.embed_dim), (S, module.kdim), (S, module.vdim)]
    if batch is not None:
        place = 0 if module.batch_first else 1
        shapes = [(*shape[:place], batch, *shape[place:]) for shape in shapes]
    return [torch.randn(shape, dtype=torch.float64) for shape in shapes]


def everything(module, given, **options):
    """Output, weights and all gradients, of a loss that weights each number otherwise."""
    given = [x.clone().requires_grad_() for x in given]
    output, weights = module(*given, **options)
    results = [output] if weights is None else [output, weights]
    loss = sum(
        (r * torch.linspace(-1, 2, r.numel(), dtype=r.dtype).reshape(r.shape)).sum()
        for r in results
    )
    module.zero_grad()
    loss.backward()
    return results, [x.grad for x in given], {n: p.grad for n, p in module.named_parameters()}


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
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("batch_first", [True, False])
def test_masks_mean_what_torchs_mean(masks, average, batch_first):
    torch.manual_seed(0)
    theirs, ours = pair(8, 2, batch_first=batch_first)
    assert_equal(theirs, ours, inputs(theirs), average_attn_weights=average, **masks)


@pytest.mark.parametrize("masks", MASKS.values(), ids=list(MASKS))
def test_a_mask_is_felt(masks):
    torch.manual_seed(0)
    _, ours = pair(8, 2)
    given = inputs(ours)
    assert torch.equal(ours(*given, **masks)[0], ours(*given)[0]) == (not masks)


@settings(max_examples=100, deadline=None)
@given(
    heads=sizes, d=sizes, T=sizes, S=sizes, batch=st.none() | sizes, kdim=st.none() | sizes,
    vdim=st.none() | sizes, bias=st.booleans(), batch_first=st.booleans(),
    average=st.booleans(), need=st.booleans(), seed=st.integers(0, 2**31), masked=st.booleans(),
)  # fmt: skip
def test_any_sizes(
    heads, d, T, S, batch, kdim, vdim, bias, batch_first, average, need, seed, masked
):
    torch.manual_seed(seed)
    theirs, ours = pair(heads * d, heads, bias=bias, kdim=kdim, vdim=vdim, batch_first=batch_first)
    options = {"need_weights": need, "average_attn_weights": average}
    if masked:
        between = torch.rand((batch or 1) * heads, T, S) < 0.4
        between[..., 0] = False
        options["attn_mask"] = between
    assert_equal(theirs, ours, inputs(theirs, T, S, batch), **options)


def test_the_state_dict_goes_both_ways():
    for options in ({}, {"bias": False}, {"kdim": 3, "vdim": 5}):
        theirs, ours = pair(8, 2, **options)
        assert {k: v.shape for k, v in ours.state_dict().items()} == {
            k: v.shape for k, v in theirs.state_dict().items()
        }
        theirs.load_state_dict(MultiheadAttention(8, 2, **options).state_dict())


@pytest.mark.parametrize("options", [{}, {"bias": False}, {"kdim": 3}, {"vdim": 3}])
def test_an_equal_seed_gives_equal_weights(options):
    modules = []
    for kind in (torch.nn.MultiheadAttention, MultiheadAttention):
        torch.manual_seed(3)
        modules.append(kind(8, 2, **options).state_dict())
    torch.testing.assert_close(modules[1], modules[0], rtol=0, atol=0)


def test_the_weights_are_the_slides():
    torch.manual_seed(0)
    module = MultiheadAttention(6, 3, batch_first=True).double()
    (x, *_) = inputs(module)
    output, weights = module(x, x, x, average_attn_weights=False)
    W, b = module.in_proj_weight.detach(), module.in_proj_bias.detach()
    together = []
    for h in range(3):
        rows = [slice(6 * k + 2 * h, 6 * k + 2 * h + 2) for k in range(3)]
        Q, K, V = (x[1] @ W[r].T + b[r] for r in rows)
        A = torch.softmax(Q @ K.T / 2**0.5, dim=-1)
        torch.testing.assert_close(weights[1, h], A, **CLOSE)
        together.append(A @ V)
    expected = torch.cat(together, dim=-1) @ module.out_proj.weight.T + module.out_proj.bias
    torch.testing.assert_close(output[1], expected, **CLOSE)


def test_a_row_without_keys_is_zero_and_has_gradients():
    torch.manual_seed(0)
    theirs, ours = pair(8, 2, batch_first=True)
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
    torch.manual_seed(0)
    theirs, ours = pair(8, 2, dropout=0.5)
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


@pytest.mark.parametrize(
    ("args", "error", "words"),
    [
        ({"embed_dim": 0}, ValueError, "embed_dim must be at least 1, got 0"),
        ({"embed_dim": 8.0}, TypeError, r"embed_dim must be an integer, got 8\.0"),
        ({"num_heads": -1}, ValueError, "num_heads must be at least 1, got -1"),
        ({"num_heads": 3}, ValueError, "num_heads must divide embed_dim=8.* got 3"),
        ({"kdim": False}, TypeError, "kdim must be an integer, got False"),
        ({"vdim": 0}, ValueError, "vdim must be at least 1, got 0"),
        ({"dropout": "0"}, TypeError, "dropout must be a number, got '0'"),
        ({"dropout": 1.5}, ValueError, r"dropout must lie between 0 and 1, got 1\.5"),
        ({"dtype": torch.long}, TypeError, "dtype must be a float type"),
    ],
)
def test_wrong_sizes(args, error, words):
    with pytest.raises(error, match=words):
        MultiheadAttention(**({"embed_dim": 8, "num_heads": 2} | args))


def zeros(*shape):
    return torch.zeros(shape)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"query": [1.0]}, TypeError, "query must be a float tensor, got list"),
        ({"key": zeros(6, 3, 4).long()}, TypeError, r"key must be a float.*int64: embed ids"),
        ({"query": zeros(4, 3, 7)}, ValueError, r"query must be \(time, batch, 8\), or.*4, 3, 7"),
        ({"query": zeros(8)}, ValueError, "query must be"),
        ({"query": zeros(4, 8)}, ValueError, r"key must be .* none of the three has a batch"),
        ({"key": zeros(6, 3, 8)}, ValueError, r"key must be \(time, batch, 4\)"),
        ({"value": zeros(6, 3, 4)}, ValueError, r"value must be \(time, batch, 5\)"),
        ({"value": zeros(5, 3, 5)}, ValueError, r"one vector for each of key \(6, 3, 4\)"),
        ({"query": zeros(4, 2, 8)}, ValueError, "the batch of query, 2, got 3 .*batch_first=False"),
        ({"key_padding_mask": zeros(6, 3)}, ValueError, r"must have shape \(3, 6\), got \(6, 3\)"),
        ({"key_padding_mask": zeros(3, 6).int()}, TypeError, r"int32: use mask\.bool\(\)"),
        ({"key_padding_mask": True}, TypeError, "key_padding_mask must be a tensor of truth"),
        ({"attn_mask": zeros(6, 4)}, ValueError, r"\(4, 6\) or \(6, 4, 6\), got \(6, 4\)"),
        ({"attn_mask": zeros(3, 4, 6)}, ValueError, r"attn_mask must have shape"),
        ({"is_causal": True}, ValueError, "is_causal only says that attn_mask is causal"),
    ],
)
def test_wrong_input(change, error, words):
    module = MultiheadAttention(8, 2, kdim=4, vdim=5)
    given = {"query": zeros(4, 3, 8), "key": zeros(6, 3, 4), "value": zeros(6, 3, 5)}
    module(**given)
    with pytest.raises(error, match=words):
        module(**(given | change))


def test_it_says_its_sizes():
    assert "MultiheadAttention(\n  8, num_heads=2" in repr(MultiheadAttention(8, 2))


@pytest.mark.parametrize("wrong", [torch.ones(4, 4).tril().bool(), torch.ones(4, 4).bool()])
def test_a_mask_the_wrong_way_round_is_warned_of(wrong):
    module = MultiheadAttention(8, 2)
    x = torch.randn(4, 3, 8)
    for mask in (wrong, zeros(4, 4).masked_fill(wrong, -torch.inf)):
        with pytest.warns(UserWarning, match="must not attend.* pass ~attn_mask"):
            module(x, x, x, attn_mask=mask)


@pytest.mark.filterwarnings("error")
def test_a_mask_the_right_way_round_is_not():
    module = MultiheadAttention(8, 2)
    x = torch.randn(4, 3, 8)
    later_and_itself = torch.ones(4, 4).tril(-1).bool()  # of a model that reads from the right
    for mask in (causal_mask(4), later_and_itself, torch.eye(4).bool(), zeros(4, 4)):
        module(x, x, x, attn_mask=mask)
    module(x[:1], x[:1], x[:1], attn_mask=causal_mask(1))


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("batch", [3, None])
def test_keys_and_values_can_be_projected_before(batch_first, batch):
    torch.manual_seed(0)
    ours = MultiheadAttention(8, 2, kdim=4, vdim=5, batch_first=batch_first)
    query, key, value = (x.float() for x in inputs(ours, batch=batch))
    again = ours(query, projected=ours.key_values(key, value))
    torch.testing.assert_close(again, ours(query, key, value), rtol=0, atol=0)


def test_wrong_projected():
    module, x = MultiheadAttention(8, 2), torch.randn(4, 3, 8)
    kept = module.key_values(x, x)
    with pytest.raises(ValueError, match=r"the 2 rows of query.*got .* = \(3, 2, 4, 4\).*select"):
        module(x[:, :2], projected=kept)
    with pytest.raises(ValueError, match="2 heads of 4 numbers"):
        module(x, projected=MultiheadAttention(8, 4).key_values(x, x))
    with pytest.raises(ValueError, match="key and value must be None beside projected"):
        module(x, x, x, projected=kept)
    with pytest.raises(TypeError, match="projected must be what key_values"):
        module(x, projected=(x, x))
    with pytest.raises(TypeError, match="key must be a float tensor, got NoneType"):
        module(x)
    with pytest.raises(ValueError, match="3 rows cannot take 2"):
        kept.followed_by(kept.select(torch.tensor([2, 0])))
