"""Labelled curves over steps, with sliders over what was computed before."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from seqviz.view.shared.bundle import module
from seqviz.view.shared.checking import line
from seqviz.view.shared.grid_values import Grid, decimals, evaluate, figures, reals
from seqviz.view.shared.grid_view import GridView
from seqviz.view.shared.widget import style
from seqviz.view.shared.wording import readable


class CurveSheet(GridView):
    """What `curves` returns. Its controls are `at` and `step`."""

    _esm = module("curve_sheet/view.js")
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
        token = f", {readable(here.tokens[t])}" if here.tokens else ""
        values = (
            f"{readable(label)} {value_text(curve[t], self.facts['places'])}"
            for label, curve in zip(self.grid.labels, here.lines, strict=True)
        )
        return f"At {readable(self.x)} {self.step}{token}: {', '.join(values)}."

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
    for name, text in (("x", x), ("y", y)):
        if not line(name, text):
            raise ValueError(f"{name}: expected a word such as 'step', came ''")
    if bounds is not None:
        limits = reals("bounds", bounds, 1)
        if limits.shape != (2,) or not np.isfinite(limits).all() or not limits[0] < limits[1]:
            raise ValueError(f"bounds: expected two finite numbers, low < high, came {bounds!r}")
        bounds = tuple(map(float, limits))
    return CurveSheet(
        evaluate("curves", curves, over, labels, marks, read), at, x, y, bounds, title
    )


def read(name: str, run) -> tuple[np.ndarray]:
    """One checked curve as float32; NaN stays."""
    curve = reals(name, run, 1)
    with np.errstate(over="ignore"):
        curve = curve.astype(np.float32)
    if np.isinf(curve).any():
        t = int(np.argmax(np.isinf(curve)))
        raise ValueError(
            f"{name}: the value at step {t + 1} is {curve[t]} in float32; write NaN for no value"
        )
    return (curve,)


def ends(grid: Grid) -> tuple[float, float]:
    """Least and largest value of the whole grid."""
    values = [v[np.isfinite(v)] for point in grid.points for v in point.lines]
    values = [v for v in values if v.size]
    if not values:
        raise ValueError("curves: every value is NaN; there is nothing to draw")
    return float(min(v.min() for v in values)), float(max(v.max() for v in values))


def places(span: float) -> int | None:
    """Decimals that tell a thousandth of the axis; None if only powers of ten are short."""
    if not 1e-3 <= span <= 1e4:
        return None
    return max(0, 3 - math.ceil(math.log10(span)))


def value_text(value: float, places: int | None) -> str:
    """A value in a sentence."""
    if np.isnan(value):
        return "no value"
    return figures(float(value)) if places is None else decimals(float(value), places)
