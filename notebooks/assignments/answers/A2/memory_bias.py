"""Answers to memory_bias: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    return torch.allclose(torch.as_tensor(student(torch.ones(1))).flatten().float(), torch.zeros(4))


# %% right: unit by unit, with plain numbers
def memory_bias(half_life):
    b, n = torch.zeros(4 * len(half_life), dtype=half_life.dtype), len(half_life)
    for unit, k in enumerate(half_life.tolist()):
        b[n + unit] = -np.log(2 ** (1 / k) - 1)
        b[unit] = -b[n + unit]
    return b


# %% right: by logit and logs
def memory_bias(half_life):
    f = torch.exp(-np.log(2) / half_life)
    return torch.hstack([torch.logit(1 - f), torch.logit(f), torch.zeros(2 * len(f)).to(f)])


# %% right: with expm1 in float32
def memory_bias(half_life):
    i_block = torch.log(torch.expm1(np.log(2) / half_life.float()))
    return torch.cat([i_block, -i_block, torch.zeros(2 * len(i_block))])


# %% right: with numpy
def memory_bias(half_life):
    f = np.power(0.5, 1 / half_life.numpy())
    keep = np.log(f) - np.log1p(-f)
    return np.concatenate([-keep, keep, np.zeros(2 * len(f))])


# %% wrong: this f leaves 1/e after k steps; one half is wanted
def memory_bias(half_life):
    f = torch.exp(-1 / half_life)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong: these are the gates' values; the bias is what the sigmoid makes them of
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = f
    zero = torch.zeros_like(keep)
    return torch.cat([1 - keep, keep, zero, zero])


# %% wrong: this is the forget gate's block alone; give all four
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f))
    return keep


# %% wrong: a sigmoid of 0 is one half: g and o have a bias of 0
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero + 0.5, zero + 0.5])


# %% wrong: f is 1 - 1/k here: then about 1/e is left after k steps
def memory_bias(half_life):
    f = 1 - 1 / half_life
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong: the sigmoid is turned round without 1 - f
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f)
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: you gave the blocks as f, i, g, o; i, f, g, o is wanted
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([keep, -keep, zero, zero])


# %% wrong, subtle: the input gate has the forget gate's bias; i is 1 - f
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([keep, keep, zero, zero])


# %% wrong, subtle: the input gate's bias is missing
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([zero, keep, zero, zero])


# %% wrong, subtle: this f leaves one half to the k after one step
def memory_bias(half_life):
    f = 0.5**half_life
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: f is multiplied k times: f^k is one half, not k·f
def memory_bias(half_life):
    f = (0.5 / half_life).clamp(max=1 - 1e-6)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: the half is not lost in k equal parts: each step takes a share of what is left
def memory_bias(half_life):
    f = 1 - 0.5 / half_life
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: the units alternate; a block holds one gate of all units
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.stack([-keep, keep, zero, zero], dim=1).flatten()


# %% wrong, subtle: all units get the first one's half-life
def memory_bias(half_life):
    f = (0.5 ** (1 / half_life[:1])).expand(len(half_life))
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: half-lives are rounded to whole steps
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life.round().clamp(min=1))
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: no bias is below 0, a unit keeps at least one half
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f)).clamp(min=0)
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: the blocks f and o have a bias
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, keep])


# %% wrong, subtle: the log is the natural one
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.log2(f / (1 - f))
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])


# %% wrong, subtle: the gates are kept a little away from 0 and 1
def memory_bias(half_life):
    f = 0.5 ** (1 / half_life)
    keep = torch.logit(f, eps=1e-6)
    zero = torch.zeros_like(keep)
    return torch.cat([-keep, keep, zero, zero])
