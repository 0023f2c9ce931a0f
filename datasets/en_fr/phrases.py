"""Phrases in two languages that know which word comes from which."""

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from seqviz.data.pairs import Pair

VOWELS = tuple("aeiouyàâéèêëîïôùûh")
ASPIRATED = ("héros",)  # an h that keeps its article whole: le héros, but l' homme
ELIDED = {"le": "l'", "la": "l'", "de": "d'", "ne": "n'", "ce": "cet"}
CONTRACTED = {
    ("de", "le"): "du",
    ("de", "les"): "des",
    ("à", "le"): "au",
    ("à", "les"): "aux",
}
LINK = re.compile(r"([=?])(\d+)")


class Linked(NamedTuple):
    """A target word and the source positions it is linked to."""

    word: str
    sure: tuple[int, ...]
    possible: tuple[int, ...]  # beyond the sure ones

    def moved(self, by: int) -> "Linked":
        """The same word, its source `by` places further right."""
        sure, possible = ([s + by for s in links] for links in (self.sure, self.possible))
        return Linked(self.word, tuple(sure), tuple(possible))


@dataclass(frozen=True)
class Phrase:
    """Words and their translation. `first + second` says one after the other in both languages."""

    source: tuple[str, ...]
    target: tuple[Linked, ...]

    def __add__(self, other: "Phrase") -> "Phrase":
        moved = tuple(linked.moved(len(self.source)) for linked in other.target)
        return Phrase(self.source + other.source, self.target + moved)


@cache
def phrase(source: str, target: str) -> Phrase:
    """Phrase of a text in which `word=2` is linked to source word 2 for sure, `word?2` possibly."""
    return Phrase(tuple(source.split()), tuple(_linked(token) for token in target.split()))


def _linked(token: str) -> Linked:
    links = LINK.findall(token)
    return Linked(
        token[: min(token.find(sign) for sign, _ in links)] if links else token,
        tuple(int(s) for sign, s in links if sign == "="),
        tuple(int(s) for sign, s in links if sign == "?"),
    )


NOTHING = phrase("", "")


def opens_with_vowel(word: str) -> bool:
    """Whether a word before this one is elided (l' homme, l' église; le héros, le 8)."""
    return word.startswith(VOWELS) and word not in ASPIRATED


def pair(said: Phrase) -> Pair:
    """The pair of a whole sentence: le, la, de, ne elided, de and à contracted with le and les."""
    target = _contracted(_elided(said.target))
    sure = {(t, s) for t, linked in enumerate(target) for s in linked.sure}
    possible = {(t, s) for t, linked in enumerate(target) for s in linked.possible}
    return Pair(
        said.source,
        tuple(linked.word for linked in target),
        frozenset(sure),
        frozenset(sure | possible),
    )


def _elided(target: tuple[Linked, ...]) -> list[Linked]:
    following = [linked.word for linked in target[1:]] + [""]
    return [
        Linked(ELIDED[linked.word], linked.sure, linked.possible)
        if linked.word in ELIDED and opens_with_vowel(after)
        else linked
        for linked, after in zip(target, following, strict=True)
    ]


def _contracted(target: list[Linked]) -> list[Linked]:
    """One word for two: what the first was sure of stays sure, the rest becomes possible."""
    words = []
    for linked in target:
        both = (words[-1].word, linked.word) if words else None
        if both in CONTRACTED:
            first = words.pop()
            sure = first.sure or linked.sure
            rest = {*first.sure, *first.possible, *linked.sure, *linked.possible} - {*sure}
            linked = Linked(CONTRACTED[both], sure, tuple(sorted(rest)))
        words.append(linked)
    return words
