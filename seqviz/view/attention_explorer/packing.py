"""A map of attention weights as bytes, and back: what the page reads, Python reads too."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

THUMB = 48  # rows and columns of a thumbnail, at most
STEPS = np.arange(256) / 255
DECODED = STEPS * STEPS
ERROR = {False: 4e-3, True: 5e-4}  # of the largest weight of a row: of a byte, of a half


@dataclass(frozen=True)
class Layout:
    """How the maps of one kind stand in bytes.

    First Q float32 row maxima; where keys can be hidden, Q maxima of the other keys (0: the row's)
    and Q sums that decoding loses of these (see `lost`); unless `sums`, Q row totals. Then Q * K
    bytes round(255 sqrt(a / maximum)), or with `half` Q * K float16 a / maximum.

    Parameters
    ----------
    shape : tuple of int
        Q and K.
    sums : bool
        Whether every row sums to 1.
    half : bool
        Two bytes a weight.
    special : tuple of int
        The keys that can be hidden, packed against the maximum of the row. The others are packed
        against their own, so that they stay exact when these are gone.
    """

    shape: tuple[int, int]
    sums: bool
    half: bool = False
    special: tuple[int, ...] = ()

    @property
    def start(self) -> int:
        """Where the values begin."""
        return 4 * self.shape[0] * (1 + 2 * bool(self.special) + (not self.sums))

    @property
    def plain(self) -> np.ndarray:
        """The keys that stay."""
        return np.setdiff1d(np.arange(self.shape[1]), self.special)

    def scale(self, floats: Sequence[np.ndarray]) -> np.ndarray:
        """What each value is a share of, (Q, 1) or (Q, K), from what stands before the values."""
        most = np.where(floats[0] > 0, floats[0], np.float32(1))  # else its values are all 0
        if not self.special:
            return most[:, None]
        scale = np.where(floats[1] > 0, floats[1], most)[:, None].repeat(self.shape[1], axis=1)
        scale[:, self.special] = most[:, None]
        return scale

    def floats(self, part: bytes) -> np.ndarray:
        """What stands before the values, a row each, float64 (rows, Q)."""
        return np.frombuffer(part[: self.start], "<f4").reshape(-1, self.shape[0]).astype(float)

    def values(self, part: bytes) -> np.ndarray:
        """The bytes or halves of a part (Q, K)."""
        dtype = "<f2" if self.half else np.uint8
        return np.frombuffer(part, dtype, offset=self.start).reshape(self.shape)


def packed(weights: np.ndarray, layout: Layout) -> bytes:
    """Pack one map (Q, K), with at most `ERROR` of the maximum that each weight is packed against.

    The maxima are rounded up, see `short`.
    """
    floats, values = _coded(weights, layout)
    if layout.special:
        floats.append(lost(weights, decoded(floats, values, layout), layout))
    if not layout.sums:
        floats.append(weights.sum(axis=1, dtype=np.float64))
    return np.array(floats, "<f4").tobytes() + values.tobytes()


def rounded(weights: np.ndarray, layout: Layout) -> np.ndarray:
    """A map (Q, K) as the page decodes it, float64."""
    return decoded(*_coded(weights, layout), layout)


def _coded(weights: np.ndarray, layout: Layout) -> tuple[list[np.ndarray], np.ndarray]:
    """The maxima (Q,) of a map and its values (Q, K)."""
    weights = weights.astype(np.float32) if weights.dtype.itemsize < 4 else weights
    maxima = [short(weights.max(axis=1))]
    if layout.special:
        other = short(weights[:, layout.plain].max(axis=1))
        maxima.append(np.where(other < maxima[0], other, 0))
    shares = weights / layout.scale(maxima)
    if layout.half:
        return maxima, shares.astype("<f2")
    np.sqrt(shares, out=shares)
    shares *= 255
    return maxima, np.maximum(np.rint(shares), shares > 0).astype(np.uint8)  # no weight becomes 0


def decoded(floats: Sequence[np.ndarray], values: np.ndarray, layout: Layout) -> np.ndarray:
    """Weights (Q, K) in float64 from what stands in a part."""
    shares = values.astype(float) if layout.half else DECODED[values]
    shares *= layout.scale(floats)
    return shares


def lost(weights: np.ndarray, back: np.ndarray, layout: Layout) -> np.ndarray:
    """What decoding loses of the sum of each row's other keys (Q,), where that counts, else 0.

    It counts where the other keys, scaled to 1 by their decoded sum, would miss by more than
    `ERROR` of the largest: many equal weights are all rounded to the same side.
    """
    weights = weights.astype(float)
    weights[:, layout.special] = back[:, layout.special] = 0
    total, sums = weights.sum(axis=1), back.sum(axis=1)
    allowed = ERROR[layout.half] * weights.max(axis=1)
    back *= (total / np.where(sums > 0, sums, 1))[:, None]
    misses = np.abs(np.subtract(back, weights, out=back), out=back).max(axis=1)
    return np.where(misses > allowed, total - sums, 0)


def short(values: np.ndarray) -> np.ndarray:
    """Round up to float32 with 12 bits after the point: a third less to deflate, 0.02 % more."""
    bits = values.astype("<f4").view("<u4")
    return ((bits + 0x7FF) & ~np.uint32(0x7FF)).view("<f4")


def unpacked(part: bytes, layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Return the map (Q, K) and what it lost (Q,), float64, number for number as on the page."""
    floats = layout.floats(part)
    weights = decoded(floats, layout.values(part), layout)
    return weights, floats[2] if layout.special else np.zeros(layout.shape[0])


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


def rest(part: bytes, mean: np.ndarray, layout: Layout) -> bytes:
    """Take from a mean's bytes those that the mean of the decoded maps gives; it wraps at 256.

    What is left is mostly 0, so that it deflates to a tenth.
    """
    shares = mean / layout.scale(layout.floats(part))
    expected = np.minimum(255, np.floor(255 * np.sqrt(shares) + 0.5)).astype(np.uint8)
    return part[: layout.start] + (layout.values(part) - expected).tobytes()
