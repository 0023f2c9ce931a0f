from collections import Counter

import pytest

from seqviz.data.generators.quotes import MARK, NAMES, STATES, THINGS, talks
from seqviz.data.registry import shipped_folder

PARTS = TRAIN, VAL, TEST = talks()
ALL = [talk for part in PARTS for talk in part]
each_part = pytest.mark.parametrize("part", PARTS, ids=["train", "val", "test"])


def names(talk):
    return [word for word in talk.words if word in NAMES]


def accuracy(cases):
    """Accuracy on the test part of the most frequent answer to each key in the training part."""
    counts = {}
    for talk in TRAIN:
        for key, answer in cases(talk):
            counts.setdefault(key, Counter())[answer] += 1
    asked = [case for talk in TEST for case in cases(talk)]
    right = [counts[key].most_common(1)[0][0] == answer for key, answer in asked if key in counts]
    return sum(right) / len(asked)


def in_clauses(key):
    """The answers at words that stand inside and outside, by a key of talk and place."""

    def cases(talk):
        for k, (word, answer) in enumerate(zip(talk.words, talk.labels, strict=True)):
            if word in (*THINGS, *STATES, "was"):
                yield key(talk, k), answer

    return cases


def test_the_counts_are_the_sheets():
    assert [len(part) for part in PARTS] == [600, 150, 150]
    assert {len(talk.words) for talk in ALL} == {26}
    assert len({word for talk in ALL for word in talk.words}) == 19
    assert len({talk.line for talk in ALL}) == len(ALL)


def test_the_answers_follow_the_marks():
    for talk in ALL:
        marks = 0
        for word, answer in zip(talk.words[:-1], talk.labels[:-1], strict=True):
            marks += word == MARK
            assert answer == ("inside" if marks % 2 else "outside")
        assert marks == 4
        assert talk.words[-3:] == ("who", "began", "?")
        assert talk.labels[-1] == names(talk)[0]
        assert len(names(talk)) == 2


@each_part
def test_each_name_begins_and_each_order_occurs(part):
    began = Counter(talk.labels[-1] for talk in part)
    assert min(began[name] for name in NAMES) > 0.15 * len(part)
    orders = {"".join(label[0] for label in talk.labels[:-1]) for talk in part}
    assert len(orders) == 6


def test_a_word_alone_does_not_tell_where_it_stands():
    assert accuracy(in_clauses(lambda talk, k: talk.words[k])) < 0.55


def test_the_short_cuts_are_those_of_the_sheet():
    sheet = (shipped_folder() / "quotes" / "README.md").read_text(encoding="utf-8")
    found = [
        accuracy(in_clauses(lambda talk, k: talk.words[k])),
        accuracy(in_clauses(lambda talk, k: talk.words[k - 1 : k + 1])),
        accuracy(in_clauses(lambda talk, k: k)),
        accuracy(lambda talk: [(names(talk)[-1], talk.labels[-1])]),
        accuracy(lambda talk: [(frozenset(names(talk)), talk.labels[-1])]),
    ]
    rows = [line for line in sheet.split("\n") if line.startswith(("| the ", "| both "))]
    assert [line.strip("| ").split(" ")[-1] for line in rows] == [f"{a:.2f}" for a in found]
    assert found[3] < 0.35  # the last name does not tell the first: chance is 0.25
    assert max(found) < 0.8
