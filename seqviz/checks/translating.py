"""Checks of notebook 12: what a decoder reads and says, Noam's learning rate, a merge of pieces."""

import operator
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Refused, Verdict, check

Words = list[tuple[list[str], int]]


@check
def shifted_and_masked(student: Callable) -> Verdict:
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
        read, said = target[:, :-1], target[:, 1:]
        size = read.shape[1]
        mask = torch.ones(size, size).long().triu(1)
        answer = call(student, target=target)
        answer = parts("shifted_and_masked", answer, "read, said, mask")
        mistakes = {
            "this is what is said; read and said are exchanged": said,
            "nothing is shifted; nobody reads the last token": target,
            "the last of the batch is left out; leave out the last in time": target[:-1],
        }
        compare("the first tensor (read)", answer[0], read, mistakes)
        mistakes = {
            "this is what is read: it would learn to copy": read,
            "nothing is shifted; nobody says START": target,
            "this is two ahead": target[:, 2:],
        }
        compare("the second tensor (said)", answer[1], said, mistakes)
        if isinstance(answer[2], Tensor) and answer[2].is_floating_point():
            raise Refused(
                "the third tensor (mask) holds floats, expected truth values: True where a query "
                "must not attend; .bool() makes them."
            )
        mistakes = {
            "it is the wrong way round: True means must not attend": 1 - mask,
            "a word may attend to itself: leave the diagonal free": mask.new_ones(
                size, size
            ).triu(),
            "this forbids the past; it is the future that must not be seen": mask.T,
            "nothing is masked": 0 * mask,
            "it is as long as the target; the decoder reads one token less": (
                mask.new_ones(size + 1, size + 1).triu(1)
            ),
            "it leaves one word of the future open": mask.triu(2),
        }
        compare(f"the third tensor (mask) for {size} tokens read", answer[2], mask, mistakes)
    return Verdict(True, "shifted_and_masked: right, read, said and mask, for four sizes.")


@check
def noam(student: Callable) -> Verdict:
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
        rising, falling = step * warmup**-1.5, step**-0.5
        mistakes = {
            "after warmup the rate falls: take the smaller of the two": d_model**-0.5 * rising,
            "before warmup the rate rises: take the smaller of the two": d_model**-0.5 * falling,
            "d_model is missing": min(rising, falling),
            "d_model must stand below: d_model ** -0.5": d_model**0.5 * min(rising, falling),
            "the power of warmup is -1.5": d_model**-0.5 * min(step * warmup**-0.5, falling),
        }
        mistakes = {text: _number(x) for text, x in mistakes.items()}
        expected = _number(d_model**-0.5 * min(rising, falling))
        asked = f"noam at step {step} with d_model {d_model} and warmup {warmup}"
        answer = call(student, step=step, d_model=d_model, warmup=warmup)
        compare(asked, answer, expected, mistakes)
    return Verdict(True, "noam: right, while it rises, at the top and while it falls.")


@check
def merge_once(student: Callable) -> Verdict:
    """Check `merge_once(words) -> (pair, words)`: one step of byte-pair encoding.

    `words` is a list of (pieces, count). The pair is the most frequent one of neighbours; the words
    come back with it joined, in their order.

    Source: deck 002, "Byte-pair encodings"; Sennrich et al. (2016), algorithm 1.
    """
    weighted = False  # whether a text has shown that words are counted as often as they come
    for name, words in _texts().items():
        counted = _pairs(words, weighted=True)
        pair = counted.most_common(1)[0][0]
        unweighted = _pairs(words, weighted=False).most_common(1)[0][0]
        answer = call(student, words=words)
        got, merged = parts("merge_once", answer, "pair, words")
        found = tuple(got) if _strings(got) else None
        if found != pair:
            cause = "it comes most often"
            if isinstance(got, str) and got == "".join(pair):
                cause = "the pair is two pieces, not yet joined"
            elif found is None:
                cause = "a tuple of two pieces"
            elif found == unweighted and not weighted:
                cause = "each word counts as often as it comes"
            elif found == pair[::-1]:
                cause = "the two are the wrong way round"
            raise Refused(
                f"merge_once with {name}: the pair is {got!r:.200}, expected {pair!r}: {cause}."
            )
        weighted |= unweighted != pair
        _compare_words(name, merged, words, pair)
    return Verdict(True, f"merge_once: right for {len(_texts())} texts.")


