"""Texts that one list of tokens holds: which token is of which, and what is between them."""

from collections.abc import Sequence
from string import ascii_uppercase

from seqviz.views.shared.checking import holds_several, whole

ALL = "all"  # from and to all tokens
Segments = Sequence[int | None]


def segments_of(given, tokens: Sequence[str]) -> list[int | None] | None:
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
