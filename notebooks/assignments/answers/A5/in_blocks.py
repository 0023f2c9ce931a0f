"""Answers to in_blocks: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    q, k = torch.zeros(1, 1).double(), torch.zeros(1, 1).double()
    found = student(q, lambda i: (k, torch.tensor([[2.0 + 2 * i]]).double()), 2)
    return np.allclose(np.asarray(found), 3)


# %% right: block by block, without absorb
def in_blocks(q, read, count):
    top, total, summed = torch.full((len(q), 1), -torch.inf).double(), 0.0, 0.0
    for i in range(count):
        k, v = read(i)
        e = q @ k.T / k.shape[1] ** 0.5
        high = torch.maximum(top, e.amax(dim=1, keepdim=True))
        grown, keep = (e - high).exp(), (top - high).exp()
        top, total = high, total * keep + grown.sum(dim=1, keepdim=True)
        summed = summed * keep + grown @ v
    return summed / total


# %% right: from the last block to the first, the first one read starts
def in_blocks(q, read, count):
    k, v = read(count - 1)
    e = q @ k.T / q.shape[1] ** 0.5
    top = e.amax(dim=1)
    grown = (e - top[:, None]).exp()
    total = grown.sum(dim=1)
    mean = grown @ v / total[:, None]
    for i in reversed(range(count - 1)):
        k, v = read(i)
        top, total, mean = absorb(top, total, mean, q @ k.T / q.shape[1] ** 0.5, v)
    return mean


# %% right: row by row, key by key
def in_blocks(q, read, count):
    state = [(-torch.inf, 0.0, 0.0) for _ in q]
    for i in range(count):
        for key, value in zip(*read(i), strict=True):
            for r, (top, total, mean) in enumerate(state):
                score = (q[r] @ key).item() / len(key) ** 0.5
                high = max(top, score)
                old, new = total * np.exp(top - high), np.exp(score - high)
                state[r] = high, old + new, (old * mean + new * value) / (old + new)
    return torch.stack([mean for _, _, mean in state])


# %% right: with numpy, means joined by the log of their totals
def in_blocks(q, read, count):
    log, mean = np.full((len(q), 1), -np.inf), 0.0
    for i in range(count):
        k, v = (x.numpy() for x in read(i))
        e = q.numpy() @ k.T / np.sqrt(k.shape[1])
        high = e.max(axis=1, keepdims=True)
        own = high + np.log(np.exp(e - high).sum(axis=1, keepdims=True))
        both = np.logaddexp(log, own)
        mean = np.exp(log - both) * mean + np.exp(e - both) @ v
        log = both
    return mean


# %% wrong: the scores are not divided by the root of d_k
def in_blocks(q, read, count):
    top, total, mean = torch.full((len(q),), -torch.inf), torch.zeros(len(q)), torch.zeros(1, 1)
    for i in range(count):
        k, v = read(i)
        top, total, mean = absorb(top, total, mean, q @ k.T, v)
    return mean


# %% wrong: this is the mean over the blocks; their totals say what each counts
def in_blocks(q, read, count):
    mean = 0.0
    for i in range(count):
        k, v = read(i)
        mean = mean + (q @ k.T / q.shape[1] ** 0.5).softmax(dim=1) @ v / count
    return mean


# %% wrong: this is the last block alone
def in_blocks(q, read, count):
    for i in range(count):
        k, v = read(i)
        out = (q @ k.T / q.shape[1] ** 0.5).softmax(dim=1) @ v
    return out


# %% wrong: the last block is not read
def in_blocks(q, read, count):
    top, total, mean = torch.full((len(q),), -torch.inf), torch.zeros(len(q)), torch.zeros(1, 1)
    for i in range(max(1, count - 1)):
        k, v = read(i)
        top, total, mean = absorb(top, total, mean, q @ k.T / q.shape[1] ** 0.5, v)
    return mean


# %% wrong, subtle: all keys are held, and the softmax is taken at the end
def in_blocks(q, read, count):
    k, v = (torch.cat(x) for x in zip(*[read(i) for i in range(count)], strict=True))
    return (q @ k.T / q.shape[1] ** 0.5).softmax(dim=1) @ v


# %% wrong, subtle: all scores first, then the values are read again
def in_blocks(q, read, count):
    e = torch.stack([q @ read(i)[0].T / q.shape[1] ** 0.5 for i in range(count)])
    top = e.amax(dim=(0, 2))[:, None]
    grown = (e - top).exp()
    summed = sum(grown[i] @ read(i)[1] for i in range(count))
    return summed / grown.sum(dim=(0, 2))[:, None]


# %% wrong, subtle: the scores of all blocks are few, but their values are held
def in_blocks(q, read, count):
    e, values = [], []
    for i in range(count):
        k, v = read(i)
        e.append(q @ k.T / q.shape[1] ** 0.5)
        values.append(v)
        del k, v
    return torch.cat(e, dim=1).softmax(dim=1) @ torch.cat(values)


# %% wrong, subtle: keys are held as numpy's, whose memory is torch's
def in_blocks(q, read, count):
    state = torch.full((len(q),), -torch.inf), torch.zeros(len(q)), torch.zeros(1, 1)
    kept = []
    for i in range(count):
        k, v = read(i)
        kept.append((k.numpy(), v.numpy()))
        state = absorb(*state, q @ k.T / q.shape[1] ** 0.5, v)
    return state[2]


# %% wrong, subtle: exp of the scores themselves is infinite
def in_blocks(q, read, count):
    total, summed = 0.0, 0.0
    for i in range(count):
        k, v = read(i)
        grown = (q @ k.T / q.shape[1] ** 0.5).exp()
        total, summed = total + grown.sum(dim=1, keepdim=True), summed + grown @ v
    return summed / total
