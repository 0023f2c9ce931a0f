"""Checks of notebook 10: a convolution with gaps, attention as matrices, a window's mask."""

import torch
from torch import Tensor
from torch.nn import functional as F

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp


@check("right, for four sizes and gaps.")
def causal_conv() -> Cases:
    """Check `causal_conv(x, weight, dilation)`: (in, time) and (out, in, k) to (out, time).

    Source: deck 003; Kalchbrenner et al. (2016).
    """
    for inputs, out, k, time, dilation in (
        (2, 3, 3, 9, 1),
        (3, 2, 3, 5, 4),  # longer than the text
        (1, 4, 4, 11, 2),
        (2, 2, 1, 4, 5),
    ):
        x, w = (5 * ramp(inputs, time)).sin(), ramp(out, inputs, k) - 0.3
        far = dilation * (k - 1)

        def conv(before: int, after: int, weight=w, dilation=dilation) -> Tensor:
            """The convolution with so many zeros on either side."""
            return F.conv1d(F.pad(x, (before, after))[None], weight, dilation=dilation)[0]

        y = conv(far, 0)
        slips = {
            "the last of the k weights meets x_t, the first the oldest": conv(far, 0, w.flip(-1)),
            "it reads the future: the zeros stand before the first input": conv(0, far),
            "the zeros are shared between both ends: it reads the future": (
                conv(far // 2, far - far // 2)
            ),
            "the gaps are missing": conv(k - 1, 0, dilation=1),
            "nothing stands before the first input: put dilation * (k - 1) zeros there": y[:, far:],
        }
        given = {"x": x, "weight": w, "dilation": dilation}
        yield Case(f" with k = {k}, dilation = {dilation}", given, y, slips)


@check("right, for three sizes.")
def attention_matrix() -> Cases:
    """Check `attention_matrix(X, W_q, W_k, W_v)`: (time, d_model) to (time, d_v).

    Source: deck 004; Vaswani et al. (2017), equation 1.
    """
    for time, d_model, d_k, d_v in ((5, 3, 2, 7), (4, 4, 4, 4), (6, 2, 3, 1)):
        X = (7 * ramp(time, d_model)).sin() * 3
        W_q, W_k = (5 * ramp(d_model, d_k)).cos(), (3 * ramp(d_model, d_k)).sin() + 1
        W_v = ramp(d_model, d_v) - 0.4
        raw, V = (X @ W_q) @ (X @ W_k).T, X @ W_v
        e = raw / d_k**0.5
        slips = {
            "the softmax runs over the queries; a query's weights add up to one": e.softmax(0) @ V,
            "the scale is missing: divide the scores by the root of d_k": raw.softmax(-1) @ V,
            "divide by the root of d_k, not by d_k": (raw / d_k).softmax(-1) @ V,
            "divide by the root of d_k, not of d_model": (raw / d_model**0.5).softmax(-1) @ V,
            "queries and keys are exchanged": e.T.softmax(-1) @ V,
            "the softmax is missing": e @ V,
            "these are the weights; sum the values with them": e.softmax(-1),
        }
        given = {"X": X, "W_q": W_q, "W_k": W_k, "W_v": W_v}
        yield Case(f" of {time} words, d_k = {d_k}", given, e.softmax(-1) @ V, slips)


@check("right, for four windows.")
def window_mask() -> Cases:
    """Check `window_mask(n, r)`: (n, n), True where a query must not attend.

    Source: deck 003, table 1; Vaswani et al. (2017), section 4.
    """
    for n, r in ((6, 3), (5, 1), (4, 9), (7, 2)):
        before = torch.arange(n)[:, None] - torch.arange(n)
        right = (before < 0) | (before >= r)
        slips = {
            "it is the wrong way round: True means must not attend": ~right,
            "the future may be seen; key j must not stand after query i": before >= r,
            "the window is one too wide: r words, the word itself among them": (
                (before < 0) | (before > r)
            ),
            "it looks into the future: queries are rows, keys are columns": right.T,
            "it reaches to both sides; only the past may be seen": before.abs() >= r,
        }
        yield Case(f" with n = {n}, r = {r}", {"n": n, "r": r}, right, slips)
