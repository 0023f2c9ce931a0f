"""Tokens of one side of an attention map: special ones, pieces of a word, texts of several."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from string import ascii_uppercase

from seqviz.pieces import pieces_of
from seqviz.views.shared.checking import holds_several, strings, whole

SPECIAL = (
    "[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<|endoftext|>", "<bos>", "<eos>",
)  # fmt: skip
ALL = "all"  # from and to all tokens
Segments = Sequence[int | None]


@dataclass(frozen=True)
class Tokens:
    """The tokens of one side, bytes decoded.

    `words` numbers the word of each token (equal neighbours are one word) and `texts` holds the
    words without marks; both are None where every token is a word of its own and has no mark.
    `segments` says which text of several each token is of, from 0, None for neither. `of_sentence`
    says that they are the characters of a string with spaces.
    """

    tokens: list[str]
    special: list[int]
    words: list[int] | None = None
    texts: list[str] | None = None
    segments: list[int | None] | None = None
    of_sentence: bool = False

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def can_leave(self) -> list[int]:
        """The special tokens, if there are others: all of a text are never hidden."""
        return self.special if len(self.special) < len(self) else []


def texts_of(given: Mapping, words, special, segments) -> dict[str, Tokens]:
    """Return the tokens of each argument that is given; the others are as of `attention`."""
    listed = {name: _listed(name, tokens) for name, tokens in given.items() if tokens is not None}
    marked = frozenset(SPECIAL if special is None else _special(special))
    words = _numbers(words, list(listed))
    sides = {name: _side(name, tokens, marked, words[name]) for name, tokens in listed.items()}
    if segments is not None:
        name = next(iter(sides), None)
        if len(sides) != 1:
            raise ValueError(
                f"segments: are of tokens alone, came beside {' and '.join(sides) or 'none'}: two "
                "texts of a translation are apart already"
            )
        sides[name] = replace(sides[name], segments=_segments_of(segments, sides[name].tokens))
    sentences = [name for name in sides if isinstance(given[name], str) and " " in given[name]]
    return sides | {name: replace(sides[name], of_sentence=True) for name in sentences}


def text_of(texts: Mapping[str, Tokens], name: str) -> Tokens | None:
    """Return the tokens of an argument, of "a + b" those of two as one; None without them."""
    found = [texts.get(part) for part in name.split(" + ")]
    if None in found:
        return None
    return found[0] if len(found) == 1 else _one_after_another(*found)


def _side(name: str, tokens: list[str], special: Iterable[str], words) -> Tokens:
    """Find special tokens and words; `words` is None, False or a word number for each token."""
    marked = [k for k, token in enumerate(tokens) if token in special]
    found = pieces_of(tokens, marked)
    if words is False:
        return Tokens(found.tokens, marked)
    starts = found.starts if words is None else _by_numbers(f"words of {name}", words, tokens)
    if all(starts) and (words is not None or found.bare == found.tokens):
        return Tokens(found.tokens, marked)
    numbers = [number - 1 for number in accumulate(starts)]
    return Tokens(found.tokens, marked, numbers, found.words(starts))


def _one_after_another(first: Tokens, second: Tokens) -> Tokens:
    """The tokens of two texts as those of one."""
    tokens = first.tokens + second.tokens
    special = first.special + [len(first) + k for k in second.special]
    if not (first.words or second.words):
        return Tokens(tokens, special)
    words, texts = zip(*map(_words, (first, second)), strict=True)
    after = [len(texts[0]) + number for number in words[1]]
    return Tokens(tokens, special, words[0] + after, texts[0] + texts[1])


def _words(side: Tokens) -> tuple[list[int], list[str]]:
    """The word of each token and the texts of the words, where each may be a word of its own."""
    return side.words or list(range(len(side))), side.texts or side.tokens


def _listed(name: str, given) -> list[str]:
    if isinstance(given, (set, frozenset)):
        raise TypeError(
            f"{name}: expected a list of strings, came a {type(given).__name__}, which has no "
            "order and no repeats: hand in the list, as convert_ids_to_tokens gives it"
        )
    return strings(name, given)


def _special(given) -> list[str]:
    if isinstance(given, str):
        raise TypeError(f"special: expected a list of strings, came {given!r}: write [{given!r}]")
    return strings("special", given)


def _numbers(given, names: list[str]) -> dict:
    """None, False or word numbers for each argument with tokens."""
    if given is None or given is False:
        return dict.fromkeys(names, given)
    if isinstance(given, Mapping):
        short = {name.removesuffix("_tokens"): name for name in names}
        found = {short.get(name, name): value for name, value in given.items()}
        if unknown := sorted(map(str, found.keys() - set(names))):
            raise ValueError(f"words: {', '.join(unknown)} is none of {', '.join(names)}")
        return dict.fromkeys(names) | found
    if isinstance(given, str) or not holds_several(given):
        raise TypeError(
            f"words: expected None, False or the list that word_ids() gives, came {given!r}"
        )
    given = list(given)
    nested = any(isinstance(one, (list, tuple)) for one in given)
    if len(names) == 1 and not nested:
        return {names[0]: given}
    if len(names) != len(given) or not nested:
        raise ValueError(
            f"words: expected {len(names)} lists, for {' and '.join(names)}, came "
            f"{len(given)} {'lists' if nested else 'numbers'}: hand in a tuple of two lists"
        )
    return dict(zip(names, given, strict=True))


def _by_numbers(name: str, words, tokens: list[str]) -> list[bool]:
    """Where a word starts, by a tokenizer's `word_ids()`."""
    if isinstance(words, str) or not holds_several(words):
        raise TypeError(
            f"{name}: expected None, False or the list that word_ids() gives, came {words!r}"
        )
    words = list(words)
    if len(words) != len(tokens):
        raise ValueError(
            f"{name}: expected {len(tokens)} word numbers, one for each token, came {len(words)}: "
            "take word_ids() of the encoding that the tokens are from"
        )
    for k, word in enumerate(words):
        if word is not None:
            words[k] = whole(f"{name}[{k}]", word, "a word number or None")
    return [k == 0 or number is None or number != words[k - 1] for k, number in enumerate(words)]


