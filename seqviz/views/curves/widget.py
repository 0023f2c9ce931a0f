"""Labelled curves over steps, with sliders over what was computed before."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from seqviz.telling import count
from seqviz.views.curves.values import ends, read, read_bounds, word
from seqviz.views.shared.bundle import module
from seqviz.views.shared.grid_values import MOST_STEPS, Point, evaluate
from seqviz.views.shared.grid_view import GridView
from seqviz.views.shared.widget import style


class CurveSheet(GridView):
    """What `curves` returns. Its controls are `at` and `step`."""

    _esm = module("curves/view.js")
    _css = style("shared/chart.css")

    @property
    def columns(self) -> tuple[str, ...]:
        """Of its table."""
        return self.facts["x"], "label", "curve", self.facts["y"]

    def _plain(self) -> str:
        """One plain line: of what the curves are, and where the controls stand."""
        x, y = self.facts["x"], self.facts["y"]
        return self.line(f"Curves of {y} over {count(self.here.steps, 'step')}", f"{x} {self.step}")

    def rows(self, point: Point) -> Iterator[list]:
        """A row for each value."""
        for label, (curve,) in zip(self.grid.labels, point.models, strict=True):
            for t, value in enumerate(curve.astype(float)):
                token = point.tokens[t] if point.tokens else ""
                yield [str(t + 1), token, label, "" if np.isnan(value) else float(value)]


def curves(
    curves: Mapping | Callable[[dict], Mapping],
    *,
    over: Mapping[str, Sequence] | None = None,
    at: Mapping | None = None,
    labels: Sequence[str] | Callable[[dict], Sequence[str]] | None = None,
    marks: Mapping[int, str] | Callable[[dict], Mapping[int, str]] | None = None,
    x: str = "step",
    y: str = "value",
    bounds: tuple[float, float] | None = None,
    title: str | None = None,
) -> CurveSheet:
    """Show labelled curves over steps; when a setting changes, the curves before stay as ghosts.

    Parameters
    ----------
    curves : mapping of label to array (T,), or function of the settings that returns one
        1 to 6 labels. NaN stands for no value. T is 1 to 2,000.
    over : mapping of name to choices, optional
        Settings, each with 1 to 60 numbers (a slider) or strings (buttons). `curves` is then
        called once for each of the at most 5,000 combinations, with a dict, before the view
        is shown. All of it must fit in 40 MB.
    at : mapping of name to choice, optional
        Where the settings start; without it, at the first choice of each.
    labels : sequence of T strings, or function of the settings, optional
        Tokens under the steps; without it, numbers from 1.
    marks : mapping of step to text, or function of the settings, optional
        Steps to point out. The cursor starts at the first, else at the last step.
    x, y : str
        What a step and a value are called.
    bounds : (float, float), optional
        Ends of the y axis; without it, those of all curves of the grid.
    title : str, optional
        The heading, one line.

    Returns
    -------
    CurveSheet
        The view; its controls are `at` and `step`. `v.at = {"length": 60}` changes one setting
        and keeps the others.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If a value is infinite; if shapes or lengths do not agree; if there is more than a page
        can hold.
    RuntimeError
        If `curves` fails; the message names the settings.

    Examples
    --------
    >>> curves({"train": [3, 2, 1], "test": [3, 2.5, 2.25]}, y="loss").alt
    "Curves of loss over 3 steps: 'train', 'test'; step 3"
    """
    facts = {"x": word("x", x), "y": word("y", y), "fixed": bounds is not None}
    chosen = read_bounds(bounds) if facts["fixed"] else None
    grid = evaluate("curves", curves, over, labels, marks, read)
    return CurveSheet(grid, at, MOST_STEPS, title, facts | {"range": chosen or ends(grid)})
