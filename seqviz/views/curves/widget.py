"""Labelled curves over steps, with sliders over what was computed before."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from seqviz.views.curves.sentence import places, sentence
from seqviz.views.curves.values import ends, read, read_bounds, word
from seqviz.views.shared.bundle import module
from seqviz.views.shared.grid_values import Grid, evaluate
from seqviz.views.shared.grid_view import GridView
from seqviz.views.shared.widget import style
from seqviz.views.shared.wording import readable


class CurveSheet(GridView):
    """What `curves` returns. Its controls are `at` and `step`."""

    _esm = module("curves/view.js")
    _css = style("shared/chart.css")

    def __init__(self, grid: Grid, at, x: str, y: str, bounds, title) -> None:
        self.x = x
        low, high = bounds or ends(grid)
        longest = max(point.steps for point in grid.points)
        facts = {"x": x, "y": y, "range": [low, high], "fixed": bool(bounds)}
        super().__init__(grid, at, longest, title, facts | {"places": places(high - low)})

    @property
    def headline(self) -> str:
        """The sentence over the picture: the values at the cursor."""
        here, t = self.here, self.step - 1
        token = here.tokens[t] if here.tokens else None
        at_cursor = (curve[t] for curve in here.lines)
        values = dict(zip(self.grid.labels, at_cursor, strict=True))
        return sentence(self.x, self.step, token, values, self.facts["places"])

    @property
    def alt(self) -> str:
        """One true sentence: what the picture shows now."""
        steps, lines = self.here.steps, len(self.grid.labels)
        settings = f" at {self.where}" if self.where else ""
        return (
            f"{lines} curve{'s' * (lines > 1)} of {readable(self.facts['y'])} over {steps} "
            f"place{'s' * (steps > 1)}{settings}. {self.headline}"
        )

    def rows(self) -> list[list]:
        """A row for each step: its number, its token, and the value of each curve."""
        here = self.here
        return [
            [self.x, "label", *self.grid.labels],
            *(
                [
                    str(t + 1),
                    here.tokens[t] if here.tokens else "",
                    *("" if np.isnan(v) else float(v) for v in values),
                ]
                for t, values in enumerate(zip(*here.lines, strict=True))
            ),
        ]


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
    >>> curves({"train": [3, 2, 1], "test": [3, 2.5, 2.25]}, y="loss").headline
    'At step 3: train 1.00, test 2.25.'
    """
    x, y = word("x", x), word("y", y)
    chosen = None if bounds is None else read_bounds(bounds)
    grid = evaluate("curves", curves, over, labels, marks, read)
    return CurveSheet(grid, at, x, y, chosen, title)
