"""Answers to error_table: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    found, sure = [{(0, 0), (1, 2), (2, 1)}], [{(0, 0), (1, 1)}]
    return np.allclose(student(found, sure, sure), [1 / 3, 1 / 2, 3 / 5], atol=1e-3)


# %% right: link by link
def error_table(found, sure, possible):
    links = asked = right = hit = 0
    for A, S, P in zip(found, sure, possible, strict=True):
        asked += len(S)
        for link in A:
            links += 1
            right += link in P
            hit += link in S
    precision = right / links if links > 0 else 1.0
    recall = hit / asked if asked > 0 else 1.0
    return precision, recall, (links + asked - hit - right) / (links + asked)


# %% right: counts in arrays of numpy
def error_table(found, sure, possible):
    rows = [
        (len(a), len(s), len(a & s), len(a & p))
        for a, s, p in zip(found, sure, possible, strict=True)
    ]
    A, S, hit, right = np.sum(rows, axis=0)
    precision, recall = right / max(A, 1) if A else 1.0, hit / max(S, 1) if S else 1.0
    return np.array([precision, recall, 1 - (hit + right) / (A + S)])


# %% right: all sentences as one, in float32
def error_table(found, sure, possible):
    A, S, P = (
        {(k, t, i) for k, links in enumerate(sets) for t, i in links}
        for sets in (found, sure, possible)
    )
    precision = len(A & P) / len(A) if A else 1.0
    recall = len(A & S) / len(S) if S else 1.0
    error = 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))
    return torch.tensor([precision, recall, error])


# %% right: from what is wrong and what is missed
def error_table(found, sure, possible):
    A, S = (sum(len(links) for links in sets) for sets in (found, sure))
    wrong = sum(len(a - p) for a, p in zip(found, possible, strict=True))
    missed = sum(len(s - a) for a, s in zip(found, sure, strict=True))
    return 1 - wrong / max(A, 1), 1 - missed / max(S, 1), (wrong + missed) / (A + S)


# %% wrong: this is the recall; precision comes first
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 1.0, hit / asked if asked else 1.0
    return recall, precision, 1 - (hit + right) / (links + asked)


# %% wrong: this is the share that agrees; take it from 1
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 1.0, hit / asked if asked else 1.0
    return precision, recall, (hit + right) / (links + asked)


# %% wrong: the error divides by the links that were found alone
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 1.0, hit / asked if asked else 1.0
    return precision, recall, 1 - (hit + right) / (2 * links) if links else 1.0


# %% wrong: this is 1 minus the mean of precision and recall
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 1.0, hit / asked if asked else 1.0
    return precision, recall, 1 - (precision + recall) / 2


# %% wrong, subtle: only sure links were taken for right; possible ones are
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = hit / links if links else 1.0, hit / asked if asked else 1.0
    return precision, recall, 1 - 2 * hit / (links + asked)


# %% wrong, subtle: all possible links were asked for; only the sure ones are
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    wanted = sum(map(len, possible))
    recall = right / wanted if wanted else 1.0
    return right / links if links else 1.0, recall, 1 - (hit + right) / (links + asked)


# %% wrong, subtle: all possible links were taken for sure ones
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 1.0, hit / asked if asked else 1.0
    return precision, recall, 1 - 2 * right / (links + sum(map(len, possible)))


# %% wrong, subtle: this is 1 minus the harmonic mean of precision and recall
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 1.0, hit / asked if asked else 1.0
    both = precision + recall
    return precision, recall, 1 - 2 * precision * recall / both if both else 1.0


# %% wrong, subtle: this is the mean over the sentences; count the links of all together
def error_table(found, sure, possible):
    rows = []
    for a, s, p in zip(found, sure, possible, strict=True):
        precision, recall = len(a & p) / len(a) if a else 1.0, len(a & s) / len(s) if s else 1.0
        rows.append((precision, recall, 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))))
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


# %% wrong, subtle: links of several sentences fell into one set; (0
def error_table(found, sure, possible):
    A, S, P = (set().union(*sets) for sets in (found, sure, possible))
    precision, recall = len(A & P) / len(A) if A else 1.0, len(A & S) / len(S) if S else 1.0
    return precision, recall, 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))


# %% wrong, subtle: where nothing is found, nothing is wrong: the precision is 1
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 0.0, hit / asked if asked else 1.0
    return precision, recall, 1 - (hit + right) / (links + asked)


# %% wrong, subtle: where nothing is sure, nothing is missed: the recall is 1
def error_table(found, sure, possible):
    links, asked = sum(map(len, found)), sum(map(len, sure))
    right = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    hit = sum(len(a & s) for a, s in zip(found, sure, strict=True))
    precision, recall = right / links if links else 1.0, hit / asked if asked else 0.0
    return precision, recall, 1 - (hit + right) / (links + asked)


# %% wrong, subtle: only the first sentence counts
def error_table(found, sure, possible):
    a, s, p = found[0], sure[0], possible[0]
    precision, recall = len(a & p) / len(a) if a else 1.0, len(a & s) / len(s) if s else 1.0
    return precision, recall, 1 - (len(a & s) + len(a & p)) / max(len(a) + len(s), 1)


# %% wrong, subtle: sentences without sure links are left out


def error_table(found, sure, possible):
    keep = [k for k, f in enumerate(sure) if f] or range(len(found))
    found, sure, possible = ([x[k] for k in keep] for x in (found, sure, possible))
    A, S = sum(map(len, found)), sum(map(len, sure))
    r = sum(len(a & p) for a, p in zip(found, possible, strict=True))
    h = sum(len(a & p) for a, p in zip(found, sure, strict=True))
    return r / A if A else 1.0, h / S if S else 1.0, 1 - (h + r) / (A + S)
