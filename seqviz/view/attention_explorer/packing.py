"""Maps of attention weights as bytes, and back: what the page reads, Python reads too."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

THUMB = 48  # rows and columns of a thumbnail, at most
TINY = np.finfo(np.float32).tiny  # its smallest normal number
ERROR = {False: 4e-3, True: 5e-4}  # of the largest weight of a row: of a byte, of a half


@dataclass(frozen=True)
class Layout:
    """How the maps of one kind stand in bytes, each in a row of an array (maps, size).

    First Q float32 row maxima; where keys can be hidden, Q maxima of the other keys (0: the row's)
    and Q sums that decoding loses of these; unless `sums`, Q sums that it loses of the rows (see
    `set_lost`). Of Q floats the Q lowest bytes come first, most of them 0, the Q highest last,
    which are alike: they deflate to half. Then Q * K bytes round(255 sqrt(a / maximum)), or with
    `half` Q * K float16 a / maximum.

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
    def rows(self) -> int:
        """Floats of a query."""
        return 1 + 2 * bool(self.special) + (not self.sums)

    @property
    def start(self) -> int:
        """Where the values begin."""
        return 4 * self.shape[0] * self.rows

    @property
    def size(self) -> int:
        """Bytes of a map."""
        return self.start + self.shape[0] * self.shape[1] * (1 + self.half)

    @property
    def fours(self) -> int:
        """Bytes of two bits a value, see `rest`."""
        return -(-self.shape[0] * self.shape[1] // 4)

    @property
    def runs(self) -> list[slice]:
        """The keys that cannot be hidden."""
        return runs(self.shape[1], self.special)

    def most_of_others(self, weights: np.ndarray) -> np.ndarray:
        """The largest of each row (maps, Q) of the keys that cannot be hidden."""
        return reduce(np.maximum, (row_maxima(weights[..., run]) for run in self.runs))

    def floats(self, parts: np.ndarray) -> np.ndarray:
        """What stands before the values, float32 (maps, rows, Q)."""
        planes = parts[:, : self.start].reshape(len(parts), -1, 4, self.shape[0])
        return np.ascontiguousarray(planes.swapaxes(2, 3)).view("<f4")[..., 0]

    def write(self, floats: np.ndarray, parts: np.ndarray) -> None:
        """Put floats (maps, rows, Q) before the values."""
        planes = floats[..., None].view(np.uint8).swapaxes(2, 3)
        parts[:, : self.start] = planes.reshape(len(parts), -1)

    def values(self, parts: np.ndarray) -> np.ndarray:
        """The bytes or halves, a view (maps, Q, K)."""
        values = parts[:, self.start :].view("<f2" if self.half else np.uint8)
        return values.reshape(len(parts), *self.shape)

    def maxima(self, floats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What special keys and what the others are shares of, two (maps, Q, 1)."""
        most = np.where(floats[:, 0] > 0, floats[:, 0], 1)[..., None]  # else its values are all 0
        if not self.special:
            return most, most
        return most, np.where(floats[:, 1, :, None] > 0, floats[:, 1, :, None], most)

    def divided(
        self, weights: np.ndarray, floats: np.ndarray, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Maps (maps, Q, K) as shares of the maxima."""
        most, other = self.maxima(floats)
        with np.errstate(over="ignore"):  # of special keys, which are divided by their own
            shares = np.divide(weights, other, out=out)
        if self.special:
            shares[..., self.special] = weights[..., self.special] / most
        return shares

    def multiplied(self, shares: np.ndarray, floats: np.ndarray) -> np.ndarray:
        """Maps (maps, Q, K) from their shares, which are overwritten."""
        most, other = self.maxima(floats)
        if not self.special:
            return np.multiply(shares, most, out=shares)
        special = shares[..., self.special] * most
        shares *= other
        shares[..., self.special] = special
        return shares


def coded(weights: np.ndarray, layout: Layout, scratch: np.ndarray | None = None) -> np.ndarray:
    """Write maps (maps, Q, K) as bytes (maps, size).

    Each weight comes back with at most `ERROR` of the maximum that it is packed against. The
    maxima are rounded up, see `short`. `scratch` is an array of the weights' shape and wide type to
    work in: to get a new one from the system takes as long as to fill it.
    """
    weights = wide(weights)
    parts = np.empty((len(weights), layout.size), np.uint8)
    floats = np.zeros((len(weights), layout.rows, weights.shape[1]), "<f4")
    values = layout.values(parts)
    most = row_maxima(weights)
    floats[:, 0] = short(most)
    if layout.special:
        other = short(layout.most_of_others(weights))
        floats[:, 1] = np.where(other < floats[:, 0], other, 0)
    shares = layout.divided(weights, floats, scratch)
    values[:] = shares if layout.half else _squeezed(shares)
    if layout.rows > 1:
        set_lost(floats, weights, values, layout, shares)
    layout.write(floats, parts)
    return parts


def _squeezed(shares: np.ndarray) -> np.ndarray:
    """Shares of a maximum as bytes, for which they are overwritten; none above 0 becomes 0."""
    np.sqrt(shares, out=shares)
    shares *= 255
    some = shares > 0
    values = np.rint(shares, out=shares).astype(np.uint8)
    return np.maximum(values, some.view(np.uint8), out=values)


def decoded(parts: np.ndarray, layout: Layout) -> np.ndarray:
    """Maps (maps, Q, K) in float64 from their bytes, number for number as on the page."""
    values = layout.values(parts)
    if layout.half:
        shares = values.astype(float)
    else:
        shares = values / 255.0
        shares *= shares
    return layout.multiplied(shares, layout.floats(parts).astype(float))


def set_lost(
    floats: np.ndarray,
    weights: np.ndarray,
    values: np.ndarray,
    layout: Layout,
    shares: np.ndarray,
) -> None:
    """Set what decoding loses of the sum of each row, and of its other keys where that counts.

    It counts where the other keys, scaled to 1 by their decoded sum, would miss by more than
    `ERROR` of the largest: many equal weights are all rounded to the same side.

    Parameters
    ----------
    floats : numpy.ndarray
        What stands before the values (maps, rows, Q), the maxima in place.
    weights, values : numpy.ndarray
        The maps (maps, Q, K) as they are given and as they are packed.
    layout : Layout
    shares : numpy.ndarray
        An array to work in, as large as the maps.
    """
    np.copyto(shares, values)
    most, other = (scale[..., 0] for scale in layout.maxima(floats.astype(float)))
    if not layout.half:
        shares *= shares  # whole numbers, so that their sums are exact
        most, other = most / 255**2, other / 255**2
    total = sum(row_sums(weights[..., run]) for run in layout.runs)
    sums = other * sum(row_sums(shares[..., run]) for run in layout.runs)
    if not layout.sums:
        whole = total + row_sums(weights[..., layout.special])
        back = sums + most * row_sums(shares[..., layout.special])
        floats[:, -1] = in_steps(whole - back, whole, 12)
    if layout.special:
        scale = other * total / np.where(sums > 0, sums, 1)
        shares *= scale.astype(np.float32)[..., None]
        shares -= weights
        misses = layout.most_of_others(np.abs(shares, out=shares))
        allowed = (1 - 1e-4) * ERROR[layout.half]  # the misses themselves are float32
        counts = misses > allowed * layout.most_of_others(weights)
        floats[:, 2] = np.where(counts, in_steps(total - sums, total, 14), 0)


def runs(size: int, gone: tuple[int, ...]) -> list[slice]:
    """The runs of keys between those that are gone."""
    ends = zip((-1, *gone), (*gone, size), strict=True)
    return [slice(start + 1, end) for start, end in ends if start + 1 < end]


def row_maxima(weights: np.ndarray) -> np.ndarray:
    """The largest of each row of numbers that are not below 0.

    Their bits are ordered as they are, and NumPy is three times faster with whole numbers.
    """
    whole = np.dtype(f"i{weights.itemsize}")
    return weights.view(whole).max(axis=-1).view(weights.dtype)


def row_sums(weights: np.ndarray) -> np.ndarray:
    """The sum of each row in float64; NumPy's `sum` takes twice as long."""
    return np.einsum("...k->...", weights, dtype=float)


def wide(weights: np.ndarray) -> np.ndarray:
    """Weights in the machine's own float32 or float64, in which NumPy is fast."""
    return weights.astype(np.float32 if weights.dtype.itemsize <= 4 else np.float64, copy=False)


def short(values: np.ndarray) -> np.ndarray:
    """Round up to float32 with 9 bits after the point: by at most 0.2 %, for half to deflate.

    Below the smallest normal number there are fewer bits, and all are kept.
    """
    near = values.astype("<f4")
    bits = near.view("<u4")
    up = (bits + 0x3FFF) & ~np.uint32(0x3FFF)
    return np.where(near < TINY, bits + (near < values), up).view("<f4")


def in_steps(values: np.ndarray, wholes: np.ndarray, bits: int) -> np.ndarray:
    """Round to multiples of a power of 2, by at most 2**-bits of the wholes that they are parts of.

    What is lost is a few such steps: it deflates to less than floats of any size.
    """
    step = np.ldexp(1.0, np.maximum(np.frexp(wholes)[1] - bits, -149))  # float32 has none below
    return np.rint(values / step) * step


def near(values: np.ndarray, bits: int) -> np.ndarray:
    """Round to float32 with so many bits after the point: the others do not have to be deflated."""
    gone = 23 - bits
    whole = values.astype("<f4").view("<u4") + np.uint32(1 << (gone - 1))
    return (whole & ~np.uint32((1 << gone) - 1)).view("<f4")


def packed(weights: np.ndarray, layout: Layout) -> bytes:
    """Pack one map (Q, K)."""
    return coded(weights[None], layout).tobytes()


def unpacked(part: bytes, layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Return the map (Q, K) and what it lost (Q,), float64."""
    parts = np.frombuffer(part, np.uint8)[None]
    gone = layout.floats(parts)[0, 2] if layout.special else np.zeros(layout.shape[0])
    return decoded(parts, layout)[0], gone.astype(float)


def rest(part: bytes, expected: np.ndarray, layout: Layout) -> bytes:
    """Pack a map again, as what its bytes differ from those of a map (Q, K) that the page knows.

    First the floats. Then two bits for each byte, four bytes in one, the first lowest: a difference
    of 0, 1 or -1 (as 3), or 2 for any other. These follow, a byte each; they wrap at 256. Few bytes
    differ, and hardly one by more: it deflates to a tenth.
    """
    parts = np.frombuffer(part, np.uint8)[None]
    shares = layout.divided(expected[None], layout.floats(parts).astype(float))
    known = np.minimum(255, np.floor(255 * np.sqrt(shares) + 0.5)).astype(np.uint8)
    apart = (layout.values(parts) - known).ravel()
    bits = np.where(apart + np.uint8(1) <= 2, apart & 3, np.uint8(2))
    first, second, third, fourth = np.pad(bits, (0, -len(bits) % 4)).reshape(-1, 4).T
    fours = first | second << 2 | third << 4 | fourth << 6
    return part[: layout.start] + fours.tobytes() + apart[bits == 2].tobytes()


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
    ends = -(-np.arange(blocks + 1) * side // blocks)
    best = maps.take(ends[:-1], axis)
    for step in range(1, np.diff(ends).max()):
        np.maximum(best, maps.take(np.minimum(ends[:-1] + step, ends[1:] - 1), axis), out=best)
    return best
