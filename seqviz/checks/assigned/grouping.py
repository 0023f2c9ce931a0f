"""Checks of assignment A5: heads that share keys and values, and a softmax in blocks."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, holds_nan, parts
from seqviz.checks.verdict import Refused, Verdict, check, ramp


def late(steps: int, time: int) -> Tensor:
    """(steps, time), True where a key comes after the query; the last query is at the last key."""
    return torch.ones(steps, time).tril(time - steps) == 0


@check
def grouped_attention(student: Callable) -> Verdict:
    """Check `grouped_attention(q, k, v) -> (out, weights)`: heads that share keys and values.

    `q` is (batch, heads, steps, d_k), `k` (batch, groups, time, d_k), `v` (batch, groups, time,
    d_v). The queries are the last `steps` positions; none attends to a later one.

    Source: Ainslie et al. (2023), figure 2; with one group Shazeer (2019).
    """
    for batch, heads, groups, steps, time, d_k, d_v in GROUPED:
        q = 2 * (5 * ramp(batch, heads, steps, d_k)).sin()
        k = 2 * (13 * ramp(batch, groups, time, d_k, low=-0.8)).cos()
        v = (17 * ramp(batch, groups, time, d_v, low=-0.6)).sin()
        each = heads // groups
        wide, values = (x.repeat_interleave(each, dim=1) for x in (k, v))
        hidden = late(steps, time)
        e = q @ wide.mT / d_k**0.5

        def weights(scores: Tensor, gone: Tensor = hidden) -> Tensor:
            return scores.masked_fill(gone, -torch.inf).softmax(dim=-1)

        right = weights(e)
        other = q @ k.repeat(1, each, 1, 1).mT / d_k**0.5
        wrong = {
            "the groups are taken in turn; neighbouring heads share one": weights(other),
            "later words get weight: the causal mask is missing": e.softmax(dim=-1),
            "the mask counts from the first key; the last query is at the last key": (
                weights(e, torch.ones(steps, time).tril() == 0)
            ),
            "the scores are not divided by the root of d_k": weights(e * d_k**0.5),
            "the scores are divided by d_k; by its root": weights(e / d_k**0.5),
            "the scores are divided by the root of all heads' sizes": weights(e / heads**0.5),
            "the softmax runs over the queries; it runs over the keys": (
                e.masked_fill(hidden, -torch.inf).softmax(dim=-2).nan_to_num(0.0)
            ),
            "these are the scores; take their softmax": e.masked_fill(hidden, -torch.inf),
        }
        wrong["the rows no longer add up to 1: mask before the softmax"] = e.softmax(
            dim=-1
        ).masked_fill(hidden, 0.0)
        wrong["the mask is the wrong way round"] = weights(
            e, torch.ones(steps, time).triu(time - steps) == 0
        )
        asked = f"heads {heads}, groups {groups}, queries {steps}, keys {time},"
        answer = call(student, q=q, k=k, v=v)
        out, found = parts("grouped_attention", answer, "out, weights")
        if holds_nan(found):
            raise Refused(
                f"grouped_attention, {asked} holds nan: does a query see no key at all? It may "
                "attend to its own position."
            )
        named = f"grouped_attention's weights (the second tensor), {asked}"
        values_of = compare(named, found, right, wrong)
        if (values_of[hidden.expand_as(e)] != 0).any():
            raise Refused(
                f"grouped_attention, {asked} a later key gets a little; it must be exactly 0."
            )
        wrong = {
            "the values of another group are read": right @ v.repeat(1, each, 1, 1),
            "these are the plain means of the values": values.mean(dim=2, keepdim=True).expand(
                batch, heads, steps, d_v
            ),
        }
        asked = f"grouped_attention's output (the first tensor), {asked}"
        compare(asked, out, right @ values, wrong)
    return Verdict(True, f"grouped_attention: right for {len(GROUPED)} sets of heads.")


GROUPED = (  # batch, heads, groups, steps, time, d_k, d_v
    (2, 6, 2, 4, 4, 3, 5),
    (1, 4, 1, 1, 5, 2, 3),
    (3, 2, 2, 2, 6, 4, 1),
    (2, 6, 3, 3, 5, 5, 2),
)


@check
def absorb(student: Callable) -> Verdict:
    """Check `absorb(top, total, mean, e, v) -> (top, total, mean)`: a softmax, block by block.

    `top` and `total` are (rows,), `mean` (rows, d_v), `e` (rows, block), `v` (block, d_v). Each
    step starts from what was right before.

    Source: Milakov and Gimelshein (2018), algorithm 3; Dao et al. (2022), algorithm 1.
    """
    for name, e, v, sizes in _streams():
        rows, at = len(e), 0
        before = [torch.full((rows,), -torch.inf).double(), torch.zeros(rows).double()]
        before.append(torch.zeros(rows, v.shape[1]).double())
        for size in sizes:
            block = {"e": e[:, at : at + size], "v": v[at : at + size]}
            so_far = dict(zip(("top", "total", "mean"), before, strict=True))
            answer = call(student, **so_far, **block)
            at += size
            right = _seen(e[:, :at], v[:at])
            found = parts("absorb", answer, "top, total, mean")
            wrong = _absorbed(before, **block)
            for place, part in enumerate(so_far):
                asked = f"absorb's {part}, {name}, keys {at - size} to {at - 1},"
                got = found[place]
                if holds_nan(got):
                    raise Refused(f"{asked} holds nan: {_nan_cause(e[:, :at])}.")
                compare(asked, got, right[place], wrong[place])
            before = right
    return Verdict(True, f"absorb: right for {len(_streams())} streams of keys, block by block.")


def _nan_cause(e: Tensor) -> str:
    if e.isinf().all(dim=1).any():
        return "a row that has seen nothing yet keeps -inf, 0 and 0"
    return "-inf minus -inf, or 0 times inf"


def _seen(e: Tensor, v: Tensor) -> list[Tensor]:
    """Largest score, sum and mean of all keys so far, in one go."""
    m = e.amax(dim=1)
    grown = torch.where(e == -torch.inf, 0.0, (e - m[:, None]).exp())
    total = grown.sum(dim=1)
    return [m, total, (grown @ v / total[:, None]).nan_to_num(0.0)]


def _absorbed(before: list[Tensor], e: Tensor, v: Tensor) -> list[dict[str, Tensor]]:
    """For top, total and mean what a slip makes of them."""
    old_top, old_total, old_mean = before
    block = e.amax(dim=1)
    top = torch.maximum(old_top, block)
    keep = (old_top - top).exp().nan_to_num(0.0)
    grown = (e - top[:, None]).exp().nan_to_num(0.0)
    total = old_total * keep + grown.sum(dim=1)
    summed = (old_total * keep)[:, None] * old_mean + grown @ v
    return [
        {
            "this is the largest score of the block alone": block,
            "it stays what it was; it rises where the block has a larger score": torch.where(
                old_top.isinf(), block, old_top
            ),
        },
        {
            "the old sum belongs to the old largest score: scale it to the new one": (
                old_total + grown.sum(dim=1)
            ),
            "this is the sum of the block alone": grown.sum(dim=1),
            "the sum holds exp(e - top), not exp(e)": old_total + e.exp().sum(dim=1),
            "the sum need not be 1: the mean is divided by it": torch.ones_like(total),
        },
        {
            "this is the sum; divide by the total": summed,
            "the old mean counts as much as the sum says that it was made of": (
                (keep[:, None] * old_mean + grown @ v) / total[:, None]
            ),
            "the old part is not scaled to the new largest score": (
                (old_total[:, None] * old_mean + grown @ v)
                / (old_total + grown.sum(dim=1))[:, None]
            ),
            "this is the mean of the block alone": grown @ v / grown.sum(dim=1)[:, None],
            "old and new mean do not count half and half": (
                (old_mean + grown @ v / grown.sum(dim=1)[:, None]) / 2
            ),
        },
    ]


def _streams() -> list[tuple[str, Tensor, Tensor, tuple[int, ...]]]:
    """(name, scores, values, sizes of the blocks) of each case."""
    e, v = 3 * (8 * ramp(4, 7)).sin(), (5 * ramp(7, 3, low=-0.7)).cos()
    holes = (2 * (6 * ramp(3, 6)).cos()).masked_fill(late(3, 6) | (ramp(3, 6) < -0.6), -torch.inf)
    large = (1000 * (4 * ramp(2, 5)).sin()).round()
    return [
        ("4 rows, blocks of 3, 3 and 1", e, v, (3, 3, 1)),
        ("hidden scores, a row that sees nothing at first", holes, v[:6, :1], (2, 2, 2)),
        ("scores up to 1000", large, v[:5], (1, 2, 2)),
        ("scores of which many are equal", e.round() - 900, v, (2, 4, 1)),
        ("one row", ramp(1, 3, low=2, high=-2), v[:3], (1, 1, 1)),
    ]
