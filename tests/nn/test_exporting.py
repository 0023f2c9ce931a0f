"""Models as graphs of torch's operations, of a length that is left free."""

import pytest
import torch
from torch import nn
from torch.export import Dim
from torch.utils._pytree import tree_leaves

from seqviz.nn import (
    BERT,
    GPT,
    BERTForMaskedLM,
    ConvEncoder,
    MultiheadAttention,
    PictureClassifier,
    Transformer,
    TransformerSeq2Seq,
)

SIZES = {
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 16,
}
LENGTHS = (1, 2, 7, 13)


class Relative(nn.Module):
    """Relative scores, of a text with itself."""

    def __init__(self):
        super().__init__()
        self.attention = MultiheadAttention(8, 2, batch_first=True, relative=3)

    def forward(self, x):
        """The context."""
        return self.attention(x, x, x)[0]


def ids(length):
    return torch.arange(3, 3 + length)[None] % 8 + 3


def masked(length):
    return ids(length), torch.ones(1, length, dtype=torch.long)


def numbers(length):
    return torch.linspace(-1, 1, 8 * length).sin().reshape(1, length, 8)


def pair(length):
    return ids(length + 1), torch.cat([torch.ones(1, 1, dtype=torch.long), ids(length)], dim=1)


@pytest.mark.parametrize(
    ("model", "given"),
    [
        (lambda: BERT(12, **SIZES, share_layers=True, embedding_size=4), masked),
        (lambda: BERTForMaskedLM(BERT(12, **SIZES)), lambda n: [ids(n)]),
        (lambda: GPT(12, 32, 8, 2, 2), lambda n: [ids(n)]),
        (
            lambda: Transformer(8, 2, 1, 1, 16, batch_first=True),
            lambda n: [numbers(n + 1), numbers(n)],
        ),
        (lambda: TransformerSeq2Seq(12, 12, 8, 2, 1, 1, 16), pair),
        (Relative, lambda n: [numbers(n)]),
    ],
)
def test_a_graph_of_any_length_gives_what_the_model_gives(model, given):
    model = model().eval()
    example = tuple(given(5))
    free = tuple({1: Dim.AUTO} for _ in example)
    with torch.no_grad():
        graph = torch.export.export(
            model,
            example,
            dynamic_shapes=free,
            strict=False,
            prefer_deferred_runtime_asserts_over_guards=True,
        ).module()
        for length in LENGTHS:
            asked = given(length)
            found, expected = (
                [leaf for leaf in tree_leaves(run(*asked)) if torch.is_tensor(leaf)]
                for run in (graph, model)
            )
            torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-6)


def test_nets_of_pictures_are_graphs():
    net = PictureClassifier(ConvEncoder(1, (4, 4)), 3).eval()
    pictures = torch.linspace(0, 1, 128).reshape(2, 1, 8, 8)
    with torch.no_grad():
        graph = torch.export.export(net, (pictures,), strict=False).module()
        torch.testing.assert_close(graph(pictures), net(pictures))
