"""Answers to induction_head: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F

import seqviz as sv


# %% weak
def weak(student) -> bool:
    vocab, d_pos, ids = 6, 64, torch.tensor([0, 5, 3, 5])
    x = torch.zeros(4, 3 * vocab + d_pos).double()
    x[:, :vocab] = F.one_hot(ids, vocab)
    x[:, vocab : 2 * vocab] = x[[0, 0, 1, 2], :vocab]
    x[:, 3 * vocab :] = sv.nn.sinusoids(4, d_pos)
    W_q, W_k, W_v, W_o = (torch.as_tensor(W).double() for W in student(vocab, d_pos))
    e = (x[3] @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5
    written = (e.softmax(dim=0) @ x @ W_v @ W_o)[2 * vocab : 3 * vocab]
    return torch.allclose(written, F.one_hot(ids[2], vocab).double(), atol=0.05)


# %% right: slot by slot
def induction_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    W_q, W_k, W_v = (torch.zeros(size, vocab).double() for _ in range(3))
    W_o = torch.zeros(vocab, size).double()
    for word in range(vocab):
        W_q[word, word] = 300.0
        W_k[vocab + word, word] = 1.0
        W_v[word, word] = 1.0
        W_o[word, 2 * vocab + word] = 1.0
    return W_q, W_k, W_v, W_o


# %% right: matrices as wide as the stream
def induction_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    token = torch.diag((torch.arange(size) < vocab).double())
    shifted = token.roll(vocab, dims=0)  # from the slot previous to the first
    return 20 * size**0.5 * token, shifted, token, token.roll(2 * vocab, dims=1)


# %% right: the scale on both, and on both values and output
def induction_head(vocab, d_pos):
    one, none = torch.eye(vocab), torch.zeros(vocab, vocab)
    rest = torch.zeros(d_pos, vocab)
    sharp = 10 * vocab**0.25
    W_q = torch.cat([sharp * one, none, none, rest])
    W_k = torch.cat([none, sharp * one, none, rest])
    W_v = torch.cat([4 * one, none, none, rest])
    return W_q, W_k, W_v, torch.cat([none, none, one / 4, rest.T], dim=1)


# %% right: another word for each word, the same for query and key
def induction_head(vocab, d_pos):
    made = torch.Generator().manual_seed(0)
    turn, _ = torch.linalg.qr(torch.randn(vocab, vocab, generator=made).double())
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].chunk(3, dim=1)
    return 500 * token @ turn, previous @ turn, token @ turn, turn.T @ following.T


# %% right: with numpy in float32
def induction_head(vocab, d_pos):
    eye = np.eye(3 * vocab + d_pos, dtype=np.float32)
    token, previous, following = np.split(eye[: 3 * vocab], 3)
    return 20 * vocab**0.5 * token.T, previous.T, token.T, following


# %% wrong: the query's word is compared with the word itself
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, following = eye[:, :vocab], eye[:, 2 * vocab : 3 * vocab]
    return 300 * token, token, token, following.T


# %% wrong: query and key are exchanged
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return 300 * previous, token, token, following.T


# %% wrong: it compares the word before with the word before
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return 300 * previous, previous, token, following.T


# %% wrong: it writes the word before
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return 300 * token, previous, previous, following.T


# %% wrong: it writes into the slot of the token
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous = eye[:, : 2 * vocab].split(vocab, dim=1)
    return 300 * token, previous, token, token.T


# %% wrong: it attends to the word before, as the first head
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    theta = 10000 ** (-torch.arange(0, d_pos, 2) / d_pos).double()
    pairs = zip(theta.cos(), theta.sin(), strict=True)
    back = torch.block_diag(*(torch.tensor([[c, s], [-s, c]]) for c, s in pairs))
    return 100 * eye[:, -d_pos:] @ back, eye[:, -d_pos:], eye[:, :vocab], eye[2 * vocab : 3 * vocab]


# %% wrong: the output stands on its side
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return 300 * token, previous, token, following


# %% wrong: the copies repel
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return -300 * token, previous, token, following.T


# %% wrong, subtle: the scores are too close together in a long text
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return 12 * token, previous, token, following.T


# %% wrong, subtle: the last copy wins, by its position
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    place = eye[:, -d_pos:]
    W_q, W_k = torch.cat([900 * token, 9 * place], dim=1), torch.cat([previous, place], dim=1)
    return W_q, W_k, token, following.T


# %% wrong, subtle: only the first six words are written
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    few = torch.diag((torch.arange(vocab) < 6).double())
    return 300 * token, previous, token @ few, following.T


# %% wrong, subtle: only the first six words are found
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    few = torch.diag((torch.arange(vocab) < 6).double())
    return 300 * token @ few, previous, token, following.T


# %% wrong, subtle: the query's own word is written as well
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return 300 * token, previous, token, (following + token).T


# %% wrong, subtle: the matrices are filled for six words
def induction_head(vocab, d_pos):
    size = 3 * vocab + d_pos
    W_q, W_k, W_v = (torch.zeros(size, 6).double() for _ in range(3))
    W_o, few = torch.zeros(6, size).double(), min(vocab, 6)
    W_q[:few, :few] = 300 * torch.eye(few)
    W_k[6 : 6 + few, :few] = torch.eye(few)
    W_v[:few, :few] = torch.eye(few)
    W_o[:few, 12 : 12 + few] = torch.eye(few)
    return W_q, W_k, W_v, W_o


# %% wrong, subtle: the root of d_k is forgotten, so many words make the scores too small
def induction_head(vocab, d_pos):
    eye = torch.eye(3 * vocab + d_pos).double()
    token, previous, following = eye[:, : 3 * vocab].split(vocab, dim=1)
    return 60 * token, previous, token, following.T


# %% wrong, subtle: the copies do not share evenly, the later gets a little more


def induction_head(vocab, d_pos):
    A = torch.eye(3 * vocab + d_pos).double()
    t, p, n = A[:, : 3 * vocab].split(vocab, dim=1)
    th = 10000.0 ** -(torch.arange(0, d_pos, 2).double() / d_pos)
    k = int((th - 0.007).abs().argmin())
    s = 100 * (vocab + 1) ** 0.5
    return (
        torch.cat([s * t, 0.1 * (vocab + 1) ** 0.5 * A[:, -1:]], 1),
        torch.cat([p, A[:, 3 * vocab + 2 * k : 3 * vocab + 2 * k + 1]], 1),
        t,
        n.T,
    )
