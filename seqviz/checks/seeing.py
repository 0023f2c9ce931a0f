"""Checks of notebook 09: attention to regions, the weight inside a box, a drawing step by step."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Verdict, check, ramp

STEPS = ((2, 6, 5, 4, 3), (4, 4, 4, 4, 4), (1, 9, 6, 3, 8))  # batch, regions, d, unit, a
BOXES = (  # rows, columns, height, width, box
    (4, 4, 32, 32, (3, 10, 17, 21)),
    (2, 5, 13, 42, (16, 1, 42, 7)),
    (8, 3, 61, 32, (11, 26, 19, 30)),
)
WRITTEN = (
    (3, 2, 5, 7, -1.5),
    (2, 6, 6, 6, 0.7),
    (4, 5, 9, 6, -3.0),
)  # ..., n, height, width, blank


@check
def attend_to(student: Callable) -> Verdict:
    """Check `attend_to(s, regions, W, U, v) -> (c, alpha)`: one step of attention to regions.

    e_i = v . tanh(W s + U r_i), alpha = softmax(e), c = sum_i alpha_i r_i. `s` is (batch, unit),
    `regions` (batch, regions, d), `W` (a, unit), `U` (a, d), `v` (a,).

    Source: decks 000, 002; Xu et al. (2015), equations 4 to 6, section 4.2.
    """
    for batch, count, d, unit, a in STEPS:
        s = 2 * (7 * ramp(batch, unit)).sin()
        r = 2 * (31 * ramp(batch, count, d)).sin()
        W, U, v = (5 * ramp(a, unit)).cos(), (9 * ramp(a, d)).sin(), 2 * (4 * ramp(a)).cos()
        e = ((s @ W.T)[:, None] + r @ U.T).tanh() @ v
        alpha = e.softmax(dim=1)
        flat = ((s @ W.T)[:, None] + r @ U.T) @ v
        c = (alpha[..., None] * r).sum(dim=1)
        wrong_alpha = {
            "the tanh is missing: without it W s only adds the same to every region": flat.softmax(
                dim=1
            ),
            "these are the scores; the softmax is missing": e,
            "the softmax runs over the pictures; let it run over the regions": e.softmax(dim=0),
            "the softmax runs over all pictures together": e.flatten()
            .softmax(dim=0)
            .reshape(e.shape),
            "W s changes nothing inside the tanh: every step would attend alike": (
                (r @ U.T).tanh() @ v
            ).softmax(dim=1),
        }
        wrong_c = {
            "this is the mean of the regions: weigh them by alpha": r.mean(dim=1),
            "this is the region with the largest weight; take the weighted sum": r[
                torch.arange(batch), e.argmax(dim=1)
            ],
            "weigh the regions r_i themselves, not U r_i": (alpha[..., None] * (r @ U.T)).sum(1),
            "the regions are weighed by their scores, not by alpha": (e[..., None] * r).sum(dim=1),
        }
        answer = call(student, s=s, regions=r, W=W, U=U, v=v)
        got, weights = parts("attend_to", answer, "c, alpha")
        asked = f"{batch} pictures of {count} regions"
        compare(f"attend_to's alpha, {asked},", weights, alpha, wrong_alpha)
        compare(f"attend_to's c, {asked},", got, c, wrong_c)
    return Verdict(True, "attend_to: right, context and weights, for three sizes.")


def _covered(rows: int, columns: int, height: float, width: float, box: tuple) -> Tensor:
    """Share of each region that the box covers, (rows, columns)."""
    left, top, right, bottom = box

    def along(count: int, length: float, low: float, high: float) -> Tensor:
        edges = torch.arange(count + 1, dtype=torch.float64) * length / count
        return (edges[1:].clamp(max=high) - edges[:-1].clamp(min=low)).clamp(min=0) * count / length

    return along(rows, height, top, bottom)[:, None] * along(columns, width, left, right)


@check
def mass_inside(student: Callable) -> Verdict:
    """Check `mass_inside(alpha, box, height, width)`: the weight that lies inside a box.

    `alpha` (rows, columns) lies over a picture of `height` x `width` pixels; `box` is left, top,
    right, bottom, in pixels. A region that is half covered gives half of its weight.

    Source: notebook 09.
    """
    for rows, columns, height, width, box in BOXES:
        alpha = (3 * (17 * ramp(rows, columns)).sin()).flatten().softmax(dim=0)
        alpha = alpha.reshape(rows, columns)
        covered = _covered(rows, columns, height, width, box)
        left, top, right, bottom = box
        turned = _covered(rows, columns, height, width, (top, left, bottom, right))
        inside = (alpha * covered).sum()
        wrong = {
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
        answer = call(student, alpha=alpha, box=box, height=height, width=width)
        asked = f"mass_inside of a grid of {rows} x {columns}"
        compare(asked, answer, inside, wrong)
    return Verdict(True, "mass_inside: right for three grids, square and not.")


def _drawn(patches: Tensor, F_Y: Tensor, F_X: Tensor, blank: float) -> Tensor:
    """Pictures after each step, (steps, height, width)."""
    return (blank + (F_Y.mT @ patches @ F_X).cumsum(dim=0)).sigmoid()


@check
def canvases(student: Callable) -> Verdict:
    """Check `canvases(patches, F_Y, F_X, blank)`: the picture after each step of DRAW.

    The canvas starts as `blank` everywhere; step t adds F_Y[t]^T patches[t] F_X[t], and the
    picture is its sigmoid. `patches` is (steps, n, n), `F_Y` (steps, n, height), `F_X`
    (steps, n, width); the answer is (steps, height, width).

    Source: deck 000; Gregor et al. (2015), sections 2.1 and 3.3.
    """
    for steps, n, height, width, blank in WRITTEN:
        patches = 3 * (23 * ramp(steps, n, n)).sin()
        F_Y = (4 * (9 * ramp(steps, n, height)).sin()).softmax(dim=2)
        F_X = (4 * (13 * ramp(steps, n, width)).cos()).softmax(dim=2)
        given = (patches, F_Y, F_X, blank)
        right = _drawn(*given)
        added = F_Y.mT @ patches @ F_X
        wrong = {
            "these are the canvases; the sigmoid is missing": blank + added.cumsum(dim=0),
            "each step forgets what was drawn before: add up": (blank + added).sigmoid(),
            "the canvas starts at 0: start at blank": added.cumsum(dim=0).sigmoid(),
            "blank is added at every step; it is there once": (blank + added)
            .cumsum(dim=0)
            .sigmoid(),
            "this is the last picture only; give one for each step": right[-1],
            "the sigmoid comes after the sum, not before it": (blank + added).sigmoid().cumsum(0),
            "the patches are turned: F_Y belongs to their rows, F_X to their columns": _drawn(
                patches.mT, F_Y, F_X, blank
            ),
            "each picture is turned: rows come from F_Y": right.mT,
        }
        names = ("patches", "F_Y", "F_X", "blank")
        answer = call(student, **dict(zip(names, given, strict=True)))
        compare(f"canvases of {steps} steps, {height} x {width},", answer, right, wrong)
    return Verdict(True, "canvases: right for three drawings.")