def _compare_words(name: str, merged, words: Words, pair: tuple[str, str]) -> None:
    """Refuse words that are not those with the pair joined."""
    expected = [(_joined(pieces, pair), count) for pieces, count in words]
    try:
        found = [([*pieces], operator.index(count)) for pieces, count in merged]
    except (TypeError, ValueError):
        found = [([None], None)]
    if not all(_strings(pieces) for pieces, _ in found):
        raise Refused(
            f"merge_once with {name}: the second thing must be a list of (pieces, count) as it "
            f"came, got {merged!r:.200}."
        )
    if len(found) != len(expected):
        raise Refused(
            f"merge_once with {name}: {len(found)} words came back, expected {len(expected)}."
        )
    for got, wanted, (pieces, _) in zip(found, expected, words, strict=True):
        if got == wanted:
            continue
        cause = ""
        if got[0] == wanted[0]:
            cause = ": the count belongs to the word and stays"
        elif got[0] == pieces:
            cause = ": the pair is not joined here"
        elif "".join(got[0]) != "".join(pieces):
            cause = ": letters are lost or doubled"
        elif got[0] == _joined(pieces, pair, times=1):
            cause = ": join the pair wherever it stands"
        elif got[0] == " ".join(pieces).replace(" ".join(pair), "".join(pair)).split():
            cause = ": a piece that only ends or begins like the pair's is another piece"
        elif got[0] == _joined(pieces[::-1], pair[::-1])[::-1]:
            cause = ": join from left to right"
        raise Refused(f"merge_once with {name}: got {got!r}, expected {wanted!r}{cause}.")


def _strings(answer) -> bool:
    return isinstance(answer, list | tuple) and all(isinstance(x, str) for x in answer)


def _number(x: float) -> Tensor:
    return torch.tensor(x, dtype=torch.float64)


def _texts() -> dict[str, Words]:
    """Words with one most frequent pair each."""
    return {
        "low, lower, newest": [
            (["l", "o", "w"], 5),
            (["l", "o", "w", "e", "r"], 2),
            (["n", "e", "w", "e", "s", "t"], 8),
            (["w", "i", "d", "e", "s", "t"], 3),
        ],
        "pieces of several letters": [
            (["th", "e"], 2),
            (["th", "e", "n"], 3),
            (["b", "a", "th", "e"], 4),
            (["t", "h", "e"], 7),
            (["th", "at"], 1),
            (["t", "h", "at"], 4),
            (["b", "at", "h"], 2),  # the pair's letters, in other pieces
            (["t", "he"], 3),
            (["TH"], 6),
        ],
        "a letter many times": [(["a", "a", "a", "a", "b", "a", "a", "a"], 2), (["b", "a"], 3)],
        "pieces that join to the same": [
            (["a", "bc"], 4),
            (["ab", "c"], 5),
            (["b", "c"], 2),
            (["b", "c"], 2),
        ],
        "a rare word with many": [(["x", "y", "x", "y", "x", "y"], 1), (["x", "z"], 9)],
    }


def _pairs(words: Words, weighted: bool) -> Counter:
    """How often neighbours come."""
    counted = Counter()
    for pieces, count in words:
        for pair in pairwise(pieces):
            counted[pair] += count if weighted else 1
    return counted


def _joined(pieces: list[str], pair: tuple[str, str], times: int = 99) -> list[str]:
    """Join a pair wherever it stands, from left to right."""
    joined, at = [], 0
    while at < len(pieces):
        two = times > 0 and tuple(pieces[at : at + 2]) == pair
        joined.append("".join(pieces[at : at + 1 + two]))
        at, times = at + 1 + two, times - two
    return joined
