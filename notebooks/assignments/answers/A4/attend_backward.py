"""Answers to attend_backward: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    s, h = torch.tensor([[[2.0]]]), torch.tensor([[[1.0], [3.0]]])
    W, a = torch.tensor([[0.5]]), torch.tensor([[[0.119203, 0.880797]]])
    ds, dh, dW = student(torch.ones(1, 1, 1), s, h, W, a)
    near = np.allclose(ds, 0.21, atol=1e-3) and np.allclose(dW, 0.84, atol=1e-3)
    return near and np.shape(dh) == (1, 2, 1)


# %% right: number by number
def attend_backward(dc, s, h, W, a):
    ds, dh, dW = torch.zeros_like(s), torch.zeros_like(h), torch.zeros_like(W)
    for k in range(len(s)):
        for t in range(s.shape[1]):
            context = a[k, t] @ h[k]
            for i in range(h.shape[1]):
                de = a[k, t, i] * (dc[k, t] @ (h[k, i] - context))
                ds[k, t] += de * (W @ h[k, i])
                dW += de * torch.outer(s[k, t], h[k, i])
                dh[k, i] += de * (s[k, t] @ W) + a[k, t, i] * dc[k, t]
    return ds, dh, dW


# %% right: with the formula of notebook 08 and einsum
def attend_backward(dc, s, h, W, a):
    c = torch.einsum("bti,bin->btn", a, h)
    away = h[:, None] - c[:, :, None]
    de = torch.einsum("bti,btn,btin->bti", a, dc, away)
    ds = torch.einsum("bti,mn,bin->btm", de, W, h)
    dh = torch.einsum("bti,btm,mn->bin", de, s, W) + torch.einsum("bti,btn->bin", a, dc)
    return ds, dh, torch.einsum("btm,bti,bin->mn", s, de, h)


# %% right: with the softmax's own matrix of slopes
def attend_backward(dc, s, h, W, a):
    slopes = torch.diag_embed(a) - a[..., None] * a[..., None, :]
    de = (slopes @ (dc @ h.mT)[..., None])[..., 0]
    dh = a.mT @ dc + de.mT @ (s @ W)
    return de @ (h @ W.T), dh, (s.mT @ (de @ h)).sum(dim=0)


# %% right: with numpy
def attend_backward(dc, s, h, W, a):
    dc, s, h, W, a = (x.numpy() for x in (dc, s, h, W, a))
    da = dc @ h.transpose(0, 2, 1)
    de = a * (da - (a * da).sum(axis=2, keepdims=True))
    turned = de.transpose(0, 2, 1)
    dW = np.tensordot(s, de @ h, axes=((0, 1), (0, 1)))
    return de @ h @ W.T, a.transpose(0, 2, 1) @ dc + turned @ s @ W, dW


# %% right: sentence by sentence in float32
def attend_backward(dc, s, h, W, a):
    dc, s, h, W, a = (x.float() for x in (dc, s, h, W, a))
    ds, dh, dW = [], [], torch.zeros_like(W)
    for out, query, words, weights in zip(dc, s, h, a, strict=True):
        da = out @ words.T
        de = weights * da - weights * (weights * da).sum(dim=1)[:, None]
        ds.append(de @ words @ W.T)
        dh.append(weights.T @ out + de.T @ query @ W)
        dW = dW + query.T @ de @ words
    return torch.stack(ds), torch.stack(dh), dW


# %% wrong: the softmax is missing on the way back: this takes da for de
def attend_backward(dc, s, h, W, a):
    de = dc @ h.mT
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong: raising one score lowers the weights of the others: the mean is not taken off
def attend_backward(dc, s, h, W, a):
    de = a * (dc @ h.mT)
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong: the softmax has a slope for each pair of words, not a_i (1 - a_i) alone
def attend_backward(dc, s, h, W, a):
    de = a * (1 - a) * (dc @ h.mT)
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong: the plain mean is taken off; the weighted one belongs there
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - da.mean(dim=2, keepdim=True))
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong: the sign is turned round
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * ((a * da).sum(dim=2, keepdim=True) - da)
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong: W is missing on the way to s
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong: the gradients come in another order
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h @ W.T, (s.mT @ de @ h).sum(dim=0), a.mT @ dc + de.mT @ s @ W


# %% wrong: autograd does the work, and gradients are off
def attend_backward(dc, s, h, W, a):
    leaves = [x.clone().requires_grad_() for x in (s, h, W)]
    context = (leaves[0] @ leaves[2] @ leaves[1].mT).softmax(dim=2) @ leaves[1]
    return torch.autograd.grad(context, leaves, dc)


# %% wrong, subtle: h is read as well: its first way, through the context, is missing
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h @ W.T, de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong, subtle: h is scored as well: its second way, through the scores, is missing
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h @ W.T, a.mT @ dc, (s.mT @ de @ h).sum(dim=0)


# %% wrong, subtle: all sentences share W: add their gradients up, no mean
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).mean(dim=0)


# %% wrong, subtle: dW is of the first sentence alone
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, s[0].T @ de[0] @ h[0]


# %% wrong, subtle: all French words share W: add their gradients up, no mean
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    dW = (s.mT @ de @ h).sum(dim=0) / s.shape[1]
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, dW


# %% wrong, subtle: this is its transpose
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (h.mT @ de.mT @ s).sum(dim=0)


# %% wrong, subtle: W is transposed on the way to s
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=2, keepdim=True))
    return de @ h @ W, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)


# %% wrong, subtle: the weighted mean is taken over all French words at once
def attend_backward(dc, s, h, W, a):
    da = dc @ h.mT
    de = a * (da - (a * da).sum(dim=(1, 2), keepdim=True))
    return de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0)
