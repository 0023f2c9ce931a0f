"""The norm of a gradient at each time step, beside the spectrum of the matrix that carries it."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import traitlets

from seqviz.telling import count
from seqviz.views.gradients.values import ranges, read
from seqviz.views.shared.bundle import module
from seqviz.views.shared.grid_values import Grid, Point, evaluate
from seqviz.views.shared.grid_view import GridView
from seqviz.views.shared.traits import checks, control
from seqviz.views.shared.widget import style

QUANTITIES = (
    "log10 of the norm",
    "singular value",
    "eigenvalue real part",
    "eigenvalue imaginary part",
)


class GradientFlow(GridView):
    """What `gradients` returns. Its controls are `at`, `step` and `model`."""

    _esm = module("gradients/view.js")
    _css = style("shared/chart.css")
    columns = ("model", "what", "number", "label", "value")

    model = control(traitlets.Unicode(help="label of the model in focus"))

    def __init__(self, grid: Grid, at, title) -> None:
        flows = [flow for point in grid.points for flow in point.models]
        facts = {
            "ranges": ranges(grid),
            "radius": max(1.0, *(flow.radius for flow in flows)),
            "top": max(1.0, *(flow.top for flow in flows)),
        }
        super().__init__(grid, at, 1, title, facts, model=grid.labels[0])

    @checks("model")
    def _one_of_them(self, name: str, value: str) -> str:
        if value not in self.grid.labels:
            raise ValueError(f"{name} must be one of {self.grid.labels}; got {value!r}")
        return value

    def _plain(self) -> str:
        """One plain line: of what the norms are, and where the controls stand."""
        what = f"Norm of the gradient at {count(self.here.steps, 'time step')}"
        return self.line(what, f"model {self.model}", f"step {self.step}")

    def rows(self, point: Point) -> Iterator[list]:
        """Each log10 norm, singular value and eigenvalue; a norm of 0 is "no gradient"."""
        for label, flow in zip(self.grid.labels, point.models, strict=True):
            for what, values in zip(QUANTITIES, flow, strict=True):
                for k, value in enumerate(values.astype(float)):
                    token = point.tokens[k] if point.tokens and values is flow.logs else ""
                    number = "no gradient" if np.isneginf(value) else float(value)
                    yield [label, what, str(k + 1), token, number]


def gradients(
    runs: Mapping | Callable[[dict], Mapping],
    *,
    over: Mapping[str, Sequence] | None = None,
    at: Mapping | None = None,
    labels: Sequence[str] | Callable[[dict], Sequence[str]] | None = None,
    marks: Mapping[int, str] | Callable[[dict], Mapping[int, str]] | None = None,
    title: str | None = None,
) -> GradientFlow:
    """Show how a gradient shrinks or grows on its way back through time.

    One line for each model on a logarithmic axis; a band is hatched where the norm is exactly 0.
    For a model with a recurrent matrix W, also the line that its spectral radius alone would
    give, its eigenvalues beside the unit circle and its singular values beside 1. The factor
    per step back is fitted to the half of the steps that lies farther from the loss, as the
    steps next to it depend on where the gradient enters.

    Parameters
    ----------
    runs : mapping of label to run, or function of the settings that returns one
        1 to 6 labels. A run is an array (T,) of norms, one for each time step, at least 0; or
        {"norms": (T,), "W": (H, H)} with H at most 64. T is 1 to 2,000.
    over : mapping of name to choices, optional
        Settings, each with 1 to 60 numbers (a slider) or strings (buttons). `runs` is then
        called once for each of the at most 5,000 combinations, with a dict, before the view
        is shown. All of it must fit in 40 MB.
    at : mapping of name to choice, optional
        Where the settings start; without it, at the first choice of each.
    labels : sequence of T strings, or function of the settings, optional
        Tokens under the steps; without it, numbers from 1.
    marks : mapping of step to text, or function of the settings, optional
        Steps to point out. The cursor starts at the first.
    title : str, optional
        The heading, one line.

    Returns
    -------
    GradientFlow
        The view; its controls are `at`, `step` and `model`. `v.at = {"length": 60}` changes one
        setting and keeps the others.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If a norm is negative, not finite, or fell to 0 by underflow; if shapes or lengths do
        not agree; if there is more than a page can hold.
    RuntimeError
        If `runs` fails; the message names the settings.

    Notes
    -----
    Product of Jacobians and its bound: deck 003 (eigenvalues), deck 000 (singular values);
    Pascanu, Mikolov and Bengio (2013), On the difficulty of training recurrent neural networks,
    equations 5 to 7.

    Examples
    --------
    >>> gradients({"half": [0.125, 0.25, 0.5, 1, 2, 4]}).alt
    "Norm of the gradient at 6 time steps: 'half'; model half, step 1"
    """
    return GradientFlow(evaluate("runs", runs, over, labels, marks, read), at, title)
