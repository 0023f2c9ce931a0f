"""Checks of assignment A4: links from two nets, their errors, and what a translation leaves out."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet

import numpy as np
import torch
from torch import Tensor

from seqviz.checks.assigned.attending import truth
from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, holds_nan, parts, sole
from seqviz.checks.verdict import Refused, Verdict, check, ramp


@check
def both_ways(student: Callable) -> Verdict:
    """Check `both_ways(there, back)`: the links (t, i) on which two nets agree, a set.

    `there` is (target, source), `back` (source, target). A row of zeros makes no link; of equal
    weights the first counts.

    Source: Och and Ney (2003): the intersection of the alignments of both directions.
    """
    for name, there, back in _nets():
        ahead, behind = best(there), {(t, i) for i, t in best(back)}
        right = ahead & behind
        always = set(enumerate(there.argmax(dim=1).tolist()))
        always &= {(t, i) for i, t in enumerate(back.argmax(dim=1).tolist())}
        last = _last(there) & {(t, i) for i, t in _last(back)}
        wrong = {
            "these are the links of either net; give those of both": ahead | behind,
            "these are the links of the first net alone": ahead,
            "these are the links of the second net alone": behind,
            "the links are the wrong way round: they are (target, source)": {
                (i, t) for t, i in right
            },
            "the links of the second net are (source, target): turn them first": ahead & best(back),
            "the largest of each column counts in back; each of its rows has one": (
                ahead & best(back.T)
            ),
            "back was not read: these are rows and columns of there": ahead
            & {(t, i) for i, t in best(there.T)},
            "a row of zeros makes no link": always,
            "of equal weights only the first counts": _all(there) & {(t, i) for i, t in _all(back)},
            "of equal weights the first counts": last,
            "no link at all; if your links hold tensors, no two are equal: make ints": set(),
        }
        answer = call(student, there=there, back=back)
        found = _set_of_links(f"both_ways, {name},", answer)
        cause = sole(wrong, found, right)
        if found != right:
            raise Refused(f"both_ways, {name}, {_differ(found, right)}{cause}.")
    return Verdict(True, f"both_ways: right for {len(_nets())} pairs of nets.")


def best(weights: Tensor) -> set[tuple[int, int]]:
    """(row, column of its largest) of each row that is not all 0."""
    rows = enumerate(weights.argmax(dim=1).tolist())
    return {(t, i) for t, i in rows if weights[t].any()}


def _last(weights: Tensor) -> set[tuple[int, int]]:
    columns = weights.shape[1]
    return {(t, columns - 1 - i) for t, i in best(weights.flip(1))}


def _all(weights: Tensor) -> set[tuple[int, int]]:
    largest = (weights == weights.amax(dim=1, keepdim=True)) & (weights > 0)
    return set(map(tuple, largest.nonzero().tolist()))


def _set_of_links(asked: str, answer) -> set[tuple[int, int]]:
    if not isinstance(answer, AbstractSet):
        raise Refused(f"{asked} gives a {type(answer).__name__}, expected a set of links.")
    for link in answer:
        if not isinstance(link, tuple) or len(link) != 2:
            raise Refused(f"{asked} holds {link!r:.100}, expected links (target, source).")
        if not all(isinstance(place, int | np.integer) for place in link):
            raise Refused(
                f"{asked} holds {link!r:.100}; the places in a link are whole numbers, ints."
            )
    return {(int(t), int(i)) for t, i in answer}


def _differ(found: set, right: set) -> str:
    said = []
    if found - right:
        said.append(f"has {min(found - right)}, which is none")
    if right - found:
        said.append(f"lacks {min(right - found)}")
    return " and ".join(said)


def _chosen() -> tuple[Tensor, Tensor]:
    """French word 0 has an empty row, and English word 0 chooses it."""
    there = torch.tensor([[0.0, 0.0, 0.0], [0.1, 0.2, 0.7]])
    return there.double(), torch.tensor([[0.8, 0.2], [0.0, 0.0], [0.3, 0.7]]).double()


def _nets() -> list[tuple[str, Tensor, Tensor]]:
    """(name, there, back) of each case."""
    there = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.1, 0.25, 0.65], [0.5, 0.4, 0.1]])
    back = torch.tensor([[0.6, 0.1, 0.1, 0.2], [0.1, 0.1, 0.2, 0.6], [0.0, 0.6, 0.4, 0.0]])
    holes = torch.tensor([[0.0, 0.0], [0.3, 0.6], [0.8, 0.1], [0.0, 0.0]])
    full = torch.tensor([[0.0, 0.0, 0.0, 0.0], [0.1, 0.8, 0.05, 0.05]])
    ties = torch.tensor([[0.4, 0.2, 0.4], [0.1, 0.45, 0.45]])
    tied = torch.tensor([[0.5, 0.5], [0.1, 0.9], [0.5, 0.5]])
    one = torch.tensor([[0.25, 0.75], [0.125, 0.875]])
    return [
        ("4 French and 3 English words", there.double(), back.double()),
        ("rows of zeros", holes.double(), full.double()),
        ("equal weights", ties.double(), tied.double()),
        ("1 French and 3 English words", there[:1].double(), torch.ones(3, 1).double()),
        ("rows that add up to little", 2.0**-40 * there.double(), 2.0**-50 * back.double()),
        ("empty rows that others choose", *_chosen()),
        ("empty rows that others choose, in back", *(x.T for x in reversed(_chosen()))),
        ("the second that chooses is chosen", one.double(), one.flip(1).double()),
        ("nets that never agree", there[:2, :2].double(), there[1:3, 1:].flip(1).double()),
    ]


@check
def error_table(student: Callable) -> Verdict:
    """Check `error_table(found, sure, possible) -> (precision, recall, error)` of many sentences.

    Each argument is a list with a set of links for each sentence; links count together. Where
    nothing is found the precision is 1, where nothing is sure the recall is.

    Source: Och and Ney (2003): precision, recall and alignment error rate.
    """
    for name, A, S, P in _corpora():
        right = rates(A, S, P)
        single = [rates([a], [s], [p]) for a, s, p in zip(A, S, P, strict=True)]
        mean = [sum(column) / len(single) for column in zip(*single, strict=True)]
        precision, recall, _ = right
        both = precision + recall
        thrown = rates(*([set().union(*sets)] for sets in (A, S, P)))
        slips = (
            {
                "where nothing is found, nothing is wrong: the precision is 1": (
                    precision if any(A) else 0.0
                ),
                TOGETHER: thrown[0],
                "this is the mean over the sentences; count the links of all together": mean[0],
                "only sure links were taken for right; possible ones are": rates(A, S, S)[0],
                "this is the recall; precision comes first": recall,
                "it is counted in percent": 100 * precision,
            },
            {
                "where nothing is sure, nothing is missed: the recall is 1": (
                    recall if any(S) else 0.0
                ),
                TOGETHER: thrown[1],
                "this is the mean over the sentences; count the links of all together": mean[1],
                "all possible links were asked for; only the sure ones are": rates(A, P, P)[1],
                "this is the precision; it comes first": precision,
                "it is counted in percent": 100 * recall,
            },
            {
                TOGETHER: thrown[2],
                "this is the mean over the sentences; count the links of all together": mean[2],
                "this is the share that agrees; take it from 1": 1 - right[2],
                "this is 1 minus the harmonic mean of precision and recall": (
                    1 - 2 * precision * recall / both if both else 1.0
                ),
                "this is 1 minus the mean of precision and recall": 1 - both / 2,
                "all possible links were taken for sure ones": rates(A, P, P)[2],
                "all right links were taken for sure ones": rates(A, S, S)[2],
            },
        )
        answer = parts("error_table", call(student, found=A, sure=S, possible=P), NAMES)
        for one, value, want, wrong in zip(NAMES.split(", "), answer, right, slips, strict=True):
            wrong = {text: _number(rate) for text, rate in wrong.items()}
            compare(f"error_table's {one} of {name}", value, _number(want), wrong)
    return Verdict(True, f"error_table: right for {len(_corpora())} lists of sentences.")


NAMES = "precision, recall, error"
TOGETHER = "links of several sentences fell into one set; (0, 0) of each is a link of its own"


def rates(found: list, sure: list, possible: list) -> tuple[float, float, float]:
    """Precision, recall and alignment error rate of all sentences together."""
    A, S = (sum(map(len, links)) for links in (found, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    return right / A if A else 1.0, hit / S if S else 1.0, 1 - (hit + right) / (A + S)


def _number(rate: float) -> Tensor:
    return torch.tensor(rate, dtype=torch.float64)


def _corpora() -> list[tuple]:
    """(name, found, sure, possible) of each case."""
    found = [{(0, 0), (1, 2), (2, 1), (3, 3)}, {(0, 1)}, {(0, 0), (1, 0), (2, 0)}]
    sure = [{(0, 0), (1, 1), (2, 1)}, {(0, 1), (1, 0), (2, 2)}, {(0, 0)}]
    possible = [sure[0] | {(1, 2)}, sure[1] | {(2, 1)}, sure[2]]
    return [
        ("three sentences", found, sure, possible),
        ("one sentence", found[:1], sure[:1], possible[:1]),
        ("a sentence with no link and one with two", [set(), found[2]], sure[1:], possible[1:]),
        ("two sentences in which nothing is found", [set(), set()], sure[:2], possible[:2]),
        ("a sentence without sure links beside one", found[1:], [set(), sure[2]], possible[1:]),
        ("two sentences with no right link", [{(3, 3)}, {(4, 0)}], sure[:2], possible[:2]),
        ("a sentence without sure links", [{(0, 0), (1, 1)}], [set()], [{(0, 0)}]),
    ]


@check
def coverage_penalty(student: Callable) -> Verdict:
    """Check `coverage_penalty(weights, source_padding, target_padding, beta)`.

    It gives the coverage (batch, time) of each English word, 0 at padding, and the penalty
    (batch,).

    Source: Wu et al. (2016), equation 14.
    """
    for name, weights, source, target, beta in _translations():
        rows = weights.masked_fill(target[:, :, None], 0.0)
        coverage = rows.sum(dim=1)

        def log_of(x, source=source):
            return x.clamp(max=1.0).log().masked_fill(source, 0.0)

        penalty = beta * log_of(coverage).sum(dim=1)
        wrong = {
            "padding among the French words was counted": weights.sum(dim=1),
            "no coverage is cut off at 1 here; only the penalty does that": coverage.clamp(max=1.0),
            "the sum runs over the English words; it runs over the French ones": rows.sum(dim=2),
            "this is the mean over the French words; add them up": rows.mean(dim=1),
            "this is the penalty; it comes second": penalty,
        }
        given = {"weights": weights, "source_padding": source, "target_padding": target}
        answer = call(student, **given, beta=beta)
        found = parts("coverage_penalty", answer, "coverage, penalty")
        compare(f"coverage_penalty's coverage, {name},", found[0], coverage, wrong)
        asked = f"coverage_penalty's penalty, {name},"
        if holds_nan(found[1]):
            raise Refused(f"{asked} holds nan: 0 times the log of 0 is no number.")
        open_ended = coverage.log().masked_fill(source, 0.0)
        each = rows.clamp(max=1.0).log().masked_fill(source[:, None], 0.0)
        words = (~source).sum(dim=1)
        wrong = {
            "beta is missing": penalty / beta,
            "the sign is turned round: a penalty is at most 0": -penalty,
            "coverage above 1 was not cut off at 1": beta * open_ended.sum(dim=1),
            "padding among the English words was counted: log of 0": (
                beta * coverage.clamp(max=1.0).log().sum(dim=1)
            ),
            "padding among the French words was counted": (
                beta * log_of(weights.sum(dim=1)).sum(dim=1)
            ),
            "the logs are added up over the English words, no mean": penalty / words,
            "these are the logs to base 2": penalty / torch.tensor(2.0).double().log(),
            "these are the logs to base 10": penalty / torch.tensor(10.0).double().log(),
            "the log was taken of each weight; add the weights of a word up first": (
                beta * each.masked_fill(target[:, :, None], 0.0).sum(dim=(1, 2))
            ),
            "the coverages were added up before the log": (
                beta * coverage.clamp(max=1.0).sum(dim=1).log()
            ),
            "the batch was added up; each sentence has a penalty": penalty.sum(),
        }
        compare(asked, found[1], penalty, wrong)
    return Verdict(True, f"coverage_penalty: right for {len(_translations())} batches.")


def _translations() -> list[tuple]:
    """(name, weights, source padding, target padding, beta) of each case."""
    source, target = truth("....", "..xx"), truth("...", ".xx")
    e = 2 * (5 * ramp(2, 3, 4)).sin() + ramp(4, low=2, high=-2)  # much for the first word
    weights = e.masked_fill(source[:, None], -torch.inf).softmax(dim=2)
    weights = torch.where(target[:, :, None], e, weights)
    front = truth("xx...", "....x", ".....")
    sparse = 4 * (9 * ramp(3, 2, 5)).cos().clamp(min=0.0) + 0.125
    sparse = sparse.masked_fill(front[:, None], 0.0)
    sparse = sparse / sparse.sum(dim=2, keepdim=True)
    never = torch.tensor([[[1.0, 0.0, 0.0], [0.25, 0.0, 0.75], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0]]])
    return [
        ("padding behind", weights, source, target, 0.2),
        ("English padding in front", sparse, front, truth("..", "x.", ".."), 0.5),
        (
            "a word that is never attended to",
            never[:, :3].double(),
            truth("..."),
            truth("..."),
            0.2,
        ),
        ("one French word", never[:, 3:].double(), truth("..x"), truth("."), 0.125),
    ]
