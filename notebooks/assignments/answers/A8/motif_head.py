"""Answers to motif_head: right ones, wrong ones, and a grader that is too weak."""

import itertools

import numpy as np
import torch
import torch.nn.functional as F


# %% weak
def weak(student) -> bool:  # a tune in which nothing returns
    weights, guess = student(torch.tensor([60, 62, 67, 71]), 2)
    return np.shape(weights) == (4, 4) and np.allclose(guess, [60, 62, 67, 71], atol=1e-5)


# %% right: note by note
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% right: a table of what followed each context
def motif_head(pitches, k):
    tune, n, table = pitches.tolist(), len(pitches), {}
    weights, guess = torch.zeros(n, n).double(), []
    for i, pitch in enumerate(tune):
        if i > k:
            table.setdefault(tuple(np.diff(tune[i - k - 1 : i])), []).append(i)
        own = tuple(np.diff(tune[i - k : i + 1])) if i >= k else None
        places = table.get(own, [])
        weights[i, places] = 1 / max(len(places), 1)
        steps = [tune[j] - tune[j - 1] for j in places]
        guess.append(pitch + (np.mean(steps) if steps else 0.0))
    return weights, torch.tensor(guess).double()


# %% right: products of shifted tables of equal steps
def motif_head(pitches, k):
    n = len(pitches)
    steps = F.pad(pitches.diff().double(), (1, 0), value=torch.nan)
    same = steps[:, None] == steps  # NaN, the step to note 0, is equal to nothing
    match = torch.ones(n, n).bool()
    for back in range(k):
        earlier = torch.zeros(n, n).bool()
        earlier[back:, back + 1 :] = same[: n - back, : max(n - back - 1, 0)]
        match &= earlier
    match = match.tril().double()
    weights = match / match.sum(dim=1, keepdim=True).clamp(min=1)
    return weights, pitches + weights @ steps.nan_to_num(0.0)


# %% right: with numpy
def motif_head(pitches, k):
    tune = pitches.numpy()
    n, steps = len(tune), np.diff(tune)
    weights, guess = np.zeros((n, n)), tune.astype(float)
    for i in range(k, n):
        for j in range(k + 1, i + 1):
            weights[i, j] = np.array_equal(steps[j - 1 - k : j - 1], steps[i - k : i])
        weights[i] /= max(weights[i].sum(), 1)
        guess[i] += weights[i, 1:] @ steps
    return weights, guess


# %% right: scores far apart, and a softmax in float32
def motif_head(pitches, k):
    n, steps = len(pitches), pitches.diff()
    differ = torch.full((n, n), torch.inf)
    for i in range(k, n):
        for j in range(k + 1, i + 1):
            if torch.equal(steps[j - 1 - k : j - 1], steps[i - k : i]):
                differ[i, j] = 0.0
    weights = (-differ).softmax(dim=1).nan_to_num(0.0)
    return weights, pitches + weights[:, 1:] @ steps.float()


# %% wrong: these are the copies themselves; attend to the note after each
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k, i) if steps[j - k + 1 : j + 1] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong: the weights of a row add up to 1: share them out
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1
            guess[i] += steps[j]
    return weights, guess


# %% wrong: this is the mean of the pitches attended to; it is their step that is carried over
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, weights @ pitches.double()


# %% wrong: these are the steps alone: add them to the pitch of the query
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess - pitches


# %% wrong: a row that finds nothing must be all 0; you spread the weight over it
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    for i in range(n):
        if not weights[i].any():
            weights[i, : i + 1] = 1 / (i + 1)
            guess[i] += sum(steps[1 : i + 1]) / (i + 1)
    return weights, guess


# %% wrong: a query has not heard the note after its own yet
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, min(i + 2, n)) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong: 0 is divided by 0 where nothing is found
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights / weights.sum(dim=1, keepdim=True), guess


# %% wrong, subtle: pitches are compared; a motif that moves keeps its steps alone
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k - 1, n):
        own = tune[i - k + 1 : i + 1]
        found = [j for j in range(k, i + 1) if tune[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong, subtle: k steps are compared, between k + 1 notes: yours are k + 1
def motif_head(pitches, k):
    k = k + 1
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong, subtle: k steps are compared, between k + 1 notes: yours are k - 1
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k - 1, n):
        own = steps[i - k + 2 : i + 1]
        found = [j for j in range(k, i + 1) if steps[j - k + 1 : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong, subtle: no step leads to the first note: 0 there is taken for a note that is held
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [0, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k - 1, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong, subtle: all matches share the weight, not the last one alone
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own][-1:]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong, subtle: all matches share the weight, not the first one alone
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own][:1]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong, subtle: a step has a sign: up is not down
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        own = [abs(step) for step in own]
        sizes = [abs(step or 0) for step in steps]
        found = [j for j in range(k + 1, i + 1) if sizes[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += steps[j] / len(found)
    return weights, guess


# %% wrong, subtle: the step leads to the note attended to, not away from it
def motif_head(pitches, k):
    tune, n = pitches.tolist(), len(pitches)
    steps = [None, *(b - a for a, b in itertools.pairwise(tune))]
    weights, guess = torch.zeros(n, n).double(), pitches.double()
    for i in range(k, n):
        own = steps[i - k + 1 : i + 1]
        found = [j for j in range(k + 1, i + 1) if steps[j - k : j] == own]
        for j in found:
            weights[i, j] = 1 / len(found)
            guess[i] += (steps[j + 1] if j + 1 < n else 0) / len(found)
    return weights, guess
