"""Answers to best_span: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    start, end = torch.tensor([1.0, 0, 4, 1]), torch.tensor([1.0, 0, 2, 3])
    text = torch.tensor([False, False, True, True])
    return tuple(int(place) for place in student(start, end, text, 2, 0.0)) == (2, 3)


# %% right: two loops, a pair must be better to replace one
def best_span(start, end, passage, max_length, threshold):
    best, pair = None, (0, 0)
    for i in range(len(start)):
        for j in range(i, len(end)):
            if j - i + 1 > max_length or not (passage[i] and passage[j]):
                continue
            score = (start[i] + end[j]).item()
            if best is None or score > best:
                best, pair = score, (i, j)
    return pair if best - (start[0] + end[0]).item() > threshold else (0, 0)


# %% right: the best end for each start
def best_span(start, end, passage, max_length, threshold):
    first, last = passage.nonzero().flatten()[[0, -1]].tolist()
    rows = []
    for i in range(first, last + 1):
        ends = end[i : min(i + max_length, last + 1)]
        rows.append((start[i] + ends.max(), i, i + int((ends == ends.max()).nonzero()[0])))
    score, i, j = max(rows, key=lambda row: (row[0].item(), -row[1]))
    return [i, j] if score > start[0] + end[0] + threshold else [0, 0]


# %% right: all pairs, sorted
def best_span(start, end, passage, max_length, threshold):
    places = [k for k, inside in enumerate(passage.tolist()) if inside]
    pairs = [
        (-float(start[i] + end[j]), i, j) for i in places for j in places if i <= j < i + max_length
    ]
    score, i, j = min(pairs)
    return (i, j) if -score - float(start[0] + end[0]) > threshold else (0, 0)


# %% right: with numpy
def best_span(start, end, passage, max_length, threshold):
    start, end, inside = start.numpy(), end.numpy(), passage.numpy()
    size = np.subtract.outer(np.arange(len(end)), np.arange(len(start))).T + 1
    fits = (size >= 1) & (size <= max_length) & np.logical_and.outer(inside, inside)
    table = np.where(fits, np.add.outer(start, end), -np.inf)
    i, j = np.unravel_index(table.argmax(), table.shape)
    return (i, j) if table[i, j] - (start[0] + end[0]) > threshold else (0, 0)


# %% wrong: start and end are not chosen apart; the best pair counts
def best_span(start, end, passage, max_length, threshold):
    i = start.masked_fill(~passage, -torch.inf).argmax().item()
    j = end.masked_fill(~passage, -torch.inf).argmax().item()
    return (i, j) if start[i] + end[j] - start[0] - end[0] > threshold else (0, 0)


# %% wrong: the span must lie inside the passage
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits[0] = False
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] - start[0] - end[0] > threshold else (0, 0)


# %% wrong: no answer is never given
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    return divmod(table.argmax().item(), len(end))


# %% wrong: of equal pairs the first counts
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] * end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] - start[0] * end[0] > threshold else (0, 0)


# %% wrong: the place behind the last one is given
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j + 1) if table[i, j] - start[0] - end[0] > threshold else (0, 0)


# %% wrong: the score is given, not the places
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    return (start[:, None] + end).masked_fill(~fits, -torch.inf).max()


# %% wrong, subtle: max_length counts the tokens, first and last too
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] - start[0] - end[0] > threshold else (0, 0)


# %% wrong, subtle: the end may stand before the start
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] - start[0] - end[0] > threshold else (0, 0)


# %% wrong, subtle: the best pair is cut to the length
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().bool() & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    j = min(j, i + max_length - 1)
    return (i, j) if start[i] + end[j] - start[0] - end[0] > threshold else (0, 0)


# %% wrong, subtle: the threshold is not used
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] > start[0] + end[0] else (0, 0)


# %% wrong, subtle: the threshold has the wrong sign
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] + threshold > start[0] + end[0] else (0, 0)


# %% wrong, subtle: the answer must be better by more than the threshold
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] - start[0] - end[0] >= threshold else (0, 0)


# %% wrong, subtle: of equal pairs the last counts
def best_span(start, end, passage, max_length, threshold):
    best, pair = -torch.inf, (0, 0)
    for i in range(len(start)):
        for j in range(i, min(i + max_length, len(end))):
            if passage[i] and passage[j] and start[i] + end[j] >= best:
                best, pair = start[i] + end[j], (i, j)
    return pair if best - start[0] - end[0] > threshold else (0, 0)


# %% wrong, subtle: no answer has the score of start and end
def best_span(start, end, passage, max_length, threshold):
    fits = torch.ones(len(start), len(end)).triu().tril(max_length - 1).bool()
    fits = fits & passage & passage[:, None]
    table = (start[:, None] + end).masked_fill(~fits, -torch.inf)
    i, j = divmod(table.argmax().item(), len(end))
    return (i, j) if table[i, j] - 2 * start[0] > threshold else (0, 0)


# %% wrong, subtle: the threshold is cut to a whole number


def best_span(start, end, passage, max_length, threshold):
    at = passage.nonzero().flatten().tolist()
    pairs = [(i, j) for i in at for j in at if 0 <= j - i < max_length]
    p = min(pairs, key=lambda p: (-(start[p[0]] + end[p[1]]).item(), p))
    return p if start[p[0]] + end[p[1]] - start[0] - end[0] > int(threshold) else (0, 0)
