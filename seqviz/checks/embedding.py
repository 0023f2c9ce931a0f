"""Checks of notebook 14: negative sampling's gradient, its best scores, and GloVe's counts."""

import math

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp


@check("right, all three, for three sizes.")
def sampling_gradient() -> Cases:
    """Check `sampling_gradient(w, near, drawn) -> (dw, dnear, ddrawn)`.

    `w` and `near` are (batch, dim), `drawn` is (batch, k, dim): vectors of the centres, of a word
    near each, and of k words drawn for each. Wanted is the gradient of the mean over the batch of
    -log sigmoid(w . near) - sum over k of log sigmoid(-w . drawn).

    Source: decks 001 and 003, word2vec; Mikolov et al. (2013), equation 4.
    """
    for batch, k, dim in ((2, 3, 4), (3, 5, 2), (1, 2, 7)):
        w = (7 * ramp(batch, dim)).sin()
        near = 0.8 * (5 * ramp(batch, dim)).cos()
        drawn = 1.2 * (11 * ramp(batch, k, dim) + 1).sin()
        s, t = (w * near).sum(1, keepdim=True), drawn @ w[:, :, None]  # (batch, 1), (batch, k, 1)
        pull, push, row = s.sigmoid() - 1, t.sigmoid(), w[:, None]
        of_near, of_drawn = pull * near, push * drawn
        dw, dnear = (of_near + of_drawn.sum(1)) / batch, pull * w / batch
        right = {"dw": dw, "dnear": dnear, "ddrawn": push * row / batch}
        whole = "this is the gradient of the sum over the batch; the loss is the mean"
        no_one = "the near word has sigmoid(s) - 1 in front, not sigmoid(s)"
        own = {
            "dw": {
                "the sign is turned: it should lead up, from a small loss to a large one": -dw,
                "the drawn words are missing": of_near / batch,
                "the drawn words count as if they were near: sigmoid(s) is what pushes them away": (
                    dw - drawn.sum(1) / batch
                ),
                no_one: dw + near / batch,
                "the drawn words are added up, not averaged": (of_near + of_drawn.mean(1)) / batch,
            },
            "dnear": {
                "the sign is turned": -dnear,
                no_one: (pull + 1) * w / batch,
                "it points along w, not along near": of_near / batch,
            },
            "ddrawn": {
                "the sign is turned": -push * row / batch,
                "a drawn word has sigmoid(s) in front, not sigmoid(s) - 1": (push - 1)
                * row
                / batch,
                "it points along w, not along drawn": of_drawn / batch,
                "each drawn word has a gradient of its own, it is not divided by k": (
                    push * row / batch / k
                ),
            },
        }
        slips = by_part(own) | {whole: {part: g * batch for part, g in right.items()}}
        given = {"w": w, "near": near, "drawn": drawn}
        yield Case(f", {batch} centres with {k} drawn words,", given, right, slips)


@check("right, for three texts, one with a word beside itself.")
def near_counts() -> Cases:
    """Check `near_counts(ids, window, size)`: how often words stand near each other, as GloVe does.

    Each word with each word at most `window` places away in its sentence adds 1 / distance. `ids`
    is a list of lists of numbers below `size`; wanted is (size, size).

    Source: deck 001, GloVe; Pennington et al. (2014), section 4.2.
    """
    for size, window, ids in (
        (5, 2, [[0, 1, 2, 3], [2, 0, 4]]),
        (4, 3, [[3, 1, 1, 0, 2], [0, 3], [1]]),
        (7, 4, [[6, 2, 5, 0, 1, 3, 6, 4], [5, 5, 2, 2, 6]]),
    ):
        X = _near(ids, window, size)
        slips = {
            "both directions count, X[i, j] and X[j, i]": _near(ids, window, size, both=False),
            "a neighbour at distance d adds 1 / d, not 1": _near(ids, window, size, power=0),
            "it is 1 / d, not 1 / d squared": _near(ids, window, size, power=2),
            "the word `window` places away counts, too": _near(ids, window - 1, size),
            "only words at most `window` places away count": _near(ids, window + 1, size),
            "a window does not reach over the end of a sentence": _near(
                [[word for one in ids for word in one]], window, size
            ),
        }
        given = {"ids": ids, "window": window, "size": size}
        yield Case(f" of {len(ids)} sentences", given, X, slips)


def _near(ids: list, window: int, size: int, both: bool = True, power: int = 1) -> Tensor:
    """The counts, or those with a mistake."""
    X = torch.zeros(size, size, dtype=torch.float64)
    for sentence in ids:
        for t, word in enumerate(sentence):
            for d, near in enumerate(sentence[t + 1 : t + 1 + window], start=1):
                X[word, near] += d**-power
    return X + X.T if both else X


@check("right, for three tables of counts.")
def best_scores() -> Cases:
    """Check `best_scores(X, noise, k)`: the scores at which negative sampling's gradient is 0.

    `X` (words, words) says how often j stood near i, `noise` (words,) with which probability j is
    drawn; k words are drawn for each true neighbour. Where X is 0 the score is -inf.

    Source: deck 001, word2vec; Levy and Goldberg (2014), section 3.1.
    """
    for words, k in ((4, 5), (6, 2), (9, 15)):
        X = (torch.arange(words * words, dtype=torch.float64).reshape(words, words) * 7) % 11
        X[0, 1] = 0.0
        noise = (ramp(words, low=1.0, high=3.0) / (2 * words)).flip(0)
        often = X.sum(1, keepdim=True)
        right = (X / (k * often * noise)).log()
        slips = {
            "k is missing: k words are drawn for each neighbour": right + math.log(k),
            "log k is taken off, not added": right + 2 * math.log(k),
            "the noise is missing": (X / (k * often)).log(),
            "row i has n_i neighbours, so k n_i words are drawn for it": (X / (k * noise)).log(),
            "n_i is the sum of row i, not of column j": (X / (k * X.sum(0) * noise)).log(),
            "the noise belongs to the drawn word j, the column": (
                (X / (k * often * noise[:, None])).log()
            ),
            "the sign is turned": -right,
            "only PPMI cuts at 0; a score may be below": right.clamp(min=0),
        }
        given = {"X": X, "noise": noise, "k": k}
        yield Case(f" of {words} words, k = {k},", given, right, slips)
