"""Checks of assignment A3: a step of beam search, the whole search, and one that is exact."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp

Kept = tuple[Tensor, Tensor, Tensor]


@check("right for 12 steps, with ends and without.")
def grow() -> Cases:
    """Check `grow(scores, log_p, k, stop) -> (parent, token, score)`: the continuations kept.

    These are the k best that do not end in stop, and those of the k best of all that do. The best
    comes first. What is impossible is not kept.
    """
    for name, scores, log_p, k, stop in _steps():
        parent, token, score = kept_of(scores, log_p, k, stop)
        place, exchanged = parent * log_p.shape[1] + token, "parent and token are exchanged"
        own = {
            "parent": {
                exchanged: token,
                "this is the place in the flattened table; divide by vocab": place,
            },
            "token": {
                exchanged: parent,
                "this is the place in the flattened table; take the remainder": place,
            },
            "score": {
                "this is the token's log-probability alone": log_p[parent, token],
                "this is a probability; keep the logarithm": score.exp(),
            },
        }
        given = {"scores": scores, "log_p": log_p, "k": k, "stop": stop}
        right = {"parent": parent, "token": token, "score": score}
        slips, sums_tell_most = _slips(**given) | by_part(own), "score, parent, token"
        asked = f" ({name}: n={len(scores)}, k={k}, stop={stop})"
        yield Case(asked, given, right, slips, sums_tell_most)


def kept_of(scores: Tensor, log_p: Tensor, k: int, stop: int) -> Kept:
    """Parent, token and sum of all that is kept, the best first."""
    score, place, ends, rank = _table(scores, log_p, stop)
    kept = torch.where(ends, rank < k, (~ends).cumsum(dim=0) <= k)
    return _of(kept & score.isfinite(), score, place, log_p.shape[1])


def _table(scores: Tensor, log_p: Tensor, stop: int) -> tuple[Tensor, ...]:
    """All sums, the best first, their places, whether they end, and their ranks."""
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True, stable=True)
    return score, place, place % log_p.shape[1] == stop, torch.arange(len(score))


def _of(kept: Tensor, score: Tensor, place: Tensor, vocab: int) -> Kept:
    return place[kept] // vocab, place[kept] % vocab, score[kept]


def _slips(scores: Tensor, log_p: Tensor, k: int, stop: int) -> dict[str, Kept]:
    """What is kept by mistake."""
    vocab = log_p.shape[1]
    score, place, ends, rank = _table(scores, log_p, stop)
    possible = score.isfinite()
    goes = ~ends & ((~ends).cumsum(dim=0) <= k)
    last = rank[goes & possible].amax() if (goes & possible).any() else -1
    chosen = {
        "a finished hypothesis holds a place; as many others move up": rank < k,
        "those that end are missing": goes,
        "each end is kept; only one among the k best of all is": goes | ends,
        "an end that is better than the last that goes on is kept; it must be among the k best "
        "of all": goes | (ends & (rank < last)),
        "the k best ends are kept; an end must be among the k best of all": (
            goes | (ends & (ends.cumsum(dim=0) <= k))
        ),
        "the best 2k are kept": rank < 2 * k,
        "more than k end here: look further than 2k": (goes | (ends & (rank < k))) & (rank < 2 * k),
        "only the best end is kept; all among the k best of all are": (
            goes | (ends & (rank < k) & (ends.cumsum(dim=0) == 1))
        ),
    }
    found = {text: _of(kept & possible, score, place, vocab) for text, kept in chosen.items()}
    right = kept_of(scores, log_p, k, stop)
    end = right[1] == stop
    for where, parts in (("behind", (~end, end)), ("before", (end, ~end))):
        text = f"those that end were put {where} the others; the best comes first"
        found[text] = tuple(torch.cat([x[part] for part in parts]) for x in right)
    if stop and (place[:k] % vocab == 0).any():  # else 0 makes no difference of its own
        found["0 was taken for stop"] = kept_of(scores, log_p, k, 0)
    rows = [kept_of(s[None], row[None], k, stop) for s, row in zip(scores, log_p, strict=True)]
    parent = torch.repeat_interleave(torch.tensor([len(row[0]) for row in rows]))
    token, total = (torch.cat([row[part] for row in rows]) for part in (1, 2))
    order = total.argsort(descending=True)
    return found | {
        "the worst comes first": tuple(x.flip(0) for x in right),
        "what is impossible, -inf, was kept": (
            _of(torch.where(ends, rank < k, goes), score, place, vocab)
        ),
        "the scores of the hypotheses so far are missing": kept_of(0 * scores, log_p, k, stop),
        "k of each hypothesis were kept; they all compete": (
            (parent[order], token[order], total[order])
        ),
    }


def _steps() -> list[tuple[str, Tensor, Tensor, int, int]]:
    """(name, scores, log_p, k, stop) of each case."""
    example = torch.tensor([[-1, -0.5, -3], [-0.2, -4, -1.5]], dtype=torch.float64)
    cases = []
    for name, n, vocab, k, stop, likely in (
        ("one ends", 4, 5, 3, 1, 1.6),
        ("two end", 4, 5, 3, 1, 2.5),
        ("the first step", 1, 7, 4, 0, 1.0),
        ("nothing ends", 3, 5, 2, 2, -3.0),
        ("most end", 5, 4, 4, 3, 4.0),
        ("more places than continuations", 2, 3, 9, 0, 0.0),
    ):
        logits = 2 * (n * vocab * ramp(n, vocab)).sin() + ramp(vocab, n).T
        logits[:, stop] += likely
        scores = -0.8 - (5 * ramp(n)).cos() if n > 1 else torch.zeros(1, dtype=torch.float64)
        cases.append((name, scores, logits.log_softmax(dim=1), k, stop))
    impossible = logits.masked_fill(torch.eye(2, 3).bool(), -torch.inf).log_softmax(dim=1)
    certain = torch.tensor([[0.0, 0, 1, 0]], dtype=torch.float64).log()
    hardly = torch.tensor([[0.0, -2.0, -3e4, -1.2], [-4e4, -1.0, -0.7, -2.5]], dtype=torch.float64)
    return [
        *cases,
        ("some are impossible", scores, impossible, 4, 2),
        ("a beam of one, and the best ends", scores, impossible.flip(0), 1, 1),
        ("one token is certain", scores[:1] * 0, certain, 3, 1),
        ("nothing but stop is possible", scores[:1], certain, 3, 2),
        ("some are next to impossible", scores - 150, hardly, 5, 1),
        ("the task's example", torch.tensor([-1.0, -2.0]).double(), example, 2, 1),
    ]
