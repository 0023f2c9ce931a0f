"""Checks of notebook 08: attention of all steps, the mask of padding, an alignment's error rate."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Refused, Verdict, check, ramp


@check
def attention_steps(student: Callable) -> Verdict:
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
        inside = (s @ W.T).unsqueeze(2) + (h @ U.T).unsqueeze(1)  # (batch, steps, time, units)
        e = inside.tanh() @ v
        a = e.softmax(dim=2)

        answer = call(student, s=s, h=h, W=W, U=U, v=v)
        contexts, weights = parts("attention_steps", answer, "contexts, weights")
        wrong = {
            "these are the scores; take their softmax": e,
            "the softmax runs over the batch; it runs over the words": e.softmax(dim=0),
            "the softmax runs over the steps; it runs over the words": e.softmax(dim=1),
            "the tanh is missing": (inside @ v).softmax(dim=2),
            "v is missing: the rows are added up as they are": (
                inside.tanh().sum(dim=3).softmax(dim=2)
            ),
            "these are the logs of the weights": e.log_softmax(dim=2),
            "the sign of the score is turned round": (-e).softmax(dim=2),
            "U h is missing: without it all words get the same score": torch.full_like(a, 1 / time),
            "s changes nothing: W s must be added to U h inside the tanh": (
                ((h @ U.T).tanh() @ v).softmax(dim=1).unsqueeze(1).expand_as(a)
            ),
            "these are the contexts; they come first": a @ h,
        }
        asked = f"{batch} × {steps} steps, {time} words,"
        compare(f"attention_steps' weights (the second tensor), {asked}", weights, a, wrong)
        rows = torch.arange(batch).unsqueeze(1)
        wrong = {
            "this is the plain mean; weigh each h": (
                h.mean(dim=1, keepdim=True).expand(-1, steps, -1)
            ),
            "this is the sum of all h; weigh each": h.sum(dim=1, keepdim=True).expand(
                -1, steps, -1
            ),
            "the weighted h are not added up over the words": a.unsqueeze(3) * h.unsqueeze(1),
            "the scores weigh here, not their softmax": e @ h,
            "the weighted h are averaged; their weights already add up to 1": a @ h / time,
            "only the best word is read; all are, by their weights": h[rows, a.argmax(dim=2)],
        }
        compare(f"attention_steps' contexts (the first tensor), {asked}", contexts, a @ h, wrong)
    return Verdict(True, "attention_steps: right, contexts and weights, for three sizes.")


@check
def padded_weights(student: Callable) -> Verdict:
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
        mask = ids == padding
        right, everywhere = e.masked_fill(mask, -torch.inf).softmax(dim=1), e.softmax(dim=1)
        wrong = {
            "the padding is not always id 0: compare with padding": (
                e.masked_fill(ids == 0, -torch.inf).softmax(dim=1)
            ),
            "padding is looked for at the end alone; it can stand anywhere": (
                e.masked_fill(mask.flip(1).cumprod(1).flip(1) > 0, -torch.inf).softmax(dim=1)
            ),
            "padding still gets weight": everywhere,
            "the rows no longer add up to 1: mask before the softmax": everywhere * ~mask,
            "a score of 0 is not a weight of 0: exp(0) is 1": (e * ~mask).softmax(dim=1),
            "the softmax runs over the batch": e.masked_fill(mask, -torch.inf).softmax(dim=0),
            "these are masked scores; take their softmax": e.masked_fill(mask, -torch.inf),
        }
        answer = call(student, e=e, ids=ids, padding=padding)
        if isinstance(answer, Tensor) and answer.isnan().any():
            raise Refused(
                "padded_weights gives NaN: in some row no word gets weight. Is the mask the wrong "
                "way round?"
            )
        weights = compare(f"padded_weights with padding {padding}", answer, right, wrong)
        if (weights[mask] != 0).any():
            raise Refused("padded_weights: padding gets a little; it must be exactly 0.")
    return Verdict(True, "padded_weights: right, and exactly 0 at padding.")


@check
def alignment_error(student: Callable) -> Verdict:
    """Check `alignment_error(weights, sure, possible)`: the error rate of one sentence, a number.

    `weights` is (target, source); each row makes one link, to its largest weight. `sure` and
    `possible` are sets of (target, source), the sure ones in both.

    Source: Och and Ney (2003), section 6.
    """
    for name, weights, sure, possible in _sentences():
        best = weights.argmax(dim=1).tolist()
        A = set(enumerate(best))
        S, P = sure, possible
        turned = {(i, t) for t, i in A}
        columns = weights.argmax(dim=0).tolist()
        half, third = (set(map(tuple, (weights > x).nonzero().tolist())) for x in (0.5, 1 / 3))
        mistakes = {
            "this is the share that agrees; take it from 1": 1 - _rate(A, S, P),
            "all links were taken for sure ones": _rate(A, S, S),
            "all possible links were taken for sure ones": _rate(A, P, P),
            "this is the share of links that are not possible; missing sure links cost as well": (
                1 - len(A & P) / len(A)
            ),
            "this is the share of sure links that were not found; wrong links cost as well": (
                1 - len(A & S) / len(S)
            ),
            "the links are the wrong way round: they are (target, source)": _rate(turned, S, P),
            "the largest of each column made a link; each row makes one: dim=1": (
                _rate(set(enumerate(columns)), S, P)
            ),
            "the largest of each column made a link (target, source); each row makes one": (
                _rate({(t, i) for i, t in enumerate(columns)}, S, P)
            ),
            "only weights above a half made a link; each row makes one": _rate(half, S, P),
            "all weights above a third made a link; each row makes one": _rate(third, S, P),
            "the sum is divided by |A| + |P|": 1 - (len(A & S) + len(A & P)) / (len(A) + len(P)),
            "the sum is divided by |A| alone": 1 - (len(A & S) + len(A & P)) / len(A),
            "none of your links is in the sets, which hold plain numbers: .tolist() makes "
            "them of a tensor": 1.0,
        }
        mistakes = {text: _number(rate) for text, rate in mistakes.items()}
        answer = call(student, weights=weights, sure=S, possible=P)
        compare(f"alignment_error of {name}", answer, _number(_rate(A, S, P)), mistakes)
    return Verdict(True, f"alignment_error: right for {len(_sentences())} sentences.")


def _rate(A: set, S: set, P: set) -> float:
    return 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))


def _number(rate: float) -> Tensor:
    return torch.tensor(rate, dtype=torch.float64)


def _sentences() -> list[tuple]:
    """(name, weights, sure, possible) of each."""
    crossed = torch.tensor(
        [
            [0.7, 0.1, 0.1, 0.1],
            [0.1, 0.2, 0.1, 0.6],
            [0.1, 0.4, 0.3, 0.2],
            [0.0, 0.1, 0.6, 0.3],
            [0.1, 0.2, 0.4, 0.3],
        ]
    ).double()
    flat = torch.tensor(  # a row with two best ones below a third, a row with two above it
        [
            [0.3, 0.2, 0.0, 0.3, 0.2],
            [0.39, 0.0, 0.1, 0.1, 0.41],
            [0.0, 0.9, 0.1, 0.0, 0.0],
        ]
    ).double()
    sure, either = {(0, 0), (1, 3), (2, 1)}, {(0, 0), (0, 3), (1, 4)}
    return [
        ("a sentence of five words", crossed, sure | {(0, 1)}, sure | {(0, 1), (3, 2), (1, 2)}),
        ("a sentence that is all right", crossed[:4], sure, sure | {(3, 2)}),
        ("a sentence of two words", crossed[1:3, 1:], {(0, 2), (1, 1)}, {(0, 2), (1, 1), (1, 0)}),
        ("a sentence of vague weights", flat, either, either | {(1, 0)}),
        ("a sentence of one word", flat[1:2], {(0, 4)}, {(0, 4), (0, 0)}),
    ]
