"""Checks of assignment A8: the gradient of a soft window, weights of regions back on pixels."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp

WINDOWS = (  # n of the patch, (height, width) of the pictures, x, y, width of each window
    (3, (5, 8), [[3.2, 2.1, 4.0], [6.5, 4.4, 2.5]]),
    (2, (7, 4), [[1.5, 5.0, 3.0], [4.6, 0.3, 6.0], [2.0, 3.5, 1.6]]),
    (1, (3, 6), [[2.25, 1.75, 2.0]]),
    (4, (6, 6), [[3.1, 2.4, 5.0], [0.8, 5.5, 7.0]]),
)


@check("right for 4 batches of windows.", gradients=False)
def window_backward() -> Cases:
    """Check `window_backward(dpatch, pictures, windows)`: the gradient of x, y and width by hand.

    patch = F_Y picture F_X^T; row k of F is the softmax of -(i + 1/2 - c_k)^2 / (2 sigma^2), with
    c_k = middle + (k - (n - 1) / 2) width / n and sigma = width / (2 n). `dpatch` is (batch, n, n),
    `pictures` (batch, height, width), `windows` (batch, 3).

    Source: deck 000; Gregor et al. (2015), "DRAW", section 3.2.
    """
    for n, (height, width), rows in WINDOWS:
        windows, batch = torch.tensor(rows, dtype=torch.float64), len(rows)
        pictures = (11 * ramp(batch, height, width)).sin() + 0.4
        dpatch = 2 * (7 * ramp(batch, n, n, low=-0.6)).cos()
        slopes = _slopes(dpatch, pictures, windows)
        right = _gathered(slopes)
        free = _gathered(_slopes(dpatch, pictures, windows, whole=False))
        (_, moved_x, widened_x), (_, moved_y, widened_y) = slopes
        slips = {
            "each bell has sum 1: the softmax's mean is not taken off": free,
            "the width also moves the centres": _set(right, 2, widened_x + widened_y),
            "the width also widens the bells": _set(right, 2, moved_x + moved_y),
            "the width counts down as well, not only across": _set(right, 2, moved_x + widened_x),
            "the width counts across as well, not only down": _set(right, 2, moved_y + widened_y),
            "sigma is half the distance of two bells: it changes by 1 / (2 n)": (
                _set(right, 2, right[:, 2] + widened_x + widened_y)
            ),
            "x moves F_X, y moves F_Y: they are exchanged": right[:, [1, 0, 2]],
            "the sign is turned round": -right,
            "the centres move by width / n, sigma by width / (2 n): the n is missing": (
                _set(right, 2, n * right[:, 2])
            ),
            "each picture has a window of its own: no sum over the batch": (
                right.sum(dim=0, keepdim=True).expand_as(right)
            ),
            "the windows' gradients add up over the patch: no mean": right / n**2,
        }
        given = {"dpatch": dpatch, "pictures": pictures, "windows": windows}
        asked = f", patches of {n} x {n} from {height} x {width} pixels,"
        yield Case(asked, given, right, slips)


def _slopes(dpatch: Tensor, pictures: Tensor, windows: Tensor, whole: bool = True) -> list:
    """Across and down: how the loss changes with the middle, by moved and by widened bells."""
    n, width = dpatch.shape[1], windows[:, 2]
    apart = (width / n)[:, None, None]
    steps = torch.arange(n)[:, None] - (n - 1) / 2
    offs, bells = [], []
    for side in (0, 1):
        centres = windows[:, side, None, None] + steps * apart
        offs.append(torch.arange(pictures.shape[2 - side]) + 0.5 - centres)
        bells.append((-2 * (offs[-1] / apart) ** 2).softmax(dim=2))
    found = []
    read = (dpatch.mT @ bells[1] @ pictures, dpatch @ bells[0] @ pictures.mT)
    for off, bell, slope in zip(offs, bells, read, strict=True):
        mean = (bell * slope).sum(dim=2, keepdim=True) if whole else 0.0
        at_scores = bell * (slope - mean)
        centre = 4 * at_scores * off / apart**2
        moved = (centre * steps).sum(dim=(1, 2)) / n
        widened = (4 * at_scores * off**2 / apart**3).sum(dim=(1, 2)) / n
        found.append((centre.sum(dim=(1, 2)), moved, widened))
    return found


def _gathered(slopes: list) -> Tensor:
    (x, moved_x, widened_x), (y, moved_y, widened_y) = slopes
    return torch.stack([x, y, moved_x + widened_x + moved_y + widened_y], dim=1)


def _set(values: Tensor, column: int, other: Tensor) -> Tensor:
    changed = values.clone()
    changed[:, column] = other
    return changed


@check("right for 4 grids, and no weight is lost.")
def to_pixels() -> Cases:
    """Check `to_pixels(alpha, reach, apart)`: each region's weight on the pixels that it sees.

    `alpha` is (rows, columns), the picture rows apart x columns apart pixels. A region sees the
    square of reach x reach pixels around its own apart x apart, as far as it lies in the picture,
    and shares its weight evenly among these.

    Source: notebook 09a; Xu et al. (2015), section 5.4, for the mapping back.
    """
    for rows, columns, reach, apart in ((3, 5, 6, 2), (4, 2, 9, 3), (2, 3, 4, 4), (1, 6, 5, 1)):
        alpha = (5 * ramp(rows, columns)).sin().flatten().softmax(0).view(rows, columns)
        right = _spread(alpha, reach, apart)
        lost = _spread(alpha, reach, apart, among="all")
        turned = _spread(alpha.T, reach, apart)
        slips = {
            "a region sees more than its own square of pixels": _spread(alpha, apart, apart),
            "weight falls outside of the picture: share it among the pixels inside": lost,
            "the sum is put right at the end, but regions at the edge lose weight to others": (
                lost / lost.sum()
            ),
            "each pixel gets the whole weight of a region: share it": (
                _spread(alpha, reach, apart, among="none")
            ),
            "the square begins at the region's corner: its middle is that of the region": (
                _spread(alpha, reach, apart, before=0)
            ),
            "the square ends at the region's corner: its middle is that of the region": (
                _spread(alpha, reach, apart, before=reach - apart)
            ),
            "rows and columns are exchanged": turned.T if rows == columns else turned,
            "the largest weight counts at each pixel; add up all regions that see it": (
                _spread(alpha, reach, apart, join=torch.maximum)
            ),
            "the last region that sees a pixel sets it; add up all of them": (
                _spread(alpha, reach, apart, join=lambda old, new: torch.where(new > 0, new, old))
            ),
        }
        given = {"alpha": alpha, "reach": reach, "apart": apart}
        asked = f" of {rows} x {columns} regions, reach {reach}, {apart} apart,"
        yield Case(asked, given, right, slips)


def _spread(
    alpha: Tensor, reach: int, apart: int, among="inside", before=None, join=torch.add
) -> Tensor:
    """The weights on the pixels, each region's square beginning `before` its own corner."""
    height, width = (size * apart for size in alpha.shape)
    before = (reach - apart) // 2 if before is None else before
    pixels = torch.zeros(height, width, dtype=alpha.dtype)
    for k, weight in enumerate(alpha.flatten()):
        top, left = (apart * place - before for place in divmod(k, alpha.shape[1]))
        rows = slice(max(top, 0), max(min(top + reach, height), 0))
        columns = slice(max(left, 0), max(min(left + reach, width), 0))
        seen = torch.zeros_like(pixels)
        seen[rows, columns] = weight
        count = {"inside": (seen != 0).sum().clamp(min=1), "all": reach**2, "none": 1}[among]
        pixels = join(pixels, seen / count)
    return pixels
