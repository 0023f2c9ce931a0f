"""Answers to analogy_ranks: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F


# %% weak
def weak(student) -> bool:
    v = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [-0.6, 0.64, 0.48], [0.6, 0, 0.8]])
    ranks, alone = student(v.double(), torch.tensor([[0, 1, 2, 3]]))
    return np.allclose(ranks, [1]) and np.allclose(alone, [2])


# %% right: question by question
def analogy_ranks(vectors, questions):
    v, found = F.normalize(vectors, dim=1), []
    for a, b, c, d in questions.tolist():
        left = [i for i in range(len(v)) if i not in (a, b, c)]
        for to in (v[b] - v[a] + v[c], v[c]):
            more = v[left] @ to - v[d] @ to
            level = (more.abs() <= 1e-6).sum().item()
            found.append((more > 1e-6).sum().item() + (level + 1) / 2)
    return found[::2], found[1::2]


# %% right: the mean of the best and the worst place
def analogy_ranks(vectors, questions):
    v = vectors / vectors.norm(dim=1, keepdim=True).clamp(min=1e-12)
    a, b, c, d = questions.T
    both = torch.stack([v[b] - v[a] + v[c], v[c]])
    scores = both @ v.T  # (2, n, words)
    rows = torch.arange(len(questions))
    own = scores[:, rows, d][:, :, None]
    for out in (a, b, c):
        scores[:, rows, out] = -9e9
    best = (scores > own + 1e-6).sum(dim=2) + 1
    worst = (scores >= own - 1e-6).sum(dim=2)
    return ((best + worst) / 2).unbind()


# %% right: real cosines, the inputs hidden by a mask
def analogy_ranks(vectors, questions):
    a, b, c, d = questions.T
    v = F.normalize(vectors, dim=1)
    inputs = F.one_hot(questions[:, :3], len(v)).sum(dim=1).bool()

    def rank(to):
        cosines = F.cosine_similarity(to[:, None], v[None], dim=2)
        more = cosines - cosines.gather(1, d[:, None])
        above = ((more > 1e-6) & ~inputs).sum(dim=1)
        return above + (((more.abs() <= 1e-6) & ~inputs).sum(dim=1) + 1) / 2

    return rank(v[b] - v[a] + v[c]), rank(v[c])


# %% right: with numpy, half a place for each that is level
def analogy_ranks(vectors, questions):
    v = vectors.numpy()
    v = v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-12)
    a, b, c, d = questions.numpy().T
    found = []
    for to in (v[b] - v[a] + v[c], v[c]):
        scores = (to @ v.T).round(7)
        own = scores[np.arange(len(d)), d][:, None].copy()
        np.put_along_axis(scores, questions.numpy()[:, :3], -np.inf, axis=1)
        found.append(0.5 + (0.5 + 0.5 * np.sign(scores - own)).sum(axis=1))
    return found


# %% wrong: a, b and c are no answers: leave all three out
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        more = to @ v.T - (to @ v.T).gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong: the nearest has rank 1, not 0
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) - 1) / 2)
    return found


# %% wrong: it is b - a + c, not a - b + c
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (a - b + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong: b - a is a direction; it starts from c
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong: the control knows c alone, not b
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, b):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong: these are 1 / rank
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append(2 / (2 * (more > 1e-6).sum(dim=1) + (more.abs() <= 1e-6).sum(dim=1) + 1))
    return found


# %% wrong, subtle: equally near words share the mean of their places; d got the first one
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        found.append(1 + (scores > scores.gather(1, questions[:, 3:]) + 1e-6).sum(dim=1))
    return found


# %% wrong, subtle: equally near words share the mean of their places; d got the last one
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        found.append((scores >= scores.gather(1, questions[:, 3:]) - 1e-6).sum(dim=1))
    return found


# %% wrong, subtle: the same words are left out with c alone: a, b and c
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to, out in ((b - a + c, questions[:, :3]), (c, questions[:, 2:3])):
        scores = (to @ v.T).scatter(1, out, -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong, subtle: bring the rows to length 1 before you add them
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (vectors[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong, subtle: the candidates too are taken at length 1
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ vectors.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong, subtle: an input gets the score 0, and others lie below it
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], 0.0)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong, subtle: a row of zeros is divided by its length
def analogy_ranks(vectors, questions):
    v = vectors / vectors.norm(dim=1, keepdim=True)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        more = scores - scores.gather(1, questions[:, 3:])
        found.append((more > 1e-6).sum(dim=1) + ((more.abs() <= 1e-6).sum(dim=1) + 1) / 2)
    return found


# %% wrong, subtle: the places in a sorted list, where equal words stand as it happens
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = (to @ v.T).scatter(1, questions[:, :3], -torch.inf)
        order = scores.argsort(dim=1, descending=True, stable=True)
        found.append((order == questions[:, 3:]).int().argmax(dim=1) + 1)
    return found


# %% wrong, subtle: the inputs of all questions are left out of each
def analogy_ranks(vectors, questions):
    v = F.normalize(vectors, dim=1)
    a, b, c, _ = (v[ids] for ids in questions.T)
    found = []
    for to in (b - a + c, c):
        scores = to @ v.T
        own = scores.gather(1, questions[:, 3:])
        scores[:, questions[:, :3].flatten()] = -torch.inf
        level = (scores - own).abs() <= 1e-6
        level = level.scatter(1, questions[:, 3:], True).sum(dim=1)
        found.append((scores > own + 1e-6).sum(dim=1) + (level + 1) / 2)
    return found
