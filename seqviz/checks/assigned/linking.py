"""Checks of assignment A4: links from two nets, their errors, and what a translation leaves out."""

import math
from collections.abc import Set as AbstractSet

import numpy as np
import torch
from torch import Tensor

from seqviz.checks.assigned.attending import USUAL, truth
from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import sole
from seqviz.checks.variants import Draw
from seqviz.checks.verdict import Refused, ramp

Links = set[tuple[int, int]]


@check("right for 9 pairs of nets.")
def both_ways(draw: Draw = USUAL) -> Cases:
    """Check `both_ways(there, back)`: the links (t, i) on which two nets agree, a set.

    `there` is (target, source), `back` (source, target). A row of zeros makes no link; of equal
    weights the first counts.

    Source: Och and Ney (2003): the intersection of the alignments of both directions.
    """
    for name, *nets in _nets():
        given = dict(zip(("there", "back"), nets, strict=True))
        given = draw.of(given, there="TI", back="IT")
        there, back = given.values()
        ahead, behind = best(there), _turned(best(back))
        asked = f", {{}} French and {{}} English words, {name},".format(*there.shape)
        right = ahead & behind
        slips = {
            "these are the links of either net; give those of both": ahead | behind,
            "these are the links of the first net alone": ahead,
            "these are the links of the second net alone": behind,
            "the links are the wrong way round: they are (target, source)": _turned(right),
            "the links of the second net are (source, target): turn them first": ahead & best(back),
            "the largest of each column counts in back; each of its rows has one": (
                ahead & best(back.T)
            ),
            "back was not read: these are rows and columns of there": ahead
            & _turned(best(there.T)),
            "a row of zeros makes no link": _always(there) & _turned(_always(back)),
            "of equal weights only the first counts": _all(there) & _turned(_all(back)),
            "of equal weights the first counts": _last(there) & _turned(_last(back)),
            "no link at all; if your links hold tensors, no two are equal: make ints": set(),
        }

        def read(answer):
            found = _links(f"both_ways{asked}", answer)
            said = [f"has {min(found - right)}, which is none"] if found - right else []
            said += [f"lacks {min(right - found)}"] if right - found else []
            cause = sole(slips, found, right)
            if said:
                raise Refused(f"both_ways{asked} {' and '.join(said)}{cause}.")
            return found

        yield Case(asked, given, right, slips, read=read)


def _turned(links: Links) -> Links:
    return {(t, i) for i, t in links}


def _always(weights: Tensor) -> Links:
    """(row, column of its largest) of each row."""
    return set(enumerate(weights.argmax(dim=1).tolist()))


def best(weights: Tensor) -> Links:
    """(row, column of its largest) of each row that is not all 0."""
    return {(t, i) for t, i in _always(weights) if weights[t].any()}


def _last(weights: Tensor) -> Links:
    return {(t, weights.shape[1] - 1 - i) for t, i in best(weights.flip(1))}


def _all(weights: Tensor) -> Links:
    largest = (weights == weights.amax(dim=1, keepdim=True)) & (weights > 0)
    return set(map(tuple, largest.nonzero().tolist()))


def _links(asked: str, answer) -> Links:
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
        ("no row of zeros", there.double(), back.double()),
        ("rows of zeros", holes.double(), full.double()),
        ("equal weights", ties.double(), tied.double()),
        ("all choose one", there[:1].double(), torch.ones(3, 1).double()),
        ("rows that add up to little", 2.0**-40 * there.double(), 2.0**-50 * back.double()),
        ("empty rows that others choose", *_chosen()),
        ("empty rows that others choose, in back", *(x.T for x in reversed(_chosen()))),
        ("the second that chooses is chosen", one.double(), one.flip(1).double()),
        ("nets that never agree", there[:2, :2].double(), there[1:3, 1:].flip(1).double()),
    ]


@check("right for 7 lists of sentences.")
def error_table(draw: Draw = USUAL) -> Cases:
    """Check `error_table(found, sure, possible) -> (precision, recall, error)` of many sentences.

    Each argument is a list with a set of links for each sentence; links count together. Where
    nothing is found the precision is 1, where nothing is sure the recall is.

    Source: Och and Ney (2003): precision, recall and alignment error rate.
    """
    for name, *links in _corpora():
        given = dict(zip(("found", "sure", "possible"), links, strict=True))
        A, S, P = (given := draw.of(given, found="s", sure="s", possible="s")).values()
        precision, recall, error = rates(A, S, P)
        single = [rates([a], [s], [p]) for a, s, p in zip(A, S, P, strict=True)]
        both, all_sure, all_possible = precision + recall, rates(A, S, S), rates(A, P, P)
        slips = {
            "links of several sentences fell into one set; (0, 0) of each is a link of its own": (
                rates(*([set().union(*sets)] for sets in (A, S, P)))
            ),
            "this is the mean over the sentences; count the links of all together": (
                tuple(sum(column) / len(single) for column in zip(*single, strict=True))
            ),
        }
        own = {
            "precision": {
                "where nothing is found, nothing is wrong: the precision is 1": precision * any(A),
                "only sure links were taken for right; possible ones are": all_sure[0],
                "this is the recall; precision comes first": recall,
                "it is counted in percent": 100 * precision,
            },
            "recall": {
                "where nothing is sure, nothing is missed: the recall is 1": recall * any(S),
                "all possible links were asked for; only the sure ones are": all_possible[1],
                "this is the precision; it comes first": precision,
                "it is counted in percent": 100 * recall,
            },
            "error": {
                "this is the share that agrees; take it from 1": 1 - error,
                "this is 1 minus the harmonic mean of precision and recall": (
                    1 - 2 * precision * recall / both if both else 1.0
                ),
                "this is 1 minus the mean of precision and recall": 1 - both / 2,
                "all possible links were taken for sure ones": all_possible[2],
                "all right links were taken for sure ones": all_sure[2],
            },
        }
        right = {"precision": precision, "recall": recall, "error": error}
        yield Case(f" of {len(A)}: {name}", given, right, slips | by_part(own))


