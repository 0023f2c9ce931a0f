"""Answers to filtered: right ones, wrong ones, and a grader that is too weak."""

import math

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    scores = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).double().log()
    answer = student(scores, 4, 0.75)
    return np.allclose(np.asarray(answer), [[0.625, 0.375, 0, 0]], atol=1e-3)


# %% right: row by row, token by token
def filtered(scores, k, p):
    found = torch.zeros_like(scores)
    for b, row in enumerate(scores):
        best = sorted(range(len(row)), key=lambda i: -row[i].item())[:k]
        share = row[best].softmax(dim=0)
        kept, mass = [], 0.0
        for i, part in zip(best, share.tolist(), strict=True):
            if mass >= p and p < 1:
                break
            kept.append(i)
            mass += part
        found[b, kept] = row[kept].softmax(dim=0)
    return found


# %% right: with numpy in float32
def filtered(scores, k, p):
    e = scores.numpy().astype(np.float32)
    order = np.argsort(-e, axis=1, kind="stable")[:, :k]
    best = np.take_along_axis(e, order, axis=1)
    share = np.exp(best - best[:, :1])
    share /= share.sum(axis=1, keepdims=True)
    mass = np.cumsum(share, axis=1)
    keep = np.ones(share.shape, dtype=bool)
    if p != 1:
        keep[:, 1:] = mass[:, :-1] < p
    share = np.where(keep, share, 0)
    found = np.zeros_like(e)
    np.put_along_axis(found, order, share / share.sum(axis=1, keepdims=True), axis=1)
    return found


# %% right: the number of kept tokens first, then ranks in the place of a scatter
def filtered(scores, k, p):
    order = scores.argsort(dim=1, descending=True, stable=True)
    rank = order.argsort(dim=1)
    best = scores.masked_fill(rank >= k, -torch.inf)
    mass = best.softmax(dim=1).gather(1, order).cumsum(dim=1)
    count = (mass < p).sum(dim=1, keepdim=True) + 1
    if p == 1:
        count = torch.full_like(count, k)
    return best.masked_fill(rank >= count, -torch.inf).softmax(dim=1)


# %% right: each token adds up what is ahead of it
def filtered(scores, k, p):
    ids = torch.arange(scores.shape[1])
    row, column = scores[:, :, None], scores[:, None, :]
    ahead = (column > row) | ((column == row) & (ids < ids[:, None]))
    best = scores.masked_fill(ahead.sum(dim=2) >= k, -torch.inf)
    share = best.softmax(dim=1)
    mass = torch.einsum("bij,bj->bi", ahead.to(share.dtype), share)
    dropped = (best == -torch.inf) | ((mass >= p) & (p < 1))
    weight = (best - best.amax(dim=1, keepdim=True)).exp().masked_fill(dropped, 0.0)
    return weight / weight.sum(dim=1, keepdim=True)


# %% right: plain lists
def filtered(scores, k, p):
    rows = []
    for row in scores.tolist():
        ranks = sorted((-x, i) for i, x in enumerate(row))[:k]
        size = {i: math.exp(ranks[0][0] - x) for x, i in ranks}
        total, kept = sum(size.values()), {}
        for i, part in size.items():
            if p == 1 or sum(kept.values()) < p * total:
                kept[i] = part
        rows.append([kept.get(i, 0.0) / sum(kept.values()) for i in range(len(row))])
    return rows


# %% wrong: k was not used
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    share = ranked.softmax(dim=1)
    if p < 1:
        ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong: p was not used
def filtered(scores, k, p):
    order = scores.argsort(dim=1, descending=True, stable=True)
    return scores.masked_fill(order.argsort(dim=1) >= k, -torch.inf).softmax(dim=1)


# %% wrong: the token that reaches p was dropped; it is kept
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    over = ranked.softmax(dim=1).cumsum(dim=1) > p
    over[:, 0] = False
    ranked = ranked.masked_fill(over, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong: the rows no longer add up to 1: it is the softmax of the k best
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    share = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf).softmax(dim=1)
    if p < 1:
        share = share.masked_fill(share.cumsum(dim=1) - share >= p, 0.0)
    return torch.zeros_like(scores).scatter(1, order, share)


