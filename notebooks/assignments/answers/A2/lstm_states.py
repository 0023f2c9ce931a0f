"""Answers to lstm_states: right ones, wrong ones, and a grader that is too weak."""

import torch
from torch import nn


# %% weak
def weak(student) -> bool:
    draw = torch.Generator().manual_seed(0)
    x, W = torch.randn(3, 1, 2, generator=draw), torch.randn(12, 5, generator=draw)
    zero, b = torch.zeros(1, 3), torch.zeros(12)
    H, _ = student(x, torch.tensor([3]), zero, zero, W, b)
    H, h, c = torch.as_tensor(H), zero, zero
    for t in range(3):
        i, f, g, o = gates(x[t], h, W, b)
        c = f * c + i * g
        h = o * c.tanh()
    return torch.allclose(H[-1], h, atol=1e-5)


# %% right: one sentence at a time
def lstm_states(x, lengths, h, c, W, b):
    H, C = h.repeat(len(x) + 1, 1, 1), c.repeat(len(x) + 1, 1, 1)
    for k in range(x.shape[1]):
        for t in range(len(x)):
            if t < lengths[k]:
                i, f, g, o = gates(x[t, k], H[t, k], W, b)
                C[t + 1, k] = f * C[t, k] + i * g
                H[t + 1, k] = o * torch.tanh(C[t + 1, k])
            else:
                C[t + 1, k], H[t + 1, k] = C[t, k], H[t, k]
    return H, C


# %% right: a share of 0 or 1 mixes old and new
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(x.size(0)):
        i, f, g, o = gates(x[t], h, W, b)
        m = (lengths > t).to(x.dtype).unsqueeze(1)
        c_new = f * c + i * g
        c = m * c_new + (1 - m) * c
        h = m * (o * torch.tanh(c_new)) + (1 - m) * h
        H.append(h)
        C.append(c)
    return torch.stack(H), torch.stack(C)


# %% right: the gates are moved, f to 1 and i to 0
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        over = (t >= lengths)[:, None]
        C.append(f.masked_fill(over, 1.0) * C[-1] + i.masked_fill(over, 0.0) * g)
        new = o * C[-1].tanh()
        new[over[:, 0]] = H[-1][over[:, 0]]
        H.append(new)
    return [torch.stack(H), torch.stack(C)]


# %% right: in float32, four products
def lstm_states(x, lengths, h, c, W, b):
    x, h, c, W, b = (v.float() for v in (x, h, c, W, b))
    n = h.shape[1]
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = (
            h @ W[k * n : (k + 1) * n, :n].T
            + x[t] @ W[k * n : (k + 1) * n, n:].T
            + b[k * n : (k + 1) * n]
            for k in range(4)
        )
        new = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        real = t < lengths.reshape(-1, 1)
        h = torch.where(real, torch.sigmoid(o) * torch.tanh(new), h)
        c = torch.where(real, new, c)
        H.append(h)
        C.append(c)
    return torch.stack(H), torch.stack(C)


# %% right: PyTorch's cell makes the steps
def lstm_states(x, lengths, h, c, W, b):
    size = h.shape[1]
    cell = nn.LSTMCell(x.shape[2], size, dtype=x.dtype)
    with torch.no_grad():
        cell.weight_ih.copy_(W[:, size:])
        cell.weight_hh.copy_(W[:, :size])
        cell.bias_ih.copy_(b)
        cell.bias_hh.zero_()
        H, C = [h], [c]
        for t in range(len(x)):
            new_h, new_c = cell(x[t], (H[-1], C[-1]))
            real = (t < lengths)[:, None]
            H.append(torch.where(real, new_h, H[-1]))
            C.append(torch.where(real, new_c, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong: these are the last states; give all of them
def lstm_states(x, lengths, h, c, W, b):
    for t in range(len(x)):
        i, f, g, o = gates(x[t], h, W, b)
        new = f * c + i * g
        real = (t < lengths)[:, None]
        h, c = torch.where(real, o * new.tanh(), h), torch.where(real, new, c)
    return h, c


# %% wrong: the input and the forget gate are swapped
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        f, i, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = (t < lengths)[:, None]
        H.append(torch.where(real, o * new.tanh(), H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong: h lacks the tanh around c
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = (t < lengths)[:, None]
        H.append(torch.where(real, o * new, H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong: h is made of the old c
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        real = (t < lengths)[:, None]
        H.append(torch.where(real, o * C[-1].tanh(), H[-1]))
        C.append(torch.where(real, f * C[-1] + i * g, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong: H and C stand in the wrong order
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = (t < lengths)[:, None]
        H.append(torch.where(real, o * new.tanh(), H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(C), torch.stack(H)


# %% wrong: each sentence has one word too few; word t is real while t < length
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = (t < lengths - 1)[:, None]
        H.append(torch.where(real, o * new.tanh(), H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: padding moves the states; they hold where a sentence is over
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        C.append(f * C[-1] + i * g)
        H.append(o * C[-1].tanh())
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: padding is read as a word of zeros, and a step with zeros changes the states too
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        word = x[t] * (t < lengths)[:, None]
        i, f, g, o = gates(word, H[-1], W, b)
        C.append(f * C[-1] + i * g)
        H.append(o * C[-1].tanh())
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: the states become 0 where a sentence is over; they hold
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        real = (t < lengths)[:, None]
        C.append(real * (f * C[-1] + i * g))
        H.append(real * (o * C[-1].tanh()))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: c moves on at padding; both states hold
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        C.append(f * C[-1] + i * g)
        H.append(torch.where((t < lengths)[:, None], o * C[-1].tanh(), H[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: h moves on at padding; both states hold
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        H.append(o * new.tanh())
        C.append(torch.where((t < lengths)[:, None], new, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: each sentence has one word too many; word t is real while t < length
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = (t <= lengths)[:, None]
        H.append(torch.where(real, o * new.tanh(), H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: the first states come back where a sentence is over; the last ones hold
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = (t < lengths)[:, None]
        H.append(torch.where(real, o * new.tanh(), h))
        C.append(torch.where(real, new, c))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: the first states are not 0; they are given as h and c
def lstm_states(x, lengths, h, c, W, b):
    H, C = [torch.zeros_like(h)], [torch.zeros_like(c)]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = (t < lengths)[:, None]
        H.append(torch.where(real, o * new.tanh(), H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: the first states are missing in front
def lstm_states(x, lengths, h, c, W, b):
    H, C = [], []
    for t in range(len(x)):
        i, f, g, o = gates(x[t], h, W, b)
        new = f * c + i * g
        real = (t < lengths)[:, None]
        h, c = torch.where(real, o * new.tanh(), h), torch.where(real, new, c)
        H.append(h)
        C.append(c)
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: all sentences end with the shortest
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = t < lengths.min()
        H.append(torch.where(real, o * new.tanh(), H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(H), torch.stack(C)


# %% wrong, subtle: a word that comes twice is taken for padding
def lstm_states(x, lengths, h, c, W, b):
    H, C = [h], [c]
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        new = f * C[-1] + i * g
        real = ((t < lengths) & ((t == 0) | (x[t] != x[t - 1]).any(dim=1)))[:, None]
        H.append(torch.where(real, o * new.tanh(), H[-1]))
        C.append(torch.where(real, new, C[-1]))
    return torch.stack(H), torch.stack(C)
