"""Answers to bptt: right ones, wrong ones, and a grader that is too weak."""

import torch


# %% weak
def weak(student):
    draw = torch.Generator().manual_seed(0)
    x = torch.randn(4, 1, 2, generator=draw).double()
    U = torch.randn(3, 2, generator=draw).double().requires_grad_()
    W = torch.full((3, 3), 0.4, dtype=torch.float64, requires_grad=True)
    V = torch.randn(2, 3, generator=draw).double()
    h, states = torch.zeros(1, 3, dtype=torch.float64), []
    d = torch.randn(4, 1, 2, generator=draw).double()
    d[3] = 0  # the last step is padded
    for x_t in x[:3]:
        states.append(h)
        h = torch.tanh(h @ W.T + x_t @ U.T)
    states = torch.stack([*states, h, h])
    (states[1:] @ V.T * d).sum().backward()
    mask = torch.tensor([[True]] * 3 + [[False]])
    found = student(d, x, mask, states.detach(), W.detach(), V)[:2]
    pairs = zip(found, (U.grad, W.grad), strict=True)
    return all(torch.allclose(torch.as_tensor(f).double(), g, atol=1e-4) for f, g in pairs)


# %% right: outer products, step by step
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    (T, B, size), hidden, vocab = x.shape, len(W_hh), len(W_hy)
    dW_xh, dW_hh = x.new_zeros(hidden, size), x.new_zeros(hidden, hidden)
    db, dW_hy, db_y = x.new_zeros(hidden), x.new_zeros(vocab, hidden), x.new_zeros(vocab)
    dh_0 = x.new_zeros(B, hidden)
    for k in range(B):
        dh = x.new_zeros(hidden)
        for t in range(T - 1, -1, -1):
            before, after = states[t, k], states[t + 1, k]
            dh = dh + W_hy.T @ d_scores[t, k]
            dW_hy += torch.outer(d_scores[t, k], after)
            db_y += d_scores[t, k]
            if mask[t, k]:
                da = dh * (1 - after * after)
                dW_xh += torch.outer(da, x[t, k])
                dW_hh += torch.outer(da, before)
                db += da
                dh = W_hh.T @ da
        dh_0[k] = dh
    return dW_xh, dW_hh, db, dW_hy, db_y, dh_0


# %% right: einsum at the end, torch.where on the way
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    later, da = torch.zeros_like(states[0]), []
    for d, m, h in zip(d_scores.flip(0), mask.flip(0), states[1:].flip(0), strict=True):
        dh = torch.einsum("bv,vh->bh", d, W_hy) + later
        da.append(torch.where(m[:, None], dh * (1 - h) * (1 + h), torch.zeros_like(dh)))
        later = torch.where(m[:, None], da[-1] @ W_hh, dh)
    da = torch.stack(da[::-1])
    return [
        torch.einsum("tbh,tbi->hi", da, x),
        torch.einsum("tbh,tbg->hg", da, states[:-1]),
        da.sum(dim=(0, 1)),
        torch.einsum("tbv,tbh->vh", d_scores, states[1:]),
        d_scores.sum(dim=(0, 1)),
        later,
    ]


# %% right: numpy
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    import numpy as np

    d, x, m, h, W, V = (v.numpy() for v in (d_scores, x, mask, states, W_hh, W_hy))
    dh, da = np.zeros_like(h[0]), np.zeros_like(h[1:])
    for t in range(len(x) - 1, -1, -1):
        dh = dh + d[t] @ V
        da[t] = np.where(m[t][:, None], dh * (1 - h[t + 1] ** 2), 0)
        dh = np.where(m[t][:, None], da[t] @ W, dh)
    products = [np.tensordot(da, v, axes=[[0, 1], [0, 1]]) for v in (x, h[:-1])]
    out = np.tensordot(d, h[1:], axes=[[0, 1], [0, 1]])
    return *products, da.sum(axis=(0, 1)), out, d.sum(axis=(0, 1)), dh


