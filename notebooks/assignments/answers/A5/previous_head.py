"""Answers to previous_head: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F

import seqviz as sv


# %% weak
def weak(student) -> bool:
    vocab, d_pos, ids = 6, 64, torch.tensor([0, 5, 3])
    x = torch.zeros(3, 3 * vocab + d_pos).double()
    x[:, :vocab] = F.one_hot(ids, vocab)
    x[:, 3 * vocab :] = sv.nn.sinusoids(3, d_pos)
    W_q, W_k, W_v, W_o = (torch.as_tensor(W).double() for W in student(vocab, d_pos))
    e = (x @ W_q @ (x @ W_k).T / W_q.shape[1] ** 0.5).masked_fill(
        torch.ones(3, 3).tril() == 0, -1e9
    )
    written = (e.softmax(dim=1) @ x @ W_v @ W_o)[:, vocab : 2 * vocab]
    return torch.allclose(written, F.one_hot(ids[[0, 0, 1]], vocab).double(), atol=0.05)


# %% right: the keys are turned ahead, the queries stay
def previous_head(vocab, d_pos):
    d_model = 3 * vocab + d_pos
    ahead = torch.zeros(d_pos, d_pos).double()
    for k in range(d_pos // 2):
        angle = 10000 ** (-2 * k / d_pos)
        c, s = np.cos(angle), np.sin(angle)
        ahead[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = torch.tensor([[c, -s], [s, c]])
    W_q, W_k = torch.zeros(d_model, d_pos).double(), torch.zeros(d_model, d_pos).double()
    W_q[3 * vocab :] = 80 * torch.eye(d_pos)
    W_k[3 * vocab :] = ahead
    W_v = torch.eye(d_model, vocab)
    W_o = torch.zeros(vocab, d_model)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% right: half a step each, and matrices as wide as the stream
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos

    def turned(by):
        W = torch.zeros(size, size, dtype=torch.float64)
        for k in range(3 * vocab, size, 2):
            angle = torch.tensor(by / 10000 ** ((k - 3 * vocab) / d_pos), dtype=torch.float64)
            W[k, k] = W[k + 1, k + 1] = angle.cos()
            W[k, k + 1], W[k + 1, k] = -angle.sin(), angle.sin()
        return 12 * size**0.25 * W

    W_v = torch.zeros(size, size)
    W_v[range(vocab), range(vocab)] = 1
    W_o = torch.zeros(size, size)
    W_o[range(vocab), range(vocab, 2 * vocab)] = 1
    return turned(0.5).T, turned(-0.5).T, W_v, W_o


# %% right: solved from the table of sines
def previous_head(vocab, d_pos):
    table = sv.nn.sinusoids(400, d_pos).double()
    back = torch.linalg.lstsq(table[1:], table[:-1]).solution
    W_q, W_k = (torch.zeros(3 * vocab + d_pos, d_pos).double() for _ in range(2))
    W_q[-d_pos:], W_k[-d_pos:] = back * 60, torch.eye(d_pos)
    W_v = torch.cat([2 * torch.eye(vocab), torch.zeros(2 * vocab + d_pos, vocab)]).double()
    W_o = torch.zeros(vocab, 3 * vocab + d_pos).double()
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab) / 2
    return W_q, W_k, W_v, W_o


# %% right: with numpy in float32
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000.0 ** (-np.arange(0, d_pos, 2) / d_pos)
    W_q, W_k = np.zeros((size, d_pos), np.float32), np.zeros((size, d_pos), np.float32)
    for k, angle in enumerate(theta):
        c, s = 200 * np.cos(angle), 200 * np.sin(angle)
        at = 3 * vocab + 2 * k
        W_q[at : at + 2, 2 * k : 2 * k + 2] = [[c, s], [-s, c]]
        W_k[at : at + 2, 2 * k : 2 * k + 2] = np.eye(2)
    W_v, W_o = np.eye(size, vocab, dtype=np.float32), np.zeros((vocab, size), np.float32)
    W_o[np.arange(vocab), vocab + np.arange(vocab)] = 1
    return W_q, W_k, W_v, W_o


# %% wrong: the query asks for the position after its own
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, -s], [s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong: the query asks for its own position
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    back = torch.eye(d_pos)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong: it asks for two positions before
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [
        torch.tensor([[c, s], [-s, c]])
        for c, s in zip((2 * theta).cos(), (2 * theta).sin(), strict=True)
    ]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong: it writes into the slot of the token
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, :vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong: it writes into the slot next
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, 2 * vocab : 3 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong: the values are read from the slot previous
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[vocab : 2 * vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong: query and key read the token
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    back = torch.eye(vocab, d_pos)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[:vocab], W_k[:vocab] = 100 * back, torch.eye(vocab, d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong: the matrices stand on their sides
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q.T, W_k.T, W_v.T, W_o.T


# %% wrong: query and key are both turned back
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, back
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong, subtle: the scores are too close together in a long text
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 5 * d_pos**0.5 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong, subtle: the slot of the positions begins at 18
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[18 : 18 + d_pos], W_k[18 : 18 + d_pos] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong, subtle: only the quickest pair is read
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = (
        100 * torch.diag((torch.arange(d_pos) < 2).double()) @ back,
        torch.eye(d_pos),
    )
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong, subtle: the token is written into its own slot as well
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.eye(vocab)
    W_o[:, :vocab] = torch.eye(vocab)
    return W_q, W_k, W_v, W_o


# %% wrong, subtle: only the first six words are written
def previous_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = [torch.tensor([[c, s], [-s, c]]) for c, s in zip(theta.cos(), theta.sin(), strict=True)]
    back = torch.block_diag(*turns)
    W_q, W_k = torch.zeros(size, d_pos).double(), torch.zeros(size, d_pos).double()
    W_q[3 * vocab :], W_k[3 * vocab :] = 100 * back, torch.eye(d_pos)
    W_v, W_o = torch.zeros(size, vocab).double(), torch.zeros(vocab, size).double()
    W_v[:vocab] = torch.eye(vocab)
    W_o[:, vocab : 2 * vocab] = torch.diag((torch.arange(vocab) < 6).double())
    return W_q, W_k, W_v, W_o


# %% wrong, subtle: a hundredth is written into the slot of the token


def previous_head(vocab, d_pos):
    A = torch.eye(3 * vocab + d_pos).double()
    t, p, P = A[:, :vocab], A[:, vocab : 2 * vocab], A[:, 3 * vocab :]
    th = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    turns = zip(th.cos(), th.sin(), strict=True)
    B = torch.block_diag(*[torch.tensor([[c, s], [-s, c]]) for c, s in turns])
    return 100 * P @ B, P, t, p.T + 0.01 * t.T
