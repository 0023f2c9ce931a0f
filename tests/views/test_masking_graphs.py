"""Masked words by graphs: as by functions; a mask that is written; what is refused."""

import re
from dataclasses import replace

import pytest
import torch
from torch import nn

from seqviz.data import Vocabulary, WordPiece
from seqviz.graphs import Roles, exported
from seqviz.view import masking
from tests.refusing import refused

WORDS = ["he", "sat", "by", "the", "bank", "river", "."]
PIECES = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])
LABELS = ["layer 1, mean", "layer 0, head 2"]
TEXT = "he sat by the bank ."


class Layer(nn.Module):
    """Three heads of two numbers each."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(6, 6) for _ in range(3))

    def weights(self, x, mask):
        """Who attends to whom, (head, query, key)."""
        query, key = (part(x).view(-1, 3, 2).transpose(0, 1) for part in (self.query, self.key))
        return (query @ key.mT).masked_fill(mask == 0, -1e9).softmax(-1)

    def forward(self, x, mask):
        """The stream behind it."""
        value = self.value(x).view(-1, 3, 2).transpose(0, 1)
        return x + (self.weights(x, mask) @ value).transpose(0, 1).reshape(-1, 6)


class Masked(nn.Module):
    """A masked language model of two layers."""

    def __init__(self):
        super().__init__()
        self.table, self.segments = nn.Embedding(len(PIECES), 6), nn.Embedding(2, 6)
        self.layers = nn.ModuleList([Layer(), Layer()])
        self.out = nn.Linear(6, len(PIECES))

    def forward(self, ids, mask, segments):
        """Logits (1, time, token)."""
        x = (self.table(ids) + self.segments(segments))[0]
        for layer in self.layers:
            x = layer(x, mask)
        return self.out(x)[None]


class Before(nn.Module):
    """What the sum of the tokens so far tells of the next one."""

    def __init__(self, size):
        super().__init__()
        self.table, self.out = nn.Embedding(size, 5), nn.Linear(5, size)

    def forward(self, ids):
        """Logits (1, time, token)."""
        return self.out(self.table(ids).cumsum(1))


class Nets:
    """A masked language model beside one that reads the left side, as a function and as graphs."""

    def __init__(self):
        torch.manual_seed(0)
        self.both, self.left = Masked(), Before(len(PIECES))
        ids = PIECES.encode(TEXT).ids[None]
        given = ids, torch.ones_like(ids), torch.zeros_like(ids)
        both = exported(self.both, given)
        self.graphs = replace(both, longest=9), exported(self.left, (ids,))

    @torch.no_grad()
    def __call__(self, tokens, positions):
        """Run them by hand."""
        ids, places = PIECES.vocabulary.encode(tokens), list(positions)
        hidden = ids.index_fill(0, torch.tensor(places), PIECES.mask_id)[None]
        ones, zeros = torch.ones_like(hidden), torch.zeros_like(hidden)
        x = (self.both.table(hidden) + self.both.segments(zeros))[0]
        first, second = self.both.layers
        maps = second.weights(first(x, ones), ones).mean(0), first.weights(x, ones)[2]
        before = self.left(ids[None])[0].softmax(-1).roll(1, 0)
        before[0] = 1 / len(PIECES)
        return {
            "both": self.both(hidden, ones, zeros)[0, places].softmax(-1),
            "left": before[places],
            "attention": {name: one[places] for name, one in zip(LABELS, maps, strict=True)},
        }


@pytest.fixture(scope="module")
def nets():
    return Nets()


def sentence(nets, text=TEXT):
    tokens = PIECES.encode(text).tokens
    rows = [nets(tokens, [k]) for k in range(len(tokens))]
    return {
        "tokens": tokens,
        **{name: torch.cat([row[name] for row in rows]) for name in ("both", "left")},
        "attention": {name: torch.cat([row["attention"][name] for row in rows]) for name in LABELS},
    }


def shown(nets, run=None, *, tokenize=PIECES, vocabulary=PIECES.vocabulary.tokens, **more):
    run = nets.graphs if run is None else run
    return masking([{**sentence(nets), **more}], vocabulary, run=run, tokenize=tokenize)


def test_graphs_answer_as_a_function_does(nets):
    views = [
        shown(nets),
        shown(nets, nets, tokenize=lambda text: PIECES.encode(text).tokens),
    ]
    for view in views:
        view.mask, view.second = 3, 6
        view.text = "the [MASK] by the river"
    (_, *rows), (_, *others) = (view.table() for view in views)
    assert [row[:5] for row in rows] == [row[:5] for row in others]
    assert [row[5] for row in rows] == pytest.approx([row[5] for row in others], abs=1e-6)
    assert views[0].facts == views[1].facts
    # one graph alone compares nothing, and without maps has none
    alone = shown(nets, nets.graphs[0], attention=None, left=None)
    alone.text = "the river"
    assert not alone.facts["sentences"][1]["compared"]
    assert {row[4] for row in alone.table()[1:]} == {"both sides"}


def test_a_mask_that_is_written_has_no_true_token(nets):
    view = shown(nets)
    view.text = "[MASK] sat by the [MASK]"
    here = view.facts["sentences"][1]
    assert (here["written"], here["special"], here["opening"]) == ([1, 5], [0, 6], view.mask)
    assert view.mask in (2, 6)
    rows = [row for row in view.table() if row[0] == "sentence 2"]
    true = {row[1] for row in rows if row[2].startswith("true")}
    assert true == {"3", "4", "5"}
    assert {row[1] for row in rows if row[2] == "guess 1"} == {"2", "3", "4", "5", "6"}
    # of which a sentence that is handed in knows nothing
    given = {"tokens": ["he", "[MASK]"], "both": [[1 / 12] * 12] * 2}
    view = masking([given], PIECES.vocabulary.tokens)
    assert view.facts["sentences"][0]["special"] == [1]


def test_a_text_that_cannot_be_read_gets_one_sentence(nets):
    view = shown(nets)
    lost = "“fishes” is not in the vocabulary: the model reads [UNK]. Write words that it knows."
    for text, said in {
        "": "text: expected at least one token that is not special, came ['[CLS]', '[SEP]']",
        "x " * 2500: "text: expected at most 64 tokens, came 2502",
        "he " * 8: "text: expected at most 9 tokens, for which Masked has positions, came 10",
        "fishes": f"text: {lost}",
    }.items():
        with pytest.raises(ValueError, match=re.escape(said)):
            view.text = text
    assert len(view.sentences) == 1


def test_graphs_that_do_not_fit_are_refused(nets):
    both, left = nets.graphs
    line = replace(left, roles=Roles())
    fixed = replace(both, lengths={"ids": 8})
    table = next(one.name for one in left.nodes if one.op == "embedding")
    more = replace(left, outputs=(table,))
    other = ["hidden" if one == "[MASK]" else one for one in PIECES.vocabulary.tokens]
    letters = Vocabulary(["a", *"bcdefghijkl"])
    named = lambda label: {"attention": {label: sentence(nets)["attention"][LABELS[0]]}}  # noqa: E731
    calls = {
        "run: expected a function .* came the model Masked: hand in sv": {"run": nets.both},
        "run: .* a pair of graphs; came a list of Graph, Graph, Graph": {"run": [both, left, left]},
        r"run: expected a graph of ids \(1, time\).* reads ids \(1, ": {"run": line},
        r"run\[1\]: expected a graph of ids": {"run": [both, line]},
        "Masked was exported for texts of 8 tokens only, expected any length": {"run": fixed},
        r"run: expected logits over the 12 .* gives \(1, \w+, 5\)": {"run": more},
        "vocabulary: has no .MASK.": {"vocabulary": other},
        "tokenize: its token 0 is 'a', that of the vocabulary": {"tokenize": letters},
        "tokenize: expected a function, a tokenizer of .* came int": {"tokenize": 3},
        "'layer 2, mean' is no map .* of 2 layers with 3 heads": named("layer 2, mean"),
        "'layer 0, head 3' is no map": named("layer 0, head 3"),
        "'sum' is no map": named("sum"),
    }
    refused(
        (TypeError, ValueError),
        {said: lambda given=given: shown(nets, **given) for said, given in calls.items()},
    )


def test_a_page_that_cannot_answer_says_why(nets):
    refused(
        ValueError,
        {
            "answers: this view has no model: hand in its graph, run=": lambda: masking(
                [sentence(nets)], PIECES.vocabulary.tokens
            ).to_html(answers=True),
            "answers: run is a function of Python.*: hand in its graph, run=": lambda: shown(
                nets, nets
            ).to_html(answers=True),
            "answers: tokenize is a function of Python.* tokenize=pieces": lambda: shown(
                nets, tokenize=str.split
            ).to_html(answers=True),
        },
    )
