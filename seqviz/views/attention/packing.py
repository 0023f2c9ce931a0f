"""Maps of attention weights as bytes, which the page decodes.

A map (Q, K) is the largest of each row, Q float32, then Q * K bytes round(255 sqrt(a / largest)),
or float16 a / largest. A weight comes back within 0.4 % of its row's largest, of halves within
0.05 %. A page makes means and rollouts of the heads that come back: within 0.8 % of a row's
largest, unless many heads each attend to a key of their own and round all others to one side.

Special tokens can take nearly all of a row. Where they can be hidden, the other keys are shares of
their own largest, which stands behind that of the row, so that they stay exact when they are all
that is left; and as a row is scaled to 1 by its sum, what decoding loses of this sum stands there
too: many equal weights are all rounded to the same side.
"""

from dataclasses import dataclass

import numpy as np

THUMB = 48  # rows and columns of a thumbnail, at most
TINY = np.finfo(np.float32).tiny  # its smallest normal number


@dataclass(frozen=True)
class Layout:
    """How a map of one kind stands in bytes: some float32 for each row, then the weights.

    The floats are Q row maxima; where keys can be hidden, Q maxima of the other keys and Q sums
    that decoding loses of these; unless `sums`, Q sums that it loses of the rows.

    Parameters
    ----------
    shape : tuple of int
        Q and K.
    sums : bool
        Whether every row sums to 1.
    half : bool
        Two bytes a weight.
    special : tuple of int
        The keys that can be hidden.
    """

    shape: tuple[int, int]
    sums: bool
    half: bool = False
    special: tuple[int, ...] = ()

    @property
    def rows(self) -> int:
        """Floats of a query."""
        return 1 + 2 * bool(self.special) + (not self.sums)

    @property
    def start(self) -> int:
        """Where the weights begin."""
        return 4 * self.shape[0] * self.rows

    @property
    def size(self) -> int:
        """Bytes of a map."""
        return self.start + self.shape[0] * self.shape[1] * (1 + self.half)

    @property
    def others(self) -> np.ndarray:
        """The keys that cannot be hidden."""
        return np.delete(np.arange(self.shape[1]), self.special)

    def scale(self, floats: np.ndarray) -> np.ndarray:
        """What each weight is a share of, (maps, Q, K) or (maps, Q, 1)."""
        most = floats[:, 0, :, None]
        if not self.special:
            return most
        scale = np.repeat(floats[:, 1, :, None], self.shape[1], axis=-1)
        scale[..., self.special] = most
        return scale


def coded(weights: np.ndarray, layout: Layout) -> list[bytes]:
    """Write maps (maps, Q, K) as bytes."""
    weights = wide(weights)
    floats = np.zeros((len(weights), layout.rows, layout.shape[0]), "<f4")
    floats[:, 0] = weights.max(axis=-1)
    if layout.special:
        floats[:, 1] = weights[..., layout.others].max(axis=-1)
    scale = layout.scale(floats)
    shares = weights / np.where(scale > 0, scale, 1)
    values = shares.astype("<f2") if layout.half else squeezed(shares)
    if layout.rows > 1:
        lost = weights - restored(values, scale)
        if layout.special:
            floats[:, 2] = row_sums(lost[..., layout.others])
        if not layout.sums:
            floats[:, -1] = row_sums(lost)
    return [a.tobytes() + b.tobytes() for a, b in zip(floats, values, strict=True)]


def squeezed(shares: np.ndarray) -> np.ndarray:
    """Shares of a maximum as bytes; none above 0 becomes 0."""
    values = np.minimum(np.rint(255 * np.sqrt(shares)), 255)
    return np.maximum(values, shares > 0).astype(np.uint8)


def restored(values: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """The weights of bytes or halves, float64."""
    shares = values.astype(float)
    return scale * (shares if values.dtype == np.float16 else (shares / 255) ** 2)


def row_sums(weights: np.ndarray) -> np.ndarray:
    """The sum of each row in float64; NumPy's `sum` takes twice as long."""
    return np.einsum("...k->...", weights, dtype=float)


def wide(weights: np.ndarray) -> np.ndarray:
    """Weights in the machine's own float32 or float64, in which NumPy is fast."""
    return weights.astype(np.float32 if weights.dtype.itemsize <= 4 else np.float64, copy=False)


def thumbnails(maps: np.ndarray) -> bytes:
    """Thumbnails of maps (maps, rows, columns), one after another, a byte for each block.

    It is 255 sqrt(maximum of the block / maximum of the map).
    """
    blocks = _largest_of_blocks(_largest_of_blocks(maps, 1), 2).astype(float)
    most = blocks.max(axis=(1, 2), keepdims=True)
    return np.rint(255 * np.sqrt(blocks / np.where(most > 0, most, 1))).astype(np.uint8).tobytes()


def _largest_of_blocks(maps: np.ndarray, axis: int) -> np.ndarray:
    """The largest in each block of an axis; row q is in block floor(q * blocks / side)."""
    side = maps.shape[axis]
    blocks = min(side, THUMB)
    ends = -(-np.arange(blocks) * side // blocks)
    return np.maximum.reduceat(maps, ends, axis=axis)
