"""Checks of notebook 12: what a decoder reads and says, Noam's learning rate, a merge of pieces."""

import operator
from collections import Counter
from itertools import pairwise

import torch

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import parts
from seqviz.checks.verdict import Refused

Words = list[tuple[list[str], int]]


@check("right, read, said and mask, for four sizes.")
def shifted_and_masked() -> Cases:
    """Check `shifted_and_masked(target) -> (read, said, mask)`.

    `target` is (batch, time), START first and STOP last; `read` and `said` are (batch, time - 1),
    `mask` (time - 1, time - 1), True where a query must not attend.

    Source: decks 000, 003 and 004; Vaswani et al. (2017), 3.2.3.
    """
    for rows in (
        [[1, 8, 5, 9, 2], [1, 6, 3, 4, 2]],
        [[7, 3, 9], [7, 4, 0], [7, 7, 2]],
        [[1, 4, 2, 8, 3, 6, 1, 5, 2]],
        [[1, 2], [3, 4], [1, 1]],
    ):
        target = torch.tensor(rows)
        read, said, size = target[:, :-1], target[:, 1:], len(rows[0]) - 1
        every = torch.ones(size + 1, size + 1, dtype=torch.bool)
        mask = every[1:, 1:].triu(1)
        own = {
            "read": {
                "this is what is said; read and said are exchanged": said,
                "nothing is shifted; nobody reads the last token": target,
                "the last of the batch is left out; leave out the last in time": target[:-1],
            },
            "said": {
                "this is what is read: it would learn to copy": read,
                "nothing is shifted; nobody says START": target,
                "this is two ahead": target[:, 2:],
            },
            "mask": {
                "it is the wrong way round: True means must not attend": ~mask,
                "a word may attend to itself: leave the diagonal free": every[1:, 1:].triu(),
                "this forbids the past; it is the future that must not be seen": mask.T,
                "nothing is masked": mask & False,
                "it is as long as the target; the decoder reads one token less": every.triu(1),
                "it leaves one word of the future open": mask.triu(2),
            },
        }
        right = {"read": read, "said": said, "mask": mask}
        yield Case(f", {size} tokens read,", {"target": target}, right, by_part(own))


@check("right, while it rises, at the top and while it falls.")
def noam() -> Cases:
    """Check `noam(step, d_model, warmup)`: a learning rate, one number.

    Source: deck 002, "Tips and tricks"; Vaswani et al. (2017), equation 3.
    """
    for step, d_model, warmup in (
        (1, 1024, 16000),
        (1000, 512, 4000),
        (4000, 512, 4000),
        (16000, 512, 4000),
        (30, 128, 100),
        (900, 64, 100),
    ):
        rising, falling, size = step * warmup**-1.5, step**-0.5, d_model**-0.5
        rate = min(rising, falling)
        slips = {
            "after warmup the rate falls: take the smaller of the two": size * rising,
            "before warmup the rate rises: take the smaller of the two": size * falling,
            "d_model is missing": rate,
            "d_model must stand below: d_model ** -0.5": rate / size,
            "the power of warmup is -1.5": size * min(step * warmup**-0.5, falling),
        }
        asked = f" at step {step} with d_model {d_model} and warmup {warmup}"
        given = {"step": step, "d_model": d_model, "warmup": warmup}
        yield Case(asked, given, size * rate, slips)


