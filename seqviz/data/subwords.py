"""Pieces of words: byte-pair encoding, between letters and words."""

import json
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING

from seqviz.arguments import (
    MANY,
    checked_integer,
    checked_text,
    checked_type,
    checked_words,
    shown,
)
from seqviz.data.batching import UNKNOWN

if TYPE_CHECKING:  # a browser's Python has no such library: loaded when first used
    from tokenizers import Tokenizer
    from tokenizers.trainers import Trainer

BEGIN = "▁"  # stands in front of a word
LONGEST = 10_000  # letters of a word


class BytePairs:
    """Words to pieces and back; made by :func:`train_bpe`.

    A word begins as letters, "▁" before the first. The merges follow in the order in which they
    were learned; each joins two pieces that stand side by side, wherever they do.

    Attributes
    ----------
    merges : tuple of (str, str)
        The pairs, the first learned first.
    """

    def __init__(self, tokenizer: "Tokenizer"):
        self._tokenizer = tokenizer
        learned = json.loads(tokenizer.to_str())["model"]["merges"]
        self.merges = tuple((left, right) for left, right in learned)

    def __repr__(self) -> str:
        return f"BytePairs with {len(self.merges)} merges"

    def split(self, words: Sequence[str]) -> list[str]:
        """Pieces of words; a letter that was not in the training sentences becomes "<unk>".

        Raises
        ------
        TypeError
            If `words` is a string: split it into words.
        ValueError
            If a word is empty, or holds a space or "▁".
        """
        return self._tokenizer.encode(" ".join(_checked("words", words))).tokens

    def join(self, pieces: Sequence[str]) -> list[str]:
        """Words of pieces: what :meth:`split` had.

        Raises
        ------
        TypeError
            If `pieces` is a string.
        """
        return "".join(checked_words("pieces", pieces)).replace(BEGIN, " ").split()


def train_bpe(sentences: Iterable[Sequence[str]], merges: int) -> BytePairs:
    """Learn pieces of words: join the most frequent pair of neighbours, again and again.

    Byte-pair encoding (deck 002; Gage 1994; Sennrich et al. 2016), by the library tokenizers. Two
    languages may be learned together, so that they share pieces, as in Vaswani et al. 2017.

    Parameters
    ----------
    sentences : iterable of sequence of str
        Words.
    merges : int
        Pairs to join. There are fewer if every word has become one piece.

    Returns
    -------
    BytePairs

    Raises
    ------
    TypeError
        If a sentence is a string, or `merges` no integer.
    ValueError
        If `merges` is below one, there is no word, or a word is empty or holds a space or "▁".

    Examples
    --------
    >>> bpe = train_bpe([["low", "low", "lower", "lowest"]], merges=3)
    >>> bpe.merges
    (('l', 'o'), ('▁', 'lo'), ('▁lo', 'w'))
    >>> bpe.split(["slow", "lower"])
    ['▁', 's', 'lo', 'w', '▁low', 'e', 'r']
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    merges = checked_integer("merges", merges, 1, MANY)
    checked_type("sentences", sentences, Iterable, "a list of sentences")
    lines = [" ".join(_checked("each of sentences", sentence)) for sentence in sentences]
    alphabet = sorted({*"".join(lines), BEGIN} - {" "})
    if not alphabet[1:]:
        raise ValueError("sentences must hold at least one word, got none")
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=BEGIN, prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=1 + len(alphabet) + merges, special_tokens=[UNKNOWN], show_progress=False
    )
    trained(tokenizer, lines, trainer)
    return BytePairs(tokenizer)


def trained(tokenizer: "Tokenizer", lines: Iterable[str], trainer: "Trainer") -> None:
    """Train in another thread: the library hears no interrupt, this one does."""
    done = Future()

    def work() -> None:
        try:
            done.set_result(tokenizer.train_from_iterator(lines, trainer))
        except BaseException as error:
            done.set_exception(error)

    Thread(target=work, daemon=True).start()
    done.result()


def checked_length(name: str, word: str) -> None:
    """Refuse a word whose pieces would take minutes: the time grows with the square."""
    if len(word) > LONGEST:
        raise ValueError(
            f"{name} must hold words of at most {LONGEST:,} letters, got one of {len(word):,}, "
            f"{word[:20]!r} ...: split it at spaces, or leave it out"
        )


def _checked(name: str, words: Sequence[str]) -> list[str]:
    words = checked_words(name, words)
    for word in words:
        if word.split() != [word] or BEGIN in word:
            raise ValueError(
                f"{name} must hold words without spaces and {BEGIN!r}, got {shown(word)}"
            )
        checked_length(name, checked_text(name, word))
    return words
