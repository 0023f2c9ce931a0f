"""Sums of three words, such as king - man + woman: how they are written, and what is near them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seqviz.views.embedding.values import Lexicon
from seqviz.views.shared.checking import each, strings

MINUS = "[-\u2212\u2013]"
SUM = re.compile(rf"(\S.*?)\s+{MINUS}\s+(.+?)\s+\+\s+(.+?)(?:\s+=\s+(.+))?")
CLOSE = re.compile(rf"([^\s+=:]+?){MINUS}([^\s+=:]+?)\+([^\s+=:]+)")
PROPORTION = re.compile(r"(\S.*?)\s*:\s*(.+?)\s*::\s*(.+?)\s*:\s*(.+)")
ANSWERS, MOST_ANALOGIES = 7, 60


@dataclass(frozen=True)
class Question:
    """plus - minus + added, perhaps with the answer that is expected: places in a table."""

    plus: int
    minus: int
    added: int
    expected: int | None = None

    @property
    def inputs(self) -> tuple[int, int, int]:
        """The three, in the order of the sum."""
        return self.plus, self.minus, self.added

    def text(self, words: Sequence[str]) -> str:
        """The sum as it is written in the field."""
        return "{} - {} + {}".format(*(words[k] for k in self.inputs))


@dataclass(frozen=True)
class Answer:
    """Words near a sum, the nearest first, its three inputs among them.

    Attributes
    ----------
    question : Question
    ids : array, (R,)
    cosines : array, (R,)
    ranks : array, (R,)
        From 1, the inputs left out; theirs is 0.
    rank : int or None
        Of the expected answer.
    """

    question: Question
    ids: np.ndarray
    cosines: np.ndarray
    ranks: np.ndarray
    rank: int | None

    @property
    def first(self) -> int:
        """The nearest word that is no input."""
        return int(self.ids[self.ranks == 1][0])


def answer_of(question: Question, lexicon: Lexicon) -> Answer:
    """Rank all words by their cosine with the sum."""
    plus, minus, added = lexicon.units[list(question.inputs)].astype(float)
    total = plus - minus + added
    if np.linalg.norm(total) < 1e-6:
        raise ValueError(
            f"question: {question.text(lexicon.words)} is zero, which has no direction"
        )
    cosines = lexicon.cosines(total.astype(np.float32))
    order = np.argsort(-cosines, kind="stable")
    ranks = np.zeros(len(cosines), int)
    others = order[~np.isin(order, question.inputs)]
    ranks[others] = np.arange(1, len(others) + 1)
    rank = None if question.expected is None else int(ranks[question.expected])
    top = ANSWERS if rank is None or rank <= ANSWERS else ANSWERS - 1
    named = {*question.inputs, *others[:top].tolist()} | ({question.expected} - {None})
    ids = order[np.isin(order, list(named))]
    return Answer(question, ids, cosines[ids], ranks[ids], rank)


def question_of(where: str, text: str, lexicon: Lexicon) -> Question:
    """Read a sum: "king - man + woman", or "man : king :: woman : ?"."""
    text = " ".join(text.split())
    if found := PROPORTION.fullmatch(text):
        minus, plus, added, expected = found.groups()
    elif found := SUM.fullmatch(text):
        plus, minus, added, expected = found.groups()
    elif found := CLOSE.fullmatch(text):
        (plus, minus, added), expected = found.groups(), None
    else:
        raise ValueError(
            f"{where}: expected a sum of three words, 'king - man + woman' or "
            f"'man : king :: woman : ?', came {text!r}"
        )
    places = [known(where, word, lexicon) for word in (plus, minus, added)]
    wanted = None if expected in (None, "?") else known(where, expected, lexicon)
    return checked(where, Question(*places, wanted), lexicon)


def known(where: str, word: str, lexicon: Lexicon) -> int:
    """The place of a word that a reader wrote, in small letters if it is there so only."""
    small = word.lower()
    return lexicon.place(where, small if word not in lexicon.places else word)


def checked(where: str, question: Question, lexicon: Lexicon) -> Question:
    """Refuse equal words: their sum is one of them."""
    if len(set(question.inputs)) < 3:
        raise ValueError(
            f"{where}: expected three different words, came {question.text(lexicon.words)!r}"
        )
    if question.expected in question.inputs:
        raise ValueError(
            f"{where}: the answer {lexicon.words[question.expected]!r} equals an input, and inputs "
            "are left out of the ranking: expect another word"
        )
    return question


def questions_of(given, lexicon: Lexicon) -> dict[str, Question]:
    """Check analogies (a, b, c, expected), a is to b as c is to expected; by their text."""
    found: dict[str, Question] = {}
    given = each("analogies", given, "a list of (a, b, c, expected)")
    if len(given) > MOST_ANALOGIES:
        raise ValueError(f"analogies: expected at most {MOST_ANALOGIES} tuples, came {given!r:.80}")
    for k, four in enumerate(given):
        where = f"analogies[{k}]"
        words = strings(where, four)
        if isinstance(four, str) or len(words) != 4:
            raise ValueError(
                f"{where}: expected four words (a, b, c, expected), a is to b as c is to expected, "
                f"came {four!r:.80}"
            )
        a, b, c, expected = (lexicon.place(where, word) for word in words)
        question = checked(where, Question(b, a, c, expected), lexicon)
        text = question.text(lexicon.words)
        if text in found:
            raise ValueError(f"{where}: {text!r} is asked twice: leave one of both out")
        found[text] = question
    return found
