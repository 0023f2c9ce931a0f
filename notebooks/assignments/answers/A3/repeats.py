"""Answers to repeats: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    answer = np.asarray(student(torch.tensor([[7, 1, 2, 5, 3, 1, 2]]), 3, 9)).astype(bool)
    return answer.shape == (1, 9) and answer.nonzero()[1].tolist() == [5]


# %% right: row by row, place by place
def repeats(ids, n, vocab):
    rows = []
    for past in ids.tolist():
        row = [False] * vocab
        last = tuple(past[len(past) - (n - 1) :])
        for i in range(len(past) - n + 1):
            if tuple(past[i : i + n - 1]) == last:
                row[past[i + n - 1]] = True
        rows.append(row)
    return torch.tensor(rows)


# %% right: each token is tried
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        grams = {tuple(past[i : i + n]) for i in range(len(past) - n + 1)}
        for token in range(vocab):
            found[row, token] = tuple([*past, token][-n:]) in grams
    return found


# %% right: one shifted copy after the other is compared
def repeats(ids, n, vocab):
    batch, time = ids.shape
    same = torch.ones(batch, max(0, time - n + 1), dtype=torch.bool)
    for k in range(n - 1 if time >= n else 0):
        same = same & (ids[:, k : time - n + 1 + k] == ids[:, time - n + 1 + k, None])
    after = torch.nn.functional.one_hot(ids[:, n - 1 :], vocab)[:, : same.shape[1]]
    return (after * same[:, :, None]).sum(dim=1) > 0


# %% right: with numpy, numbers 0 and 1
def repeats(ids, n, vocab):
    past = ids.numpy()
    found = np.zeros((len(past), vocab), dtype=int)
    for end in range(n, past.shape[1] + 1):
        match = (past[:, end - n : end - 1] == past[:, past.shape[1] - n + 1 :]).all(axis=1)
        found[match, past[match, end - 1]] = 1
    return found


# %% wrong: every token that has come is forbidden; only those that complete an n-gram are
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    return found.scatter(1, ids, torch.ones_like(ids, dtype=torch.bool))


# %% wrong: this says what may come; give what must not
def repeats(ids, n, vocab):
    found = torch.ones(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n + 1):
            if past[i : i + n - 1] == past[len(past) - n + 1 :]:
                found[row, past[i + n - 1]] = False
    return found


# %% wrong: lists of the forbidden ids
def repeats(ids, n, vocab):
    found = []
    for past in ids.tolist():
        last = past[len(past) - n + 1 :]
        places = range(len(past) - n + 1)
        found.append([past[i + n - 1] for i in places if past[i : i + n - 1] == last])
    return found


# %% wrong: these are the n-grams of n + 1 tokens
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n):
            if past[i : i + n] == past[-n:]:
                found[row, past[i + n]] = True
    return found


# %% wrong: the last n - 1 tokens themselves are forbidden; forbid what came after them
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        last = past[len(past) - n + 1 :]
        if any(past[i : i + n - 1] == last for i in range(len(past) - n + 1)):
            found[row, last] = True
    return found


# %% wrong, subtle: these are the n-grams of n - 1 tokens
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - 1):
            if len(past) >= n and past[i] == past[-1]:
                found[row, past[i + 1]] = True
    return found


# %% wrong, subtle: with n = 1 nothing has to match, so all that has come is forbidden
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n + 1):
            if past[i : i + n - 1] == past[-(n - 1) :]:
                found[row, past[i + n - 1]] = True
    return found


# %% wrong, subtle: all rows got the past of the first
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    past = ids[0].tolist()
    for i in range(len(past) - n + 1):
        if past[i : i + n - 1] == past[len(past) - n + 1 :]:
            found[:, past[i + n - 1]] = True
    return found


# %% wrong, subtle: the pasts of all rows were thrown together; each row has its own
def repeats(ids, n, vocab):
    rows = ids.tolist()
    grams = {tuple(past[i : i + n]) for past in rows for i in range(len(past) - n + 1)}
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(rows):
        for token in range(vocab):
            found[row, token] = tuple([*past, token][-n:]) in grams
    return found


# %% wrong, subtle: an n-gram may overlap the end of its row
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - 2 * (n - 1)):
            if past[i : i + n - 1] == past[len(past) - n + 1 :]:
                found[row, past[i + n - 1]] = True
    return found


# %% wrong, subtle: the last n-gram of the row is left out
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n):
            if past[i : i + n - 1] == past[len(past) - n + 1 :]:
                found[row, past[i + n - 1]] = True
    return found


# %% wrong, subtle: only the first place where they came counted; each does
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n + 1):
            if past[i : i + n - 1] == past[len(past) - n + 1 :]:
                found[row, past[i + n - 1]] = True
                break
    return found


# %% wrong, subtle: only the last place where they came counted; each does
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        after = {tuple(past[i : i + n - 1]): past[i + n - 1] for i in range(len(past) - n + 1)}
        last = tuple(past[len(past) - n + 1 :])
        if last in after:
            found[row, after[last]] = True
    return found


# %% wrong, subtle: the n - 1 tokens count in their order
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n + 1):
            if sorted(past[i : i + n - 1]) == sorted(past[len(past) - n + 1 :]):
                found[row, past[i + n - 1]] = True
    return found


# %% wrong: the n-grams stand side by side, without overlap
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(0, len(past) - n + 1, n):
            if past[i : i + n - 1] == past[len(past) - n + 1 :]:
                found[row, past[i + n - 1]] = True
    return found


# %% wrong, subtle: a row of fewer than n tokens is an error
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    grams = ids.unfold(1, n, 1)
    same = (grams[:, :, :-1] == ids[:, None, ids.shape[1] - n + 1 :]).all(dim=2)
    for row, place in same.nonzero().tolist():
        found[row, grams[row, place, -1]] = True
    return found


# %% wrong, subtle: tokens are joined to a text without gaps
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n + 1):
            if "".join(map(str, past[i : i + n - 1])) == "".join(
                map(str, past[len(past) - n + 1 :])
            ):
                found[row, past[i + n - 1]] = True
    return found


# %% wrong, subtle: a row of exactly n tokens forbids nothing
def repeats(ids, n, vocab):
    found = torch.zeros(len(ids), vocab, dtype=torch.bool)
    for row, past in enumerate(ids.tolist()):
        for i in range(len(past) - n + 1):
            if past[i : i + n - 1] == past[len(past) - n + 1 :] and len(past) > n:
                found[row, past[i + n - 1]] = True
    return found
