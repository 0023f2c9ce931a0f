"""sv.nn's transformer is torch's, number for number."""

import ast
from pathlib import Path

import pytest
import torch

from seqviz import nn
from tests.nn.parity import CLOSE, everything, twins
from tests.pairwise import pairwise
from tests.refusing import refused

SIZES = {"d_model": 8, "nhead": 2, "dim_feedforward": 12, "dropout": 0.0}
KINDS = {
    "TransformerEncoderLayer": SIZES,
    "TransformerDecoderLayer": SIZES,
    "Transformer": SIZES | {"num_encoder_layers": 2, "num_decoder_layers": 3},
}
SOURCE_PADDING = torch.tensor([[0, 0, 0, 0, 1, 1], [0, 1, 0, 1, 0, 0], [0] * 6]).bool()
TARGET_PADDING = torch.tensor([[0, 0, 0, 1], [0, 0, 1, 1], [0] * 4]).bool()
CAUSAL = nn.causal_mask(4)


def vectors(kind, batch_first, T=4, S=6, batch=3):
    shapes = [(S, 8)] if kind == "TransformerEncoderLayer" else [(T, 8), (S, 8)]
    if kind == "Transformer":
        shapes.reverse()
    if batch is not None:
        shapes = [(batch, t, d) if batch_first else (t, batch, d) for t, d in shapes]
    return [torch.randn(shape, dtype=torch.float64) for shape in shapes]


BETWEEN = torch.arange(36).reshape(6, 6) % 5 == 1
TO_SOURCE = torch.arange(24).reshape(4, 6) % 5 == 1
SOURCE = {"src_mask": BETWEEN, "src_key_padding_mask": SOURCE_PADDING}
TARGET = {
    "tgt_mask": CAUSAL,
    "memory_mask": TO_SOURCE,
    "tgt_key_padding_mask": TARGET_PADDING,
    "memory_key_padding_mask": SOURCE_PADDING,
}
MASKS = {
    "TransformerEncoderLayer": SOURCE,
    "TransformerDecoderLayer": TARGET,
    "Transformer": SOURCE | TARGET,
}


@pytest.mark.parametrize(
    ("kind", "norm_first", "batch_first"), pairwise([*KINDS], [False, True], [True, False])
)
def test_outputs_and_gradients_are_torchs(kind, norm_first, batch_first):
    theirs, ours = twins(kind, **KINDS[kind], norm_first=norm_first, batch_first=batch_first)
    given = vectors(kind, batch_first)
    for names in ([], *([name] for name in MASKS[kind]), [*MASKS[kind]]):
        masks = {name: MASKS[kind][name] for name in names}
        expected = everything(theirs, given, **masks)
        assert not expected[0][0].isnan().any()
        found = everything(ours, given, **masks)
        torch.testing.assert_close(found, expected, **CLOSE, msg=lambda m, n=names: f"{n}: {m}")


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_batch_and_with_other_options(kind):
    theirs, ours = twins(kind, **KINDS[kind], bias=False, activation="gelu", layer_norm_eps=1e-3)
    given = vectors(kind, False, batch=None)
    torch.testing.assert_close(everything(ours, given), everything(theirs, given), **CLOSE)


@pytest.mark.parametrize("options", [{}, {"bias": False}, {"norm_first": True}])
@pytest.mark.parametrize("kind", KINDS)
def test_the_state_dict_goes_both_ways_and_an_equal_seed_gives_equal_weights(kind, options):
    options = KINDS[kind] | options
    modules = []
    for room in (torch.nn, nn):
        torch.manual_seed(3)
        modules.append(getattr(room, kind)(**options))
    theirs, ours = (module.state_dict() for module in modules)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=0)
    modules[0].load_state_dict(ours)


def test_dropout_acts_in_four_places_while_training():
    layer = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.5)
    x = torch.randn(4, 3, 8)
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))
    assert layer.self_attn.dropout == layer.dropout.p == layer.dropout1.p == layer.dropout2.p == 0.5


def test_built_in_the_open():
    """No class or function of torch that does attention, an RNN or a transformer is called."""
    closed = ("MultiheadAttention", "Transformer", "_VF", "scaled_dot_product_attention")
    closed += ("multi_head_attention_forward", "native_multi_head_attention", "transformers")
    for path in Path(nn.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        own = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module.startswith("seqviz")
            for alias in node.names
        }
        own |= {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        for node in ast.walk(tree):
            name = {ast.Attribute: "attr", ast.Name: "id"}.get(type(node))
            if name and getattr(node, name) not in own:
                assert not getattr(node, name).startswith(closed), (path.name, node.lineno)


def test_what_does_not_fit():
    ours, x, y = nn.Transformer(**KINDS["Transformer"]), torch.zeros(6, 3, 8), torch.zeros(4, 3, 8)
    ours(x, y)
    decoder = nn.Transformer(**KINDS["Transformer"], batch_first=True).decoder
    cache, word = decoder.start(torch.randn(3, 6, 8)), torch.randn(2, 1, 8)
    _, later = decoder.step(torch.randn(3, 1, 8), cache)
    decoder.step(word, [layer.select(torch.tensor([2, 2])) for layer in later])
    wrong = {
        "nhead must divide d_model=8.* got 3": lambda: nn.Transformer(8, 3),
        "activation must be 'relu', 'gelu' or": lambda: nn.Transformer(8, 2, activation="tanh"),
        "^num_decoder_layers must be at least 1, got 0": lambda: nn.Transformer(8, 2, 1, 0),
        r"tgt must have 2 or 3 axes, d_model=8 the": lambda: ours(x, y[..., 1:]),
        "^memory must have the batch of tgt, 2, got 3": lambda: ours(x, y[:, 1:]),
        r"^tgt_mask must have shape \(4, 4\) or": lambda: ours(x, y, tgt_mask=torch.zeros(4, 5)),
        "is_causal only says": lambda: ours(x, y, tgt_is_causal=True),
        "cache belongs to one model and one batch": lambda: decoder.step(word, cache),
        "needs its rows chosen with select": lambda: decoder.step(word, later),
    }
    refused(ValueError, wrong)
    theirs = torch.nn.TransformerEncoderLayer(8, 2)
    wrong = {
        "^src_mask must be a tensor of truth": lambda: ours(x, y, torch.zeros(6, 6).int()),
        "encoder_layer must be a .* of sv": lambda: nn.TransformerEncoder(theirs, 2),
    }
    refused(TypeError, wrong)
