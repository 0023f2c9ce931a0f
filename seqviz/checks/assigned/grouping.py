"""Checks of assignment A5: heads that share keys and values, and a softmax in blocks."""

from contextlib import contextmanager

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.holding import holding
from seqviz.checks.verdict import Refused, ramp


def late(steps: int, time: int) -> Tensor:
    """(steps, time), True where a key comes after the query; the last query is at the last key."""
    return torch.ones(steps, time).tril(time - steps) == 0


@check("right for 4 sets of heads.")
def grouped_attention() -> Cases:
    """Check `grouped_attention(q, k, v) -> (out, weights)`: heads that share keys and values.

    `q` is (batch, heads, steps, d_k), `k` (batch, groups, time, d_k), `v` (batch, groups, time,
    d_v). The queries are the last `steps` positions; none attends to a later one.

    Source: Ainslie et al. (2023), figure 2; with one group Shazeer (2019).
    """
    for batch, heads, groups, steps, time, d_k, d_v in (
        (2, 6, 2, 4, 4, 3, 5),
        (1, 4, 1, 1, 5, 2, 3),
        (3, 2, 2, 2, 6, 4, 1),
        (2, 6, 3, 3, 5, 5, 2),
    ):
        q = 2 * (5 * ramp(batch, heads, steps, d_k)).sin()
        k = 2 * (13 * ramp(batch, groups, time, d_k, low=-0.8)).cos()
        v = (17 * ramp(batch, groups, time, d_v, low=-0.6)).sin()
        each = heads // groups
        in_turn, values = v.repeat(1, each, 1, 1), v.repeat_interleave(each, dim=1)
        hidden = late(steps, time)
        e = q @ k.repeat_interleave(each, dim=1).mT / d_k**0.5

        def weights(scores: Tensor = e, gone: Tensor = hidden, dim: int = -1) -> Tensor:
            return scores.masked_fill(gone, -torch.inf).softmax(dim=dim).nan_to_num(0.0)

        a = weights()
        out = a @ values
        of_weights = {
            "the groups are taken in turn; neighbouring heads share one": (
                weights(q @ k.repeat(1, each, 1, 1).mT / d_k**0.5)
            ),
            "later words get weight: the causal mask is missing": e.softmax(dim=-1),
            "the mask counts from the first key; the last query is at the last key": (
                weights(gone=torch.ones(steps, time).tril() == 0)
            ),
            "the scores are not divided by the root of d_k": weights(e * d_k**0.5),
            "the scores are divided by d_k; by its root": weights(e / d_k**0.5),
            "the scores are divided by the root of all heads' sizes": weights(e / heads**0.5),
            "the softmax runs over the queries; it runs over the keys": weights(dim=-2),
            "these are the scores; take their softmax": e.masked_fill(hidden, -torch.inf),
            "the rows no longer add up to 1: mask before the softmax": (
                e.softmax(dim=-1).masked_fill(hidden, 0.0)
            ),
            "the mask is the wrong way round": (
                weights(gone=torch.ones(steps, time).triu(time - steps) == 0)
            ),
        }
        of_out = {
            "the values of another group are read": a @ in_turn,
            "these are the plain means of the values": values.mean(2, keepdim=True).expand_as(out),
        }
        said = {
            "zero": {"weights": "a later key gets a little; it must be exactly 0."},
            "nan": {
                "weights": "does a query see no key at all? It may attend to its own position."
            },
        }
        asked = f", heads {heads}, groups {groups}, queries {steps}, keys {time},"
        right, given = {"out": out, "weights": a}, {"q": q, "k": k, "v": v}
        slips = by_part({"weights": of_weights, "out": of_out})
        yield Case(asked, given, right, slips, "weights, out", **said)


@check("right for 5 streams of keys, block by block.")
def absorb() -> Cases:
    """Check `absorb(top, total, mean, e, v) -> (top, total, mean)`: a softmax, block by block.

    `top` and `total` are (rows,), `mean` (rows, d_v), `e` (rows, block), `v` (block, d_v). Each
    step starts from what was right before.

    Source: Milakov and Gimelshein (2018), algorithm 3; Dao et al. (2022), algorithm 1.
    """
    for name, e, v, sizes in _streams():
        zero, at = torch.zeros(len(e)).double(), 0
        before = {"top": zero - torch.inf, "total": zero, "mean": torch.zeros(len(e), v.shape[1])}
        before["mean"] = before["mean"].double()
        for size in sizes:
            given = before | {"e": e[:, at : at + size], "v": v[at : at + size]}
            at += size
            right, slips = _seen(e[:, :at], v[:at]), _absorbed(**given)
            nan = "-inf minus -inf, or 0 times inf."
            if e[:, :at].isinf().all(dim=1).any():
                nan = "a row that has seen nothing yet keeps -inf, 0 and 0."
            asked = f", {name}, keys {at - size} to {at - 1},"
            yield Case(asked, given, right, by_part(slips), nan=dict.fromkeys(right, nan))
            before = right


