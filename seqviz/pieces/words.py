"""Pieces of words as people read them: bytes as characters, marks, and where a word begins."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from seqviz.pieces.scripts import breaks, goes_on_with_character, kind_of
from seqviz.pieces.spelling import (
    LAST,
    ONE_BYTE,
    bytes_of,
    characters,
    is_text,
    named,
    spelled,
)

BEGINS = ("Ġ", "▁")  # in front of a word: byte-level BPE, SentencePiece
INSIDE, MORE = "##", "@@"  # in front of a piece that goes on; behind one with which a word does
NAME = re.compile(r"[<\[].+[>\]]", re.DOTALL)  # of a token that is of no text


@dataclass(frozen=True)
class Pieces:
    """Tokens as people read them.

    Attributes
    ----------
    marks : str
        The mark that tells words: "Ġ", "▁", "##", "@@", "</w>", or "" if there is none.
    tokens : list of str
        With their marks, bytes decoded; "1/2 of 😀" is a piece of a character.
    bare : list of str
        The same without marks.
    letters : list of str
        The characters that begin in each token, without marks; those of a word's pieces are it.
    inside : list of bool
        Whether the token begins inside a character.
    starts : list of bool
        Whether a word begins with the token.
    """

    marks: str
    tokens: list[str]
    bare: list[str]
    letters: list[str]
    inside: list[bool]
    starts: list[bool]

    def breaks(self, k: int) -> bool:
        """Whether a script without spaces ends or begins between a token and the one before."""
        if k == 0 or self.inside[k]:
            return False
        return _breaks(self.letters, k)

    def words(self, starts: Sequence[bool]) -> list[str]:
        """The words, if they start there."""
        found: list[list[str]] = []
        for text, start in zip(self.letters, starts, strict=True):
            if start or not found:
                found.append([])
            found[-1].append(text)
        return ["".join(_without_lone_mark(word)) for word in found]


def _without_lone_mark(word: list[str]) -> list[str]:
    return word[1:] if len(word) > 1 and word[0] in (*BEGINS, " ") and "".join(word[1:]) else word


def pieces_of(tokens: Sequence[str], special: Collection[int] = ()) -> Pieces:
    """Read tokens that stand one behind another.

    Parameters
    ----------
    tokens : sequence of str
    special : collection of int
        Places of tokens that are of no text: neither they nor their neighbours go on with a word.

    Examples
    --------
    >>> found = pieces_of(["ĠcafÃ©", "Ġun", "seen", "ĠðŁ", "ĺĢ"])
    >>> found.tokens, found.bare
    (['Ġcafé', 'Ġun', 'seen', 'Ġ1/2 of 😀', '2/2 of 😀'], ['café', 'un', 'seen', '1/2 of 😀', \
'2/2 of 😀'])
    >>> found.starts, found.letters
    ([True, True, False, True, False], ['café', 'un', 'seen', '😀', ''])
    """
    special = {*special} | {k for k, token in enumerate(tokens) if _is_name(token)}
    marks, raw = _marks(tokens, special), [*map(bytes_of, tokens)]
    alike = [k not in special and of is not None for k, of in enumerate(raw)]
    runs = [[*run] for is_bytes, run in groupby(range(len(tokens)), alike.__getitem__) if is_bytes]
    return _read(tokens, special, marks, raw, runs)


def alone(tokens: Sequence[str]) -> Pieces:
    """Read tokens of which each stands for itself, as those of a vocabulary; all are starts."""
    special = {k for k, token in enumerate(tokens) if _is_name(token)}
    marks, raw = _marks(tokens, special), [*map(bytes_of, tokens)]
    runs = [[k] for k, of in enumerate(raw) if of is not None and k not in special]
    return _read(tokens, {*range(len(tokens))}, marks, raw, runs, each=True)


def distinct(tokens: Sequence[str]) -> list[str]:
    """Tokens of a vocabulary without marks, as far as they differ without them, else with them."""
    found = alone(tokens)
    count: dict[str, int] = {}
    for text in found.bare:
        count[text] = count.get(text, 0) + 1
    return [
        text if count[text] == 1 else token
        for text, token in zip(found.bare, found.tokens, strict=True)
    ]


def running(found: Pieces) -> list[str]:
    """Tokens as they stand in a running text, a blank in place of the mark at a word's end.

    Examples
    --------
    >>> running(alone(["Ġcat", "s", "."])), running(alone(["cat", "##s", "[SEP]"]))
    ([' cat', 's', '.'], [' cat', 's', '[SEP]'])
    """
    return [_in_text(token, found.marks) for token in found.tokens]


def _in_text(token: str, marks: str) -> str:
    if not marks or _is_name(token):
        return token
    if marks == INSIDE:
        return token[2:] if token.startswith(INSIDE) and len(token) > 2 else f" {token}"
    if marks == MORE:
        return token.removesuffix(MORE) if token.endswith(MORE) else f"{token} "
    if marks == LAST:
        return f"{token.removesuffix(LAST)} " if token.endswith(LAST) else token
    front = len(token) - len(token.lstrip("".join(BEGINS)))
    return " " * front + token[front:]


# ---- marks


def _is_name(token: str) -> bool:
    marked = token.endswith(LAST) and token != LAST  # as the bracket "<</w>" of CLIP
    return bool(NAME.fullmatch(token)) and not marked and not ONE_BYTE.fullmatch(token)


def _marks(tokens: Sequence[str], special: Collection[int]) -> str:
    """The mark that tells words, "" if none of these does."""
    texts = [token for k, token in enumerate(tokens) if k not in special]
    votes = dict.fromkeys((INSIDE, LAST, MORE, "▁", "Ġ"), 0)  # a text may hold what another means
    for text in texts:
        if text.startswith("▁") or ONE_BYTE.fullmatch(text):
            votes["▁"] += 1
        elif text.endswith(LAST) and text != LAST:
            votes[LAST] += 1
        elif len(text) > 2 and text.startswith(INSIDE) and text[2] not in "# Ċ":
            votes[INSIDE] += 1
        elif text.startswith(("Ġ", "Ċ", "ĉ")):
            votes["Ġ"] += 1
        elif text.endswith(MORE) and text != MORE:
            votes[MORE] += 1
    return max(votes, key=votes.__getitem__) if any(votes.values()) else ""


# ---- bytes
def _of_bytes(
    tokens: Sequence[str], marks: str, raw: Sequence[bytes | None], runs: Sequence[list[int]]
) -> bool:
    """Whether letters stand for bytes: at most at a run's ends a character may be cut."""
    if marks in (INSIDE, MORE):
        return False
    if marks == "▁":
        return any(map(ONE_BYTE.fullmatch, tokens))
    letters = [tokens[k] for run in runs for k in run]
    if not marks and len(letters) < sum(not _is_name(token) for token in tokens):
        return False
    if not marks and all(len(token) <= 1 or token.isascii() for token in letters):
        return False
    texts = [b"".join(raw[k] for k in run) for run in runs]
    cut = [text for text in texts if not is_text(text)]
    if any(not whole for text in cut for _, _, whole in characters(text, inner=True)):
        return False
    wide = any(not text.isascii() and is_text(text) for text in texts)
    wide = wide or any(len(part) > 1 for text in cut for _, part, _ in characters(text))
    return wide or marks == "Ġ"


