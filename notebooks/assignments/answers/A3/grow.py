"""Answers to grow: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    log_p = torch.tensor([[-0.5, -1.2, -3.0, -1.6]]).double()
    parent, token, score = student(torch.tensor([-1.0]).double(), log_p, 2, 0)
    near = np.allclose(np.asarray(score), [-1.5, -2.2, -2.6], atol=1e-3)
    return near and list(map(int, token)) == [0, 1, 3] and list(map(int, parent)) == [0, 0, 0]


# %% right: one after the other, from the best down
def grow(scores, log_p, k, stop):
    total = scores.unsqueeze(1) + log_p
    kept, going = [], 0
    for rank, place in enumerate(total.flatten().argsort(descending=True).tolist()):
        parent, token = divmod(place, log_p.shape[1])
        if total[parent, token] == -torch.inf:
            break
        if token == stop and rank < k:
            kept.append((parent, token))
        if token != stop and going < k:
            kept.append((parent, token))
            going += 1
    parent, token = (torch.tensor(column) for column in zip(*kept, strict=True))
    return parent, token, total[parent, token]


# %% right: two tables, one without stop
def grow(scores, log_p, k, stop):
    total = scores.unsqueeze(1) + log_p
    n, vocab = total.shape
    inside = total.clone()
    inside[:, stop] = -torch.inf
    score, place = inside.flatten().topk(min(k, n * vocab))
    top, among = total.flatten().topk(min(k, n * vocab))
    ends = among % vocab == stop
    score, place = torch.cat([score, top[ends]]), torch.cat([place, among[ends]])
    score, order = score.sort(descending=True)
    place = place[order][score > -torch.inf]
    return place // vocab, place % vocab, score[score > -torch.inf]


# %% right: 2k candidates are enough if each hypothesis ends once
def grow(scores, log_p, k, stop):
    n, vocab = log_p.shape
    count = min(k + n, n * vocab)  # n of them can end
    score, place = (scores[:, None] + log_p).reshape(-1).topk(count)
    rows = []
    for rank, (s, at) in enumerate(zip(score, place, strict=True)):
        free = sum(one[1] != stop for one in rows) < k
        if s.isfinite() and (rank < k if at % vocab == stop else free):
            rows.append((at // vocab, at % vocab, s))
    return tuple(torch.stack(column) for column in zip(*rows, strict=True))


# %% right: with numpy in float32
def grow(scores, log_p, k, stop):
    total = scores.numpy().astype(np.float32)[:, None] + log_p.numpy().astype(np.float32)
    order = np.argsort(-total, axis=None)
    parent, token = np.unravel_index(order, total.shape)
    score, ends = total[parent, token], token == stop
    kept = np.where(ends, np.arange(len(order)) < k, np.cumsum(~ends) <= k)
    kept &= np.isfinite(score)
    return parent[kept], token[kept], score[kept]


# %% right: sorted lists
def grow(scores, log_p, k, stop):
    sums = [
        (score + log, parent, token)
        for parent, (score, row) in enumerate(zip(scores.tolist(), log_p.tolist(), strict=True))
        for token, log in enumerate(row)
        if log > -float("inf")
    ]
    sums.sort(reverse=True)
    going = [one for one in sums if one[2] != stop][:k]
    ended = [one for one in sums[:k] if one[2] == stop]
    score, parent, token = zip(*sorted(going + ended, reverse=True), strict=True)
    return list(parent), list(token), list(score)


# %% wrong: a finished hypothesis holds a place; as many others move up
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    score, place = score[:k], place[:k][score[:k] > -torch.inf]
    return place // log_p.shape[1], place % log_p.shape[1], score[score > -torch.inf]


# %% wrong: those that end are missing
def grow(scores, log_p, k, stop):
    total = scores[:, None] + log_p
    total[:, stop] = -torch.inf
    score, place = total.flatten().sort(descending=True)
    score, place = score[:k], place[:k][score[:k] > -torch.inf]
    return place // log_p.shape[1], place % log_p.shape[1], score[score > -torch.inf]


# %% wrong: the scores of the hypotheses so far are missing
def grow(scores, log_p, k, stop):
    score, place = log_p.flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    kept = torch.where(ends, torch.arange(len(score)) < k, (~ends).cumsum(dim=0) <= k)
    kept = kept & (score > -torch.inf)
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong: parent and token are exchanged
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    kept = torch.where(ends, torch.arange(len(score)) < k, (~ends).cumsum(dim=0) <= k)
    kept = kept & (score > -torch.inf)
    return token[kept], place[kept] // log_p.shape[1], score[kept]


# %% wrong: a place is divided by the number of hypotheses
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place // len(scores)
    ends = token == stop
    kept = torch.where(ends, torch.arange(len(score)) < k, (~ends).cumsum(dim=0) <= k)
    kept = kept & (score > -torch.inf)
    return place[kept] % len(scores), token[kept], score[kept]


# %% wrong: each end is kept; only one among the k best of all is
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    kept = (ends | ((~ends).cumsum(dim=0) <= k)) & (score > -torch.inf)
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: those that end were put before the others; the best comes first
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    ends = place % log_p.shape[1] == stop
    first = ends & (torch.arange(len(score)) < k) & (score > -torch.inf)
    then = ~ends & ((~ends).cumsum(dim=0) <= k) & (score > -torch.inf)
    place, score = (torch.cat([x[first], x[then]]) for x in (place, score))
    return place // log_p.shape[1], place % log_p.shape[1], score


# %% wrong, subtle: an end that is better than the last that goes on is kept
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    kept = ((token != stop).cumsum(dim=0) <= k) & (score > -torch.inf)
    full = (token != stop).cumsum(dim=0) == k
    kept = kept & ~(full & (token == stop))
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: the k best ends are kept; an end must be among the k best of all
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    kept = (torch.where(ends, ends.cumsum(dim=0), (~ends).cumsum(dim=0)) <= k) & score.isfinite()
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: k of each hypothesis were kept; they all compete
def grow(scores, log_p, k, stop):
    rows = []
    for parent, total in enumerate(scores[:, None] + log_p):
        score, token = total.sort(descending=True)
        ends = token == stop
        kept = torch.where(ends, torch.arange(len(score)) < k, (~ends).cumsum(dim=0) <= k)
        kept = kept & (score > -torch.inf)
        rows.append((torch.full_like(token[kept], parent), token[kept], score[kept]))
    parent, token, score = (torch.cat(column) for column in zip(*rows, strict=True))
    order = score.argsort(descending=True)
    return parent[order], token[order], score[order]


# %% wrong, subtle: what is impossible, -inf, was kept
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    kept = torch.where(ends, torch.arange(len(score)) < k, (~ends).cumsum(dim=0) <= k)
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: k candidates and one more, so one end alone is made up for
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    room = k + int((token[:k] == stop).any())
    ends, rank = token == stop, torch.arange(len(score))
    kept = torch.where(ends, rank < k, rank < room) & (score > -torch.inf)
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: only the best end is kept; all among the k best of all are
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    first = ends & (ends.cumsum(dim=0) == 1) & (torch.arange(len(score)) < k)
    kept = (first | (~ends & ((~ends).cumsum(dim=0) <= k))) & (score > -torch.inf)
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: stop is taken to be 0
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == 0
    kept = torch.where(ends, torch.arange(len(score)) < k, (~ends).cumsum(dim=0) <= k)
    kept = kept & (score > -torch.inf)
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: the sums are written over log_p
def grow(scores, log_p, k, stop):
    log_p += scores[:, None]
    score, place = log_p.flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    kept = torch.where(ends, torch.arange(len(score)) < k, (~ends).cumsum(dim=0) <= k)
    kept = kept & (score > -torch.inf)
    return place[kept] // log_p.shape[1], token[kept], score[kept]


# %% wrong, subtle: 0 was taken for stop
def grow(scores, log_p, k, stop):
    score, place = (scores[:, None] + log_p).flatten().sort(descending=True)
    token = place % log_p.shape[1]
    ends = token == stop
    rank = torch.arange(len(score))
    kept = torch.where(ends, rank < k, (~ends).cumsum(dim=0) <= k)
    kept = kept & (score > -1e4)
    return place[kept] // log_p.shape[1], token[kept], score[kept]