# %% right: float32
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    d, x, states, W_hh, W_hy = (v.float() for v in (d_scores, x, states, W_hh, W_hy))
    m, dh, da = mask[..., None].float(), torch.zeros_like(states[0]), [None] * len(x)
    for t in reversed(range(len(x))):
        dh = dh + d[t] @ W_hy
        da[t] = m[t] * (dh - dh * states[t + 1].square())
        dh = (1 - m[t]) * dh + da[t] @ W_hh
    Da, Do = torch.cat(da), d.flatten(0, 1)
    first, second = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    return first, second, Da.sum(0), Do.T @ states[1:].flatten(0, 1), Do.sum(0), dh


# %% right: the Jacobian of each step as a matrix
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    eye = torch.eye(len(W_hh), dtype=W_hh.dtype)
    slope = torch.diag_embed(1 - states[1:] ** 2) * mask[..., None, None]
    jacobians = slope @ W_hh + eye * ~mask[..., None, None]  # (time, batch, unit, unit)
    dh, from_scores = [torch.zeros_like(states[0])], d_scores @ W_hy
    whole = []
    for t in range(len(x) - 1, -1, -1):
        whole.insert(0, from_scores[t] + dh[0])
        dh.insert(0, torch.einsum("bi,bij->bj", whole[0], jacobians[t]))
    da = torch.einsum("tbi,tbij->tbj", torch.stack(whole), slope)
    return (
        torch.einsum("tbi,tbj->ij", da, x),
        torch.einsum("tbi,tbj->ij", da, states[:-1]),
        da.sum((0, 1)),
        torch.einsum("tbi,tbj->ij", d_scores, states[1:]),
        d_scores.sum((0, 1)),
        dh[0],
    )


# %% wrong: padding is treated like a token
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2)
        dh = da[t] @ W_hh
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: nothing comes back from the next step
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = torch.zeros_like(dh)
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: the slope of tanh is missing
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: the slope is taken at the state before
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: the slope of tanh is not 1 - h
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1]) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: the state after the step stands for the one before it
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[1:].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: the state before the step in the gradient of W_hy
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[:-1].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: it is transposed
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = x.flatten(0, 1).T @ Da, states[:-1].flatten(0, 1).T @ Da
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: from the first step to the last
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in range(len(x)):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong: only the last step adds to the weights
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da[-1], d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x[-1], Da.T @ states[-2]
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: this is the mean over the batch; add the rows up
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    n = x.shape[1]
    return dW_xh / n, dW_hh / n, Da.sum(dim=0) / n, dW_hy / n, Do.sum(dim=0), dh


# %% wrong: no gradient of the start state
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0)


# %% wrong: the gradient also goes past the real steps
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: a padded step stops the gradient; it must go on to the step before
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: d_scores at padding is left out; a loss may read the state there
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + (d_scores[t] * m[t]) @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: padding is left out of the output's gradients only
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), (d_scores * m).flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: W_hh is transposed on the way back
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh.T + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: the start state's gradient lacks the way through W_hh
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), da[0]


# %% wrong, subtle: this is summed over the batch; each row has its own
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh.sum(dim=0)


# %% wrong, subtle: the mask of the first row for all rows
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[:, :1, None].expand(-1, x.shape[1], 1)
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: the bias has a part for each row
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    m = mask[..., None]
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * m[t]
        dh = da[t] @ W_hh + dh * ~m[t]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, da.sum(dim=0), dW_hy, Do.sum(dim=0), dh


# %% wrong, subtle: a step without a score of its own is skipped
def bptt(d_scores, x, mask, states, W_hh, W_hy):
    dh, da = torch.zeros_like(states[0]), torch.zeros_like(states[1:])
    for t in reversed(range(len(x))):
        if not d_scores[t].any():
            continue
        dh = dh + d_scores[t] @ W_hy
        da[t] = dh * (1 - states[t + 1] ** 2) * mask[t, :, None]
        dh = da[t] @ W_hh + dh * ~mask[t, :, None]
    Da, Do = da.flatten(0, 1), d_scores.flatten(0, 1)  # (time * batch, ...)
    dW_xh, dW_hh = Da.T @ x.flatten(0, 1), Da.T @ states[:-1].flatten(0, 1)
    dW_hy = Do.T @ states[1:].flatten(0, 1)
    return dW_xh, dW_hh, Da.sum(dim=0), dW_hy, Do.sum(dim=0), dh
