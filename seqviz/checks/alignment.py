"""Checks of notebook 08: attention of all steps, the mask of padding, an alignment's error rate."""

import torch

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp


@check("right, contexts and weights, for three sizes.")
def attention_steps() -> Cases:
    """Check `attention_steps(s, h, W, U, v) -> (contexts, weights)`, the additive score of a batch.

    `s` is (batch, steps, query), `h` (batch, time, hidden), the contexts (batch, steps, hidden) and
    the weights (batch, steps, time).

    Source: decks 000 and 002; Bahdanau et al. (2015), appendix A.1.2; Luong et al. (2015).
    """
    for sizes in ((2, 3, 4, 7, 5, 6), (3, 4, 2, 5, 6, 1), (1, 5, 5, 4, 4, 4)):
        batch, steps, time, query, hidden, units = sizes
        s = ramp(batch, steps, query)
        h = (3 * ramp(batch, time, hidden)).sin() * ramp(time, 1, low=1, high=-2)
        W, U = (2 * ramp(units, query)).cos(), (5 * ramp(units, hidden)).sin()
        v = ramp(units, low=2, high=-1)
        inside = (s @ W.T)[:, :, None] + (h @ U.T)[:, None]  # (batch, steps, time, units)
        e = inside.tanh() @ v
        a, alone = e.softmax(dim=2), ((h @ U.T).tanh() @ v).softmax(dim=1)[:, None]
        of_weights = {
            "these are the scores; take their softmax": e,
            "the softmax runs over the batch; it runs over the words": e.softmax(dim=0),
            "the softmax runs over the steps; it runs over the words": e.softmax(dim=1),
            "the tanh is missing": (inside @ v).softmax(dim=2),
            "v is missing: the rows are added up as they are": inside.tanh().sum(3).softmax(2),
            "these are the logs of the weights": e.log_softmax(dim=2),
            "the sign of the score is turned round": (-e).softmax(dim=2),
            "U h is missing: without it all words get the same score": torch.full_like(a, 1 / time),
            "s changes nothing: W s must be added to U h inside the tanh": alone.expand_as(a),
            "these are the contexts; they come first": a @ h,
        }
        best = h[torch.arange(batch)[:, None], a.argmax(dim=2)]
        of_contexts = {
            "this is the plain mean; weigh each h": h.mean(1, keepdim=True).expand_as(best),
            "this is the sum of all h; weigh each": h.sum(1, keepdim=True).expand_as(best),
            "the weighted h are not added up over the words": a[..., None] * h[:, None],
            "the scores weigh here, not their softmax": e @ h,
            "the weighted h are averaged; their weights already add up to 1": a @ h / time,
            "only the best word is read; all are, by their weights": best,
        }
        slips = by_part({"weights": of_weights, "contexts": of_contexts})
        asked = f", {batch} × {steps} steps, {time} words,"
        given = {"s": s, "h": h, "W": W, "U": U, "v": v}
        yield Case(asked, given, {"contexts": a @ h, "weights": a}, slips, "weights, contexts")


@check("right, and exactly 0 at padding.")
def padded_weights() -> Cases:
    """Check `padded_weights(e, ids, padding)`: weights (batch, time), 0 where an id is padding.

    `e` are scores (batch, time), `ids` the source (batch, time).
    """
    texts = (  # ... is padding
        [[5, 3, 9, 4], [6, 2, ..., ...], [8, 1, 4, ...]],
        [[..., ..., 6, 1, 2, ...], [4, ..., 5, 9, 8, 3]],
        [[2], [6], [3], [5]],
    )

    for text, padding in zip((*texts, *texts), (0, 0, 7, 7, 11, 0), strict=True):
        ids = torch.tensor([[padding if word is ... else word for word in row] for row in text])
        e = 3 * (7 * ramp(*ids.shape)).sin()
        e[:, 2:3] = 0.0  # a score like others
        mask, everywhere = ids == padding, e.softmax(dim=1)
        masked, at_end = e.masked_fill(mask, -torch.inf), mask.flip(1).cumprod(1).flip(1) > 0
        slips = {
            "the padding is not always id 0: compare with padding": (
                e.masked_fill(ids == 0, -torch.inf).softmax(dim=1)
            ),
            "padding is looked for at the end alone; it can stand anywhere": (
                e.masked_fill(at_end, -torch.inf).softmax(dim=1)
            ),
            "padding still gets weight": everywhere,
            "the rows no longer add up to 1: mask before the softmax": everywhere * ~mask,
            "a score of 0 is not a weight of 0: exp(0) is 1": (e * ~mask).softmax(dim=1),
            "the softmax runs over the batch": masked.softmax(dim=0),
            "these are masked scores; take their softmax": masked,
        }
        given, right = {"e": e, "ids": ids, "padding": padding}, masked.softmax(dim=1)
        zero = "padding gets a little; it must be exactly 0."
        nan = "in some row no word gets weight. Is the mask the wrong way round?"
        yield Case(f" with padding {padding}", given, right, slips, zero=zero, nan=nan)


