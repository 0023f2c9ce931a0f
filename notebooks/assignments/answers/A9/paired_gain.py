"""Answers to paired_gain: right ones, wrong ones, and a grader that is too weak."""

from itertools import combinations, product

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    gain, _, p = student(torch.tensor([8, 9]), torch.tensor([6, 6]), 10)
    return np.allclose(float(gain), 0.25) and abs(float(p) - 0.5) < 0.2


# %% right: with numpy, patterns as the bits of numbers
def paired_gain(right, control, total):
    more = right.numpy() - control.numpy()
    n = len(more)
    signs = 1 - 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1)
    p = np.mean(np.abs(signs @ more) >= abs(more.sum()))
    return more.mean() / total, more.std(ddof=1) / total / np.sqrt(n), p


# %% right: sums grow draw by draw
def paired_gain(right, control, total):
    more = (right - control).tolist()
    sums = [0]
    for x in more:
        sums = [s + x for s in sums] + [s - x for s in sums]
    far = [abs(s) >= abs(sum(more)) for s in sums]
    shares = torch.tensor(more).double() / total
    return shares.mean(), (shares.var() / len(more)).sqrt(), sum(far) / len(far)


# %% right: half of the patterns, the others are their mirror
def paired_gain(right, control, total):
    more = [int(x) for x in right - control]
    n, mean = len(more), sum(more) / len(more)
    found = [
        abs(more[0] + sum(s * x for s, x in zip(row, more[1:], strict=True)))
        for row in product((1, -1), repeat=n - 1)
    ]
    square = sum((x - mean) ** 2 for x in more) / (n - 1)
    p = sum(x >= abs(sum(more)) for x in found) / len(found)
    return mean / total, square**0.5 / n**0.5 / total, p


# %% right: how many patterns give each sum
def paired_gain(right, control, total):
    more = (right - control).double()
    counts = {0: 1}
    for x in more.long().tolist():
        longer = {}
        for s, ways in counts.items():
            for new in (s + x, s - x):
                longer[new] = longer.get(new, 0) + ways
        counts = longer
    far = sum(ways for s, ways in counts.items() if abs(s) >= abs(more.sum()))
    error = more.std() / total / len(more) ** 0.5
    return torch.stack([more.mean() / total, error, torch.tensor(far / 2 ** len(more))])


# %% wrong: give shares: divide by total
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    return more.mean(), more.std() / len(more) ** 0.5, p


# %% wrong: it is ours minus the control
def paired_gain(right, control, total):
    more = (control - right).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong: this is the deviation of a draw; that of the mean is smaller by the root of n
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / total, p


# %% wrong: the root of n belongs here, not n
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) / total, p


# %% wrong: count the patterns that are as far from 0, not the nearer ones
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() < more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong: give the share of all patterns, not their number
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).sum()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong: what is exactly as far counts: the pattern that was seen is one of them
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() > more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong: a sum as far below 0 counts as well
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = (signs @ more >= more.sum()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong: the draws are pairs: turn the signs of differences, do not mix all numbers
def paired_gain(right, control, total):
    more, mixed = (right - control).double(), torch.cat([right, control]).tolist()
    n, far = len(more), []
    for chosen in combinations(range(2 * n), n):
        apart = 2 * sum(mixed[k] for k in chosen) - sum(mixed)
        far.append(abs(apart) >= abs(more.sum()))
    return more.mean() / total, more.std() / n**0.5 / total, sum(far) / len(far)


# %% wrong, subtle: the draws are pairs: take the deviation of the differences
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    variance = right.double().var() + control.double().var()
    return more.mean() / total, (variance / len(more)).sqrt() / total, p


# %% wrong, subtle: divide by n - 1 in the variance: the mean comes from the same draws
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    return more.mean() / total, more.std(correction=0) / len(more) ** 0.5 / total, p


# %% wrong, subtle: it is the mean of the differences, not their median
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    return more.quantile(0.5) / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong, subtle: one-sided, and doubled
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = 2 * (signs @ more >= more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong, subtle: the signs alone are counted, not how large the differences are
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more.sign()).abs() >= more.sign().sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong, subtle: draws without a difference are left out
def paired_gain(right, control, total):
    more = (right - control).double()
    more = more[more != 0]
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong, subtle: 100 patterns are drawn, not all taken
def paired_gain(right, control, total):
    more = (right - control).double()
    draw = torch.Generator().manual_seed(0)
    signs = 2.0 * torch.randint(2, (100, len(more)), generator=draw) - 1
    p = ((signs.double() @ more).abs() >= more.sum().abs()).double().mean()
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p


# %% wrong, subtle: as far as nothing, p is 0
def paired_gain(right, control, total):
    more = (right - control).double()
    signs = torch.tensor([*product((1.0, -1.0), repeat=len(more))]).double()
    p = ((signs @ more).abs() >= more.sum().abs()).double().mean()
    p = p if more.sum() else 0.0
    return more.mean() / total, more.std() / len(more) ** 0.5 / total, p