def rates(found: list, sure: list, possible: list) -> tuple[float, float, float]:
    """Precision, recall and alignment error rate of all sentences together."""
    A, S = (sum(map(len, links)) for links in (found, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    return right / A if A else 1.0, hit / S if S else 1.0, 1 - (hit + right) / (A + S)


def _corpora() -> list[tuple]:
    """(name, found, sure, possible) of each case."""
    found = [{(0, 0), (1, 2), (2, 1), (3, 3)}, {(0, 1)}, {(0, 0), (1, 0), (2, 0)}]
    sure = [{(0, 0), (1, 1), (2, 1)}, {(0, 1), (1, 0), (2, 2)}, {(0, 0)}]
    possible = [sure[0] | {(1, 2)}, sure[1] | {(2, 1)}, sure[2]]
    return [
        ("sentences", found, sure, possible),
        ("a sentence", found[:1], sure[:1], possible[:1]),
        ("a sentence with no link and one with two", [set(), found[2]], sure[1:], possible[1:]),
        ("sentences in which nothing is found", [set(), set()], sure[:2], possible[:2]),
        ("a sentence without sure links beside one", found[1:], [set(), sure[2]], possible[1:]),
        ("sentences with no right link", [{(3, 3)}, {(4, 0)}], sure[:2], possible[:2]),
        ("a sentence without sure links", [{(0, 0), (1, 1)}], [set()], [{(0, 0)}]),
    ]


@check("right for 4 batches.")
def coverage_penalty(draw: Draw = USUAL) -> Cases:
    """Check `coverage_penalty(weights, source_padding, target_padding, beta)`.

    It gives the coverage (batch, time) of each English word, 0 at padding, and the penalty
    (batch,).

    Source: Wu et al. (2016), equation 14.
    """
    names = ("weights", "source_padding", "target_padding", "beta")
    for name, *arguments in _translations():
        given = dict(zip(names, arguments, strict=True))
        axes = {"weights": "bti", "source_padding": "bi", "target_padding": "bt"}
        weights, source, target, beta = (given := draw.of(given, ["beta"], **axes)).values()
        rows = weights.masked_fill(target[:, :, None], 0.0)
        coverage, unmasked = rows.sum(dim=1), weights.sum(dim=1)

        def logs(x: Tensor, hidden: Tensor = source, most: float = 1.0) -> Tensor:
            return beta * x.clamp(max=most).log().masked_fill(hidden, 0.0)

        penalty = logs(coverage).sum(dim=1)
        each = logs(rows, source[:, None]).masked_fill(target[:, :, None], 0.0).sum(dim=(1, 2))
        cut = coverage.clamp(max=1.0)
        of_coverage = {
            "padding among the French words was counted": unmasked,
            "no coverage is cut off at 1 here; only the penalty does that": cut,
            "the sum runs over the English words; it runs over the French ones": rows.sum(dim=2),
            "this is the mean over the French words; add them up": rows.mean(dim=1),
            "this is the penalty; it comes second": penalty,
        }
        of_penalty = {
            "beta is missing": penalty / beta,
            "the sign is turned round: a penalty is at most 0": -penalty,
            "coverage above 1 was not cut off at 1": logs(coverage, most=torch.inf).sum(dim=1),
            "padding among the English words was counted: log of 0": beta * cut.log().sum(dim=1),
            "padding among the French words was counted": logs(unmasked).sum(dim=1),
            "the logs are added up over the English words, no mean": penalty / (~source).sum(dim=1),
            "these are the logs to base 2": penalty / math.log(2),
            "these are the logs to base 10": penalty / math.log(10),
            "the log was taken of each weight; add the weights of a word up first": each,
            "the coverages were added up before the log": beta * cut.sum(dim=1).log(),
            "the batch was added up; each sentence has a penalty": penalty.sum(),
        }
        right = {"coverage": coverage, "penalty": penalty}
        slips = by_part({"coverage": of_coverage, "penalty": of_penalty})
        nan = {"penalty": "0 times the log of 0 is no number."}
        yield Case(f", {name},", given, right, slips, nan=nan)


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
