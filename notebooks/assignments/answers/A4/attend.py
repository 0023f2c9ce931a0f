"""Answers to attend: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    s, h = torch.tensor([[[2.0, 1.0], [0.0, -1.0]]]), torch.tensor([[[1.0, 0.0], [3.0, 0.5]]])
    W, padding = torch.tensor([[0.5, 0.1], [0.1, 0.2]]), torch.tensor([[False, False]])
    context, weights = student(s, h, W, padding)
    context, weights = torch.as_tensor(context).double(), torch.as_tensor(weights).double()
    sums = torch.allclose(weights.sum(dim=2), torch.ones(1, 2).double())
    return sums and torch.allclose(weights @ h.double(), context, atol=1e-5)


# %% right: sentence by sentence and word by word
def attend(s, h, W, padding):
    context, weights = torch.zeros(*s.shape[:2], h.shape[2], dtype=h.dtype), []
    for k in range(len(s)):
        rows = []
        for t in range(s.shape[1]):
            e = torch.stack([s[k, t] @ W @ h[k, i] for i in range(h.shape[1])])
            rows.append(masked_softmax(e, padding[k]))
            for i in range(h.shape[1]):
                context[k, t] += rows[-1][i] * h[k, i]
        weights.append(torch.stack(rows))
    return context, torch.stack(weights)


# %% right: einsum all the way
def attend(s, h, W, padding):
    e = torch.einsum("btm,mn,bin->bti", s, W, h)
    weights = masked_softmax(e, padding.unsqueeze(1).expand_as(e))
    return torch.einsum("bti,bin->btn", weights, h), weights


# %% right: W meets h first, and the result is a list
def attend(s, h, W, padding):
    e = torch.bmm(s, (h @ W.T).transpose(1, 2))
    weights = masked_softmax(e, padding[:, None, :])
    return [torch.bmm(weights, h), weights]


# %% right: in float32, with a softmax of its own
def attend(s, h, W, padding):
    s, h, W = s.float(), h.float(), W.float()
    e = (s @ W @ h.mT).masked_fill(padding[:, None], -torch.inf)
    weights = e.softmax(dim=2).nan_to_num(0.0)
    return weights @ h, weights


# %% right: with numpy
def attend(s, h, W, padding):
    e = s.numpy() @ W.numpy() @ h.numpy().transpose(0, 2, 1)
    weights = np.asarray(masked_softmax(torch.tensor(e), padding[:, None]))
    return weights @ h.numpy(), weights


# %% wrong: the mean is of W h; it is of h
def attend(s, h, W, padding):
    keys = h @ W.T
    weights = masked_softmax(s @ keys.mT, padding[:, None])
    return weights @ keys, weights


# %% wrong: this is the context; it comes first
def attend(s, h, W, padding):
    weights = masked_softmax(s @ W @ h.mT, padding[:, None])
    return weights, weights @ h


# %% wrong: no weights are given
def attend(s, h, W, padding):
    return masked_softmax(s @ W @ h.mT, padding[:, None]) @ h


# %% wrong: the scores weigh, not their softmax
def attend(s, h, W, padding):
    e = (s @ W @ h.mT).masked_fill(padding[:, None], 0.0)
    return e @ h, masked_softmax(e, padding[:, None])


# %% wrong: the softmax runs over the French words; it runs over the English ones
def attend(s, h, W, padding):
    e = (s @ W @ h.mT).masked_fill(padding[:, None], -torch.inf)
    weights = e.softmax(dim=1).nan_to_num(0.0)
    return weights @ h, weights


# %% wrong: the mask is the wrong way round
def attend(s, h, W, padding):
    weights = masked_softmax(s @ W @ h.mT, ~padding[:, None])
    return weights @ h, weights


# %% wrong: the contexts of a sentence are averaged
def attend(s, h, W, padding):
    weights = masked_softmax(s @ W @ h.mT, padding[:, None])
    return (weights @ h).mean(dim=1, keepdim=True).expand(-1, s.shape[1], -1), weights


# %% wrong, subtle: padding still gets weight
def attend(s, h, W, padding):
    weights = (s @ W @ h.mT).softmax(dim=2)
    return weights @ h, weights


# %% wrong, subtle: W is transposed
def attend(s, h, W, padding):
    weights = masked_softmax(s @ W.T @ h.mT, padding[:, None])
    return weights @ h, weights


# %% wrong, subtle: W is missing
def attend(s, h, W, padding):
    weights = masked_softmax(s @ h.mT, padding[:, None])
    return weights @ h, weights


# %% wrong, subtle: the scores are divided by the root of the size of h; the general ones are not
def attend(s, h, W, padding):
    weights = masked_softmax(s @ W @ h.mT / h.shape[2] ** 0.5, padding[:, None])
    return weights @ h, weights


# %% wrong, subtle: the h of padding are set to 0, and scored
def attend(s, h, W, padding):
    h = h.masked_fill(padding[:, :, None], 0.0)
    weights = (s @ W @ h.mT).softmax(dim=2)
    return weights @ h, weights


# %% wrong, subtle: the padding of the first sentence hides words in all
def attend(s, h, W, padding):
    weights = masked_softmax(s @ W @ h.mT, padding[0])
    return weights @ h, weights


# %% wrong, subtle: all French words ask with the first
def attend(s, h, W, padding):
    e = (s[:, :1] @ W @ h.mT).expand(-1, s.shape[1], -1)
    weights = masked_softmax(e, padding[:, None])
    return weights @ h, weights


# %% wrong, subtle: only the best word is read
def attend(s, h, W, padding):
    weights = masked_softmax(s @ W @ h.mT, padding[:, None])
    best = torch.zeros_like(weights).scatter(2, weights.argmax(dim=2, keepdim=True), 1.0)
    best = best.masked_fill(padding[:, None], 0.0)
    return best @ h, best


# %% wrong, subtle: a sentence that is all padding is read all the same
def attend(s, h, W, padding):
    padding = padding & ~padding.all(dim=1, keepdim=True)
    weights = masked_softmax(s @ W @ h.mT, padding[:, None])
    return weights @ h, weights
