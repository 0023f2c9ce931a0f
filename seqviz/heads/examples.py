"""Sentences that show the range of a head: its strongest, its weakest, and those between."""

import numpy as np

STRONGEST = 8  # keys of a row
LEAST = 0.01
NONE = 255  # no key


def ranks_of(sentences: int) -> list[int]:
    """Ranks of the examples: the first, the second, then every tenth part to the last.

    Examples
    --------
    >>> ranks_of(1001)
    [0, 1, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]
    """
    tenths = [round((sentences - 1) * k / 10) for k in range(1, 11)]
    return sorted({0, min(1, sentences - 1), *tenths})


def examples_of(strongest: np.ndarray) -> np.ndarray:
    """Of each head the sentences (head, rank) by their strongest link (sentence, head)."""
    order = np.argsort(-strongest, axis=0, kind="stable")
    return order[ranks_of(len(strongest))].T


def rows_of(weights: np.ndarray) -> np.ndarray:
    """The strongest keys of each row of weights (word, word), and these in 255ths.

    Returns
    -------
    array (2, word, STRONGEST) of bytes
        Places and weights; `NONE` and 0 where there are fewer.
    """
    n = len(weights)
    room = np.full((2, n, STRONGEST), NONE, np.uint8)
    room[1] = 0
    keys = np.argsort(-weights, axis=1, kind="stable")[:, :STRONGEST]
    values = np.take_along_axis(weights, keys, axis=1)
    kept = values >= LEAST
    room[0, :, : keys.shape[1]] = np.where(kept, keys, NONE)
    room[1, :, : keys.shape[1]] = np.where(kept, np.rint(np.clip(values, 0, 1) * 255), 0)
    return room
