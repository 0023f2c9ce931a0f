"""Answers to span_loss: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F


# %% weak
def weak(student) -> bool:
    start, end = torch.tensor([[0.0, 5, 1, 3]]).double(), torch.tensor([[0.0, 9, 1, 3]]).double()
    places = torch.tensor([2]), torch.tensor([3])
    loss, dstart, _ = student(start, end, *places, torch.tensor([[True, False, True, True]]))
    near = np.allclose(np.asarray(dstart), [[0.0210, 0, -0.4430, 0.4219]], atol=1e-3)
    return near and abs(float(loss) - 1.1698) < 1e-3


# %% right: exponentials, the largest allowed score taken off
def span_loss(start, end, starts, ends, allowed):
    batch = len(start)

    def one(scores, true):
        low = torch.where(allowed, scores, torch.full_like(scores, -torch.inf))
        grown = torch.exp(low - low.max(dim=1, keepdim=True).values)
        p = grown / grown.sum(dim=1, keepdim=True)
        hot = F.one_hot(true, scores.shape[1]).to(p.dtype)
        top = low.max(dim=1).values
        logs = (low - top[:, None]).gather(1, true[:, None])[:, 0] - grown.sum(dim=1).log()
        return -logs.mean(), (p - hot) / batch

    (a, da), (b, db) = one(start, starts), one(end, ends)
    return (a + b) / 2, da / 2, db / 2


# %% right: text by text, over the allowed places alone
def span_loss(start, end, starts, ends, allowed):
    batch, total = len(start), 0.0
    gradients = [torch.zeros_like(start), torch.zeros_like(end)]
    for k in range(batch):
        places = allowed[k].nonzero().flatten()
        for scores, true, gradient in zip((start, end), (starts, ends), gradients, strict=True):
            logs = scores[k, places].log_softmax(dim=0)
            at = (places == true[k]).nonzero().item()
            total -= logs[at].item()
            gradient[k, places] = logs.exp() / (2 * batch)
            gradient[k, true[k]] -= 1 / (2 * batch)
    return total / (2 * batch), *gradients


# %% right: start and end as one batch
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), float("-inf"))
    loss = F.cross_entropy(masked, true)
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(true)
    return loss, *gradient.chunk(2)


# %% right: torch's autograd, turned on again
def span_loss(start, end, starts, ends, allowed):
    with torch.enable_grad():
        leaves = [z.detach().clone().requires_grad_() for z in (start, end)]
        parts = [
            F.cross_entropy(z.masked_fill(~allowed, -torch.inf), true)
            for z, true in zip(leaves, (starts, ends), strict=True)
        ]
        loss = sum(parts) / 2
        return loss.detach(), *torch.autograd.grad(loss, leaves)


# %% right: with numpy in float32
def span_loss(start, end, starts, ends, allowed):
    allowed, rows, loss, found = allowed.numpy(), np.arange(len(start)), 0.0, []
    for scores, true in ((start, starts), (end, ends)):
        low = np.where(allowed, scores.numpy().astype(np.float32), -np.inf)
        low = low - low.max(axis=1, keepdims=True)
        p = np.exp(low) / np.exp(low).sum(axis=1, keepdims=True)
        logs = low[rows, true] - np.log(np.exp(low).sum(axis=1))
        loss -= logs.mean() / 2
        p[rows, true] -= 1
        found.append((p / (2 * len(start))).astype(np.float32))
    return np.float32(loss), *found


# %% wrong: places that are not allowed still get a share
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    gradient = (scores.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(true)
    return F.cross_entropy(scores, true), *gradient.chunk(2)


# %% wrong: it is the mean of the loss of start and end, not their sum
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(start)
    return 2 * F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong: the 1 at the true place is not taken off
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    return F.cross_entropy(masked, true), *(masked.softmax(dim=1) / len(true)).chunk(2)


# %% wrong: the sign is turned round
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    gradient = (F.one_hot(true, start.shape[1]) - masked.softmax(dim=1)) / len(true)
    return F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong: only the true place gets a gradient; all scores move
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    hot = F.one_hot(true, start.shape[1])
    gradient = hot * (masked.softmax(dim=1) - 1) / len(true)
    return F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong: the minus is missing
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(true)
    return -F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong: the mask lowers the scores by a little only
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores - 5 * (~allowed.repeat(2, 1)).double()
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(true)
    return F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong, subtle: it is a mean over the texts, not a sum
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / 2
    return F.cross_entropy(masked, true, reduction="sum") / 2, *gradient.chunk(2)


# %% wrong, subtle: the loss is a mean over the texts: divide by their number
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / 2
    return F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong, subtle: texts without an answer are left out
def span_loss(start, end, starts, ends, allowed):
    some = ((starts > 0).double() / max(int((starts > 0).sum()), 1)).repeat(2)
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed.repeat(2, 1), -torch.inf)
    losses = F.cross_entropy(masked, true, reduction="none")
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) * some[:, None] / 2
    return (losses * some).sum() / 2, *gradient.chunk(2)


# %% wrong, subtle: a score of 0 in the place of none
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    mask = allowed.repeat(2, 1)
    masked = torch.where(mask, scores, scores.amin(dim=1, keepdim=True) - 9)
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(true)
    return F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong, subtle: exp of a large score is infinite
def span_loss(start, end, starts, ends, allowed):
    rows, loss, found = torch.arange(len(start)), 0.0, []
    for scores, true in ((start, starts), (end, ends)):
        grown = scores.exp() * allowed
        p = grown / grown.sum(dim=1, keepdim=True)
        loss = loss - p[rows, true].log().mean() / 2
        p[rows, true] -= 1
        found.append(p / (2 * len(start)))
    return loss, *found


# %% wrong, subtle: the first text's places serve for all
def span_loss(start, end, starts, ends, allowed):
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    masked = scores.masked_fill(~allowed[:1], -torch.inf)
    gradient = (masked.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(true)
    return F.cross_entropy(masked, true), *gradient.chunk(2)


# %% wrong, subtle: the scores are changed in place
def span_loss(start, end, starts, ends, allowed):
    start[~allowed], end[~allowed] = -torch.inf, -torch.inf
    scores, true = torch.cat([start, end]), torch.cat([starts, ends])
    gradient = (scores.softmax(dim=1) - F.one_hot(true, start.shape[1])) / len(true)
    return F.cross_entropy(scores, true), *gradient.chunk(2)
