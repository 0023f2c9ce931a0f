"""Answers to both_ends: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
from torch import nn


# %% weak
def weak(student) -> bool:
    draw = torch.Generator().manual_seed(0)
    x, W = torch.randn(3, 1, 2, generator=draw), torch.randn(4, 3, generator=draw)
    net, zero, lengths = (W, torch.zeros(4)), torch.zeros(1, 1), torch.tensor([3])
    x[2] = x[0]
    H, _ = lstm_states(x, lengths, zero, zero, *net)
    found = torch.as_tensor(student(x, lengths, net, net)).float()
    return torch.allclose(found, torch.as_tensor(H).float()[-1].expand(1, 2), atol=1e-5)


# %% right: one sentence at a time, without its padding
def both_ends(x, lengths, ahead, back):
    rows = []
    for k, n in enumerate(lengths.tolist()):
        words, row = x[:n, k : k + 1], []
        for said, (W, b) in ((words, ahead), (words.flip(0), back)):
            zero = x.new_zeros(1, W.shape[0] // 4)
            H, _ = lstm_states(said, torch.tensor([n]), zero, zero, W, b)
            row.append(H[-1, 0])
        rows.append(torch.cat(row))
    return torch.stack(rows)


# %% right: the states at the lengths are looked up
def both_ends(x, lengths, ahead, back):
    rows = torch.arange(x.shape[1])
    turned = x.clone()
    for k in rows.tolist():
        turned[: lengths[k], k] = x[: lengths[k], k].flip(0)

    def last(words, net):
        zero = torch.zeros(len(lengths), len(net[1]) // 4, dtype=x.dtype)
        H = lstm_states(words, lengths, zero, zero, *net)[0]
        return H[lengths, rows]

    return torch.hstack([last(x, ahead), last(turned, back)])


# %% right: the batch is turned round and rolled, in numpy
def both_ends(x, lengths, ahead, back):
    turned = np.zeros(x.shape)
    for k, n in enumerate(lengths.tolist()):
        turned[:, k] = np.roll(x.numpy()[::-1, k], n - len(x), axis=0)
    halves = []
    for words, net in ((x, ahead), (torch.tensor(turned).to(x.dtype), back)):
        zero = torch.zeros(x.shape[1], net[0].shape[0] // 4, dtype=x.dtype)
        halves.append(np.asarray(lstm_states(words, lengths, zero, zero, net[0], net[1])[0])[-1])
    return np.concatenate(halves, axis=1)


# %% right: in float32, with gather, from torch's packed sequences
def both_ends(x, lengths, ahead, back):
    x, m = x.float(), lengths.clamp(min=1)
    halves = []
    for name, (W, b) in (("ahead", ahead), ("back", back)):
        n = len(b) // 4
        net = nn.LSTM(x.shape[2], n)
        weights = (W[:, n:], W[:, :n], b, 0 * b)
        net.load_state_dict(dict(zip(net.state_dict(), weights, strict=True)))
        t = torch.arange(len(x))[:, None]
        place = torch.where(t < m, m - 1 - t, t) if name == "back" else t.expand(-1, len(m))
        words = x.gather(0, place[:, :, None].expand_as(x))
        packed = nn.utils.rnn.pack_padded_sequence(words, m, enforce_sorted=False)
        halves.append(net(packed)[1][0][0].detach() * (lengths > 0)[:, None])
    return torch.cat(halves, dim=1)


# %% wrong: this is c; give h
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[1]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong: all states are given, not the ends
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[1:])
    return torch.cat(halves, dim=1)


# %% wrong: the halves stand below each other
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.stack([h[:, 0] for h in halves])


# %% wrong: the backward net has read one word here, the last; it is asked at the first
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[1] if words is turned else H[-1])
    return torch.cat(halves, dim=1)


# %% wrong: the mean of all states is given
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[1:].mean(dim=0))
    return torch.cat(halves, dim=1)


# %% wrong, subtle: the backward half reads from left to right
def both_ends(x, lengths, ahead, back):
    halves = []
    for words, (W, b) in ((x, ahead), (x, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: both halves are the forward net's; back has weights of its own
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, ahead)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: the whole batch is turned round: the first words are padding, the last are cut
def both_ends(x, lengths, ahead, back):
    turned = x.flip(0)
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: the whole batch is turned round, so the backward net begins in the padding
def both_ends(x, lengths, ahead, back):
    turned = x.flip(0)
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        n = lengths if words is x else 0 * lengths + len(x)
        H = lstm_states(words, n, zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: padding is read: both nets go on after the end
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, 0 * lengths + len(x), zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: the backward half stands first
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((turned, back), (x, ahead)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: each sentence is turned round one word short
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, (lengths - 1 - t) % lengths.clamp(min=2).sub(1), t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: the batch ends with its first sentence
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths[:1].expand(len(lengths)), zero, zero, W, b)[0]
        halves.append(H[-1])
    return torch.cat(halves, dim=1)


# %% wrong, subtle: the row at the length minus one is taken
def both_ends(x, lengths, ahead, back):
    t = torch.arange(len(x))[:, None]
    place = torch.where(t < lengths, lengths - 1 - t, t)
    turned = x[place, torch.arange(x.shape[1])]
    halves = []
    for words, (W, b) in ((x, ahead), (turned, back)):
        zero = x.new_zeros(x.shape[1], len(b) // 4)
        H = lstm_states(words, lengths, zero, zero, W, b)[0]
        halves.append(
            H[(lengths - (lengths < len(x)).long()).clamp(min=0), torch.arange(len(lengths))]
        )
    return torch.cat(halves, dim=1)