@check("right for 4 streams, each block read once and none held.")
def in_blocks() -> Cases:
    """Check `in_blocks(q, read, count)`: attention over keys that come block by block.

    `q` is (rows, d_k); `read(i)` gives k (block, d_k) and v (block, d_v) of block i of `count`. Of
    what is read between two places, at most a quarter may still be held at the second one.
    """
    for name, rows, block, count, d_k, d_v, far in (
        ("5 blocks of 4 keys", 3, 4, 5, 2, 6, 2.0),
        ("a single block", 1, 3, 1, 4, 2, 2.0),
        ("scores up to 1000", 4, 1, 6, 1, 5, 1000.0),
        ("32 blocks of 1 MB", 2, 2, 32, 2**15, 2**15, 0.1),
    ):
        q = far * (5 * ramp(rows, d_k, low=-0.9)).sin()
        k = (13 * ramp(count * block, d_k, low=-0.7)).cos()
        v = (17 * ramp(count * block, d_v, low=-0.6)).sin()
        asked, reads, held, bytes_now = f", {name},", [], [], [int]
        start = 1 + count // 3

        def read(i):
            if not isinstance(i, int) or not 0 <= i < count:
                raise Refused(f"in_blocks{asked} reads block {i!r}, there are 0 to {count - 1}.")
            reads.append(i)
            if len(reads) in (start, count):
                held.append(bytes_now[0]())
            at = slice(i * block, (i + 1) * block)
            return k[at].clone(), v[at].clone()

        @contextmanager
        def around(student):
            reads.clear()
            held.clear()
            with holding(student) as bytes_now[0]:
                yield

        def whole(answer):
            again = [i for i in range(count) if reads.count(i) != 1]
            if reads and again:
                told = f"reads block {again[0]} {reads.count(again[0])} times; each once"
                raise Refused(f"in_blocks{asked} {told}.")
            size = 8 * block * (d_k + d_v) * (count - start)
            if held and size > 2**24 and held[-1] - held[0] > size / 4:
                grown = f"{(held[-1] - held[0]) / 2**20:.0f} of {size / 2**20:.0f} MB"
                told = "keep top, total and mean alone"
                raise Refused(f"in_blocks{asked} still holds {grown} that it has read: {told}.")
            return answer

        nan = "exp of a large score is inf: take the largest score so far off."
        e, given = q @ k.T, {"q": q, "read": read, "count": count}
        right = (e / d_k**0.5).softmax(dim=1) @ v
        slips = _joined(e, v, block, d_k) if d_v < 100 else {}
        yield Case(asked, given, right, slips, nan=nan, read=whole, around=around)


def _joined(e: Tensor, v: Tensor, block: int, d_k: int) -> dict[str, Tensor]:
    """What a slip makes of all blocks."""
    parts = zip((e / d_k**0.5).split(block, dim=1), v.split(block), strict=True)
    means = torch.stack([scores.softmax(dim=1) @ values for scores, values in parts])
    return {
        "the scores are not divided by the root of d_k": e.softmax(dim=1) @ v,
        "the scores are divided by d_k; by its root": (e / d_k).softmax(dim=1) @ v,
        "this is the mean over the blocks; their totals say what each counts": means.mean(dim=0),
        "this is the last block alone": means[-1],
        "the blocks' means are added up; they share one softmax": means.sum(dim=0),
        "this is the plain mean of the values": v.mean(dim=0).expand(len(e), -1),
    }


def _seen(e: Tensor, v: Tensor) -> dict[str, Tensor]:
    """Largest score, sum and mean of all keys so far, in one go."""
    m = e.amax(dim=1)
    grown = torch.where(e == -torch.inf, 0.0, (e - m[:, None]).exp())
    total = grown.sum(dim=1)
    return {"top": m, "total": total, "mean": (grown @ v / total[:, None]).nan_to_num(0.0)}


def _absorbed(top: Tensor, total: Tensor, mean: Tensor, e: Tensor, v: Tensor) -> dict:
    """What a slip makes of top, total and mean."""
    block = e.amax(dim=1)
    higher = torch.maximum(top, block)
    keep = (top - higher).exp().nan_to_num(0.0)
    grown = (e - higher[:, None]).exp().nan_to_num(0.0)
    own = grown.sum(dim=1)
    both = total * keep + own
    return {
        "top": {
            "this is the largest score of the block alone": block,
            "it stays what it was; it rises where the block has a larger score": (
                torch.where(top.isinf(), block, top)
            ),
        },
        "total": {
            "the old sum belongs to the old largest score: scale it to the new one": total + own,
            "this is the sum of the block alone": own,
            "the sum holds exp(e - top), not exp(e)": total + e.exp().sum(dim=1),
            "the sum need not be 1: the mean is divided by it": torch.ones_like(total),
        },
        "mean": {
            "this is the sum; divide by the total": (total * keep)[:, None] * mean + grown @ v,
            "the old mean counts as much as the sum says that it was made of": (
                (keep[:, None] * mean + grown @ v) / both[:, None]
            ),
            "the old part is not scaled to the new largest score": (
                (total[:, None] * mean + grown @ v) / (total + own)[:, None]
            ),
            "this is the mean of the block alone": grown @ v / own[:, None],
            "old and new mean do not count half and half": (mean + grown @ v / own[:, None]) / 2,
        },
    }


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
