"""Layer types side by side: what is computed at each tick, and what an output reads."""

from collections.abc import Iterator

import numpy as np
import traitlets

from seqviz.telling import count
from seqviz.views.race.values import MOST_POSITIONS, Lane, read
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.grid_values import Point, evaluate
from seqviz.views.shared.grid_view import GridView
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import style


class LayerRace(GridView):
    """What `race` returns. Its controls are `at`, `step` (an output, from 1) and `tick`."""

    _esm = module("race/view.js")
    _css = style("shared/chart.css", "race/style.css")
    columns = ("lane", "layer", "output", "tick")

    tick = control(Whole(0, help="ticks that have passed"))

    def __init__(self, grid, at, title) -> None:
        super().__init__(grid, at, MOST_POSITIONS, title, {}, tick=0)
        self.tick = 1

    @property
    def lanes(self) -> dict[str, Lane]:
        """The lanes on screen by their names."""
        return dict(zip(self.grid.labels, self.here.models, strict=True))

    @property
    def last(self) -> int:
        """The tick at which the slowest lane on screen is done."""
        return max(lane.last for lane in self.lanes.values())

    @checks("tick")
    def _checked_tick(self, name: str, value):
        return within(name, value, 0, self.last)

    @traitlets.observe("at")
    def _hold_tick(self, _) -> None:
        self.tick = min(self.tick, self.last)

    def _plain(self) -> str:
        """One plain line: who races, and where the controls stand."""
        what = f"Race of layer types over {count(self.here.steps, 'position')}"
        return self.line(what, f"tick {self.tick}", f"output {self.step}")

    def rows(self, point: Point) -> Iterator[list]:
        """For each output of a layer the tick at which it is computed."""
        for label, lane in zip(self.grid.labels, point.models, strict=True):
            for (layer, i), tick in np.ndenumerate(lane.ticks):
                yield [label, str(layer + 1), str(i + 1), str(tick)]


def race(lanes, *, over=None, at=None, title: str | None = None) -> LayerRace:
    """Race layer types: which output is computed at which tick, and what it reads.

    A tick computes every output whose inputs are there. So a lane needs as many ticks as its
    longest chain of dependences, whatever the number of processors ("sequential operations").

    Parameters
    ----------
    lanes : mapping of name to lane, or function of the settings that returns one
        1 to 6 lanes with the same number n of positions, 2 to 32. A lane is a mapping:

        ``"layers"``
            list of 1 to 16 arrays (n, n) of bool: output i of the layer reads input j.
        ``"own"``, optional
            array (n, n) of bool: output i of each layer reads its output j, j < i (recurrence).
        ``"seconds"``, optional
            what a stopwatch said, in seconds.
    over : mapping of name to choices, optional
        Settings, each with 1 to 60 numbers (a slider) or strings (buttons). `lanes` is then
        called once for each combination, with a dict, before the view is shown.
    at : mapping of name to choice, optional
        Where the settings start; without it, at the first choice of each.
    title : str, optional
        The heading, one line.

    Returns
    -------
    LayerRace
        The view; its controls are `at`, `step` and `tick`. `v.lanes["RNN"]` has `last` (ticks),
        `path` (the longest of the shortest ways from an input to an output) and `edges`.

    Raises
    ------
    TypeError
        If an argument is of another kind than above; if a graph is not boolean.
    ValueError
        If shapes do not agree; if an output would wait for itself or for one after it.
    RuntimeError
        If `lanes` fails; the message names the settings.

    Notes
    -----
    Ticks and paths are those of Vaswani et al. (2017), table 1: sequential operations and
    maximum path length. Deck 003 has the table.

    Examples
    --------
    >>> import numpy as np
    >>> every, before = np.ones((4, 4), bool), np.eye(4, k=-1, dtype=bool)
    >>> rnn = {"layers": [np.eye(4, dtype=bool)], "own": before}
    >>> race({"attention": {"layers": [every]}, "RNN": rnn}).alt
    "Race of layer types over 4 positions: 'attention', 'RNN'; tick 1, output 4"
    """
    return LayerRace(evaluate("lanes", lanes, over, None, None, read), at, title)
