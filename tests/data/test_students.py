"""Sentences whose subject and verb decide the last word."""

import math
from collections import Counter, defaultdict

import pytest

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("students")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
OBJECTS = maker("students").OBJECTS


def subject_and_verb(before):
    return next(word for word in before if (word, "opened") in OBJECTS), before[-2]


def perplexity_by_counts(reads):
    """Perplexity of the held-out last words, predicted from `reads` of the words before."""
    counts = defaultdict(Counter)
    for sentence in TRAIN:
        *before, last = sentence.split()
        counts[reads(before)][last] += 1
    logs = []
    for sentence in VAL + TEST:
        *before, last = sentence.split()
        seen = counts[reads(before)]
        logs.append(math.log(seen[last] / seen.total()))
    return math.exp(-sum(logs) / len(logs))


def test_the_last_word_fits_and_a_beginning_stands_in_one_part():
    assert [len(part) for part in PARTS] == [168, 24, 24]
    assert len({*TRAIN, *VAL, *TEST}) == 216
    assert "the students opened their books" in VAL + TEST
    words = {word for sentence in TRAIN for word in sentence.split()}
    assert len(words) == 24
    beginnings = []
    for part in PARTS:
        lasts = Counter()
        for *before, last in map(str.split, part):
            assert {*before, last} <= words
            assert before[-1] == "their"
            assert last in OBJECTS[subject_and_verb(before)]
            lasts[last] += 1
        assert len(lasts) == 12
        assert len({*lasts.values()}) == 1
        beginnings.append(Counter(sentence.rsplit(" ", 1)[0] for sentence in part))
        assert {*beginnings[-1].values()} == {2}
    assert len({*beginnings[0], *beginnings[1], *beginnings[2]}) == sum(map(len, beginnings)) == 108


def test_the_control_short_contexts_are_at_chance():
    assert perplexity_by_counts(lambda before: before[-1]) == pytest.approx(12)
    assert perplexity_by_counts(lambda before: tuple(before[-2:])) == pytest.approx(6)
    assert perplexity_by_counts(subject_and_verb) == pytest.approx(2)
