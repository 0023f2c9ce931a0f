"""Models as graphs: of any length, with the model's numbers, or refused with the reason."""

from functools import cache

import pytest
import torch
from torch import nn
from torch.utils._pytree import tree_leaves

from seqviz.graphs import exported, packed, rounded, stepped
from seqviz.nn import (
    BERT,
    GPT,
    GRU,
    LSTM,
    RNN,
    BERTForMaskedLM,
    ConvEncoder,
    LanguageModel,
    MultiheadAttention,
    PictureClassifier,
    Seq2Seq,
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


def numbers(length, width=8):
    return torch.linspace(-1, 1, width * length).sin().reshape(1, length, width)


def pair(length):
    return ids(length + 1), torch.cat([torch.ones(1, 1, dtype=torch.long), ids(length)], dim=1)


MODELS = {
    "ALBERT": (lambda: BERT(12, **SIZES, share_layers=True, embedding_size=4), masked),
    "masked": (lambda: BERTForMaskedLM(BERT(12, **SIZES)), lambda n: (ids(n),)),
    "GPT": (lambda: GPT(12, 32, 8, 2, 2), lambda n: (ids(n),)),
    "Transformer": (
        lambda: Transformer(8, 2, 1, 1, 16, batch_first=True),
        lambda n: (numbers(n + 1), numbers(n)),
    ),
    "translator": (lambda: TransformerSeq2Seq(12, 12, 8, 2, 1, 1, 16), pair),
    "relative": (Relative, lambda n: (numbers(n),)),
    "LSTM": (
        lambda: LSTM(8, 4, 2, batch_first=True, bidirectional=True),
        lambda n: (numbers(n),),
    ),
    "torch's GRU": (lambda: nn.GRU(8, 4), lambda n: (numbers(n)[0][:, None],)),
    "GRU of the slides": (lambda: GRU(8, 4, 2, reset="before"), lambda n: (numbers(n)[0],)),
    "RNN": (lambda: RNN(8, 4, bias=False, learn_h_0=True), lambda n: (numbers(n)[0],)),
}


@cache
def model_and_graph(name):
    make, given = MODELS[name]
    torch.manual_seed(0)
    model = make().train()
    graph = exported(model, given(5))
    assert not graph.lengths
    assert model.training
    return model.eval(), graph


def answers(model, call):
    with torch.no_grad():
        return [one for one in tree_leaves(model(*call)) if one is not None]


@pytest.mark.parametrize("name", MODELS)
def test_a_graph_of_any_length_gives_what_the_model_gives(name):
    model, graph = model_and_graph(name)
    for length in LENGTHS:
        call = MODELS[name][1](length)
        torch.testing.assert_close(graph(*call), answers(model, call), atol=1e-6, rtol=1e-6)


@pytest.mark.browser
def test_graphs_give_in_a_page_what_the_models_give(in_page):
    for name, (_, given) in MODELS.items():
        model, graph = model_and_graph(name)
        calls = [given(length) for length in LENGTHS]
        for call, (found, _) in zip(calls, in_page(graph, *calls), strict=True):
            torch.testing.assert_close(found, answers(model, call), atol=2e-6, rtol=2e-6)


@pytest.mark.parametrize(
    "make",
    [
        lambda: GPT(12, 32, 8, 2, 2),
        lambda: LanguageModel(12, 8),
        lambda: TransformerSeq2Seq(12, 12, 8, 2, 1, 1, 16),
        lambda: Seq2Seq(12, 12, 8, 6),
        lambda: Seq2Seq(12, 12, 8, 6, wiring="luong", bidirectional=True),
        lambda: Seq2Seq(12, 12, 8, 6, cell="LSTM", attention=None),
    ],
)
def test_a_writer_is_two_graphs(make):
    torch.manual_seed(0)
    model = make().eval()
    steps = stepped(model)
    for length in (1, 6):
        state = steps.begin(ids(length))
        expected = model.encode(ids(length)) if steps.encode else None
        for token in range(1, 7):
            logits, state = steps(token, state)
            with torch.no_grad():
                own, expected = model.step(torch.tensor([token]), expected)
            torch.testing.assert_close(logits, own[0], atol=1e-6, rtol=1e-6)


def test_nets_of_pictures_are_graphs_of_their_size():
    net = PictureClassifier(ConvEncoder(1, (4, 4)), 3).eval()
    pictures = torch.linspace(0, 1, 64).reshape(1, 1, 8, 8)
    graph = exported(net, (pictures,))
    torch.testing.assert_close(graph(pictures)[0], net(pictures))


def test_roles_are_told_from_the_flow():
    bert = exported(BERTForMaskedLM(BERT(12, **SIZES)), (ids(5),)).roles
    assert bert.ids == ("input_ids",)
    assert len(bert.embedded) == 3  # token, segment, position
    assert [(one.path, one.count) for one in bert.attentions] == [
        (f"bert.layers.{k}.self_attn", 2) for k in (0, 1)
    ]
    assert [block.attends for block in bert.stream] == [0, None, 1, None]
    assert all(block.norm for block in bert.stream)
    assert [bool(block.hidden) for block in bert.stream] == [False, True, False, True]
    for block, later in zip(bert.stream, bert.stream[1:], strict=False):
        assert later.before == block.norm  # post-norm: what is read on is the norm
    assert bert.logits
    gpt = exported(GPT(12, 32, 8, 2, 2), (ids(5),)).roles
    assert [later.before for later in gpt.stream[1:]] == [b.after for b in gpt.stream[:-1]]
    assert all(one.mask for one in gpt.attentions)


def test_the_values_of_roles_are_the_attention():
    torch.manual_seed(0)
    graph = exported(GPT(12, 32, 8, 2, 2), (ids(5),))
    for one in graph.roles.attentions:
        names = (one.query, one.key, one.value, one.weights, one.context, one.scores)
        _, kept = graph.run((ids(7),), keep=names)
        query, key, value, weights, context, scores = (kept[name] for name in names)
        torch.testing.assert_close(query @ key, scores)
        torch.testing.assert_close(weights @ value, context)
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 7))
        assert weights.triu(1).abs().max() == 0


