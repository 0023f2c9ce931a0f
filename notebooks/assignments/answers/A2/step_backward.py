"""Answers to step_backward: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    W, b = torch.tensor([[0.3, 0.9], [-0.5, 0.2], [0.8, -0.4], [0.1, 0.6]]), torch.zeros(4)
    x, h, c = torch.tensor([[0.7]]), torch.tensor([[0.0]]), torch.tensor([[0.0]])
    leaves = [v.clone().requires_grad_() for v in (x, h, W, b)]
    i, f, g, o = gates(*leaves)
    expected = torch.autograd.grad((o * (f * c + i * g).tanh()).sum(), leaves)
    with torch.no_grad():
        dx, dh, _, dW, db = student(torch.ones(1, 1), torch.zeros(1, 1), x, h, c, W, b)
    found = [torch.as_tensor(v).float() for v in (dx, dh, dW, db)]
    return all(torch.allclose(a, e, atol=1e-5) for a, e in zip(found, expected, strict=True))


# %% right: sentence by sentence and unit by unit
def step_backward(dh, dc, x, h, c, W, b):
    size, n = h.shape
    rows, dc_old = torch.zeros(size, 4 * n, dtype=W.dtype), torch.zeros_like(c)
    for k in range(size):
        i, f, g, o = gates(x[k], h[k], W, b)
        for u in range(n):
            s = torch.tanh(f[u] * c[k, u] + i[u] * g[u])
            d = dc[k, u] + dh[k, u] * o[u] * (1 - s * s)
            rows[k, u] = d * g[u] * i[u] * (1 - i[u])
            rows[k, n + u] = d * c[k, u] * f[u] * (1 - f[u])
            rows[k, 2 * n + u] = d * i[u] * (1 - g[u] ** 2)
            rows[k, 3 * n + u] = dh[k, u] * s * o[u] * (1 - o[u])
            dc_old[k, u] = d * f[u]
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    dx, dh_old = torch.zeros_like(x), torch.zeros_like(h)
    for k in range(size):
        for r in range(4 * n):
            dW[r] += rows[k, r] * torch.cat([h[k], x[k]])
            db[r] += rows[k, r]
            dh_old[k] += rows[k, r] * W[r, :n]
            dx[k] += rows[k, r] * W[r, n:]
    return dx, dh_old, dc_old, dW, db


# %% right: einsum, a matrix for each gate
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    s = torch.tanh(f * c + i * g)
    d = dc + dh * o - dh * o * s**2
    four = torch.stack(
        [d * g * (i - i**2), d * c * (f - f**2), d * i * (1 - g**2), dh * s * (o - o**2)]
    )
    n = h.shape[1]
    blocks = W.view(4, n, -1)
    dh_old = torch.einsum("kbu,kum->bm", four, blocks[:, :, :n])
    dx = torch.einsum("kbu,kum->bm", four, blocks[:, :, n:])
    dW_h = torch.einsum("kbu,bm->kum", four, h).reshape(4 * n, n)
    dW_x = torch.einsum("kbu,bm->kum", four, x).reshape(4 * n, -1)
    db = four.sum(dim=1).flatten()
    return dx, dh_old, d * f, torch.hstack([dW_h, dW_x]), db


# %% right: in float32, with the sums in front of the gates
def step_backward(dh, dc, x, h, c, W, b):
    dh, dc, x, h, c, W, b = (v.float() for v in (dh, dc, x, h, c, W, b))
    both = torch.cat([h, x], dim=1)
    a_i, a_f, a_g, a_o = (both @ W.T + b).chunk(4, dim=1)
    i, f, o = torch.sigmoid(a_i), torch.sigmoid(a_f), torch.sigmoid(a_o)
    g = torch.tanh(a_g)
    s = torch.tanh(f * c + i * g)
    d = dc + dh * o * (1 - s * s)
    rows = torch.cat(
        [
            d * g * i * torch.sigmoid(-a_i),
            d * c * f * torch.sigmoid(-a_f),
            d * i * (1 - g) * (1 + g),
            dh * s * o * torch.sigmoid(-a_o),
        ],
        dim=1,
    )
    dh_old, dx = (rows @ W).split([h.shape[1], x.shape[1]], dim=1)
    return dx, dh_old, d * f, (both.T @ rows).T, rows.sum(0)


# %% right: with numpy, as a list
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = (v.numpy() for v in gates(x, h, W, b))
    dh, dc, x, h, c, W = (v.numpy() for v in (dh, dc, x, h, c, W))
    s = np.tanh(f * c + i * g)
    d = dc + dh * o * (1 - s**2)
    rows = np.concatenate(
        [d * g * i * (1 - i), d * c * f * (1 - f), d * i * (1 - g**2), dh * s * o * (1 - o)], axis=1
    )
    n = h.shape[1]
    dW = np.zeros(W.shape)
    for row, both in zip(rows, np.concatenate([h, x], axis=1), strict=True):
        dW = dW + np.outer(row, both)
    return [rows @ W[:, n:], rows @ W[:, :n], d * f, dW, rows.sum(axis=0)]


# %% wrong: c' has a second way to the loss, through h'; it is missing
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: the slope of the tanh around c' is missing
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: o is missing between h' and c'
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: the slope of tanh is 1 - tanh(c')²; here stands 1 - c'²
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - new**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: i and g are swapped: what g gains is times i, and the other way round
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * i * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * g * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: o meets tanh(c'), and here it meets c'
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * new * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: g is a tanh, with the slope 1 - g²
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * g * (1 - g)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: the slopes of the sigmoids and of g's tanh are missing
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g
    df = total * c
    dg = total * i
    do = dh * s
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: the blocks stand as i, f, o, g; W has them as i, f, g, o
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, do, dg], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: this is the gradient at h
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, :n], dboth[:, n:], total * f, dW, db


# %% wrong: this is its transpose
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = torch.cat([h, x], dim=1).T @ rows
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: the columns of W belong to h first, then to x
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([x, h], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: a gradient for each sentence, not added up
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong, subtle: the dc that comes from later steps is missing
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong, subtle: what arrives is changed in place
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    dc += dh * o * (1 - s**2)
    total = dc
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong: f meets the old c, and here it meets the new one
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * new * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong, subtle: between c' and the old c stands f
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total, dW, db


# %% wrong, subtle: c' has a second way to the loss, through h'; it is missing here
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], dc * f, dW, db


# %% wrong, subtle: all sentences share W: add their gradients up, no mean
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1) / len(x)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong, subtle: all sentences share b: add their gradients up, no mean
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.mean(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong, subtle: the old c gets the gradient by way of i
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * i, dW, db


# %% wrong, subtle: the gates do not see the old h
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, torch.zeros_like(h), W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = total * c * f * (1 - f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong, subtle: the forget gate gets no gradient
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    total = dc + dh * o * (1 - s**2)
    di = total * g * i * (1 - i)
    df = torch.zeros_like(f)
    dg = total * i * (1 - g**2)
    do = dh * s * o * (1 - o)
    rows = torch.cat([di, df, dg, do], dim=1)
    n = h.shape[1]
    dboth = rows @ W
    dW = rows.T @ torch.cat([h, x], dim=1)
    db = rows.sum(dim=0)
    return dboth[:, n:], dboth[:, :n], total * f, dW, db


# %% wrong, subtle: the gradient at c is divided by c, which may be 0
def step_backward(dh, dc, x, h, c, W, b):
    i, f, g, o = gates(x, h, W, b)
    shown = (f * c + i * g).tanh()
    dc = dc + dh * o * (1 - shown**2)
    slopes = [i * (1 - i), f * (1 - f), 1 - g**2, o * (1 - o)]
    arriving = [dc * g, dc * c, dc * i, dh * shown]
    rows = torch.cat([a * s for a, s in zip(arriving, slopes, strict=True)], dim=1)
    dh, dx = (rows @ W).tensor_split([h.shape[1]], dim=1)
    return dx, dh, dc * (f * c) / c, rows.T @ torch.cat([h, x], dim=1), rows.sum(dim=0)
