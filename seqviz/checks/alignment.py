"""Checks of notebook 08: one look, the mask of padding, the error rate of an alignment."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.verdict import Verdict, call, compare, ramp


def attention_step(student: Callable) -> Verdict:
    """Check `attention_step(s, h, W, U, v) -> (context, weights)`, the additive score of a batch.

    `s` is (batch, query), `h` (batch, time, hidden), the context (batch, hidden) and the weights
    (batch, time).

    Source: decks 000 and 002; Bahdanau et al. (2015), appendix A.1.2.
    """
    s, h = ramp(2, 3), (3 * ramp(2, 4, 5)).sin() * ramp(4, 1, low=1, high=-2)
    W, U, v = (2 * ramp(6, 3)).cos(), (5 * ramp(6, 5)).sin(), ramp(6, low=2, high=-1)
    inside = (s @ W.T).unsqueeze(1) + h @ U.T
    e = inside.tanh() @ v

    def read(a: Tensor) -> Tensor:
        return (a.unsqueeze(2) * h).sum(dim=1)

    a = e.softmax(dim=1)
    answer = call(student, s=s, h=h, W=W, U=U, v=v)
    if isinstance(answer, Verdict):
        return answer
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return Verdict(False, "attention_step must return two tensors: context, weights.")
    wrong = {
        "these are the scores; take their softmax": e,
        "the softmax runs over the batch; it runs over the words": e.softmax(dim=0),
        "the tanh is missing": (inside @ v).softmax(dim=1),
        "v is missing: the rows are added up as they are": inside.tanh().sum(dim=2).softmax(dim=1),
        "these are the logs of the weights": e.log_softmax(dim=1),
        "the sign of the score is turned round": (-e).softmax(dim=1),
        "U h is missing: without it all words get the same score": torch.full_like(a, 0.25),
        "W s is missing: the state does not ask": ((h @ U.T).tanh() @ v).softmax(dim=1),
        "this is the context; it comes first": read(a),
    }
    verdict = compare("attention_step's weights (the second tensor)", answer[1], a, wrong)
    if not verdict:
        return verdict
    wrong = {
        "this is the plain mean; weigh each h": h.mean(dim=1),
        "this is the sum of all h; weigh each": h.sum(dim=1),
        "the weighted h are not added up over the words": a.unsqueeze(2) * h,
        "the scores weigh here, not their softmax": read(e),
        "the weighted h are averaged; their weights already add up to 1": read(a) / 4,
        "only the best word is read; all are, by their weights": h[range(2), a.argmax(dim=1)],
    }
    verdict = compare("attention_step's context (the first tensor)", answer[0], read(a), wrong)
    return verdict and Verdict(True, "attention_step: right, context and weights.")


def padded_weights(student: Callable) -> Verdict:
    """Check `padded_weights(e, ids, padding)`: weights (batch, time), 0 where an id is padding.

    `e` are scores (batch, time), `ids` the source (batch, time).
    """
    e = torch.tensor([[0.5, -1.0, 2.0, 0.3], [-3.0, -2.0, 0.0, 0.0], [1.0, 4.0, 3.0, 9.0]]).double()
    for padding in (0, 7):
        ids = torch.tensor([[5, 3, 9, 4], [6, 2, 0, 0], [8, 1, 4, 0]])
        ids = torch.where(ids == 0, padding, ids)
        mask = ids == padding
        right = e.masked_fill(mask, -torch.inf).softmax(dim=1)
        everywhere = e.softmax(dim=1)
        wrong = {
            "the padding is not always id 0: compare with padding": (
                e.masked_fill(ids == 0, -torch.inf).softmax(dim=1)
            ),
            "padding still gets weight": everywhere,
            "the rows no longer add up to 1: mask before the softmax": everywhere * ~mask,
            "a score of 0 is not a weight of 0: exp(0) is 1": (e * ~mask).softmax(dim=1),
            "the softmax runs over the batch": e.masked_fill(mask, -torch.inf).softmax(dim=0),
            "these are masked scores; take their softmax": e.masked_fill(mask, -torch.inf),
        }
        answer = call(student, e=e, ids=ids, padding=padding)
        if isinstance(answer, Tensor) and answer.isnan().any():
            return Verdict(
                False,
                "padded_weights gives NaN: in some row nothing is left to look at. Is the mask the "
                "wrong way round?",
            )
        verdict = compare(f"padded_weights with padding {padding}", answer, right, wrong)
        if not verdict:
            return verdict
        if (torch.as_tensor(answer)[mask] != 0).any():
            return Verdict(False, "padded_weights: padding gets a little; it must be exactly 0.")
    return Verdict(True, "padded_weights: right, and exactly 0 at padding.")


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
        high = {(t, i) for t, i in (weights > 0.5).nonzero().tolist()}
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
            "only weights above a half made a link; each row makes one": _rate(high, S, P),
            "the sum is divided by |A| + |P|": 1 - (len(A & S) + len(A & P)) / (len(A) + len(P)),
            "the sum is divided by |A| alone": 1 - (len(A & S) + len(A & P)) / len(A),
        }
        mistakes = {text: _number(rate) for text, rate in mistakes.items()}
        answer = call(student, weights=weights, sure=set(S), possible=set(P))
        right = _number(_rate(A, S, P))
        verdict = compare(f"alignment_error of {name}", answer, right, mistakes)
        if not verdict:
            return verdict
    return Verdict(True, "alignment_error: right for three sentences.")


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
    sure = {(0, 0), (1, 3), (2, 1)}
    return [
        ("a sentence of five words", crossed, sure | {(0, 1)}, sure | {(0, 1), (3, 2), (1, 2)}),
        ("a sentence that is all right", crossed[:4], sure, sure | {(3, 2)}),
        ("a sentence of two words", crossed[1:3, 1:], {(0, 2), (1, 1)}, {(0, 2), (1, 1), (1, 0)}),
    ]