@check("right for five texts.")
def merge_once() -> Cases:
    """Check `merge_once(words) -> (pair, words)`: one step of byte-pair encoding.

    `words` is a list of (pieces, count). The pair is the most frequent one of neighbours; the words
    come back with it joined, in their order.

    Source: deck 002, "Byte-pair encodings"; Sennrich et al. (2016), algorithm 1.
    """
    weighted = False  # whether a text has shown that words are counted as often as they come
    for name, words in TEXTS.items():
        pair = _best(words)
        unweighted = _best([(pieces, 1) for pieces, _ in words])

        def read(answer):
            got, merged = parts("merge_once", answer, "pair, words")
            if not _strings(got) or tuple(got) != pair:
                cause = "it comes most often"
                if isinstance(got, str) and got == "".join(pair):
                    cause = "the pair is two pieces, not yet joined"
                elif not _strings(got):
                    cause = "a tuple of two pieces"
                elif tuple(got) == unweighted and not weighted:
                    cause = "each word counts as often as it comes"
                elif tuple(got) == pair[::-1]:
                    cause = "the two are the wrong way round"
                raise Refused(
                    f"merge_once with {name}: the pair is {got!r:.200}, expected {pair!r}: {cause}."
                )
            _compare_words(f"merge_once with {name}:", merged, words, pair)

        yield Case("", {"words": words}, None, read=read)
        weighted |= unweighted != pair


def _compare_words(asked: str, merged, words: Words, pair: tuple[str, str]) -> None:
    """Refuse words that are not those with the pair joined."""
    try:
        found = [([*pieces], operator.index(count)) for pieces, count in merged]
    except (TypeError, ValueError):
        found = [([None], None)]
    if not all(_strings(pieces) for pieces, _ in found):
        raise Refused(
            f"{asked} the second thing must be a list of (pieces, count) as it came, got "
            f"{merged!r:.200}."
        )
    if len(found) != len(words):
        raise Refused(f"{asked} {len(found)} words came back, expected {len(words)}.")
    for got, (pieces, count) in zip(found, words, strict=True):
        joined = _joined(pieces, pair)
        causes = {
            "the count belongs to the word and stays": got[0] == joined,
            "the pair is not joined here": got[0] == pieces,
            "letters are lost or doubled": "".join(got[0]) != "".join(pieces),
            "join the pair wherever it stands": got[0] == _joined(pieces, pair, times=1),
            "a piece that only ends or begins like the pair's is another piece": (
                got[0] == " ".join(pieces).replace(" ".join(pair), "".join(pair)).split()
            ),
            "join from left to right": got[0] == _joined(pieces[::-1], pair[::-1])[::-1],
        }
        if got != (joined, count):
            cause = next((f": {text}" for text, fits in causes.items() if fits), "")
            raise Refused(f"{asked} got {got!r}, expected {(joined, count)!r}{cause}.")


def _strings(answer) -> bool:
    return isinstance(answer, list | tuple) and all(isinstance(x, str) for x in answer)


def _best(words: Words) -> tuple[str, str]:
    """The most frequent pair of neighbours."""
    counted = Counter()
    for pieces, count in words:
        for pair in pairwise(pieces):
            counted[pair] += count
    return counted.most_common(1)[0][0]


def _joined(pieces: list[str], pair: tuple[str, str], times: int = 99) -> list[str]:
    """Join a pair wherever it stands, from left to right."""
    joined, at = [], 0
    while at < len(pieces):
        two = times > 0 and tuple(pieces[at : at + 2]) == pair
        joined.append("".join(pieces[at : at + 1 + two]))
        at, times = at + 1 + two, times - two
    return joined


def _words(text: str) -> Words:
    return [(word.split("-"), int(count)) for word, count in map(str.split, text.split(","))]


TEXTS = {  # words with one most frequent pair each
    "low, lower, newest": _words("l-o-w 5, l-o-w-e-r 2, n-e-w-e-s-t 8, w-i-d-e-s-t 3"),
    "pieces of several letters": _words(  # also the pair's letters, in other pieces
        "th-e 2, th-e-n 3, b-a-th-e 4, t-h-e 7, th-at 1, t-h-at 4, b-at-h 2, t-he 3, TH 6"
    ),
    "a letter many times": _words("a-a-a-a-b-a-a-a 2, b-a 3"),
    "pieces that join to the same": _words("a-bc 4, ab-c 5, b-c 2, b-c 2"),
    "a rare word with many": _words("x-y-x-y-x-y 1, x-z 9"),
}
