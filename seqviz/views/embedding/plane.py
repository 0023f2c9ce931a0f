"""The two directions in which vectors differ most, and how two such pictures are laid together."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Plane:
    """The first two principal components of some vectors.

    Attributes
    ----------
    mean : array, (d,)
    axes : array, (2, d)
        Of length 1, at right angles.
    shares : array, (2,)
        How much of the variance each keeps.
    """

    mean: np.ndarray
    axes: np.ndarray
    shares: np.ndarray

    def at(self, vectors: np.ndarray) -> np.ndarray:
        """Where vectors (n, d) lie in the plane, (n, 2)."""
        return ((vectors - self.mean) @ self.axes.T).astype(np.float32)


def plane_of(vectors: np.ndarray) -> Plane:
    """Principal components of vectors (n, d) by their singular values."""
    vectors = vectors.astype(float)
    mean = vectors.mean(axis=0)
    _, sizes, axes = np.linalg.svd(vectors - mean, full_matrices=False)
    axes, variances = axes[:2], sizes**2
    largest = np.abs(axes).argmax(axis=1)  # a sign is free: the same on every machine
    axes = axes * np.sign(axes[[0, 1], largest])[:, None]
    total = variances.sum()
    return Plane(mean, axes, variances[:2] / total if total > 0 else np.zeros(2))


def turned(points: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Points (n, 2), turned or mirrored about 0 to lie nearest to others: orthogonal Procrustes.

    They are not stretched: a distance means the same before and after.
    """
    left, _, right = np.linalg.svd(points.T.astype(float) @ goal)
    return (points @ (left @ right)).astype(np.float32)
