"""Answers to local_weights: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    weights = student(torch.zeros(1, 1, 5), torch.tensor([[2.0]]), 2, torch.zeros(1, 5) > 0)
    return np.allclose(weights, [[[0.0271, 0.1213, 0.2, 0.1213, 0.0271]]], atol=1e-3)


# %% right: word by word
def local_weights(e, p, D, padding):
    weights = torch.zeros_like(e)
    for k in range(len(e)):
        for t in range(e.shape[1]):
            near = [i for i in range(e.shape[2]) if abs(i - p[k, t]) <= D and not padding[k, i]]
            if near:
                shares = e[k, t, near].softmax(dim=0)
                for i, share in zip(near, shares, strict=True):
                    weights[k, t, i] = share * torch.exp(-2 * ((i - p[k, t]) / D) ** 2)
    return weights


# %% right: the Gaussian in the exponent
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2])[None, None] - p[..., None]
    gone = (away.abs() > D) | padding[:, None]
    low = e.masked_fill(gone, -torch.inf)
    total = low.logsumexp(dim=2, keepdim=True)
    return (low - total.masked_fill(total.isinf(), 0.0) - 2 * (away / D) ** 2).exp()


# %% right: both factors with numpy
def local_weights(e, p, D, padding):
    e, p, padding = e.numpy(), p.numpy(), padding.numpy()
    away = np.arange(e.shape[2]) - p[:, :, None]
    grown = np.exp(e - e.max()) * (np.abs(away) <= D) * ~padding[:, None]
    total = grown.sum(axis=2, keepdims=True)
    shares = np.divide(grown, total, out=np.zeros(e.shape), where=total > 0)
    return shares * np.exp(-(away**2) / (2 * (D / 2) ** 2))


# %% right: in float32, shares cut out of the softmax of the sentence
def local_weights(e, p, D, padding):
    places = torch.arange(e.shape[2])
    away = places - p[:, :, None]
    inside = (places >= p[:, :, None] - D) & (places <= p[:, :, None] + D) & ~padding[:, None]
    shares = e.float().softmax(dim=2) * inside
    shares = shares / shares.sum(dim=2, keepdim=True).clamp(min=1e-30)
    return shares * torch.exp(-(away.float() ** 2) * 2 / D**2)


# %% wrong: the Gaussian is missing
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    return masked_softmax(e, (away.abs() > D) | padding[:, None])


# %% wrong: sigma is D; it is half of D
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    weights = masked_softmax(e, (away.abs() > D) | padding[:, None])
    return weights * torch.exp(-(away**2) / (2 * D**2))


# %% wrong: the 2 under the square of the distance is missing
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    weights = masked_softmax(e, (away.abs() > D) | padding[:, None])
    return weights * torch.exp(-(away**2) / (D / 2) ** 2)


# %% wrong: the distance is not squared
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    weights = masked_softmax(e, (away.abs() > D) | padding[:, None])
    return weights * torch.exp(-away.abs() / (2 * (D / 2) ** 2))


# %% wrong: the rows were made to add up to 1 again; the Gaussian takes weight away for good
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    return masked_softmax(e - 2 * (away / D) ** 2, (away.abs() > D) | padding[:, None])


# %% wrong: the ends of the window belong to it
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    weights = masked_softmax(e, (away.abs() >= D) | padding[:, None])
    return weights * torch.exp(-2 * (away / D) ** 2)


# %% wrong: positions count from 1
def local_weights(e, p, D, padding):
    away = torch.arange(1, e.shape[2] + 1) - p[:, :, None]
    weights = masked_softmax(e, (away.abs() > D) | padding[:, None])
    return weights * torch.exp(-2 * (away / D) ** 2)


# %% wrong: the scores are multiplied by the Gaussian
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    bell = torch.exp(-2 * (away / D) ** 2)
    return masked_softmax(e * bell, (away.abs() > D) | padding[:, None])


# %% wrong, subtle: the softmax runs over the whole sentence; only the window counts
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    weights = masked_softmax(e, padding[:, None]) * torch.exp(-2 * (away / D) ** 2)
    return weights.masked_fill(away.abs() > D, 0.0)


# %% wrong, subtle: there is no window: words farther than D still get weight
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    return masked_softmax(e, padding[:, None]) * torch.exp(-2 * (away / D) ** 2)


# %% wrong, subtle: padding in the window still gets weight
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    return masked_softmax(e, away.abs() > D) * torch.exp(-2 * (away / D) ** 2)


# %% wrong, subtle: padding is hidden after the softmax
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    weights = masked_softmax(e, away.abs() > D) * torch.exp(-2 * (away / D) ** 2)
    return weights.masked_fill(padding[:, None], 0.0)


# %% wrong, subtle: p was rounded for the window; it is any number
def local_weights(e, p, D, padding):
    places = torch.arange(e.shape[2])
    outside = (places - p.round()[:, :, None]).abs() > D
    bell = torch.exp(-2 * ((places - p[:, :, None]) / D) ** 2)
    return masked_softmax(e, outside | padding[:, None]) * bell


# %% wrong, subtle: p is cut to a whole number everywhere
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p.long()[:, :, None]
    weights = masked_softmax(e, (away.abs() > D) | padding[:, None])
    return weights * torch.exp(-2 * (away / D) ** 2)


# %% wrong, subtle: an empty window is NaN
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    low = e.masked_fill((away.abs() > D) | padding[:, None], -torch.inf)
    return low.softmax(dim=2) * torch.exp(-2 * (away / D) ** 2)


# %% wrong, subtle: p is pushed into the sentence
def local_weights(e, p, D, padding):
    last = (~padding).sum(dim=1, keepdim=True) - 1
    away = torch.arange(e.shape[2]) - p.clamp(min=0).minimum(last)[:, :, None]
    weights = masked_softmax(e, (away.abs() > D) | padding[:, None])
    return weights * torch.exp(-2 * (away / D) ** 2)


# %% wrong, subtle: the scores are missing, the window is shared out evenly
def local_weights(e, p, D, padding):
    away = torch.arange(e.shape[2]) - p[:, :, None]
    weights = masked_softmax(0 * e, (away.abs() > D) | padding[:, None])
    return weights * torch.exp(-2 * (away / D) ** 2)
