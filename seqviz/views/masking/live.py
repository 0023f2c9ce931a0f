"""A model that runs again: two masks at once, and a sentence of the reader's own."""

from collections.abc import Callable, Sequence

from seqviz.pieces import letters_of
from seqviz.views.masking.guesses import GUESSES, Guesses, Vocabulary, guesses_of, joined
from seqviz.views.masking.values import (
    MASKS,
    MOST_SENTENCES,
    MOST_TOKENS,
    SPECIAL,
    UNKNOWN,
    Sentence,
    maskable_of,
    special_of,
)
from seqviz.views.shared.answering import Answering
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import strings

GRAPH = (
    "hand in its graph, run=sv.graphs.exported(model, (ids,)), and its tokenizer, tokenize=pieces"
)
TITLE = 32  # letters of a text that name it
PUNCTUATION = ".,;:!?\"'()“”‘’…"


class Live:
    """What the reader can ask of a model.

    Parameters
    ----------
    run : function (tokens, positions) -> mapping
        The model over a list of tokens of which those at the positions, from 0, are masked at once;
        or what ``fitted(vocabulary, labels, mask)`` makes one, that also ``travels`` to a page.
    tokenize : function from text to tokens
        How a text becomes tokens, special ones among them.
    labels : list of str
        Of the attention maps; an answer has all of them or none.
    """

    def __init__(
        self, run: Callable, tokenize: Callable, vocabulary: Vocabulary, labels: list[str]
    ) -> None:
        self.mask = next((mask for mask in MASKS if mask in vocabulary), "")
        fits = hasattr(run, "fitted")
        self._run = run.fitted(vocabulary.tokens, labels, self.mask) if fits else run
        self._tokenize = tokenize
        self._vocabulary, self._labels = vocabulary, labels

    def guesses(self, tokens: list[str], positions: Sequence[int]) -> Guesses:
        """The answer for tokens that are masked at once, a row for each."""
        truths = [self._vocabulary.id_of(f"token {k + 1}", tokens[k]) for k in positions]
        given = self._run(list(tokens), tuple(positions))
        found = guesses_of("run", given, truths, len(tokens), len(self._vocabulary))
        if list(found.attention) not in ([], self._labels):
            raise ValueError(
                f"run['attention']: expected the labels {self._labels} as in `sentences`, came "
                f"{list(found.attention)}"
            )
        return found

    def sentence(self, text: str, told: Callable[[int, int], None]) -> Sentence:
        """Run the model on a text, with one mask after another; `told` hears how many are done."""
        tokens = strings("text", self._tokenize(text))
        written = tuple(k for k, token in enumerate(tokens) if token == self.mask)
        special = tuple(k for k in special_of("text", None, tokens) if k not in written)
        unread = self._unread(text, tokens) if len(tokens) <= MOST_TOKENS else ""
        if unread and len(special) == len(tokens):
            raise ValueError(f"text: {unread} Write words that it knows.")
        rows = maskable_of("text", tokens, special)
        for k in rows:
            self._vocabulary.id_of(f"token {k + 1}", tokens[k])
        parts = []
        for k in rows:
            told(len(parts), len(rows))
            parts.append(self.guesses(tokens, [k]))
        guesses = joined(parts).at(rows, len(tokens))
        title = letters_of(" ".join(text.split()))
        title = "".join(title if len(title) <= TITLE else [*title[: TITLE - 1], "…"])
        return Sentence(title, tokens, special, guesses, unread, written)

    def _unread(self, text: str, tokens: list[str]) -> str:
        """Which words the tokenizer does not know, in words; empty if it knows all."""
        words = text.split()
        mark = next((t for t in UNKNOWN if tokens.count(t) > words.count(t)), None)
        if mark is None:
            return ""
        bare = dict.fromkeys(word.strip(PUNCTUATION) or word for word in words if word != mark)
        lost = [
            f"“{''.join(letters_of(word)[:TITLE])}”"
            for word in bare
            if mark in self._tokenize(word)
        ]
        if not lost:
            return f"The vocabulary lacks a part of this text: the model reads {mark} for it."
        verb = "is" if len(lost) == 1 else "are"
        return f"{', '.join(lost)} {verb} not in the vocabulary: the model reads {mark}."

    def answering(self, precision: str, sentences: Sequence[Sentence]) -> Answering:
        """What a page needs to ask the same of these sentences, and of a text."""
        if not hasattr(self._run, "travels"):
            raise ValueError(
                f"answers: run is a function of Python, which a page cannot run: {GRAPH}"
            )
        facts, graphs, says = self._run.travels(precision)
        known = {
            "ids": [
                [self._vocabulary.id_of("answers: a token", token) for token in one.tokens]
                for one in sentences
            ],
            "special": SPECIAL,
            "unknown": UNKNOWN,
            "punctuation": PUNCTUATION,
            "guesses": GUESSES,
            "most": {"tokens": MOST_TOKENS, "sentences": MOST_SENTENCES, "title": TITLE},
        }
        return Answering(module("masking/answers.js"), {**facts, **known}, graphs, says)
