"""BIO tags and the spans that they mark, read and written."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from seqviz.arguments import MANY, checked_flag, checked_integer, checked_type, checked_words, shown


class Span(NamedTuple):
    """A marked stretch of words.

    Parameters
    ----------
    kind : str
        Such as "PER" or "THE".
    start : int
        Index of its first word.
    end : int
        Index after its last word, as in a slice: `words[start:end]`.
    """

    kind: str
    start: int
    end: int


def tags_to_spans(tags: Sequence[str], *, strict: bool = False) -> list[Span]:
    """Read the spans that BIO tags mark.

    "B-PER" begins a span of the kind PER, "I-PER" goes on with it, "O" is outside. A net may
    give an "I-PER" that goes on with nothing, or with another kind. It then begins a span, the
    rule of CoNLL's scorer and of seqeval's default (Tjong Kim Sang and De Meulder, 2003).

    Parameters
    ----------
    tags : sequence of str
        A tag for each word.
    strict : bool
        Whether an I- that goes on with nothing is refused.

    Returns
    -------
    list of Span
        From left to right; no two overlap.

    Raises
    ------
    TypeError
        If `tags` is a string, or holds something else.
    ValueError
        If a tag is none of "O", "B-kind", "I-kind"; or, with `strict`, an I- goes on with nothing.

    Examples
    --------
    >>> tags_to_spans("O B-PER I-PER B-LOC O".split())
    [Span(kind='PER', start=1, end=3), Span(kind='LOC', start=3, end=4)]
    """
    strict = checked_flag("strict", strict)
    spans, start, before = [], 0, ""
    for t, tag in enumerate([*checked_words("tags", tags), "O"]):
        place, kind = _parts(tag, t)
        goes_on = place == "I" and kind == before
        if place == "I" and not goes_on and strict:
            raise ValueError(
                f"tags[{t}] is {tag!r} and goes on with nothing: a span of {kind} begins with "
                f"'B-{kind}'"
            )
        if before and not goes_on:
            spans.append(Span(before, start, t))
        if not goes_on:
            start, before = t, kind
    return spans


def spans_to_tags(spans: Iterable[tuple[str, int, int]], length: int) -> list[str]:
    """Write spans as BIO tags.

    Parameters
    ----------
    spans : iterable of Span
        Triples of kind, start and end; the end is the index after the last word.
    length : int
        How many words there are.

    Returns
    -------
    list of str
        A tag for each word.

    Raises
    ------
    TypeError
        If a start, an end or `length` is no integer, or a kind no string.
    ValueError
        If a span ends before it starts, has no word, has no kind, leaves the text, or overlaps
        with another.

    Examples
    --------
    >>> spans_to_tags([("THE", 1, 3)], 4)
    ['O', 'B-THE', 'I-THE', 'O']
    """
    tags = ["O"] * checked_integer("length", length, 0, MANY)
    for span in checked_type("spans", spans, Iterable, "a list of (kind, start, end)"):
        if not isinstance(span, tuple | list) or len(span) != 3:
            raise TypeError(f"spans must hold triples (kind, start, end), got {shown(span)}")
        kind, start, end = span
        if not isinstance(kind, str):
            raise TypeError(f"the kind of a span must be a string, got {type(kind).__name__}")
        span = (kind, checked_integer("start", start), checked_integer("end", end))
        if not kind:
            raise ValueError(f"the span {span} must have a kind, such as 'PER'")
        if end < start:
            raise ValueError(f"the span {span} ends before it starts: end counts from 0 as well")
        if end == start:
            raise ValueError(f"the span {span} has no word: end is the index after its last word")
        if start < 0 or end > length:
            raise ValueError(f"the span {span} leaves the text, which has {length} words")
        if any(tag != "O" for tag in tags[start:end]):
            raise ValueError(f"the span {span} overlaps with another: a word has one tag")
        tags[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    return tags


def _parts(tag: str, t: int) -> tuple[str, str]:
    """Place and kind of a tag: ("B", "PER"), ("I", "PER") or ("O", "")."""
    if tag == "O":
        return "O", ""
    if tag[:2] in ("B-", "I-") and len(tag) > 2:
        return tag[0], tag[2:]
    raise ValueError(
        f"tags[{t}] is {tag!r}, no BIO tag: expected 'O', or 'B-' or 'I-' and a kind, such as "
        "'B-PER'"
    )
