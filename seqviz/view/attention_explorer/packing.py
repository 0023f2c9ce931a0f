"""A map of attention weights as bytes, and back: what the page reads, Python reads too."""

from itertools import pairwise

import numpy as np

THUMB = 48  # rows and columns of a thumbnail, at most
STEPS = np.arange(256) / 255
DECODED = STEPS * STEPS


def packed(weights: np.ndarray, sums: bool, half: bool = False) -> bytes:
    """Pack one map (Q, K): Q float32 row maxima, Q float32 totals unless `sums`, then Q * K values.

    A byte is round(255 sqrt(a / maximum)), at most 0.4 % of the row's maximum away from a. `half`
    writes a / maximum as float16, at most 0.05 % away. The maxima are rounded up, see `short`.
    """
    weights = weights.astype(np.float32) if weights.dtype.itemsize < 4 else weights
    most = short(weights.max(axis=1))
    scale = np.where(most > 0, most, np.float32(1))[:, None]
    shares = weights / scale
    if half:
        values = shares.astype("<f2")
    else:
        np.sqrt(shares, out=shares)
        shares *= 255
        values = np.maximum(np.rint(shares), shares > 0).astype(np.uint8)  # no weight becomes 0
    totals = b"" if sums else weights.sum(axis=1, dtype=np.float64).astype("<f4").tobytes()
    return most.tobytes() + totals + values.tobytes()


def short(values: np.ndarray) -> np.ndarray:
    """Round up to float32 with 12 bits after the point: a third less to deflate, 0.02 % more."""
    bits = values.astype("<f4").view("<u4")
    return ((bits + 0x7FF) & ~np.uint32(0x7FF)).view("<f4")


def unpacked(part: bytes, shape: tuple[int, int], sums: bool, half: bool = False) -> np.ndarray:
    """Return the map (Q, K) in float64, number for number as the page decodes it."""
    most = np.frombuffer(part, "<f4", shape[0]).astype(float)[:, None]
    start = 4 * shape[0] * (1 if sums else 2)
    if half:
        return most * np.frombuffer(part, "<f2", offset=start).astype(float).reshape(shape)
    return most * DECODED[np.frombuffer(part, np.uint8, offset=start)].reshape(shape)


def thumb_shape(shape: tuple[int, int]) -> list[int]:
    """Rows and columns of a map's thumbnail."""
    return [min(side, THUMB) for side in shape]


def thumbnail(weights: np.ndarray) -> bytes:
    """A map's thumbnail: 255 sqrt(maximum of a block / maximum of the map), in one byte each."""
    rows, columns = (_ends(side) for side in weights.shape)
    if len(rows) <= len(weights):
        weights = np.stack([weights[start:end].max(axis=0) for start, end in pairwise(rows)])
    weights = np.maximum.reduceat(weights, columns[:-1], axis=1).astype(float)
    most = weights.max()
    shares = weights / most if most > 0 else weights
    return np.rint(255 * np.sqrt(shares)).astype(np.uint8).tobytes()


def _ends(side: int) -> list[int]:
    """Where the blocks of a side start, and its end: row q is in block floor(q * blocks / side)."""
    blocks = min(side, THUMB)
    return (-(-np.arange(blocks + 1) * side // blocks)).tolist()


def rest(part: bytes, mean: np.ndarray, sums: bool) -> bytes:
    """Take from a mean's bytes those that the mean of the decoded maps gives; it wraps at 256.

    What is left is mostly 0, so that it deflates to a tenth.
    """
    rows = len(mean)
    most = np.frombuffer(part, "<f4", rows).astype(float)[:, None]
    start = 4 * rows * (1 if sums else 2)
    shares = mean / np.where(most > 0, most, 1)
    expected = np.minimum(255, np.floor(255 * np.sqrt(shares) + 0.5)).astype(np.uint8)
    values = np.frombuffer(part, np.uint8, offset=start) - expected.ravel()
    return part[:start] + values.tobytes()
