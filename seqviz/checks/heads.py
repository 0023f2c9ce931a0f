"""Checks of notebook 11: what each head writes, sines compared by distance, copies found again."""

import torch
from torch import arange
from torch.nn import functional as F

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp


@check("right, for four sizes.")
def written() -> Cases:
    """Check `written(heads, W_O)`: (head, time, d_k) and (d_model, d_model) to what each writes.

    It is (head, time, d_model). `W_O` is (out, in), as the weight of a `torch.nn.Linear`.

    Source: Vaswani et al. (2017), 3.2.2; Elhage et al. (2021).
    """
    for H, time, d_k in ((3, 5, 4), (2, 3, 2), (4, 4, 1), (1, 2, 5)):
        heads = (7 * ramp(H, time, d_k)).sin()
        W = (5 * ramp(H * d_k, H * d_k)).cos() + ramp(H * d_k, H * d_k)
        own = W.unflatten(1, (H, d_k)).transpose(0, 1)  # (head, d_model, d_k)
        right = heads @ own.mT
        slips = {
            "W_O is (out, in): head h owns d_k of its columns, not rows": (
                heads @ W.unflatten(0, (H, d_k))
            ),
            "head h owns d_k columns side by side, not every num_heads-th": (
                heads @ W.unflatten(1, (d_k, H)).permute(2, 1, 0)
            ),
            "this is the sum; give what each head writes": right.sum(0),
            "time stands before head; swap them": right.transpose(0, 1),
        }
        yield Case(f", {H} heads of {d_k} numbers,", {"heads": heads, "W_O": W}, right, slips)


@check("right, for five distances and sizes.")
def sine_score() -> Cases:
    """Check `sine_score(distance, d_model)`: PE(pos) . PE(pos + distance), without `pos`.

    Source: deck 003; Vaswani et al. (2017), 3.5.
    """
    for distance, d in ((1, 4), (5, 6), (0, 2), (30, 8), (-2, 10)):
        i = arange(d // 2, dtype=torch.float64)
        angle = distance * 10000 ** (-2 * i / d)
        slips = {
            "cos(a - b) = cos a cos b + sin a sin b: take cosines": angle.sin().sum(),
            "it is a sum over the pairs, not their mean": angle.cos().mean(),
            "there are d_model / 2 pairs; each counts once": 2 * angle.cos().sum(),
            "every pair turns as fast as the first; pair i by distance / 10000^(2i / d_model)": (
                (distance + 0 * i).cos().sum()
            ),
            "the exponent is 2i / d_model, not i / d_model": (
                (distance / 10000 ** (i / d)).cos().sum()
            ),
        }
        given = {"distance": distance, "d_model": d}
        yield Case(f" at distance {distance}, d_model = {d}", given, angle.cos().sum(), slips)


@check("right, for five texts.")
def induction_score() -> Cases:
    """Check `induction_score(alpha, ids)`: (query, key) and (time,) to one number.

    The weight of a query on all keys right after an earlier copy of its symbol, as a mean over the
    queries whose symbol stood there before.

    Source: Elhage et al. (2021); Olsson et al. (2022).
    """
    for ids in ("abcabca", "abacabad", "xyzzyx", "aabaa", "badcadbe"):
        n = len(ids)
        text = torch.tensor([*map(ord, ids)]) - ord("a")
        alpha = (3 * (17 * ramp(n, n)).sin()).softmax(-1)
        t = arange(n)
        same = text[:, None] == text  # (query, key)
        copies = same & (t < t[:, None])
        after = F.pad(copies, (1, 0))[:, :-1]
        some = copies.any(1)
        latest = after & (t == (after * t).amax(1, keepdim=True))
        weight = (alpha * after).sum(1)
        slips = {
            "these keys are the copies; take those right after them": (
                (alpha * copies).sum(1)[some].mean()
            ),
            "the mean is over the queries that have an earlier copy, not over all": weight.mean(),
            "add up the weights on all copies, not only on the latest": (
                (alpha * latest).sum(1)[some].mean()
            ),
            "it is a mean over the queries, not a sum": weight.sum(),
            "queries are the rows, keys the columns": (alpha.T * after).sum(1)[some].mean(),
        }
        yield Case(f" in {ids!r}", {"alpha": alpha, "ids": text}, weight[some].mean(), slips)
