"""Layer types side by side: what is computed at each tick, and what an output reads."""

from math import isnan

import traitlets

from seqviz.views.race.sentence import sentence
from seqviz.views.race.values import Lane, read
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.grid_values import evaluate
from seqviz.views.shared.grid_view import GridView
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import style
from seqviz.views.shared.wording import readable

HEADER = ["lane", "output", "inputs read", "tick", "outputs ready"]
HEADER += ["ticks", "longest path", "edges", "seconds"]


class LayerRace(GridView):
    """What `race` returns. Its controls are `at`, `step` (an output, from 1) and `tick`."""

    _esm = module("race/view.js")
    _css = style("shared/chart.css", "race/style.css")

    tick = control(Whole(0, help="ticks that have passed"))

    def __init__(self, grid, at, title) -> None:
        most = max(point.steps for point in grid.points)
        super().__init__(grid, at, most, title, {}, tick=0)
        self.tick = 1

    @property
    def lanes(self) -> dict[str, Lane]:
        """The lanes on screen by their names."""
        lanes = map(Lane.of, self.here.models)
        return dict(zip(self.grid.labels, lanes, strict=True))

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

    @property
    def headline(self) -> str:
        """The sentence over the picture."""
        return sentence(self.grid.labels, list(self.lanes.values()), self.tick)

    @property
    def alt(self) -> str:
        """One true sentence: what the picture shows now."""
        read_by = (
            f"{lane.read_by(self.step - 1)} in {readable(name)}"
            for name, lane in self.lanes.items()
        )
        return (
            f"A race over {self.here.steps} positions. {self.headline} "
            f"Inputs that output {self.step} reads: {', '.join(read_by)}."
        )

    def rows(self) -> list[list]:
        """A row for each lane."""
        t, tick = self.step - 1, self.tick
        counts = (
            [self.step, lane.read_by(t), tick, lane.ready(tick), lane.last, lane.path, lane.edges]
            for lane in self.lanes.values()
        )
        seconds = ("" if isnan(lane.seconds) else lane.seconds for lane in self.lanes.values())
        return [
            HEADER,
            *(
                [name, *map(str, numbers), time]
                for name, numbers, time in zip(self.lanes, counts, seconds, strict=True)
            ),
        ]


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
    >>> race({"attention": {"layers": [every]}, "RNN": rnn}).headline
    'After tick 1 of 4: 1 of 2 done, first attention at tick 1.'
    """
    return LayerRace(evaluate("lanes", lanes, over, None, None, read), at, title)
