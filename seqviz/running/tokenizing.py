"""A text as a model reads it: ids and tokens, by a tokenizer of any of these libraries."""

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from seqviz.data.batching import PADDING, START, STOP, UNKNOWN
from seqviz.data.subwords import BytePairs
from seqviz.data.text import Vocabulary
from seqviz.data.wordpiece import CLS, PAD, SEP, WordPiece
from seqviz.pieces import pieces_of

if TYPE_CHECKING:  # a browser's Python has no such library: loaded when first used
    from tokenizers import Encoding, Tokenizer

WANTED = (
    "a tokenizer of transformers or tokenizers, a sv.data.WordPiece, a sv.data.Vocabulary, or a "
    "pair (sv.data.BytePairs, its Vocabulary)"
)
FRAME = ("bos_token", "eos_token", "cls_token", "sep_token", "pad_token")  # around a text
BETWEEN_MARKS = re.compile(r"[\w'-]+|[^\w\s]")
IN_PLACE = ("unk_token", "mask_token")  # each stands for a word


@dataclass(frozen=True)
class Reading:
    """A text, or a pair of texts, as a model reads it.

    Attributes
    ----------
    ids : list of int
    tokens : list of str
        With the marks of the tokenizer, such as ##, Ġ and ▁.
    words : list of int or None
        The word of each token; None where the tokens' marks have to tell, or nothing does.
    segments : list of int or None
        What the model is told of the text that each token is of, if the tokenizer says so.
    texts : list of int or None
        Of a pair the text of each token, None of special ones; None where nothing tells.
    """

    ids: list[int]
    tokens: list[str]
    words: list[int | None] | None = None
    segments: list[int] | None = None
    texts: list[int | None] | None = None


class Reader(Protocol):
    """What makes a reading of a text.

    Attributes
    ----------
    size : int
        Tokens of the vocabulary.
    special : sequence of str
        Tokens that are of no text, such as [CLS].
    """

    size: int
    special: Sequence[str]

    def read(self, text: str, pair: str | None = None, target: bool = False) -> Reading:
        """Return a text as a model reads it; `target` says that a decoder writes it."""

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of ids; an id may be of no token where a model has more rows."""


class OfTransformers:
    """Reads by a tokenizer of transformers, fast or slow."""

    def __init__(self, tokenizer):
        self.tokenizer, self.size = tokenizer, tokenizer.vocab_size
        by_role = dict(tokenizer.special_tokens_map)
        beside = {by_role.get(role) for role in IN_PLACE} - {by_role.get(role) for role in FRAME}
        self.special = [str(one) for one in tokenizer.all_special_tokens if one not in beside]

    def read(self, text: str, pair: str | None = None, target: bool = False) -> Reading:
        """Return a text as a model reads it."""
        given = self.tokenizer(text_target=text) if target else self.tokenizer(text, pair)
        ids = list(given["input_ids"])
        tokens, words, texts = self.tokenizer.convert_ids_to_tokens(ids), None, None
        if self.tokenizer.is_fast:
            texts = given.sequence_ids()
            words = _words(tokens, given.word_ids(), texts)
        return Reading(ids, tokens, words, given.get("token_type_ids"), texts if pair else None)

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of ids."""
        return [self._name(number) for number in ids]

    def _name(self, number: int) -> str:
        name = self.tokenizer.convert_ids_to_tokens(number) if number < len(self.tokenizer) else ""
        return name or _nameless(number)


class OfTokenizers:
    """Reads by a Tokenizer of the library tokenizers; padding that it adds is left out."""

    def __init__(self, tokenizer: "Tokenizer"):
        self.tokenizer, self.size = tokenizer, tokenizer.get_vocab_size(with_added_tokens=False)
        self.special = self.read("").tokens

    def read(self, text: str, pair: str | None = None, target: bool = False) -> Reading:
        """Return a text as a model reads it."""
        one: Encoding = self.tokenizer.encode(text, pair)
        if one.overflowing:
            raise ValueError(
                f"text: the tokenizer cuts it after {self.tokenizer.truncation['max_length']} "
                "tokens: shorten it, or call tokenizer.no_truncation()"
            )
        kept = [k for k, inside in enumerate(one.attention_mask) if inside]
        lists = one.ids, one.tokens, one.word_ids, one.sequence_ids, one.type_ids
        ids, tokens, words, texts, segments = ([given[k] for k in kept] for given in lists)
        return Reading(
            ids, tokens, _words(tokens, words, texts), _if_two(segments), texts if pair else None
        )

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of ids."""
        return [self.tokenizer.id_to_token(number) or _nameless(number) for number in ids]


class OfWordPiece:
    """Reads by the word pieces of `seqviz.data`."""

    def __init__(self, pieces: WordPiece):
        self.pieces, self.size, self.special = pieces, len(pieces), (CLS, SEP, PAD)

    def read(self, text: str, pair: str | None = None, target: bool = False) -> Reading:
        """Return a text as a model reads it."""
        ids, tokens, words, segments = self.pieces.encode(text, pair)
        numbers = [None if word < 0 else word for word in words.tolist()]
        texts = [
            None if word is None else text
            for word, text in zip(numbers, segments.tolist(), strict=True)
        ]
        return Reading(
            ids.tolist(), list(tokens), numbers, _if_two(segments.tolist()), texts if pair else None
        )

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of ids."""
        return _of_vocabulary(self.pieces.vocabulary, ids)


