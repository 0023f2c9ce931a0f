"""A table of positions, pair by pair, and the best matrices for a shift."""

from dataclasses import dataclass

import numpy as np

from seqviz.views.shared.checking import numbers

MOST_SHIFT = 32
LEAST_POSITIONS, MOST_POSITIONS, MOST_SIZE = 8, 512, 512


@dataclass(frozen=True)
class Table:
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

    def predicted(self, pair: int, shift: int) -> np.ndarray:
        """For each position: its pair, turned by the shift's matrix, (n, 2)."""
        return self.rows[:, 2 * pair : 2 * pair + 2] @ self.matrices[shift - 1, pair]

    def similarity(self, position: int) -> np.ndarray:
        """Cosine of a position's row with each row, (n,); 0 for a row of zeros."""
        lengths = np.linalg.norm(self.rows, axis=1)
        unit = self.rows / np.where(lengths > 0, lengths, 1)[:, None]
        return unit @ unit[position]

    def arrays(self) -> tuple[np.ndarray, ...]:
        """The table as rows of numbers, as scene.js takes them apart; the first has n."""
        parts = (np.arange(len(self.rows)), self.rows, self.matrices, self.errors, self.wholes)
        return tuple(np.ravel(part).astype(np.float32) for part in parts)

    @classmethod
    def of(cls, arrays: tuple[np.ndarray, ...]) -> "Table":
        """Take the rows of numbers apart again."""
        positions, rows, matrices, errors, wholes = (array.astype(float) for array in arrays)
        n, shifts = len(positions), len(wholes)
        return cls(
            rows.reshape(n, -1),
            matrices.reshape(shifts, -1, 2, 2),
            errors.reshape(shifts, -1),
            wholes,
        )


def read(name: str, given) -> tuple[np.ndarray, ...]:
    """Check one table and fit its shifts; its arrays."""
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
    return Table(rows, *map(np.stack, zip(*found, strict=True))).arrays()


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
