"""Answers to lstm_backward: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    draw = torch.Generator().manual_seed(0)
    x, W = torch.randn(2, 1, 2, generator=draw), torch.randn(12, 5, generator=draw)
    zero, b, lengths = torch.zeros(1, 3), torch.zeros(12), torch.tensor([2])
    leaf = W.clone().requires_grad_()
    H, C = lstm_states(x, lengths, zero, zero, leaf, b)
    (expected,) = torch.autograd.grad(H[-1].sum(), leaf)
    dH = torch.stack([zero, zero + 1])
    with torch.no_grad():
        found = student(dH, zero, x, lengths, H.detach(), C.detach(), W, b)
    return torch.allclose(torch.as_tensor(found[3]).float(), expected, atol=1e-5)


# %% right: one sentence at a time, only its own words
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dW, db = torch.zeros_like(x), torch.zeros_like(W), torch.zeros_like(b)
    all_dh, all_dc = [], []
    for k in range(x.shape[1]):
        last = int(lengths[k])
        dh_k, dc_k = dH[last:, k].sum(dim=0, keepdim=True), dc[k : k + 1]
        for t in range(last - 1, -1, -1):
            dh_k = dh_k + dH[t, k]
            before = H[t, k : k + 1], C[t, k : k + 1]
            dx_k, dh_k, dc_k, dW_k, db_k = step_backward(dh_k, dc_k, x[t, k : k + 1], *before, W, b)
            dx[t, k] = dx_k[0]
            dW, db = dW + dW_k, db + db_k
        all_dh.append(dh_k)
        all_dc.append(dc_k)
    return dx, torch.cat(all_dh), torch.cat(all_dc), dW, db


# %% right: shares of 0 and 1, and dx collected in a list
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dh, parts, dW, db = 0 * dc, [], 0, 0
    for t in range(x.shape[0] - 1, -1, -1):
        dh = dh + dH[t]
        m = (lengths > t).to(x.dtype).reshape(-1, 1)
        dx_t, dh_t, dc_t, dW_t, db_t = step_backward(m * dh, m * dc, x[t], H[t], C[t], W, b)
        dh, dc = dh_t + (1 - m) * dh, dc_t + (1 - m) * dc
        dW, db = dW + dW_t, db + db_t
        parts.append(dx_t)
    return [torch.stack(parts[::-1]), dh, dc, dW, db]


# %% right: in float32, only the sentences that go on
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dH, x, H, C, W, b = (v.float() for v in (dH, x, H, C, W, b))
    dx, dh, dc = torch.zeros_like(x), torch.zeros_like(H[0]), dc.float().clone()
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh += dH[t]
        on = (lengths > t).nonzero().flatten()
        back = step_backward(dh[on], dc[on], x[t, on], H[t, on], C[t, on], W, b)
        dx[t, on], dh[on], dc[on] = back[:3]
        dW += back[3]
        db += back[4]
    return dx, dh, dc, dW, db


# %% right: with numpy at the end
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    steps = []
    dh = torch.zeros_like(dc)
    for t in range(len(x))[::-1]:
        arriving = dh + dH[t]
        over = (t >= lengths)[:, None]
        found = step_backward(
            arriving.masked_fill(over, 0.0), dc.masked_fill(over, 0.0), x[t], H[t], C[t], W, b
        )
        dh, dc = found[1] + arriving * over, found[2] + dc * over
        steps.append([np.asarray(found[k]) for k in (0, 3, 4)])
    dx, dW, db = (np.stack(some) for some in zip(*steps, strict=True))
    return dx[::-1], dh.numpy(), dc.numpy(), dW.sum(axis=0), db.sum(axis=0)


# %% wrong: dh from later steps is missing
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = 0 * dh, torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong: dc from later steps is missing
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), 0 * dc
    return dx, dh, dc, dW, db


# %% wrong: the way goes from the first step to the last
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in range(len(x)):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong: H[t] and C[t] are the states before word t; here stand those after it
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t + 1], C[t + 1], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong: W and b get a share from each word; here is that of the first alone
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = found[3], found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong: all words share W and b: add up, no mean
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW / len(x), db / len(x)


# %% wrong: dH[t] belongs to the state after word t, H[t + 1]
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + (dH[t + 1] if t + 1 < len(x) else 0)
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong: the gradients of the steps before are lost with the gates
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = found[1] * 0 + dH[t], found[2]
    return dx, dh, dc, dW, db


# %% wrong, subtle: the loss sends something to each state, not to the last alone
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + (dH[t] if t == len(x) - 1 else 0)
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: padding is read as if it were words
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < len(x)) | (lengths[:, None] < 0)
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: what the loss sends to a held state is left out; it belongs to the last real one
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        real = (t < lengths)[:, None]
        dh = dh + dH[t] * real
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: dh and dc become 0 at padding; they are handed on
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = found[1], found[2]
    return dx, dh, dc, dW, db


# %% wrong, subtle: dc, the gradient at the last cell state, is missing
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dc = 0 * dc
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: dc arrives once, at the last cell state; here it is added at each step
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    last, dc = dc, 0 * dc
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, (dc + last) * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: dc is not held at padding
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), found[2]
    return dx, dh, dc, dW, db


# %% wrong, subtle: dh is not held at padding
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = found[1], torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: dx is left at 0
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: dx is upside down
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[len(x) - 1 - t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: the first h and c get the gradients of the second step
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        if t:
            dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: one word of padding is read in each short sentence
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t <= lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t] = found[0]
        dW, db = dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong, subtle: padding gives nothing to dx, W and b
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh, dc, x[t], H[t], C[t], W, b)
        dx[t], dW, db = found[0] * real, dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db


# %% wrong: steps to which the loss sends nothing are skipped
def lstm_backward(dH, dc, x, lengths, H, C, W, b):
    dx, dh = torch.zeros_like(x), torch.zeros_like(dc)
    dW, db = torch.zeros_like(W), torch.zeros_like(b)
    for t in reversed(range(len(x))):
        if not dH[t].any():
            continue
        dh = dh + dH[t]
        real = (t < lengths)[:, None]
        found = step_backward(dh * real, dc * real, x[t], H[t], C[t], W, b)
        dx[t], dW, db = found[0], dW + found[3], db + found[4]
        dh, dc = torch.where(real, found[1], dh), torch.where(real, found[2], dc)
    return dx, dh, dc, dW, db
