"""Talks: the marks tell where a word stands, and only who remembers knows who began."""

from collections import Counter, defaultdict

import seqviz as sv
from tests.data.making import DATASETS, maker

DATA = sv.data.load("quotes")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
MAKE = maker("quotes")


def names(talk):
    return [word for word in talk.words if word in MAKE.NAMES]


def accuracy(cases):
    """Accuracy on the test part of the most frequent answer to each key in the training part."""
    counts = defaultdict(Counter)
    for talk in TRAIN:
        for key, answer in cases(talk):
            counts[key][answer] += 1
    asked = [case for talk in TEST for case in cases(talk)]
    right = [counts[key].most_common(1)[0][0] == answer for key, answer in asked if key in counts]
    return sum(right) / len(asked)


def in_clauses(key):
    """The answers at words that stand inside and outside, by a key of talk and place."""

    def cases(talk):
        for k, (word, answer) in enumerate(zip(talk.words, talk.labels, strict=True)):
            if word in (*MAKE.THINGS, *MAKE.STATES, "was"):
                yield key(talk, k), answer

    return cases


def test_the_answers_follow_the_marks():
    assert [len(part) for part in PARTS] == [600, 150, 150]
    talks = [talk for part in PARTS for talk in part]
    assert len({talk.words for talk in talks}) == 900
    assert len({word for talk in talks for word in talk.words}) == 19
    for talk in talks:
        marks = 0
        for word, answer in zip(talk.words[:-1], talk.labels[:-1], strict=True):
            marks += word == '"'
            assert answer == ("inside" if marks % 2 else "outside")
        assert (len(talk.words), marks, len(names(talk))) == (26, 4, 2)
        assert talk.words[-3:] == ("who", "began", "?")
        assert talk.labels[-1] == names(talk)[0]
    for part in PARTS:
        began = Counter(talk.labels[-1] for talk in part)
        assert min(began[name] for name in MAKE.NAMES) > 0.15 * len(part)
        assert len({"".join(label[0] for label in talk.labels[:-1]) for talk in part}) == 6


def test_the_control_short_cuts_are_those_of_the_sheet():
    sheet = (DATASETS / "quotes" / "README.md").read_text(encoding="utf-8")
    found = [
        accuracy(in_clauses(lambda talk, k: talk.words[k])),
        accuracy(in_clauses(lambda talk, k: talk.words[k - 1 : k + 1])),
        accuracy(in_clauses(lambda talk, k: k)),
        accuracy(lambda talk: [(names(talk)[-1], talk.labels[-1])]),
        accuracy(lambda talk: [(frozenset(names(talk)), talk.labels[-1])]),
    ]
    rows = [line for line in sheet.split("\n") if line.startswith(("| the ", "| both "))]
    assert [line.strip("| ").split(" ")[-1] for line in rows] == [f"{a:.2f}" for a in found]
    assert found[0] < 0.55  # a word alone does not tell where it stands
    assert found[3] < 0.35  # the last name does not tell the first: chance is 0.25
    assert max(found) < 0.8