class OneLength(nn.Module):
    """Reads four tokens, and no other number of them."""

    def __init__(self):
        super().__init__()
        self.place = nn.Parameter(torch.ones(1, 4, 8))

    def forward(self, x):
        """The sum with its place."""
        return x + self.place


class Deciding(nn.Module):
    """Decides by the numbers that it reads."""

    def forward(self, x):
        """x, or its opposite."""
        return x if x.sum() > 0 else -x


class Leaving(nn.Module):
    """Leaves torch for a moment."""

    def forward(self, x):
        """x times its mean."""
        return x * float(x.numpy().mean())


class Within(nn.Module):
    """Has that one inside."""

    def __init__(self):
        super().__init__()
        self.inner = Leaving()

    def forward(self, x):
        """What it gives."""
        return self.inner(x)


class Drawing(nn.Module):
    """Draws numbers."""

    def forward(self, x):
        """x with noise."""
        return x + torch.rand_like(x)


class Rotated(nn.Module):
    """Keeps its cache in a class of its own, and a table that it sets anew."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.ones(8))

    def forward(self, x):
        """The sum, and what no graph knows."""
        self.table = self.table.to(x.dtype)
        self.to(x.dtype)
        self.table = self.table * 1.0
        return {"sum": x + self.table, "cache": object()}


def test_a_graph_gives_the_tensors_of_an_output_only():
    graph = exported(Rotated(), (numbers(4),))
    assert len(graph.outputs) == 1
    assert torch.equal(graph(numbers(6))[0], numbers(6) + 1)


def test_a_model_that_decides_by_numbers_goes_the_examples_way_or_stops():
    graph = exported(Deciding(), (numbers(4).abs(),))
    assert torch.equal(graph(numbers(7).abs())[0], numbers(7).abs())
    with pytest.raises(RuntimeError, match="assertion"):
        graph(-numbers(7).abs())


def test_what_fits_one_length_says_so():
    graph = exported(OneLength(), (numbers(4),))
    assert graph.lengths == {"x": 4}


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (Within(), r"Within cannot be .* module 'inner' at `return x \* .*torch's operations"),
        (Drawing(), "Drawing's graph gives other numbers .* draws random numbers"),
        (nn.Linear(8, 2).double(), r"its weight 'weight' is in float64, .* model.float\(\)"),
    ],
)
def test_what_cannot_be_a_graph_is_refused_with_its_reason(model, told):
    with pytest.raises(ValueError, match=told):
        exported(model, (numbers(4),))


def test_a_weight_that_is_no_number_is_refused():
    model = nn.Linear(8, 2)
    nn.init.constant_(model.bias, float("nan"))
    with pytest.raises(ValueError, match="its weight 'bias' holds NaN"):
        exported(model, (numbers(4),))
    with pytest.raises(TypeError, match="has no step"):
        stepped(model)
    begins = LanguageModel(12, 8, learn_h_0=True)
    nn.init.ones_(begins.rnn.h_0)
    with pytest.raises(ValueError, match=r"begins with a state that is not zero.* export it"):
        stepped(begins)


def test_what_travels_has_the_digits_that_were_asked_for():
    torch.manual_seed(0)
    model = BERTForMaskedLM(BERT(200, **{**SIZES, "hidden_size": 32}))
    graph = exported(model, (ids(5),))
    full, half, small = (packed(graph, one) for one in ("full", "half", "small"))
    assert len(full.numbers) > 1.8 * len(half.numbers) > 1.8 * len(small.numbers)
    forms = {one["name"]: one["form"] for one in small.told["weights"]}
    tables = {name for name, form in forms.items() if form == "int8"}
    assert {tuple(graph.weights[name].shape) for name in tables} >= {(200, 32)}
    (before,), (after,) = (graph.run((ids(7),), weights=w)[0] for w in ({}, rounded(graph, "half")))
    assert 0 < (before - after).abs().max() < 2e-3


class ByLength(nn.Module):
    """Does something else to texts of over twelve tokens, or to one token."""

    def __init__(self, other):
        super().__init__()
        self.other = other

    def forward(self, x):
        """x, or twice x."""
        return 2 * x if self.other(x.shape[1]) else x


class Remembering(nn.Module):
    """Keeps what it read."""

    def forward(self, x):
        """The sum with what it read before."""
        before, self.before = getattr(self, "before", 0 * x), x
        return x + before


class Building(nn.Module):
    """Makes its mask when it needs one."""

    def forward(self, x):
        """x without what comes later."""
        if not hasattr(self, "mask") or self.mask.shape[0] < x.shape[1]:
            self.mask = torch.ones(x.shape[1], x.shape[1]).tril()
        return self.mask[: x.shape[1], : x.shape[1]] @ x


def test_what_holds_for_some_lengths_only_is_said_and_refused():
    graph = exported(ByLength(lambda n: n > 12), (numbers(5),))
    assert graph.limits == {"x": (1, 0, 12)}
    assert exported(ByLength(lambda n: n > 12), (numbers(20),)).limits["x"][1] == 13
    assert exported(ByLength(lambda n: n == 1), (numbers(5),)).limits == {"x": (1, 2, None)}
    with pytest.raises(ValueError, match="x: expected length 0 to 12, came 13"):
        graph(numbers(13))
    assert exported(nn.Embedding(9, 2), (ids(1),)).lengths == {"input": 1}


def test_a_model_stays_as_it_was_or_is_refused():
    model = Building()
    exported(model, (numbers(5),))
    assert type(model.mask) is torch.Tensor
    model(numbers(7))
    remembering = Remembering()
    remembering(numbers(5))
    with pytest.raises(ValueError, match="keeps a state between calls"):
        exported(remembering, (2 * numbers(5),))