# %% wrong: these are logs; give probabilities
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    share = ranked.softmax(dim=1)
    if p < 1:
        ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.log_softmax(dim=1))


# %% wrong: the lowest scores were kept
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, stable=True)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    share = ranked.softmax(dim=1)
    if p < 1:
        ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong: each token that has at least p alone is kept
def filtered(scores, k, p):
    order = scores.argsort(dim=1, descending=True, stable=True)
    best = scores.masked_fill(order.argsort(dim=1) >= k, -torch.inf)
    share = best.softmax(dim=1)
    return best.masked_fill((share < p) & (p < 1), -torch.inf).softmax(dim=1)


# %% wrong, subtle: they stand in the order of their rank; put each back in its place
def filtered(scores, k, p):
    ranked = scores.sort(dim=1, descending=True, stable=True).values
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    share = ranked.softmax(dim=1)
    if p < 1:
        ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return ranked.softmax(dim=1)


# %% wrong, subtle: of equal scores all are kept; exactly k are, the lower ids first
def filtered(scores, k, p):
    least = scores.topk(min(k, scores.shape[1]), dim=1).values[:, -1:]
    ranked, order = scores.masked_fill(scores < least, -torch.inf).sort(
        dim=1, descending=True, stable=True
    )
    share = ranked.softmax(dim=1)
    if p < 1:
        ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong, subtle: tokens that are as likely as the last one kept are kept too
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    late = torch.arange(scores.shape[1]) >= k
    share = ranked.masked_fill(late, -torch.inf).softmax(dim=1)
    dropped = late | ((share.cumsum(dim=1) - share >= p) & (p < 1))
    last = ranked.masked_fill(dropped, torch.inf).amin(dim=1, keepdim=True)
    ranked = ranked.masked_fill(late | (ranked < last), -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong, subtle: p counts the probabilities of all tokens; only the k best share it
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    share = scores.softmax(dim=1).gather(1, order)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    if p < 1:
        ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong, subtle: the nucleus comes first, and k of it are kept
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    share = ranked.softmax(dim=1)
    count = (share.cumsum(dim=1) < p).sum(dim=1, keepdim=True) + 1
    count = count.clamp(max=k)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= count, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong, subtle: at p = 1 the sum reaches 1 before the last token
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    share = ranked.softmax(dim=1)
    ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong, subtle: the first row's nucleus has its size in all rows
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    ranked = ranked[:, :k]
    count = int((ranked[0].softmax(dim=0).cumsum(dim=0) < p).sum()) + 1
    share = ranked[:, : count if p < 1 else k].softmax(dim=1)
    return torch.zeros_like(scores).scatter(1, order[:, : share.shape[1]], share)


# %% wrong, subtle: a large k is more than there is
def filtered(scores, k, p):
    ranked, order = scores.topk(k, dim=1)
    share = ranked.softmax(dim=1)
    if p < 1:
        ranked = ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))


# %% wrong, subtle: the scores are changed in place
def filtered(scores, k, p):
    order = scores.argsort(dim=1, descending=True, stable=True)
    scores.scatter_(1, order[:, k:], -torch.inf)
    share = scores.softmax(dim=1).gather(1, order)
    dropped = (share.cumsum(dim=1) - share >= p) & (p < 1)
    scores[torch.zeros_like(dropped).scatter(1, order, dropped)] = -torch.inf
    return scores.softmax(dim=1)


# %% wrong, subtle: exp of large scores
def filtered(scores, k, p):
    ranked, order = scores.exp().sort(dim=1, descending=True, stable=True)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, 0.0)
    share = ranked / ranked.sum(dim=1, keepdim=True)
    if p < 1:
        share = share.masked_fill(share.cumsum(dim=1) - share >= p, 0.0)
    share = share / share.sum(dim=1, keepdim=True)
    return torch.zeros_like(scores).scatter(1, order, share)


# %% wrong, subtle: where those kept have exactly p, one more is kept
def filtered(scores, k, p):
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    share = ranked.softmax(dim=1)
    before = share.cumsum(dim=1) - share
    if p < 1:
        ranked = ranked.masked_fill(before > p, -torch.inf)
    return torch.zeros_like(scores).scatter(1, order, ranked.softmax(dim=1))
