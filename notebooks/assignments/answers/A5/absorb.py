"""Answers to absorb: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    one = torch.ones(1).double()
    block = torch.tensor([[1.0]]).double(), torch.tensor([[8.0]]).double()
    found = student(one, one.clone(), 4 * one[:, None], *block)
    return all(
        np.allclose(np.asarray(part).reshape(-1), [want], atol=1e-3)
        for part, want in zip(found, (1, 2, 6), strict=True)
    )


# %% right: row by row, key by key
def absorb(top, total, mean, e, v):
    top, total, mean = top.clone(), total.clone(), mean.clone()
    for r in range(len(e)):
        for score, value in zip(e[r], v, strict=True):
            if score == -torch.inf:
                continue
            higher = torch.maximum(top[r], score)
            old = total[r] * torch.exp(top[r] - higher)
            new = torch.exp(score - higher)
            mean[r] = (old * mean[r] + new * value) / (old + new)
            top[r], total[r] = higher, old + new
    return top, total, mean


# %% right: nan is what a row gets that has seen nothing
def absorb(top, total, mean, e, v):
    high = torch.stack([top, e.max(dim=1).values]).max(dim=0).values
    old = torch.nan_to_num((top - high).exp() * total)
    new = torch.nan_to_num((e - high[:, None]).exp())
    both = old + new.sum(dim=1)
    found = (mean * old[:, None] + torch.einsum("rb,bd->rd", new, v)) / both[:, None]
    return high, both, torch.nan_to_num(found)


# %% right: the block alone first, then the two put together
def absorb(top, total, mean, e, v):
    def of_block():
        high = e.amax(dim=1)
        grown = torch.where(e == -torch.inf, 0.0, (e - high[:, None]).exp())
        return high, grown.sum(dim=1), grown @ v

    high, added, summed = of_block()
    top_now = torch.maximum(top, high)
    here = top_now > -torch.inf
    a = torch.where(here, (top - top_now).exp(), 0.0)
    b = torch.where(here, (high - top_now).exp(), 0.0)
    both = a * total + b * added
    sums = (a * total)[:, None] * mean + b[:, None] * summed
    return [top_now, both, torch.where(both[:, None] > 0, sums / both[:, None], 0.0)]


# %% right: what was seen is one more key
def absorb(top, total, mean, e, v):
    high = torch.cat([top[:, None], e], dim=1).amax(dim=1)
    shift = torch.where(high.isinf(), torch.zeros_like(high), high)
    old = total * torch.exp(top - shift)
    parts = torch.cat([old[:, None], torch.exp(e - shift[:, None])], dim=1)
    both = parts.sum(dim=1)
    share = parts / both.clamp(min=1e-30)[:, None]
    return high, both, share[:, :1] * mean + share[:, 1:] @ v


# %% right: with numpy in float32
def absorb(top, total, mean, e, v):
    top, total, mean, e, v = (x.numpy().astype(np.float32) for x in (top, total, mean, e, v))
    high = np.maximum(top, e.max(axis=1))
    base = np.where(np.isinf(high), np.float32(0), high)
    old, new = total * np.exp(top - base), np.exp(e - base[:, None])
    both = old + new.sum(axis=1)
    sums = old[:, None] * mean + new @ v
    return high, both, sums / np.where(both == 0, np.float32(1), both)[:, None]


# %% wrong: this is the largest score of the block alone
def absorb(top, total, mean, e, v):
    high = e.amax(dim=1)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = new.sum(dim=1)
    return high, both, (new @ v / both[:, None]).nan_to_num(0.0)


# %% wrong: old and new mean count half and half, whatever they are made of
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    old = (total * (top - high).exp()).nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = old + new.sum(dim=1)
    fresh = (new @ v / new.sum(dim=1)[:, None]).nan_to_num(0.0)
    started = (total > 0)[:, None]
    met = (new.sum(dim=1) > 0)[:, None]
    halves = torch.where(started & met, (mean + 2 * fresh) / 3, torch.where(met, fresh, mean))
    return high, both, halves


# %% wrong: this is the sum; divide by the total
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    old = (total * (top - high).exp()).nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    return high, old + new.sum(dim=1), old[:, None] * mean + new @ v


# %% wrong: this is the sum of the block alone
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = new.sum(dim=1)
    kept = (top - high).exp().nan_to_num(0.0)
    return high, both, ((kept[:, None] * mean + new @ v) / both[:, None]).nan_to_num(0.0)


# %% wrong: the sum need not be 1: the mean is divided by it
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    old = (total * (top - high).exp()).nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = old + new.sum(dim=1)
    sums = old[:, None] * mean + new @ v
    return high, (both > 0).to(both.dtype), (sums / both[:, None]).nan_to_num(0.0)


# %% wrong: top is the mean of both tops
def absorb(top, total, mean, e, v):
    high = (top + e.amax(dim=1)) / 2 + 1
    old = (total * (top - high).exp()).nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = old + new.sum(dim=1)
    sums = old[:, None] * mean + new @ v
    return high, both, (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: the old sum belongs to the old largest score: scale it to the new one
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = total + new.sum(dim=1)
    sums = total[:, None] * mean + new @ v
    return high, both, (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: the old mean counts as much as the sum says that it was made of
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    kept = (top - high).exp().nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = total * kept + new.sum(dim=1)
    sums = kept[:, None] * mean + new @ v
    return high, both, (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: the factor is turned round
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    old = (total * (high - top).exp()).nan_to_num(0.0, posinf=0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = old + new.sum(dim=1)
    sums = old[:, None] * mean + new @ v
    return high, both, (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: it stays what it was; it rises where the block has a larger score
def absorb(top, total, mean, e, v):
    high = torch.where(top.isinf(), e.amax(dim=1), top)
    old = (total * (top - high).exp()).nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = old + new.sum(dim=1)
    sums = old[:, None] * mean + new @ v
    return high, both, (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: a row that has seen nothing is nan
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    old, new = total * (top - high).exp(), (e - high[:, None]).exp()
    both = old + new.sum(dim=1)
    return high, both, (old[:, None] * mean + new @ v) / both[:, None]


# %% wrong, subtle: exp of the scores themselves is infinite
def absorb(top, total, mean, e, v):
    high = torch.maximum(top, e.amax(dim=1))
    old = total * top.exp()
    new = e.exp()
    both = old + new.sum(dim=1)
    sums = old[:, None] * mean + new @ v
    whole = both / high.exp()
    return high, whole.nan_to_num(0.0), (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: one top for all rows
def absorb(top, total, mean, e, v):
    high = torch.maximum(top.max(), e.max()).expand(len(top))
    old = (total * (top - high).exp()).nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = old + new.sum(dim=1)
    sums = old[:, None] * mean + new @ v
    return high, both, (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: only the first key of the block is taken
def absorb(top, total, mean, e, v):
    e, v = e[:, :1], v[:1]
    high = torch.maximum(top, e.amax(dim=1))
    old = (total * (top - high).exp()).nan_to_num(0.0)
    new = (e - high[:, None]).exp().nan_to_num(0.0)
    both = old + new.sum(dim=1)
    sums = old[:, None] * mean + new @ v
    return high, both, (sums / both[:, None]).nan_to_num(0.0)


# %% wrong, subtle: a hidden key counts a little
def absorb(top, total, mean, e, v):
    e = e.clamp(min=-9.0)
    high = torch.maximum(top, e.amax(dim=1))
    old, new = total * (top - high).exp(), (e - high[:, None]).exp()
    both = old + new.sum(dim=1)
    return high, both, (old[:, None] * mean + new @ v) / both[:, None]


# %% wrong: a block with the same top starts anew


def absorb(top, total, mean, e, v):
    b = e.amax(1)
    nt = torch.maximum(top, b)
    base = nt.masked_fill(nt == -torch.inf, 0)
    old = total * (top - base).exp() * (top != b)
    new = (e - base[:, None]).exp()
    tot = old + new.sum(1)
    return nt, tot, (old[:, None] * mean + new @ v) / tot.masked_fill(tot == 0, 1)[:, None]
