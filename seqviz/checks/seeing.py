"""Checks of notebook 09: attention to regions, the weight inside a box, a drawing step by step."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp


@check("right, context and weights, for three sizes.")
def attend_to() -> Cases:
    """Check `attend_to(s, regions, W, U, v) -> (c, alpha)`: one step of attention to regions.

    e_i = v . tanh(W s + U r_i), alpha = softmax(e), c = sum_i alpha_i r_i. `s` is (batch, unit),
    `regions` (batch, regions, d), `W` (a, unit), `U` (a, d), `v` (a,).

    Source: decks 000, 002; Xu et al. (2015), equations 4 to 6, section 4.2.
    """
    for batch, count, d, unit, a in ((2, 6, 5, 4, 3), (4, 4, 4, 4, 4), (1, 9, 6, 3, 8)):
        s = 2 * (7 * ramp(batch, unit)).sin()
        r = 2 * (31 * ramp(batch, count, d)).sin()
        W, U, v = (5 * ramp(a, unit)).cos(), (9 * ramp(a, d)).sin(), 2 * (4 * ramp(a)).cos()
        inside, Ur = (s @ W.T)[:, None] + r @ U.T, r @ U.T
        e = inside.tanh() @ v
        alpha = e.softmax(dim=1)
        of_alpha = {
            "the tanh is missing: without it W s only adds the same to every region": (
                (inside @ v).softmax(dim=1)
            ),
            "these are the scores; the softmax is missing": e,
            "the softmax runs over the pictures; let it run over the regions": e.softmax(dim=0),
            "the softmax runs over all pictures together": e.flatten().softmax(0).view_as(e),
            "W s changes nothing inside the tanh: every step would attend alike": (
                (Ur.tanh() @ v).softmax(dim=1)
            ),
        }
        of_c = {
            "this is the mean of the regions: weigh them by alpha": r.mean(dim=1),
            "this is the region with the largest weight; take the weighted sum": (
                r[torch.arange(batch), e.argmax(dim=1)]
            ),
            "weigh the regions r_i themselves, not U r_i": (alpha[..., None] * Ur).sum(dim=1),
            "the regions are weighed by their scores, not by alpha": (e[..., None] * r).sum(dim=1),
        }
        given = {"s": s, "regions": r, "W": W, "U": U, "v": v}
        right = {"c": (alpha[..., None] * r).sum(dim=1), "alpha": alpha}
        asked = f", {batch} pictures of {count} regions,"
        yield Case(asked, given, right, by_part({"alpha": of_alpha, "c": of_c}), "alpha, c")


def _covered(alpha: Tensor, height: float, width: float, box: tuple) -> Tensor:
    """Share of each region that the box covers, (rows, columns)."""
    left, top, right, bottom = box

    def along(count: int, length: float, low: float, high: float) -> Tensor:
        edges = torch.arange(count + 1, dtype=torch.float64) * length / count
        return (edges[1:].clamp(max=high) - edges[:-1].clamp(min=low)).clamp(min=0) * count / length

    rows, columns = alpha.shape
    return along(rows, height, top, bottom)[:, None] * along(columns, width, left, right)


@check("right for three grids, square and not.")
def mass_inside() -> Cases:
    """Check `mass_inside(alpha, box, height, width)`: the weight that lies inside a box.

    `alpha` (rows, columns) lies over a picture of `height` x `width` pixels; `box` is left, top,
    right, bottom, in pixels. A region that is half covered gives half of its weight.

    Source: notebook 09.
    """
    for rows, columns, height, width, box in (
        (4, 4, 32, 32, (3, 10, 17, 21)),
        (2, 5, 13, 42, (16, 1, 42, 7)),
        (8, 3, 61, 32, (11, 26, 19, 30)),
    ):
        alpha = (3 * (17 * ramp(rows, columns)).sin()).flatten().softmax(0).view(rows, columns)
        covered, (left, top, right, bottom) = _covered(alpha, height, width, box), box
        turned = _covered(alpha, height, width, (top, left, bottom, right))
        inside = (alpha * covered).sum()
        slips = {
            "every region that the box touches counts as a whole; take the covered share": (
                alpha[covered > 0].sum()
            ),
            "only regions that lie wholly inside count; take the covered share of the others": (
                alpha[covered > 1 - 1e-9].sum()
            ),
            "x and y are exchanged: the box is left, top, right, bottom": (alpha * turned).sum(),
            "this is the share of the area; weigh it by alpha": covered.mean(),
            "divided by the number of regions: alpha has sum 1 already": inside / alpha.numel(),
            "this is the weight outside": 1 - inside,
        }
        given = {"alpha": alpha, "box": box, "height": height, "width": width}
        yield Case(f" of a grid of {rows} x {columns}", given, inside, slips)


@check("right for three drawings.")
def canvases() -> Cases:
    """Check `canvases(patches, F_Y, F_X, blank)`: the picture after each step of DRAW.

    The canvas starts as `blank` everywhere; step t adds F_Y[t]^T patches[t] F_X[t], and the
    picture is its sigmoid. `patches` is (steps, n, n), `F_Y` (steps, n, height), `F_X`
    (steps, n, width); the answer is (steps, height, width).

    Source: deck 000; Gregor et al. (2015), sections 2.1 and 3.3.
    """
    sizes = ((3, 2, 5, 7, -1.5), (2, 6, 6, 6, 0.7), (4, 5, 9, 6, -3.0))
    for steps, n, height, width, blank in sizes:
        patches = 3 * (23 * ramp(steps, n, n)).sin()
        F_Y = (4 * (9 * ramp(steps, n, height)).sin()).softmax(dim=2)
        F_X = (4 * (13 * ramp(steps, n, width)).cos()).softmax(dim=2)
        added = F_Y.mT @ patches @ F_X
        total, mirrored = added.cumsum(0), (F_Y.mT @ patches.mT @ F_X).cumsum(0)
        right, alone = (blank + total).sigmoid(), (blank + added).sigmoid()
        slips = {
            "these are the canvases; the sigmoid is missing": blank + total,
            "each step forgets what was drawn before: add up": alone,
            "the canvas starts at 0: start at blank": total.sigmoid(),
            "blank is added at every step; it is there once": (blank + added).cumsum(0).sigmoid(),
            "this is the last picture only; give one for each step": right[-1],
            "the sigmoid comes after the sum, not before it": alone.cumsum(0),
            "the patches are turned: F_Y belongs to their rows, F_X to their columns": (
                (blank + mirrored).sigmoid()
            ),
            "each picture is turned: rows come from F_Y": right.mT,
        }
        given = {"patches": patches, "F_Y": F_Y, "F_X": F_X, "blank": blank}
        yield Case(f" of {steps} steps, {height} x {width},", given, right, slips)
