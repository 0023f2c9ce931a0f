"""Span F1 against seqeval's, and what it refuses."""

import random
import warnings

import pytest
from seqeval.metrics import classification_report, f1_score, precision_score, recall_score

from seqviz.metrics import span_f1
from tests.refusing import refused

TAGS = ["O", "O", *(f"{place}-{kind}" for place in "BI" for kind in ("PER", "LOC", "DATE"))]


def draws():
    """200 pairs of random taggings, most of them broken; some nearly right, some empty."""
    draw = random.Random(0)
    for k in range(200):
        lengths = [draw.randrange(1, 9) for _ in range(draw.randrange(1, 5))]
        gold = [draw.choices(TAGS if k % 10 else ["O"], k=n) for n in lengths]
        keep = draw.choice((0, 0.5, 0.9, 1))
        guess = [[t if draw.random() < keep else draw.choice(TAGS) for t in one] for one in gold]
        yield guess, gold


def test_it_is_seqevals_on_200_random_taggings():
    broken = 0
    for guess, gold in draws():
        score = span_f1(guess, gold, strict=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # seqeval warns where there is no span
            theirs = precision_score(gold, guess), recall_score(gold, guess), f1_score(gold, guess)
            kinds = {
                kind: row
                for kind, row in _report(gold, guess).items()
                if kind in ("PER", "LOC", "DATE")
            }
        assert (score.precision, score.recall, score.f1) == pytest.approx(theirs, abs=1e-12)
        assert score.by_kind.keys() == kinds.keys()
        for kind, row in kinds.items():
            mine = score.by_kind[kind]
            wanted = row["precision"], row["recall"], row["f1-score"], row["support"]
            assert (mine.precision, mine.recall, mine.f1, mine.true) == pytest.approx(wanted)
        broken += any(
            tag[0] == "I" and (t == 0 or one[t - 1][1:] != tag[1:])
            for one in gold
            for t, tag in enumerate(one)
        )
    assert broken > 100


def _report(gold, guess):
    """seqeval's, which cannot be made where there is no span at all."""
    every = {tag for one in gold + guess for tag in one}
    return classification_report(gold, guess, output_dict=True) if every != {"O"} else {}


def test_the_same_span_in_another_sentence_is_another_span():
    one, none = ["B-PER", "O"], ["O", "O"]
    assert span_f1([one, none], [none, one]).right == 0


def test_everything_outside_finds_nothing():
    score = span_f1([["O"] * 4], [["O", "B-PER", "I-PER", "O"]])
    assert (score.precision, score.recall, score.f1) == (0, 0, 0)
    assert span_f1([["O"]], [["O"]]).f1 == 0
    assert span_f1([], []).by_kind == {}


def test_what_cannot_be_compared_is_named():
    two = [["O", "O"], ["O", "O"]]
    wrong = {
        "as many sentences as gold, got 1 and 0": lambda: span_f1([["O"]], []),
        r"predicted\[1\] must have a tag .* 2, got 1": lambda: span_f1([["O", "O"], ["O"]], two),
        r"gold\[0\]: tags\[0\] is 'I-PER' and goes on": lambda: span_f1([["O"]], [["I-PER"]]),
        r"predicted\[0\]: tags\[0\] is 'I', no BIO tag": lambda: span_f1([["I"]], [["O"]]),
    }
    refused(ValueError, wrong)
    wrong = {
        r"predicted\[0\]: tags must be a list .* the text": lambda: span_f1(["O B-PER"], two[:1]),
        r"gold\[0\]: tags must be a list .* None among": lambda: span_f1([["O"]], [[None]]),
    }
    refused(TypeError, wrong)
