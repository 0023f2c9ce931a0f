"""On which side the evidence for each word of a paragraph lies."""

from collections.abc import Sequence

from lexicon import ADJECTIVES, DAYS, DIRECTIONS, NAMES, STORIES, TRADES, VERBS

KINDS = {  # of all words that are no part of a frame
    "trade": {word for trades in TRADES.values() for trade in trades for word in trade},
    "place": {*TRADES},
    "verb": {verb for verbs in VERBS.values() for verb in verbs.values()},
    "direction": {*DIRECTIONS},
    "open": {*NAMES, *DAYS, *ADJECTIVES},
    **{kind: {word for story in rows for word in story} for kind, rows in STORIES.items()},
}
KIND = {word: kind for kind, words in KINDS.items() for word in words}
EVIDENCE = {  # what determines a word of this kind: one word out of each of these sets
    "trade": [{"trade"}],
    "place": [{"trade", "verb"}],
    "verb": [{"trade", "place"}, {"direction"}],
    "direction": [{"verb"}],
    "open": [set()],
    **{kind: [{kind}] for kind in STORIES},
}


def evidence(words: Sequence[str]) -> list[str]:
    """Where the evidence for each word lies among these words: the labels of `Paragraph`."""
    kinds = [KIND.get(word) for word in words]
    return [
        _side(EVIDENCE[kind], {*kinds[:t]}, {*kinds[t + 1 :]}) if kind else "grammar"
        for t, kind in enumerate(kinds)
    ]


def _side(needed: list[set], before: set, after: set) -> str:
    """Where one word out of each set that is needed can be read."""
    for side, read in (("left", before), ("right", after), ("both", before | after)):
        if all(kinds & read for kinds in needed):
            return side
    return "open"
