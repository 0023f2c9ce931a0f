"""Checks of notebook 12: sentences in one row, a tie of two hypotheses, a word cut in pieces."""

import math

import torch

from seqviz.checks.cases import Case, Cases, by_part, check

Merge = tuple[str, str]


@check("right, mask, place and counts, for five rows.")
def packed() -> Cases:
    """Check `packed(sentence) -> (mask, place, counts)` of a row with several sentences.

    `sentence` (time,) is the number of each token's sentence; `mask` is (time, time), True where a
    query must not attend, `place` and `counts` are (time,): the position within the sentence, and
    whether the next token belongs to it.

    Source: the mask of decks 000, 003 and 004; Vaswani et al. (2017), 3.2.3.
    """
    for row in (
        [0, 0, 0, 1, 1],
        [4, 4, 2, 2, 2, 2, 9],
        [7],
        [3, 3, 3, 3],
        [5, 6, 6, 1, 1, 1, 8, 8],
    ):
        sentence = torch.tensor(row)
        size, same = len(row), sentence[:, None] == sentence
        later = torch.ones(size, size, dtype=torch.bool).triu(1)
        mask = later | ~same
        place = (~mask).sum(1) - 1
        inside = same.diagonal(1)
        none = torch.zeros(1, dtype=torch.bool)
        counts = torch.cat([inside, none])
        own = {
            "mask": {
                "hide the other sentences, too": later,
                "hide what comes later, too": ~same,
                "it is the wrong way round: True means must not attend": ~mask,
                "a token may attend to itself: leave the diagonal free": (
                    mask | torch.eye(size, dtype=torch.bool)
                ),
                "this forbids the past; it is the future that must not be seen": mask.T,
            },
            "place": {
                "each sentence begins at 0; these are the places in the row": torch.arange(size),
                "places count from 0": place + 1,
            },
            "counts": {
                "behind a sentence's last token comes another sentence": torch.arange(size) + 1
                < size,
                "behind the row's last token comes nothing": torch.cat([inside, ~none]),
                "ask for the token behind, not for the one before": torch.cat([none, inside]),
                "it is the wrong way round: True means that the next token is learned": ~counts,
            },
        }
        right = {"mask": mask, "place": place, "counts": counts}
        yield Case(f" of {size} tokens", {"sentence": sentence}, right, by_part(own))


@check("right for four pairs of hypotheses.")
def tie() -> Cases:
    """Check `tie(short, long)`: the power of the length at which two hypotheses score alike.

    Each is a pair, its log-probability and its number of words; the long one's log-probability is
    the lower one.

    Source: notebook 07; Wu et al. (2016), equation 14, without its 5.
    """
    for short, long in (
        ((-2.0, 4), (-3.0, 8)),
        ((-1.0, 3), (-1.1, 25)),
        ((-5.0, 6), (-9.0, 8)),
        ((-7.5, 2), (-9.0, 5)),
    ):
        (p, n), (q, m) = short, long
        higher, longer = math.log(q / p), math.log(m / n)
        slips = {
            "it is turned over: the power belongs to the lengths": longer / higher,
            "the sign: with a power below 0 the short one gains still more": -higher / longer,
            "take the logarithms of both quotients": (q / p) / (m / n),
            "the log-probabilities are divided, so take their quotient, not their difference": (
                (p - q) / longer
            ),
            "the numbers of words enter by their quotient, not by their difference": (
                higher / math.log(m - n)
            ),
        }
        asked = f" of {p} for {n} words and {q} for {m}"
        yield Case(asked, {"short": short, "long": long}, higher / longer, slips)


@check("right for six words.")
def cut() -> Cases:
    """Check `cut(word, merges)`: the pieces of a word by merges in the order of learning.

    Source: deck 002, "Byte-pair encodings"; Sennrich et al. (2016), 3.2.
    """
    for word, merges in WORDS.items():
        slips = {
            "the merge that was learned first comes first": _cut(word, merges[::-1]),
            "not the longest piece from the left, but merge after merge": _longest(word, merges),
            "join the pair wherever it stands": _cut(word, merges, times=1),
            "join from left to right": _from_the_right(word, merges),
            "what was joined may be joined again": _cut(word, [m for m in merges if _letters(m)]),
            "the word begins as letters": [word],
        }
        asked = f" of {word!r} with {len(merges)} merges"
        yield Case(asked, {"word": word, "merges": merges}, _cut(word, merges), slips)


def _cut(word: str, merges: list[Merge], times: int = 99) -> list[str]:
    """Join one pair after the other, each at most so many times."""
    pieces = [*word]
    for pair in merges:
        pieces = _joined(pieces, pair, times)
    return pieces


def _joined(pieces: list[str], pair: Merge, times: int = 99) -> list[str]:
    """Join a pair wherever it stands, from left to right."""
    joined, at = [], 0
    while at < len(pieces):
        two = times > 0 and tuple(pieces[at : at + 2]) == pair
        joined.append("".join(pieces[at : at + 1 + two]))
        at, times = at + 1 + two, times - two
    return joined


def _from_the_right(word: str, merges: list[Merge]) -> list[str]:
    """The same on the mirrored word, mirrored."""
    pieces = _cut(word[::-1], [(right[::-1], left[::-1]) for left, right in merges])
    return [piece[::-1] for piece in reversed(pieces)]


def _letters(merge: Merge) -> bool:
    return len("".join(merge)) == 2


def _longest(word: str, merges: list[Merge]) -> list[str]:
    """Cut off the longest known piece, again and again."""
    known, pieces = {"".join(merge) for merge in merges}, []
    while word:
        size = max([1, *(len(piece) for piece in known if word.startswith(piece))])
        pieces.append(word[:size])
        word = word[size:]
    return pieces


def _merges(text: str) -> list[Merge]:
    return [tuple(pair.split("+")) for pair in text.split()]


WORDS = {  # words, and merges of which each slip makes something else
    "xyz": _merges("a+b"),
    "abc": _merges("b+c a+b ab+c"),
    "aaaaa": _merges("a+a aa+a"),
    "lowest": _merges("l+o e+s es+t lo+w"),
    "banana": _merges("a+n n+a an+a b+an"),
    "resigned": _merges("i+g e+d s+ig n+ed r+e"),
}