@check("right for five sentences.")
def alignment_error() -> Cases:
    """Check `alignment_error(weights, sure, possible)`: the error rate of one sentence, a number.

    `weights` is (target, source); each row makes one link, to its largest weight. `sure` and
    `possible` are sets of (target, source), the sure ones in both.

    Source: Och and Ney (2003), section 6.
    """
    for name, weights, S, P in _sentences():
        A = set(enumerate(weights.argmax(dim=1).tolist()))
        C = set(enumerate(weights.argmax(dim=0).tolist()))
        half, third = (set(map(tuple, (weights > x).nonzero().tolist())) for x in (0.5, 1 / 3))
        right, hits = _rate(A, S, P), len(A & S) + len(A & P)
        slips = {
            "this is the share that agrees; take it from 1": 1 - right,
            "all links were taken for sure ones": _rate(A, S, S),
            "all possible links were taken for sure ones": _rate(A, P, P),
            "this is the share of links that are not possible; missing sure links cost as well": (
                1 - len(A & P) / len(A)
            ),
            "this is the share of sure links that were not found; wrong links cost as well": (
                1 - len(A & S) / len(S)
            ),
            "the links are the wrong way round: they are (target, source)": _rate(_turned(A), S, P),
            "the largest of each column made a link; each row makes one: dim=1": _rate(C, S, P),
            "the largest of each column made a link (target, source); each row makes one": (
                _rate(_turned(C), S, P)
            ),
            "only weights above a half made a link; each row makes one": _rate(half, S, P),
            "all weights above a third made a link; each row makes one": _rate(third, S, P),
            "the sum is divided by |A| + |P|": 1 - hits / (len(A) + len(P)),
            "the sum is divided by |A| alone": 1 - hits / len(A),
            "none of your links is in the sets, which hold plain numbers: .tolist() makes "
            "them of a tensor": 1.0,
        }
        yield Case(f" of {name}", {"weights": weights, "sure": S, "possible": P}, right, slips)


def _rate(A: set, S: set, P: set) -> float:
    return 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))


def _turned(links: set) -> set:
    return {(b, a) for a, b in links}


def _sentences() -> list[tuple]:
    """(name, weights, sure, possible) of each."""
    rows = ["7111", "1216", "1432", "0163", "1243"]
    crossed = torch.tensor([[int(x) / 10 for x in row] for row in rows], dtype=torch.float64)
    flat = torch.tensor(  # a row with two best ones below a third, a row with two above it
        [[0.3, 0.2, 0.0, 0.3, 0.2], [0.39, 0.0, 0.1, 0.1, 0.41], [0.0, 0.9, 0.1, 0.0, 0.0]]
    ).double()
    sure, either = {(0, 0), (1, 3), (2, 1)}, {(0, 0), (0, 3), (1, 4)}
    return [
        ("a sentence of five words", crossed, sure | {(0, 1)}, sure | {(0, 1), (3, 2), (1, 2)}),
        ("a sentence that is all right", crossed[:4], sure, sure | {(3, 2)}),
        ("a sentence of two words", crossed[1:3, 1:], {(0, 2), (1, 1)}, {(0, 2), (1, 1), (1, 0)}),
        ("a sentence of vague weights", flat, either, either | {(1, 0)}),
        ("a sentence of one word", flat[1:2], {(0, 4)}, {(0, 4), (0, 0)}),
    ]
