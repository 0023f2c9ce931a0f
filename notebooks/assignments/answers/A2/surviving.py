"""Answers to surviving: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    f = torch.tensor([0.9, 0.5, 0.5]).reshape(3, 1, 1)
    left = torch.as_tensor(student(f, torch.tensor([3]))).flatten().double()
    return torch.allclose(left, torch.tensor([0.25, 0.5, 1.0]).double())


# %% right: sentence by sentence, word by word
def surviving(f, lengths):
    found = torch.zeros_like(f)
    for k in range(f.shape[1]):
        for t in range(int(lengths[k])):
            share = torch.ones_like(f[0, k])
            for later in range(t + 1, int(lengths[k])):
                share = share * f[later, k]
            found[t, k] = share
    return found


# %% right: a running product of the turned gates
def surviving(f, lengths):
    real = (torch.arange(f.shape[0])[:, None] < lengths)[:, :, None]
    later = torch.cat([torch.where(real, f, 1.0)[1:], torch.ones_like(f[:1])])
    return torch.flip(torch.cumprod(torch.flip(later, [0]), 0), [0]) * real


# %% right: all pairs of words at once, with prod
def surviving(f, lengths):
    t = torch.arange(len(f))
    counts = (t > t[:, None])[:, :, None] & (t[:, None] < lengths)
    pairs = torch.where(counts[:, :, :, None], f, 1.0)
    return pairs.prod(dim=1) * (t[:, None] < lengths)[:, :, None]


# %% right: sums of logs, a closed gate is minus infinity
def surviving(f, lengths):
    time, rows = f.shape[0], []
    real = (torch.arange(time)[:, None] < lengths).unsqueeze(2)
    logs = f.log().masked_fill(~real, 0.0)
    for t in range(time):
        rows.append(logs[t + 1 :].sum(dim=0).exp())
    return torch.stack(rows).masked_fill(~real, 0.0)


# %% right: numpy in float32
def surviving(f, lengths):
    f, lengths = f.numpy().astype(np.float32), lengths.numpy()
    found = np.zeros_like(f)
    for k, n in enumerate(lengths):
        if n:
            later = np.concatenate([f[1:n, k], np.ones_like(f[:1, k])])
            found[:n, k] = np.cumprod(later[::-1], axis=0)[::-1]
    return found


# %% wrong: the word's own f is counted; it scales what came before
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        left = torch.where(real, left * f[t], left)
        shares.append(left * real)
    return torch.stack(shares[::-1])


# %% wrong: the shares are upside down: the last word stands in front
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares)


# %% wrong: the products run from the front
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in range(len(f)):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares)


# %% wrong: this is the share that is lost
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append((1 - left) * real)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])


# %% wrong: the f are added up; shares of shares are multiplied
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left + f[t], left)
    return torch.stack(shares[::-1])


# %% wrong: the mean of the later f is taken
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    mean = [f[t + 1 :].mean(dim=0) for t in range(len(f) - 1)]
    return torch.stack([*mean, torch.ones_like(f[0])])


# %% wrong: only what is left of the first word is given
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    return shares[-1]


# %% wrong, subtle: the f of padding are counted
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = left * f[t]
    return torch.stack(shares[::-1])


# %% wrong, subtle: padding holds nothing, 0
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: only the next f counts
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, f[t] * (1 if t > 1 else left), left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: f at padding is taken for 0
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = left * f[t] * real
    return torch.stack(shares[::-1])


# %% wrong, subtle: the product of all is divided by that of the front
def surviving(f, lengths):
    real = (torch.arange(len(f))[:, None] < lengths)[:, :, None]
    front = torch.where(real, f, 1.0).cumprod(dim=0)
    return front[-1] / front * real


# %% wrong, subtle: all sentences end with the longest here
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths.max() + 0 * lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: one word of padding is counted
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t <= lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: the last word is left out
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * (t < lengths - (lengths < len(f)).long())[:, None])
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: the mean over the units is given
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append((left * real).mean(dim=1, keepdim=True).expand_as(left))
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: a closed gate is skipped
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t].where(f[t] > 0, 1.0), left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: a closed gate is a little open
def surviving(f, lengths):
    f = f + 1e-8
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None]
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])


# %% wrong, subtle: a gate of 1 is taken for padding
def surviving(f, lengths):
    shares, left = [], torch.ones_like(f[0])
    for t in reversed(range(len(f))):
        real = (t < lengths)[:, None] & (f[t] < 1)
        shares.append(left * real)
        left = torch.where(real, left * f[t], left)
    return torch.stack(shares[::-1])
