"""Answers to best_sentence: right ones, wrong ones, and a grader that is too weak."""

import math
from functools import cache

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    log_p = torch.full((4, 4), -20.0).double()
    log_p[3, 1], log_p[1, 2], log_p[2, 0] = -0.1, -0.2, -0.3
    ids, score = student(log_p, 3, 0, 3)
    return list(map(int, ids)) == [1, 2, 0] and abs(float(score) + 0.6) < 1e-3


# %% right: a sentence for each word, in lists
def best_sentence(log_p, start, stop, most):
    p = log_p.tolist()
    ways = {start: (0.0, [])}
    ended = []
    for _ in range(most):
        longer = {}
        for word, (total, path) in ways.items():
            for after, log in enumerate(p[word]):
                one = (total + log, [*path, after])
                if after not in longer or one[0] > longer[after][0]:
                    longer[after] = one
        ended.append(longer.pop(stop))
        ways = longer
    total, path = max(ended)
    return path, total


# %% right: from the end, what is still to come
def best_sentence(log_p, start, stop, most):
    @cache
    def rest(word, left):
        found = [(log_p[word, stop].item(), [stop])]
        for after in range(len(log_p)):
            if after != stop and left > 1:
                total, path = rest(after, left - 1)
                found.append((log_p[word, after].item() + total, [after, *path]))
        return max(found)

    total, path = rest(start, most)
    return path, total


# %% right: the likeliest beginning is taken up first, until it ends
def best_sentence(log_p, start, stop, most):
    open_, seen = [(0.0, [start])], set()
    while open_:
        cost, path = open_.pop(open_.index(min(open_)))
        if path[-1] == stop and len(path) > 1:
            return path[1:], -cost
        if len(path) > most or (path[-1], len(path)) in seen:
            continue
        seen.add((path[-1], len(path)))
        for after, log in enumerate(log_p[path[-1]].tolist()):
            if log > -math.inf:
                open_.append((cost - log, [*path, after]))


# %% right: with numpy in float32, back pointers in a table
def best_sentence(log_p, start, stop, most):
    p = log_p.numpy().astype(np.float32)
    B = np.full((most, len(p)), -np.inf, dtype=np.float32)
    back = np.zeros((most, len(p)), dtype=int)
    B[0] = p[start]
    for n in range(1, most):
        before = B[n - 1].copy()
        before[stop] = -np.inf
        table = before[:, None] + p
        B[n], back[n] = table.max(axis=0), table.argmax(axis=0)
    n = int(B[:, stop].argmax())
    ids = [stop]
    for k in range(n, 0, -1):
        ids.append(int(back[k, ids[-1]]))
    return ids[::-1], B[n, stop]


# %% right: the word STOP leads to itself at no cost
def best_sentence(log_p, start, stop, most):
    table = log_p.clone()
    table[stop] = -torch.inf
    table[stop, stop] = 0.0
    best, back = log_p[start], []
    for _ in range(most - 1):
        best, before = (best[:, None] + table).max(dim=0)
        back.append(before)
    ids = [stop]
    for before in back[::-1]:
        ids.append(int(before[ids[-1]]))
    ids = ids[::-1]
    return torch.tensor(ids[: ids.index(stop) + 1]), best[stop]


# %% wrong: this is greedy's sentence
def best_sentence(log_p, start, stop, most):
    ids, total, word = [], 0.0, start
    while len(ids) < most and (not ids or word != stop):
        total += log_p[word].max().item()
        word = log_p[word].argmax().item()
        ids.append(word)
    return ids, total


# %% wrong: START is read, not written
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return [start, *ids], top


# %% wrong: they stand the wrong way round
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.append(before[ids[-1]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong: rows and columns are exchanged: the row is the last word
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[:, start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p.T).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong: this is a probability; give its logarithm
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, math.exp(top)


# %% wrong: this is the mean; give the sum
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top / len(ids)


# %% wrong: it need not end with STOP for you; only a sentence that ends counts
def best_sentence(log_p, start, stop, most):
    def step(ids, state):
        return log_p[ids], state

    return beam_search(step, lambda s, r: s[r], torch.zeros(1), start, stop, 3, 0.0, most)


# %% wrong, subtle: the sentence has `most` tokens, not fewer
def best_sentence(log_p, start, stop, most):
    best, back = log_p[start], []
    for _ in range(most - 1):
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    ids = [stop]
    for before in reversed(back):
        ids.insert(0, before[ids[0]].item())
    return ids, best[stop].item()


# %% wrong, subtle: the sentence need not end
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        if len(back) == most - 1:
            break
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    if best.max() > top:
        top, ids = best.max().item(), [best.argmax().item()]
        for before in reversed(back):
            ids.insert(0, before[ids[0]].item())
    return ids, top


# %% wrong: this is the first end that was found; a longer sentence may be likelier
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if not ids and best[stop] > -math.inf:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong, subtle: it has more tokens than `most`
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most + 1):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong: `most` counts STOP as well
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most - 1):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong, subtle: all ways to a word were added up; only the best counts
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        ways = going[:, None] + log_p
        best, before = ways.logsumexp(dim=0), ways.argmax(dim=0)
        back.append(before)
    return ids, top


# %% wrong, subtle: each place got the best word of its own; go back from STOP, word by word
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before.item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, _ = (going[:, None] + log_p).max(dim=0)
        back.append(going.argmax())
    return ids, top


# %% wrong, subtle: sentences are compared by their mean
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] / (len(back) + 1) > top:
            top, ids = best[stop].item() / (len(back) + 1), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top * len(ids)


# %% wrong, subtle: the last end wins, not the best
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > -math.inf:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong: a sentence begins after START, not after any word
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p.amax(dim=0), [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong: this is without the step from START
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top - log_p[start, ids[0]].item()


# %% wrong, subtle: STOP's row is closed in log_p itself
def best_sentence(log_p, start, stop, most):
    log_p[stop] = -torch.inf
    best, back, top, ids = log_p[start], [], -math.inf, []
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top


# %% wrong, subtle: each word is settled once, by its likeliest way
def best_sentence(log_p, start, stop, most):
    import heapq

    heap, seen = [(0.0, start, [])], set()
    while heap:
        cost, v, path = heapq.heappop(heap)
        if path and v == stop:
            return path, -cost
        if (v, bool(path)) in seen or len(path) >= most:
            continue
        seen.add((v, bool(path)))
        for j, x in enumerate(log_p[v].tolist()):
            if x > -math.inf:
                heapq.heappush(heap, (cost - x, j, [*path, j]))


# %% wrong, subtle: a step that is certain is taken for one that is missing
def best_sentence(log_p, start, stop, most):
    best, back, top, ids = log_p[start], [], -math.inf, []
    log_p = log_p.masked_fill(log_p == 0, -torch.inf)
    best = log_p[start]
    for _ in range(most):
        if best[stop] > top:
            top, ids = best[stop].item(), [stop]
            for before in reversed(back):
                ids.insert(0, before[ids[0]].item())
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        best, before = (going[:, None] + log_p).max(dim=0)
        back.append(before)
    return ids, top