class OfVocabulary:
    """Reads words, their pieces, or letters, by a vocabulary of `seqviz.data`.

    Letters, if no token but its marks has several. A word that is not in the vocabulary is cut at
    its marks ("tired." becomes two), and what is unknown then is <unk>, if this is a token.
    """

    def __init__(self, vocabulary: Vocabulary, pieces: BytePairs | None = None):
        self.vocabulary, self.pieces, self.size = vocabulary, pieces, len(vocabulary)
        self.special = (PADDING, START, STOP)
        self.stop = vocabulary.tokens.index(STOP) if STOP in vocabulary else None
        marks = (*self.special, UNKNOWN)
        self.letters = all(len(token) == 1 or token in marks for token in vocabulary.tokens)

    def read(self, text: str, pair: str | None = None, target: bool = False) -> Reading:
        """Return a text as a model reads it."""
        if pair is not None:
            raise ValueError(
                "text_pair: a Vocabulary does not join two texts: use a tokenizer that does, such "
                "as sv.data.WordPiece, or inputs="
            )
        words = text if self.letters else [w for word in text.split() for w in self._cut(word)]
        lost = [word for word in dict.fromkeys(words) if not self._knows(word)]
        if lost and UNKNOWN not in self.vocabulary:
            first = ", ".join(map(repr, lost[:5]))
            more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
            raise ValueError(
                f"{'target' if target else 'text'}: has what is not in the vocabulary: "
                f"{first}{more}: leave it out"
            )
        tokens = [token for word in words for token in self._split(word)]
        known = [token if token in self.vocabulary else UNKNOWN for token in tokens]
        return Reading(self.vocabulary.encode(known).tolist(), known)

    def _split(self, word: str) -> list[str]:
        return [word] if self.pieces is None else self.pieces.split([word])

    def _knows(self, word: str) -> bool:
        return all(token in self.vocabulary for token in self._split(word))

    def _cut(self, word: str) -> list[str]:
        return [word] if self._knows(word) else BETWEEN_MARKS.findall(word)

    def names(self, ids: Iterable[int]) -> list[str]:
        """Return the tokens of ids."""
        return _of_vocabulary(self.vocabulary, ids)


def reader_of(tokenizer) -> Reader:
    """Return what reads by a tokenizer."""
    if is_of_tokenizers(tokenizer):
        return OfTokenizers(tokenizer)
    if isinstance(tokenizer, WordPiece):
        return OfWordPiece(tokenizer)
    if isinstance(tokenizer, Vocabulary):
        return OfVocabulary(tokenizer)
    if is_of_pieces(tokenizer):
        return OfVocabulary(tokenizer[1], tokenizer[0])
    if is_of_transformers(tokenizer):
        return OfTransformers(tokenizer)
    fix = ""
    if isinstance(tokenizer, BytePairs):
        fix = ": its pieces have no ids, so give (pieces, vocabulary) with the vocabulary of them"
    elif isinstance(tokenizer, str):
        fix = ": load a tokenizer by its name, as transformers.AutoTokenizer.from_pretrained does"
    elif hasattr(tokenizer, "tokenizer"):
        fix = ": hand in its .tokenizer"
    came = repr(tokenizer) if isinstance(tokenizer, str) else type(tokenizer).__name__
    raise TypeError(f"tokenizer: expected {WANTED}; came {came}{fix}")


def is_of_pieces(given) -> bool:
    """Whether this is pieces of words and their vocabulary."""
    kinds = (BytePairs, Vocabulary)
    return isinstance(given, tuple) and len(given) == 2 and all(map(isinstance, given, kinds))


def is_of_tokenizers(given) -> bool:
    """Whether this is a Tokenizer of the library tokenizers, which then has been loaded."""
    library = sys.modules.get("tokenizers")
    return library is not None and isinstance(given, library.Tokenizer)


def is_of_transformers(given) -> bool:
    """Whether this looks like a tokenizer of transformers."""
    return callable(given) and hasattr(given, "convert_ids_to_tokens")


def _words(
    tokens: list[str], words: list[int | None], texts: list[int | None]
) -> list[int | None] | None:
    """Word numbers counted on through the second text; None where marks tell more.

    To the tokenizers of sentencepiece "tired." is one word, or a whole text is; to others all
    letters up to a space, in scripts without spaces a sentence: there each piece is a word.
    """
    found = pieces_of(tokens, [k for k, text in enumerate(texts) if text is None])
    if found.marks == "▁" or all(word is None for word in words):
        return None
    numbers, after = [], -1
    for k, word in enumerate(words):
        new = k == 0 or (word, texts[k]) != (words[k - 1], texts[k - 1]) or found.breaks(k)
        after += word is not None and new
        numbers.append(None if word is None else after)
    return numbers


def _if_two(segments: list[int]) -> list[int] | None:
    """Segments where there are two texts: GPT-2 reads one that is told as another thing."""
    return segments if any(segments) else None


def _of_vocabulary(vocabulary: Vocabulary, ids: Iterable[int]) -> list[str]:
    return [
        vocabulary.tokens[number] if number < len(vocabulary) else _nameless(number)
        for number in ids
    ]


def _nameless(number: int) -> str:
    """What stands for a row of a model that is no token's."""
    return f"[{number}]"
