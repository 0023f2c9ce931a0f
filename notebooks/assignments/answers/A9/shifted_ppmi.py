"""Answers to shifted_ppmi: right ones, wrong ones, and a grader that is too weak."""

import math

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    X = torch.tensor([[1.0, 6.0], [6.0, 3.0]])
    return np.allclose(student(X, 1, 1.0), [[0.0, 0.4212], [0.4212, 0.0]], atol=1e-3)


# %% right: logarithms from the start
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0).log() * power
    noise = noise - noise.logsumexp(dim=0)
    gain = X.log() - X.sum(dim=1, keepdim=True).log() - noise - math.log(k)
    return gain.nan_to_num(nan=0.0).clamp(min=0)


# %% right: pair by pair
def shifted_ppmi(X, k, power):
    n = X.sum(dim=0).pow(power)
    found = torch.zeros_like(X)
    for i, j in X.nonzero().tolist():
        ratio = (X[i, j] / X[i].sum()) / (k * n[j] / n.sum())
        found[i, j] = max(0.0, math.log(ratio))
    return found


# %% right: at least 1 before the logarithm
def shifted_ppmi(X, k, power):
    chance = (X / X.sum(dim=1, keepdim=True)).nan_to_num(nan=0.0)
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = (chance / noise / k).nan_to_num(nan=0.0)
    return ratio.clamp(min=1.0).log()


# %% right: with numpy, shares to the power
def shifted_ppmi(X, k, power):
    p = X.numpy() / X.numpy().sum()
    q = p.sum(axis=0) ** power
    with np.errstate(divide="ignore", invalid="ignore"):
        M = np.log(p) - np.log(np.outer(p.sum(axis=1), q / q.sum())) - np.log(k)
    return np.where(p > 0, np.maximum(M, 0), 0)


# %% wrong: log k is missing
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise
    return torch.where(X > 0, ratio.log(), 0.0).clamp(min=0)


# %% wrong: log k is taken off, not k
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise
    return torch.where(X > 0, ratio.log() - k, 0.0).clamp(min=0)


# %% wrong: what is below 0 becomes 0
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise
    return torch.where(X > 0, ratio.log() - math.log(k), 0.0)


# %% wrong: these are ratios; take their log
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise / k
    return torch.where(X > 0, ratio, 0.0)


# %% wrong: these are logs to base 2
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise / k
    return torch.where(X > 0, ratio.log2(), 0.0).clamp(min=0)


# %% wrong: the counts themselves are compared with the noise
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    return torch.where(X > 0, (X / noise / k).log(), 0.0).clamp(min=0)


# %% wrong, subtle: the noise is the neighbours' shares to the power; the power is missing
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) / X.sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise / k
    return torch.where(X > 0, ratio.log(), 0.0).clamp(min=0)


# %% wrong, subtle: the centre's share has the power too; only the noise has it
def shifted_ppmi(X, k, power):
    near, center = X.sum(dim=0) ** power, X.sum(dim=1, keepdim=True) ** power
    ratio = X / X.sum() / (center / center.sum()) / (near / near.sum()) / k
    return torch.where(X > 0, ratio.log(), 0.0).clamp(min=0)


# %% wrong, subtle: the power belongs to the neighbours, the columns, not to the centres
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=1, keepdim=True) ** power
    ratio = X / X.sum(dim=0) / (noise / noise.sum()) / k
    return torch.where(X > 0, ratio.log(), 0.0).clamp(min=0)


# %% wrong, subtle: the noise does not add up to 1: divide by the sum after the power
def shifted_ppmi(X, k, power):
    noise = (X.sum(dim=0) / X.sum()) ** power
    ratio = X / X.sum(dim=1, keepdim=True) / noise / k
    return torch.where(X > 0, ratio.log(), 0.0).clamp(min=0)


# %% wrong, subtle: what is below 0 becomes 0 last, after log k was taken off
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise
    return torch.where(X > 0, ratio.log(), 0.0).clamp(min=0) - math.log(k)


# %% wrong, subtle: a word that never came makes 0 divided by 0
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise / k
    return ratio.log().clamp(min=0)


# %% wrong, subtle: a little is added to each count, so that no log is infinite
def shifted_ppmi(X, k, power):
    X = X + 1e-4
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    return (X / X.sum(dim=1, keepdim=True) / noise / k).log().clamp(min=0)


# %% wrong, subtle: the rows are taken for the columns, as if X were symmetric
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=1) ** power / (X.sum(dim=1) ** power).sum()
    ratio = X / X.sum(dim=1, keepdim=True) / noise / k
    return torch.where((X > 0) & (noise > 0), ratio.log(), 0.0).clamp(min=0)


# %% wrong, subtle: X is changed in place
def shifted_ppmi(X, k, power):
    noise = X.sum(dim=0) ** power / (X.sum(dim=0) ** power).sum()
    X /= X.sum(dim=1, keepdim=True)
    return torch.where(X > 0, (X / noise / k).log(), 0.0).clamp(min=0)
