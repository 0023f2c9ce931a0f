"""Checks of assignment A8: what a block of pixels may see, and scores by rows and columns."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp


@check("right for 6 pictures, also where blocks are cut off.")
def local_mask() -> Cases:
    """Check `local_mask(height, width, block, memory)`: True where a key pixel is hidden.

    Pixels are written block by block, in a block row by row, and numbered row by row of the whole
    picture. A query sees what is written up to itself of its block, of `above` rows over it and of
    `beside` columns to both sides of it, in these rows too.

    Source: Parmar et al. (2018), "Image Transformer", section 3.4, 2-D local attention.
    """
    for height, width, block, memory in (
        (6, 6, (2, 3), (1, 2)),
        (2, 4, (2, 2), (0, 1)),
        (5, 7, (2, 3), (2, 1)),
        (4, 3, (4, 1), (1, 1)),
        (3, 8, (1, 2), (2, 0)),
        (4, 4, (4, 4), (2, 2)),
    ):
        sizes = (height, width, block, memory)
        right, (rows, columns) = _hidden(*sizes), block
        order = _order(height, width, block).argsort()
        slips = {
            "earlier is counted row by row of the picture; pixels are written block by block": (
                _hidden(*sizes, order="picture")
            ),
            "there is an order: nothing that is written later may be seen": (
                _hidden(*sizes, order="none")
            ),
            "only whole blocks have an order here; in a block row by row is written, too": (
                _hidden(*sizes, order="blocks")
            ),
            "the mask is the wrong way round: True hides": ~right,
            "a pixel may see itself": right | torch.eye(len(right), dtype=torch.bool),
            "the memory lies around the whole block, not around each pixel": (
                _hidden(*sizes, around="pixel")
            ),
            "columns to the right count in the rows above: those blocks are written before": (
                _hidden(*sizes, around="left")
            ),
            "the columns to the left of the block belong to its memory": (
                _hidden(*sizes, around="right")
            ),
            "the memory reaches beside the block in the rows above it, too": (
                _hidden(*sizes, around="cross")
            ),
            "block and memory are (rows, columns): these are exchanged": (
                _hidden(height, width, block[::-1], memory[::-1])
            ),
            "pixels are numbered row by row of the picture, not in the order of blocks": (
                right[order][:, order]
            ),
            "row i is a query, column j a key": right.T,
        }
        given = {"height": height, "width": width, "block": block, "memory": memory}
        asked = f", {height} x {width} pixels in blocks of {rows} x {columns},"
        yield Case(asked, given, right, slips)


def _order(height: int, width: int, block: tuple[int, int], kind: str = "") -> Tensor:
    """When each pixel is written, pixels numbered row by row of the picture."""
    y, x = torch.cartesian_prod(torch.arange(height), torch.arange(width)).T
    rows, columns = block
    within = {"blocks": 0 * y}.get(kind, y % rows * columns + x % columns)
    number = y // rows * width + x // columns
    if kind in ("picture", "none"):
        return torch.arange(height * width) * (kind == "picture")
    return number * rows * columns + within


def _hidden(height, width, block, memory, order="", around="") -> Tensor:
    """True where the key (column) is hidden from the query (row)."""
    when = _order(height, width, block, order)
    y, x = torch.cartesian_prod(torch.arange(height), torch.arange(width)).T
    (rows, columns), (above, beside) = block, memory
    if around == "pixel":
        top, bottom, left, right = y, y + 1, x, x + 1
    else:
        top, left = y // rows * rows, x // columns * columns
        bottom, right = top + rows, left + columns
    before = left - beside * (around != "right")
    after = right + beside * (around != "left")
    down = (y >= top[:, None] - above) & (y < bottom[:, None])
    across = (x >= before[:, None]) & (x < after[:, None])
    near = down & across
    if around == "cross":
        straight = (x >= left[:, None]) & (x < right[:, None])
        near &= straight | (y >= top[:, None])
    return ~(near & (when <= when[:, None]))


@check("right for 4 pictures.")
def picture_logits() -> Cases:
    """Check `picture_logits(q, e_rows, e_columns)`: q_i . (e_rows[down] + e_columns[across]).

    `q` is (rows, columns, d), `e_rows` (2 rows - 1, d) from the farthest row above to the farthest
    below, `e_columns` (2 columns - 1, d) from left to right. The answer is (n, n), n the number of
    places, counted row by row.

    Source: Bello et al. (2019), "Attention augmented convolutional networks", section 3.2.
    """
    for rows, columns, d in ((2, 3, 4), (4, 2, 3), (3, 3, 2), (1, 5, 3)):
        q = (9 * ramp(rows, columns, d)).sin() + 0.3
        e_rows = (7 * ramp(2 * rows - 1, d)).cos()
        e_columns = 2 * (5 * ramp(2 * columns - 1, d)).sin() - 0.2
        y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
        down, across = y - y[:, None] + rows - 1, x - x[:, None] + columns - 1
        flat, n = q.flatten(0, 1), rows * columns

        def scores(e: Tensor, own=flat[:, None]) -> Tensor:
            return (own * e).sum(dim=2)

        by_row, by_column = scores(e_rows[down]), scores(e_columns[across])
        right = by_row + by_column
        turned = right.view(n, rows, columns).mT.reshape(n, n)
        slips = {
            "the distance goes from query to key, j - i: these are turned round": (
                scores(e_rows.flip(0)[down]) + scores(e_columns.flip(0)[across])
            ),
            "the columns are missing: e_columns counts as well": by_row,
            "the rows are missing: e_rows counts as well": by_column,
            "row i is a query, column j a key": right.T,
            "it is the query that meets e, not the key": (
                scores(e_rows[down], flat) + scores(e_columns[across], flat)
            ),
            "the keys are numbered row by row, not column by column": turned,
            "the query meets the sum of both vectors, not their product": (
                scores(e_rows[down] * e_columns[across])
            ),
            "do not divide by the square root of d: q . e alone is asked for": right / d**0.5,
            "the distance 0 stands in the middle of e: one place off": (
                scores(e_rows.roll(1, 0)[down]) + scores(e_columns.roll(1, 0)[across])
            ),
            "a distance has a sign: above is not below": (
                scores(e_rows[(down - rows + 1).abs() + rows - 1])
                + scores(e_columns[(across - columns + 1).abs() + columns - 1])
            ),
        }
        if rows == columns:
            exchanged = scores(e_columns[down]) + scores(e_rows[across])
            slips["e_rows belongs to the rows, e_columns to the columns"] = exchanged
        given = {"q": q, "e_rows": e_rows, "e_columns": e_columns}
        yield Case(f" of {rows} x {columns} places", given, right, slips)
