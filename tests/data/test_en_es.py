"""The Spanish pairs: words alone, without agreement and order, do not make them."""

from collections import Counter, defaultdict

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("en-es")
MAKE = maker("en_es")
BASES = {does: row.split()[0] for does, row in MAKE.VERBS.items()}


def english():
    """The English base of each Spanish form."""
    words = dict.fromkeys(("el", "la", "los", "las"), "the")
    words |= {"es": "is", "son": "are", "no": "not"}
    words |= {quien.split()[-1]: who.split()[-1] for who, quien in MAKE.PERSONS.items()}
    for name, row in MAKE.NOUNS.items():
        many, *spanish = row.split()[:3]
        words |= zip(spanish, (name, many), strict=True)
    for name, stem in MAKE.ADJECTIVES.items():
        words |= {stem + ending: name for both in MAKE.ENDINGS.values() for ending in both}
    return words | {row.split()[1]: row.split()[0] for row in MAKE.VERBS.values()}


def test_the_control_word_by_word_fails():
    votes, english_of = defaultdict(Counter), english()
    for pair in DATA.train:
        for word in pair.target:
            votes[english_of[word]][word] += 1
    best = {english: counts.most_common(1)[0][0] for english, counts in votes.items()}
    right = [
        tuple(best[BASES.get(word, word)] for word in pair.source if word != "does") == pair.target
        for pair in DATA.test
    ]
    assert sum(right) / len(right) <= 0.05
