"""Which rows and columns of a picture its windows hold: found where a module had both."""

from collections.abc import Iterator, Sequence

import numpy as np
from torch import Tensor

from seqviz.recording.observation import to_numpy

Labels = tuple[str, ...]


def windows_of(
    pairs: Sequence[tuple[Tensor, Tensor]],
) -> tuple[Labels, tuple[Labels, ...]] | None:
    """Return each window's name and the labels of its places; None if nothing tells.

    A picture's rows are cut into windows, maybe after it was rolled by half a window, as Swin does;
    what its last windows lack is filled up with zeros. A place is "r3 c5", "" outside the picture.

    Parameters
    ----------
    pairs : sequence of (tensor, tensor)
        What may be a picture, (time, unit), and its windows, (block, place, unit).
    """
    for whole, parts in pairs:
        padded = np.concatenate([to_numpy(whole), np.zeros((1, whole.shape[-1]))])
        found = _fitting(padded, to_numpy(parts))
        if found is not None:
            width, at = found
            names = (_name(*np.divmod(block[block >= 0], width)) for block in at)
            return tuple(names), tuple(tuple(_label(p, width) for p in block) for block in at)
    return None


def _fitting(padded: np.ndarray, parts: np.ndarray) -> tuple[int, np.ndarray] | None:
    """The width of the picture and the positions (block, place), if they are the only ones."""
    blocks, places, _ = parts.shape
    found: dict[bool, dict[tuple, tuple[int, np.ndarray]]] = {True: {}, False: {}}
    for square, width, at in _cuts(len(padded) - 1, blocks, places):
        same = np.array_equal(padded[at, 0], parts[..., 0]) and np.array_equal(padded[at], parts)
        if same:
            found[square][width, at.tobytes()] = width, at
    fits = [*(found[True] or found[False]).values()]
    return fits[0] if len(fits) == 1 else None


def _cuts(time: int, blocks: int, places: int) -> Iterator[tuple[bool, int, np.ndarray]]:
    """Whether windows are square, a width, and the positions (block, place), -1 for padding."""
    for height, width in _sides(time):
        for h, w in _sides(places):
            down, across = -(-height // h), -(-width // w)
            if down * across != blocks:
                continue
            grid = np.full((down * h, across * w), -1)
            grid[:height, :width] = np.arange(time).reshape(height, width)
            for by in {(0, 0), (h // 2 * (down > 1), w // 2 * (across > 1))}:
                rolled = np.roll(grid, (-by[0], -by[1]), (0, 1)).reshape(down, h, across, w)
                yield h == w, width, rolled.swapaxes(1, 2).reshape(blocks, places)


def _sides(area: int) -> list[tuple[int, int]]:
    """The sides above 1 of rectangles of an area."""
    return [(k, area // k) for k in range(2, area // 2 + 1) if area % k == 0]


def _label(position: int, width: int) -> str:
    return f"r{position // width} c{position % width}" if position >= 0 else ""


def _name(rows: np.ndarray, columns: np.ndarray) -> str:
    """As "rows 0-3, columns 4-7"; both ends of the picture if the window was rolled over them."""
    if not rows.size:
        return "padding"
    return f"row{_ranges(rows)}, column{_ranges(columns)}"


def _ranges(numbers: np.ndarray) -> str:
    """As "s 6-7 and 0-1", in the order of the window."""
    known = list(dict.fromkeys(numbers.tolist()))
    starts = [k for k, n in enumerate(known) if not k or n != known[k - 1] + 1]
    runs = [known[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True)]
    said = " and ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"{'s' * (len(known) > 1)} {said}"
