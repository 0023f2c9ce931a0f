"""Checks of 09a and 09b: what words alone tell, the weight inside a box, a drawing's steps."""

from collections import Counter

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp


@check("right for three lists of questions.")
def best_without_picture() -> Cases:
    """Check `best_without_picture(questions, answers)`: what a net without pictures can reach.

    It says the most frequent answer of each question. Two lists of texts; the answer is a share.

    Source: decks 000, 002; Antol et al. (2015).
    """
    for asked in ("ax bx bx by cz cz cy cy cy", "ac ad bc bd bd bd ce ce ce ce", "ab ba ba bc cb"):
        pairs = [tuple(pair) for pair in asked.split()]
        questions, answers = map(list, zip(*pairs, strict=True))
        of = {q: Counter(a for k, a in pairs if k == q) for q in questions}
        best, count = {q: max(c.values()) for q, c in of.items()}, len(answers)
        slips = {
            "one answer for all questions; take the most frequent of each question": (
                max(Counter(answers).values()) / count
            ),
            "each question counts alike; a question that comes often must count more": (
                sum(best[q] / c.total() for q, c in of.items()) / len(of)
            ),
            "this is a guess among the answers of a question; the best net does not guess": (
                sum(1 / len(of[q]) for q in questions) / count
            ),
            "this is how many are right; divide by how many are asked": float(sum(best.values())),
        }
        given = {"questions": questions, "answers": answers}
        yield Case(f" of {count} questions", given, sum(best.values()) / count, slips)


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

    Source: notebook 09a.
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
