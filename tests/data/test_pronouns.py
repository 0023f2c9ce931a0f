"""Pronouns: the profession tells how often, and nothing else tells anything."""

from collections import Counter

import pytest

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("pronouns")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
PROFESSIONS = maker("pronouns").PROFESSIONS


def by(part, key):
    """The share of "he" for each key."""
    men, every = Counter(), Counter(map(key, part))
    men.update(key(pair) for pair in part if pair.target[0] == "he")
    return {k: men[k] / every[k] for k in every}


def test_the_control_the_profession_tells_how_often_and_nothing_else_does():
    shares = {finnish: men / 10 for finnish, (_, men) in PROFESSIONS.items()}
    for part in PARTS:
        assert by(part, lambda pair: None) == {None: 0.5}
        assert by(part, lambda pair: pair.source[-1]) == shares
        found = by(part, lambda pair: pair.source)
        assert all(share == shares[source[-1]] for source, share in found.items())
    assert {*by(TRAIN + VAL + TEST, lambda pair: pair.source[:-1]).values()} == {0.5}
    right = [("she", "he")[shares[p.source[-1]] >= 0.5] == p.target[0] for p in TEST]
    assert sum(right) / len(right) == pytest.approx(81 / 110)  # nobody can guess three of four
