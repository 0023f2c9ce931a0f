"""Pronouns: the profession tells how often, and nothing else tells anything."""

from collections import Counter

import pytest

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("pronouns")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
PROFESSIONS = maker("pronouns").PROFESSIONS
WORDS = {"on": "is", "oli": "was", "hyvä": "good", "nuori": "young", "vanha": "old"}
WORDS |= {finnish: english for finnish, (english, _) in PROFESSIONS.items()}


def by(part, key):
    """The share of "he" for each key."""
    men, every = Counter(), Counter(map(key, part))
    men.update(key(pair) for pair in part if pair.target[0] == "he")
    return {k: men[k] / every[k] for k in every}


def test_the_translation_is_right_but_for_the_pronoun():
    assert [len(part) for part in PARTS] == [1320, 220, 220]
    sources = [{pair.source for pair in part} for part in PARTS]
    assert [len(source) for source in sources] == [132, 22, 22]
    assert len(set.union(*sources)) == 176  # none stands in two parts
    for pair in TRAIN + VAL + TEST:
        assert pair.source[0] == "hän"
        assert pair.target[0] in ("he", "she")
        finnish = " ".join(pair.source[1:])
        finnish = finnish.replace("ei ole", "on ei").replace("ei ollut", "oli ei")
        said = [{"ei": "not"}.get(word, WORDS.get(word)) for word in finnish.split()]
        at = 2 if "not" in said else 1
        article = "an" if said[at][0] in "aeo" else "a"
        assert [*pair.target[1:]] == [*said[:at], article, *said[at:]]


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
