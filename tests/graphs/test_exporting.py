"""Models as graphs: of any length, with the model's numbers, or refused with the reason."""

import pytest
import torch
from torch import nn

from seqviz.graphs import exported, packed, rounded, stepped
from seqviz.nn import BERT, GPT, BERTForMaskedLM, LanguageModel, Seq2Seq, TransformerSeq2Seq
from tests.graphs.test_every_model import BERT as SIZES
from tests.graphs.test_every_model import ids


class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def numbers(length):
    return torch.linspace(-1, 1, 8 * length).sin().reshape(1, length, 8)


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


def test_the_values_of_roles_are_the_attention():
    torch.manual_seed(0)
    graph = exported(GPT(12, 32, 8, 2, 2), (ids(5),))
    stream = graph.roles.stream
    assert [later.before for later in stream[1:]] == [block.after for block in stream[:-1]]
    for one in graph.roles.attentions:
        names = (one.query, one.key, one.value, one.weights, one.context, one.scores, one.mask)
        _, kept = graph.run((ids(7),), keep=names)
        query, key, value, weights, context, scores, _ = (kept[name] for name in names)
        torch.testing.assert_close(query @ key, scores)
        torch.testing.assert_close(weights @ value, context)
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 7))
        assert weights.triu(1).abs().max() == 0


class Rotated(nn.Module):
    """Keeps its cache in a class of its own, and a table that it sets anew."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.ones(8))

    def forward(self, x):
        self.table = self.table.to(x.dtype)
        self.to(x.dtype)
        self.table = self.table * 1.0
        return {"sum": x + self.table, "cache": object()}


def test_a_graph_gives_the_tensors_of_an_output_only():
    graph = exported(Rotated(), (numbers(4),))
    assert len(graph.outputs) == 1
    assert torch.equal(graph(numbers(6))[0], numbers(6) + 1)


def test_a_model_that_decides_by_numbers_goes_the_examples_way_or_stops():
    graph = exported(Calls(lambda x: x if x.sum() > 0 else -x), (numbers(4).abs(),))
    assert torch.equal(graph(numbers(7).abs())[0], numbers(7).abs())
    with pytest.raises(RuntimeError, match="assertion"):
        graph(-numbers(7).abs())


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (
            nn.Sequential(nn.Linear(8, 8), Calls(lambda x: x * float(x.detach().numpy().mean()))),
            r"Sequential cannot be .* module '1' at `.*numpy.*torch's operations",
        ),
        (Calls(lambda x: x + torch.rand_like(x)), "Calls's graph gives other numbers .* draws"),
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


class Remembering(nn.Module):
    def forward(self, x):
        before, self.before = getattr(self, "before", 0 * x), x
        return x + before


class Building(nn.Module):
    def forward(self, x):
        if not hasattr(self, "mask") or self.mask.shape[0] < x.shape[1]:
            self.mask = torch.ones(x.shape[1], x.shape[1]).tril()
        return self.mask[: x.shape[1], : x.shape[1]] @ x


def test_what_holds_for_some_lengths_only_is_said_and_refused():
    short = Calls(lambda x: 2 * x if x.shape[1] > 12 else x)
    graph = exported(short, (numbers(5),))
    assert graph.limits == {"x": (1, 0, 12)}
    with pytest.raises(ValueError, match="x: expected length 0 to 12, came 13"):
        graph(numbers(13))
    assert exported(short, (numbers(20),)).limits["x"][1] == 13
    of_several = Calls(lambda x: 2 * x if x.shape[1] == 1 else x)
    assert exported(of_several, (numbers(5),)).limits == {"x": (1, 2, None)}
    assert exported(Calls(lambda x: x + torch.ones(4, 8)), (numbers(4),)).lengths == {"x": 4}
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
