"""Tables of positions: heat map, the curves of a pair, the linear shift, the similarity."""

from collections.abc import Iterator, Mapping

import numpy as np
import traitlets

from seqviz.views.positions.values import Table, read
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.grid_values import Point, evaluate
from seqviz.views.shared.grid_view import GridView
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import style

MOST_TABLES = 4


class PositionTable(GridView):
    """What `positions` returns. Its controls are `label`, `step`, `pair` and `shift`.

    `step` counts rows from 1; `position` is the same cursor, counted from 0 as in the formula.
    """

    _esm = module("positions/view.js")
    _css = style("shared/chart.css", "positions/style.css")
    columns = ("table", "position", "dimension", "value")

    label = control(traitlets.Unicode(help="label of the table on screen"))
    pair = control(Whole(0, help="the dimensions 2i and 2i + 1, from 0"))
    shift = control(Whole(1, help="positions from a row to the row that the matrix gives"))

    def __init__(self, grid, tables: dict[str, Table], shift, title) -> None:
        self.tables = tables
        super().__init__(grid, None, 1, title, {}, label=grid.labels[0])
        self.pair = min(4, self.shown.errors.shape[1] - 1)
        self.position = len(self.shown.rows) // 4
        self.shift = shift

    @property
    def shown(self) -> Table:
        """The table on screen, with `rows`, `matrices`, `errors` and `wholes`."""
        return self.tables[self.label]

    @property
    def position(self) -> int:
        """The position under the cursor, from 0."""
        return self.step - 1

    @position.setter
    def position(self, value: int) -> None:
        self.step = within("position", value, 0, self.here.steps - 1) + 1

    @checks("label", "pair", "shift")
    def _checked_controls(self, name: str, value):
        if name == "label":
            if value not in self.tables:
                raise ValueError(f"{name} must be one of {[*self.tables]}; got {value!r}")
            return value
        shifts, pairs = next(iter(self.tables.values())).errors.shape
        return within(name, value, *{"pair": (0, pairs - 1), "shift": (1, shifts)}[name])

    def _plain(self) -> str:
        """One plain line: of what the tables are, and where the controls stand."""
        n, d = self.shown.rows.shape
        where = f"pair {self.pair}", f"shift {self.shift}", f"position {self.position}"
        return self.line(f"{n} positions in {d} dimensions", self.label, *where)

    def rows(self, point: Point) -> Iterator[list]:
        """A row for each entry of the tables."""
        for label, table in self.tables.items():
            for (p, dimension), value in np.ndenumerate(table.rows):
                yield [label, str(p), str(dimension), float(value)]


def positions(tables, *, shift: int = 1, title: str | None = None) -> PositionTable:
    """Look into tables of positions: which wave, which hand, and is a shift one matrix?

    Of each pair of dimensions the view fits the 2 x 2 matrix that best turns the row of position
    p into that of p + k, on the first half of the positions, and says what it misses in the
    other half. For sines and cosines it is a rotation and misses nothing.

    Parameters
    ----------
    tables : array (positions, d_model), or mapping of label to array
        1 to 4 tables of one shape, 8 to 512 positions, d_model even, at most 512.
    shift : int
        The k to start with, 1 to a quarter of the positions, at most 32.
    title : str, optional
        The heading, one line.

    Returns
    -------
    PositionTable
        The view; its controls are `label`, `step`, `pair` and `shift`; `position` is the
        cursor from 0. `v.tables["sines"].wholes[k - 1]` is what the shift by k misses.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If a number is not finite; if d_model is odd; if shapes do not agree.

    Notes
    -----
    Vaswani et al. (2017), section 3.5, chose sines so that each shift is a linear function.
    Decks 001 to 004.

    Examples
    --------
    >>> import numpy as np
    >>> angles = np.outer(np.arange(16), [1, 0.1])
    >>> sines = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(16, 4)
    >>> float(positions(sines).shown.wholes[0].round(3))
    0.0
    """
    given = tables if isinstance(tables, Mapping) else {"positions": tables}
    grid = evaluate("tables", given, None, None, None, read)
    if len(grid.labels) > MOST_TABLES:
        raise ValueError(f"tables: expected at most {MOST_TABLES}, came {len(grid.labels)}")
    found = dict(zip(grid.labels, grid.points[0].models, strict=True))
    sizes = {label: table.rows.shape for label, table in found.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"tables: expected tables of one shape, came {sizes}")
    return PositionTable(grid, found, shift, title)