def _segments_of(given, tokens: Sequence[str]) -> list[int | None] | None:
    """Check the text of each token; return them numbered from 0, or None if there is only one."""
    if isinstance(given, str) or not holds_several(given):
        raise TypeError(
            f"segments: expected a number for each token, as token_type_ids are, came {given!r}"
        )
    numbers = [
        one if one is None else whole(f"segments[{k}]", one, "the number of a text, or None")
        for k, one in enumerate(given)
    ]
    if len(numbers) != len(tokens):
        raise ValueError(
            f"segments: expected {len(tokens)}, one for each token, came {len(numbers)}"
        )
    texts = sorted({one for one in numbers if one is not None})
    if len(texts) > len(ascii_uppercase):
        raise ValueError(
            f"segments: expected at most {len(ascii_uppercase)} texts, came {len(texts)}"
        )
    at = {text: k for k, text in enumerate(texts)}
    return [None if one is None else at[one] for one in numbers] if len(texts) > 1 else None


def pairings(queries: Segments | None, keys: Segments | None) -> list[str]:
    """Return what may be shown alone: "A to A", "A to B" ...; none of a single text."""
    if queries is None or keys is None:
        return []
    return [f"{one} to {other}" for one in _letters(queries) for other in _letters(keys)]


def sides_of(between: str) -> tuple[int | None, int | None]:
    """Return the texts of queries and keys; None for all of them."""
    if between == ALL:
        return None, None
    one, other = between.split(" to ")
    return ascii_uppercase.index(one), ascii_uppercase.index(other)


def _letters(segments: Segments) -> list[str]:
    return [ascii_uppercase[k] for k in sorted({one for one in segments if one is not None})]
