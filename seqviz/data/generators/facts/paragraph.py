"""A paragraph, and on which side the evidence for each of its words lies."""

from collections.abc import Sequence
from dataclasses import dataclass

from seqviz.arguments import checked_text, checked_type
from seqviz.data.generators.facts.lexicon import (
    ADJECTIVES,
    DAYS,
    DIRECTIONS,
    NAMES,
    STORIES,
    TRADES,
    VERBS,
)
from seqviz.data.text import check_columns

LEFT, RIGHT, BOTH, OPEN, GRAMMAR = LABELS = ("left", "right", "both", "open", "grammar")
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
PLACE = {trade[0]: place for place, trades in TRADES.items() for trade in trades}
PERSON = {word: trade[0] for trades in TRADES.values() for trade in trades for word in trade}


@dataclass(frozen=True)
class Paragraph:
    """Some sentences about one place, with a label for each word.

    Parameters
    ----------
    sentences : tuple of tuple of str
        The words of each sentence.
    labels : tuple of tuple of str
        Where the evidence that determines a word lies. "left": the words before it in the
        paragraph are enough. "right": these are not, those after it are. "both": neither side is,
        the two together are. "open": several words fit whatever is read. "grammar": a word of the
        sentence's frame, which its neighbours tell.
    topic : str
        The place, such as "bakery".
    about : str
        Who works there in this paragraph, such as "baker".
    """

    sentences: tuple[tuple[str, ...], ...]
    labels: tuple[tuple[str, ...], ...]
    topic: str
    about: str

    def __post_init__(self):
        checked_type("sentences", self.sentences, tuple, "a tuple of sentences")
        checked_type("labels", self.labels, tuple, "a tuple of labels for each sentence")
        if len(self.sentences) != len(self.labels):
            raise ValueError(f"labels must have one for each sentence, got {len(self.labels)}")
        for sentence, labels in zip(self.sentences, self.labels, strict=True):
            check_columns(sentences=sentence, labels=labels)
        for name in ("topic", "about"):
            checked_text(name, getattr(self, name))

    @property
    def line(self) -> str:
        """The paragraph as a line of the data set's file."""
        return " ".join(word for sentence in self.sentences for word in sentence)

    @classmethod
    def from_line(cls, line: str) -> "Paragraph":
        """The paragraph of a line of the data set's file; its words decide all else.

        Raises
        ------
        ValueError
            If the line is no such paragraph.
        """
        checked_type("line", line, str, "a line of the data set's file")
        words = line.split()
        people = {PERSON[word] for word in words if word in PERSON}
        if len(people) != 1 or words[-1] != ".":
            raise ValueError(
                "line must be sentences that end in ' .' and have words of one trade, such as "
                f"baker, bread, oven, got {line!r}"
            )
        (about,) = people
        ends = [place + 1 for place, word in enumerate(words) if word == "."]
        cuts = [slice(*cut) for cut in zip([0, *ends], ends, strict=False)]
        labels = evidence(words)
        return cls(
            tuple(tuple(words[cut]) for cut in cuts),
            tuple(tuple(labels[cut]) for cut in cuts),
            PLACE[about],
            about,
        )


def evidence(words: Sequence[str]) -> list[str]:
    """Where the evidence for each word lies among these words: the labels of `Paragraph`.

    Of a part of a paragraph it tells what can be known from this part alone.
    """
    kinds = [KIND.get(word) for word in words]
    return [
        _side(EVIDENCE[kind], {*kinds[:t]}, {*kinds[t + 1 :]}) if kind else GRAMMAR
        for t, kind in enumerate(kinds)
    ]


def _side(needed: list[set], before: set, after: set) -> str:
    """Where one word out of each set that is needed can be read."""
    for side, read in ((LEFT, before), (RIGHT, after), (BOTH, before | after)):
        if all(kinds & read for kinds in needed):
            return side
    return OPEN
