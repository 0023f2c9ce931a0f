"""Answers to masked_softmax: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    e = torch.tensor([[1.0, 2.0, 0.5]])
    weights = student(e, torch.tensor([[False, False, True]]))
    return np.allclose(weights, [[0.2689, 0.7311, 0.0]], atol=1e-3)


# %% right: row by row, the hidden words left out
def masked_softmax(e, hidden):
    hidden = hidden.expand_as(e).reshape(-1, e.shape[-1])
    weights = torch.zeros_like(hidden, dtype=e.dtype)
    for row, gone, out in zip(e.reshape(hidden.shape), hidden, weights, strict=True):
        if not gone.all():
            out[~gone] = row[~gone].softmax(dim=0)
    return weights.reshape(e.shape)


# %% right: exponentials after the largest visible score was taken off
def masked_softmax(e, hidden):
    e = torch.where(hidden, -torch.inf, e)
    top = e.amax(dim=-1, keepdim=True)
    grown = torch.exp(e - torch.where(top.isinf(), 0.0, top))
    return grown / grown.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(e.dtype).tiny)


# %% right: with numpy
def masked_softmax(e, hidden):
    hidden = np.broadcast_to(hidden.numpy(), e.shape)
    e = np.where(hidden, -np.inf, e.numpy())
    top = e.max(axis=-1, keepdims=True)
    grown = np.where(hidden, 0.0, np.exp(e - np.where(np.isinf(top), 0.0, top)))
    total = grown.sum(axis=-1, keepdims=True)
    return np.divide(grown, total, out=np.zeros(e.shape), where=total > 0)


# %% right: through the logarithm of the sum
def masked_softmax(e, hidden):
    low = e.masked_fill(hidden, -torch.inf)
    total = low.logsumexp(dim=-1, keepdim=True)
    return (low - total.masked_fill(total.isinf(), 0.0)).exp()


# %% right: in float32
def masked_softmax(e, hidden):
    weights = e.float().masked_fill(hidden, -torch.inf).softmax(dim=-1)
    return weights.nan_to_num(0.0)


# %% wrong: what is hidden still gets weight
def masked_softmax(e, hidden):
    return e.softmax(dim=-1)


# %% wrong: the rows no longer add up to 1: mask before the softmax
def masked_softmax(e, hidden):
    return e.softmax(dim=-1).masked_fill(hidden, 0.0)


# %% wrong: a score of 0 is not a weight of 0: exp(0) is 1
def masked_softmax(e, hidden):
    return e.masked_fill(hidden, 0.0).softmax(dim=-1)


# %% wrong: the softmax runs over the first dimension; it runs over the last
def masked_softmax(e, hidden):
    return e.masked_fill(hidden, -torch.inf).softmax(dim=0).nan_to_num(0.0)


# %% wrong: the mask is the wrong way round
def masked_softmax(e, hidden):
    return e.masked_fill(~hidden, -torch.inf).softmax(dim=-1).nan_to_num(0.0)


# %% wrong: these are masked scores; take their softmax
def masked_softmax(e, hidden):
    return e.masked_fill(hidden, -torch.inf)


# %% wrong: the weights are shared out again by their number
def masked_softmax(e, hidden):
    weights = e.softmax(dim=-1).masked_fill(hidden, 0.0)
    return weights / (~hidden).sum(dim=-1, keepdim=True).clamp(min=1)


# %% wrong: shown, not given back
def masked_softmax(e, hidden):
    print(e.masked_fill(hidden, -torch.inf).softmax(dim=-1))


# %% wrong, subtle: a row that is all hidden is NaN
def masked_softmax(e, hidden):
    return e.masked_fill(hidden, -torch.inf).softmax(dim=-1)


# %% wrong, subtle: a row that is all hidden must be all 0; you spread the weight over it
def masked_softmax(e, hidden):
    return e.masked_fill(hidden, -1e9).softmax(dim=-1)


# %% wrong, subtle: a large number is taken off, and NaN stays NaN
def masked_softmax(e, hidden):
    return (e - 1e9 * hidden).softmax(dim=-1).masked_fill(hidden, 0.0)


# %% wrong, subtle: exp of a large score is infinite
def masked_softmax(e, hidden):
    grown = e.exp().masked_fill(hidden, 0.0)
    return grown / grown.sum(dim=-1, keepdim=True).clamp(min=1e-300)


# %% wrong, subtle: the largest score of all is taken off, hidden ones too
def masked_softmax(e, hidden):
    e = e.nan_to_num(0.0, 0.0, 0.0)
    grown = (e - e.amax(dim=-1, keepdim=True)).exp().masked_fill(hidden, 0.0)
    return grown / grown.sum(dim=-1, keepdim=True).clamp(min=1e-300)


# %% wrong, subtle: the softmax runs over dimension -2; it runs over the last
def masked_softmax(e, hidden):
    dim = min(1, e.dim() - 1)
    return e.masked_fill(hidden, -torch.inf).softmax(dim=dim).masked_fill(hidden, 0.0)


# %% wrong, subtle: something small is added below the line
def masked_softmax(e, hidden):
    low = e.masked_fill(hidden, -torch.inf)
    top = low.amax(dim=-1, keepdim=True).nan_to_num(0.0, 0.0, 0.0)
    grown = (low - top).exp()
    return grown / (grown.sum(dim=-1, keepdim=True) + 1e-5)


# %% wrong, subtle: the scores are changed in place
def masked_softmax(e, hidden):
    e.masked_fill_(hidden, -torch.inf)
    return e.softmax(dim=-1).masked_fill(hidden, 0.0)


# %% wrong, subtle: a score of exactly 0 counts as hidden
def masked_softmax(e, hidden):
    low = e.masked_fill(hidden, 0.0)
    grown = torch.where(low == 0, -torch.inf, low)
    return grown.softmax(dim=-1).nan_to_num(0.0)


# %% wrong, subtle: the largest score is taken over hidden ones as well
def masked_softmax(e, hidden):
    e = e.masked_fill(hidden & ~e.isfinite(), 0.0)
    grown = (e - e.amax(dim=-1, keepdim=True)).exp().masked_fill(hidden, 0.0)
    total = grown.sum(dim=-1, keepdim=True)
    return grown / total.masked_fill(total == 0, 1.0)


# %% wrong, subtle: a row that is all hidden is found by counting, and the mask may be narrower


def masked_softmax(e, hidden):
    none = hidden.sum(-1, keepdim=True) == e.shape[-1]
    a = e.masked_fill(hidden, -torch.inf).softmax(-1)
    return torch.where(none, 0.0, a)