# ---- tokens as they are read
def _read(
    tokens: Sequence[str],
    special: Collection[int],
    marks: str,
    raw: Sequence,
    runs: Sequence,
    each: bool = False,
) -> Pieces:
    count = len(tokens)
    if _of_bytes(tokens, marks, raw, runs):
        marks = marks or BEGINS[0]
    elif not marks:
        return Pieces("", *([*tokens] for _ in range(3)), [False] * count, [True] * count)
    else:
        runs = []
    texts, letters, inside = _decoded(tokens, marks, raw, runs)
    own = [k for k, token in enumerate(tokens) if not _is_name(token)]  # what may have a mark
    plain, letters = [*texts], [*letters]
    for k in own:
        plain[k], letters[k] = (bare(text, marks) for text in (texts[k], letters[k]))
    begins = [_begins(tokens, k, marks) for k in range(len(tokens))]
    starts = [
        k == 0 or not special.isdisjoint((k - 1, k)) or _starts(k, begins[k], letters, inside)
        for k in range(len(tokens))
    ]
    for k in own:
        cut = k == 0 or not special.isdisjoint((k - 1, k))
        if cut and begins[k] is False and marks == INSIDE and not each:
            plain[k] = letters[k] = texts[k]  # its mark tells that a word's front is missing
        if marks == "Ġ":
            front = len(texts[k]) - len(texts[k].lstrip(" "))
            texts[k] = "Ġ" * front + texts[k][front:]
        elif marks == LAST and tokens[k].endswith(LAST) and not texts[k].endswith(LAST):
            texts[k] += LAST
    return Pieces(marks, texts, plain, letters, inside, starts)


def _decoded(
    tokens: Sequence[str], marks: str, raw: Sequence, runs: Sequence
) -> tuple[list[str], list[str], list[bool]]:
    """Tokens as texts, the letters that begin in them, and which begin inside a character."""
    texts, letters, inside = [*tokens], [*tokens], [False] * len(tokens)
    for run in runs:
        for k, (parts, own, within) in zip(run, spelled([raw[k] for k in run]), strict=True):
            inside[k] = within
            if marks != "▁" or ONE_BYTE.fullmatch(tokens[k]):
                texts[k] = named(parts)
                letters[k] = texts[k] if "\ufffd" in own else own
    return texts, letters, inside


def _begins(tokens: Sequence[str], k: int, marks: str) -> bool | None:
    """Whether the marks say that a word begins with a token; None if they leave it open."""
    if marks == INSIDE:
        return not (tokens[k].startswith(INSIDE) and len(tokens[k]) > 2)
    before = tokens[k - 1] if k else ""
    if marks in (LAST, MORE):
        return before.endswith(LAST) if marks == LAST else not before.endswith(MORE)
    if not marks:
        return True
    if tokens[k].startswith((*BEGINS, "Ċ", "ĉ", " ")) or before.endswith(("Ċ", "ĉ")):
        return True
    return False if before in BEGINS else None


def bare(text: str, marks: str) -> str:
    """A token without its mark; one that is nothing else keeps it."""
    if marks == INSIDE:
        return text[2:] if len(text) > 2 and text.startswith(INSIDE) else text
    if marks in (LAST, MORE):
        return text.removesuffix(marks) or text
    return text[1:] if marks and len(text) > 1 and text.startswith((*BEGINS, " ")) else text


def _breaks(letters: Sequence[str], k: int) -> bool:
    if k and letters[k - 1] in (*BEGINS, " "):  # a lone mark: its word is what comes
        return False
    return breaks("".join(letters[max(0, k - 4) : k]), letters[k])


def _starts(k: int, begins: bool | None, letters: Sequence[str], inside: Sequence[bool]) -> bool:
    if inside[k]:
        return False
    if _breaks(letters, k):
        return True
    if begins is None:
        before = "".join(letters[max(0, k - 4) : k])
        same = kind_of(before[-1:]) == kind_of(letters[k][:1])
        return not (same or goes_on_with_character(before, letters[k]))
    return begins
