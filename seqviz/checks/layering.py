"""Checks of notebook 10: a convolution with gaps, attention as matrices, a window's mask."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare
from seqviz.checks.verdict import Refused, Verdict, check, ramp


def _convolved(x: Tensor, weight: Tensor, dilation: int, before: int, after: int) -> Tensor:
    """The convolution with so many zeros on either side."""
    return F.conv1d(F.pad(x, (before, after))[None], weight, dilation=dilation)[0]


@check
def causal_conv(student: Callable) -> Verdict:
    """Check `causal_conv(x, weight, dilation)`: (in, time) and (out, in, k) to (out, time).

    Source: deck 003; Kalchbrenner et al. (2016).
    """
    for inputs, out, k, time, dilation in (
        (2, 3, 3, 9, 1),
        (3, 2, 3, 5, 4),  # longer than the text
        (1, 4, 4, 11, 2),
        (2, 2, 1, 4, 5),
    ):
        x, weight = (5 * ramp(inputs, time)).sin(), ramp(out, inputs, k) - 0.3
        far = dilation * (k - 1)
        right = _convolved(x, weight, dilation, far, 0)
        mistakes = {
            "the last of the k weights meets x_t, the first the oldest": _convolved(
                x, weight.flip(-1), dilation, far, 0
            ),
            "it reads the future: the zeros stand before the first input": _convolved(
                x, weight, dilation, 0, far
            ),
            "the zeros are shared between both ends: it reads the future": _convolved(
                x, weight, dilation, far // 2, far - far // 2
            ),
            "the gaps are missing": _convolved(x, weight, 1, k - 1, 0),
            "nothing stands before the first input: put dilation * (k - 1) zeros there": (
                right[:, far:]
            ),
        }
        answer = call(student, x=x, weight=weight, dilation=dilation)
        asked = f"causal_conv with k = {k}, dilation = {dilation}"
        compare(asked, answer, right, mistakes)
    return Verdict(True, "causal_conv: right, for four sizes and gaps.")


@check
def attention_matrix(student: Callable) -> Verdict:
    """Check `attention_matrix(X, W_q, W_k, W_v)`: (time, d_model) to (time, d_v).

    Source: deck 004; Vaswani et al. (2017), equation 1.
    """
    for time, d_model, d_k, d_v in ((5, 3, 2, 7), (4, 4, 4, 4), (6, 2, 3, 1)):
        X = (7 * ramp(time, d_model)).sin() * 3
        W_q, W_k = (5 * ramp(d_model, d_k)).cos(), (3 * ramp(d_model, d_k)).sin() + 1
        W_v = ramp(d_model, d_v) - 0.4
        Q, K, V = X @ W_q, X @ W_k, X @ W_v
        scores = Q @ K.T / d_k**0.5
        right = scores.softmax(-1) @ V
        mistakes = {
            "the softmax runs over the queries; a query's weights add up to one": (
                scores.softmax(0) @ V
            ),
            "the scale is missing: divide the scores by the root of d_k": (
                (Q @ K.T).softmax(-1) @ V
            ),
            "divide by the root of d_k, not by d_k": (Q @ K.T / d_k).softmax(-1) @ V,
            "divide by the root of d_k, not of d_model": ((Q @ K.T / d_model**0.5).softmax(-1) @ V),
            "queries and keys are exchanged": scores.T.softmax(-1) @ V,
            "the softmax is missing": scores @ V,
            "these are the weights; sum the values with them": scores.softmax(-1),
        }
        answer = call(student, X=X, W_q=W_q, W_k=W_k, W_v=W_v)
        asked = f"attention_matrix of {time} words, d_k = {d_k}"
        compare(asked, answer, right, mistakes)
    return Verdict(True, "attention_matrix: right, for three sizes.")


@check
def window_mask(student: Callable) -> Verdict:
    """Check `window_mask(n, r)`: (n, n), True where a query must not attend.

    Source: deck 003, table 1; Vaswani et al. (2017), section 4.
    """
    for n, r in ((6, 3), (5, 1), (4, 9), (7, 2)):
        before = torch.arange(n)[:, None] - torch.arange(n)
        right = ((before < 0) | (before >= r)).long()
        answer = call(student, n=n, r=r)
        if isinstance(answer, Tensor) and answer.is_floating_point():
            raise Refused(
                "window_mask holds floats, expected truth values: True where a query must not "
                "attend; .bool() makes them."
            )
        mistakes = {
            "it is the wrong way round: True means must not attend": 1 - right,
            "the future may be seen; key j must not stand after query i": (before >= r).long(),
            "the window is one too wide: r words, the word itself among them": (
                (before < 0) | (before > r)
            ).long(),
            "it looks into the future: queries are rows, keys are columns": right.T,
            "it reaches to both sides; only the past may be seen": (before.abs() >= r).long(),
        }
        compare(f"window_mask with n = {n}, r = {r}", answer, right, mistakes)
    return Verdict(True, "window_mask: right, for four windows.")
