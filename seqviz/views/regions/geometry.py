"""Boxes over a grid of regions: what share of each region a box covers."""

from collections.abc import Sequence

import numpy as np

MOST_REGIONS = 8  # a side of the grid that is laid over a picture without one of its own


def along(low: np.ndarray, high: np.ndarray, size: float, parts: int) -> np.ndarray:
    """Share of each of `parts` equal pieces of a side that [low, high] covers, (boxes, parts)."""
    edges = np.arange(parts) * size / parts
    unit = size / parts
    overlap = np.minimum(high[:, None], edges + unit) - np.maximum(low[:, None], edges)
    return np.clip(overlap / unit, 0, 1)


def covers(boxes: np.ndarray, size: Sequence[int], grid: Sequence[int]) -> np.ndarray:
    """Share of each region that each box (x0, y0, x1, y1) covers, (boxes, rows, columns)."""
    boxes = np.asarray(boxes, float).reshape(-1, 4)
    x0, y0, x1, y1 = boxes.T
    down = along(y0, y1, size[0], grid[0])
    across = along(x0, x1, size[1], grid[1])
    return down[:, :, None] * across[:, None, :]


def union(boxes: np.ndarray, size: Sequence[int], grid: Sequence[int]) -> np.ndarray:
    """Share of each region that lies in any of the boxes, (rows, columns)."""
    (h, w), (rows, columns) = size, grid
    x = np.unique([*np.linspace(0, w, columns + 1), *boxes[:, 0], *boxes[:, 2]])
    y = np.unique([*np.linspace(0, h, rows + 1), *boxes[:, 1], *boxes[:, 3]])
    middle_x, middle_y = (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2
    inside = np.zeros((len(middle_y), len(middle_x)), bool)
    for x0, y0, x1, y1 in boxes:
        inside |= np.outer((y0 < middle_y) & (middle_y < y1), (x0 < middle_x) & (middle_x < x1))
    areas = np.outer(np.diff(y), np.diff(x)) * inside / ((h / rows) * (w / columns))
    shares = np.zeros((rows, columns))
    row, column = (middle_y * rows / h).astype(int), (middle_x * columns / w).astype(int)
    np.add.at(shares, (row[:, None], column[None, :]), areas)
    return np.clip(shares, 0, 1)


def corners(windows: np.ndarray) -> np.ndarray:
    """Windows (centre x, centre y, width, height) as boxes (x0, y0, x1, y1)."""
    centre, half = windows[:, :2].astype(float), windows[:, 2:].astype(float) / 2
    return np.hstack([centre - half, centre + half])


def regions_of(size: Sequence[int]) -> tuple[int, int]:
    """Rows and columns for a picture of h x w pixels: the most, up to 8, that divide it."""
    return tuple(
        next((n for n in range(min(MOST_REGIONS, side), 3, -1) if side % n == 0),
             min(MOST_REGIONS, side))
        for side in size
    )  # fmt: skip


def gathered(pixels: np.ndarray, grid: Sequence[int]) -> np.ndarray:
    """Sums of pixels (steps, h, w) in each region, (steps, rows, columns)."""
    steps, h, w = pixels.shape
    rows, columns = grid
    row, column = np.arange(h) * rows // h, np.arange(w) * columns // w
    sums = np.zeros((steps, rows, columns))
    np.add.at(sums, (slice(None), row[:, None], column[None, :]), pixels)
    return sums
