"""A table of positions, pair by pair, and the best matrices for a shift."""

from typing import NamedTuple

import numpy as np

from seqviz.views.shared.checking import numbers

MOST_SHIFT = 32
LEAST_POSITIONS, MOST_POSITIONS, MOST_SIZE = 8, 512, 512


class Table(NamedTuple):
    """One table of n positions with K shifts; a pair is dimensions 2i and 2i + 1.

    Attributes
    ----------
    rows : array, (n, d)
        The row of each position.
    matrices : array, (K, d / 2, 2, 2)
        For each shift k and pair: the matrix that best turns row p into row p + k, as
        row @ matrix, fitted where both lie in the first half of the positions.
    errors : array, (K, d / 2)
        What it misses in the other half, as a share of the size of the rows there.
    wholes : array, (K,)
        The same for all pairs together.
    """

    rows: np.ndarray
    matrices: np.ndarray
    errors: np.ndarray
    wholes: np.ndarray


def read(name: str, given) -> Table:
    """Check one table and fit its shifts."""
    rows = numbers(name, given)
    if rows.ndim != 2:
        raise ValueError(
            f"{name}: expected shape (positions, d_model), came {rows.shape}; take the batch away"
        )
    n, d = rows.shape
    if d % 2 or not 2 <= d <= MOST_SIZE:
        raise ValueError(
            f"{name}: expected an even d_model from 2 to {MOST_SIZE}, as dimensions 2i and 2i + 1 "
            f"are looked at as a pair, came {d}"
        )
    if not LEAST_POSITIONS <= n <= MOST_POSITIONS:
        raise ValueError(
            f"{name}: expected {LEAST_POSITIONS} to {MOST_POSITIONS} positions, came {n}"
        )
    pairs = rows.astype(float).reshape(n, d // 2, 2).swapaxes(0, 1)
    found = [fitted(pairs, k) for k in range(1, most_shift(n) + 1)]
    return Table(rows, *map(np.stack, zip(*found, strict=True)))


def most_shift(n: int) -> int:
    """The largest shift that is looked at: both halves keep twice as many positions."""
    return min(MOST_SHIFT, n // 4)


def fitted(pairs: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fit a matrix for each pair (d / 2, n, 2) on the first half; its misses in the other."""
    half = pairs.shape[1] // 2
    matrices = np.linalg.pinv(pairs[:, : half - k]) @ pairs[:, k:half]
    truth = pairs[:, half + k :]
    miss = np.square(pairs[:, half:-k] @ matrices - truth).sum(axis=(1, 2))
    size = np.square(truth).sum(axis=(1, 2))
    return matrices, relative(miss, size), relative(miss.sum(), size.sum())


def relative(miss: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Root of a sum of squares by another; where there is nothing to miss, 0 or 1."""
    return np.sqrt(np.where(size > 0, miss / np.where(size > 0, size, 1), miss > 0))
