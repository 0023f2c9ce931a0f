"""The norm of a gradient at each time step, beside the spectrum of the matrix that carries it."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import traitlets

from seqviz.view.shared.bundle import module
from seqviz.view.shared.grid_values import Grid, combinations, evaluate, figures, reals
from seqviz.view.shared.grid_view import GridView
from seqviz.view.shared.traits import checks, control
from seqviz.view.shared.widget import style
from seqviz.view.shared.wording import readable

MOST_UNITS = 64
LEAST = 3  # steps that a slope is fitted to


class GradientFlow(GridView):
    """What `gradients` returns. Its controls are `at`, `step` and `model`."""

    _esm = module("gradient_flow/view.js")
    _css = style("shared/chart.css")

    model = control(traitlets.Unicode(help="label of the model in focus"))

    def __init__(self, grid: Grid, at, title) -> None:
        facts = {"ranges": ranges(grid), "radius": reach_of(grid, 2, 3), "top": reach_of(grid, 1)}
        super().__init__(grid, at, 1, title, facts, model=grid.labels[0])

    @checks("model")
    def _one_of_them(self, name: str, value: str) -> str:
        if value not in self.grid.labels:
            raise ValueError(f"{name} must be one of {self.grid.labels}; got {value!r}")
        return value

    @property
    def headline(self) -> str:
        """The sentence over the picture, about the model in focus."""
        k, here = self.grid.labels.index(self.model), self.here
        line, sigma, real, imaginary = here.models[k]
        line = line.astype(float)
        zero, clauses = np.isneginf(line), []
        if here.marks:
            lost = [step for step in here.marks if zero[step - 1]]
            step = (lost or list(here.marks))[0]
            norm = "no gradient" if lost else f"a gradient of {figures(10 ** line[step - 1])}"
            clauses.append(f"{norm} reaches step {step}, {readable(here.marks[step])}")
        elif zero.any():
            clauses.append(f"no gradient reaches {span(zero)}")
        if (fit := fitted(line)) and not zero.any() and not here.marks:
            start, end, factor = fit
            clauses.append(
                f"from step {end} back to {start} each step multiplies the gradient by "
                f"{figures(factor)} on average"
            )
            if sigma.size:
                clauses.append(
                    f"the spectral radius is {figures(radius(real, imaginary))}, "
                    f"the largest singular value {figures(float(sigma[0]))}"
                )
        if not clauses:
            clauses.append(f"the gradient at step {self.step} is {norm_text(line[self.step - 1])}")
        return f"{readable(self.model)}: {'; '.join(clauses)}."

    @property
    def alt(self) -> str:
        """One true sentence: what the picture shows now."""
        here = self.here
        norms = (
            f"{readable(label)} {norm_text(line[self.step - 1])}"
            for label, line in zip(self.grid.labels, here.lines, strict=True)
        )
        settings = f" at {self.where}" if self.where else ""
        return (
            f"Norm of the gradient at {here.steps} time steps{settings}. {self.headline} "
            f"At step {self.step}: {', '.join(norms)}."
        )

    def rows(self) -> list[list]:
        """Each log10 norm, singular value and eigenvalue; a norm of 0 is "no gradient"."""
        here = self.here
        rows = [["model", "what", "number", "label", "value"]]
        what = ("singular value", "eigenvalue real part", "eigenvalue imaginary part")
        for label, (line, *spectrum) in zip(self.grid.labels, here.models, strict=True):
            for t, value in enumerate(line):
                token = here.tokens[t] if here.tokens else ""
                norm = "no gradient" if np.isneginf(value) else float(value)
                rows.append([label, "log10 of the norm", str(t + 1), token, norm])
            for name, values in zip(what, spectrum, strict=True):
                rows += [[label, name, str(k + 1), "", float(v)] for k, v in enumerate(values)]
        return rows


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
    >>> gradients({"half": [0.125, 0.25, 0.5, 1, 2, 4]}).headline
    'half: from step 3 back to 1 each step multiplies the gradient by 0.500 on average.'
    """
    return GradientFlow(evaluate("runs", runs, over, labels, marks, read), at, title)


def read(name: str, run) -> tuple[np.ndarray, ...]:
    """log10 of the norms; singular values; real and imaginary parts of the eigenvalues."""
    if not isinstance(run, Mapping):
        return log_norms(name, run), *(np.zeros(0, np.float32),) * 3
    if not run.keys() <= {"norms", "W"} or "norms" not in run:
        raise ValueError(f"{name}: expected 'norms' and, if there is one, 'W'; came {[*run]}")
    norms = log_norms(f"{name}['norms']", run["norms"])
    if "W" not in run:
        return norms, *(np.zeros(0, np.float32),) * 3
    where = f"{name}['W']"
    W = reals(where, run["W"], 2).astype(float)
    if W.shape[0] != W.shape[1] or len(W) > MOST_UNITS:
        raise ValueError(f"{where}: expected shape (H, H), H at most {MOST_UNITS}, came {W.shape}")
    if not np.isfinite(W).all():
        raise ValueError(f"{where}: expected finite numbers; look for the update that broke it")
    found = spectrum(W.tobytes(), len(W))
    if not all(np.isfinite(values).all() for values in found):
        raise ValueError(f"{where}: its singular values or eigenvalues pass what float32 holds")
    return norms, *found


def log_norms(name: str, given) -> np.ndarray:
    """log10 of checked norms as float32, -inf for 0."""
    norms = reals(name, given, 1)
    if not np.isfinite(norms).all():
        t = int(np.argmin(np.isfinite(norms)))
        raise ValueError(
            f"{name}: the norm at step {t + 1} is {norms[t]}; compute it in float64, "
            "or clip the gradient on its way back"
        )
    if (norms < 0).any():
        t = int(np.argmax(norms < 0))
        raise ValueError(f"{name}: the norm at step {t + 1} is {norms[t]}; a norm is at least 0")
    floor = np.sqrt(np.finfo(norms.dtype).tiny)  # a square below is lost, so a norm may be
    edge = np.flatnonzero((norms[:-1] == 0) != (norms[1:] == 0))
    for t in edge:
        if (last := max(norms[t], norms[t + 1])) < floor:
            step = int(t) + 1 + int(norms[t] > 0)
            raise ValueError(
                f"{name}: the norm falls from {last:.1e} to 0 at step {step}: too small for "
                f"{norms.dtype}, so this is no true 0; compute it in float64"
            )
    with np.errstate(divide="ignore"):
        return np.log10(norms.astype(float)).astype(np.float32)


@lru_cache(maxsize=256)
def spectrum(W: bytes, units: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Singular values, largest first; eigenvalues by size as real and imaginary parts."""
    matrix = np.frombuffer(W).reshape(units, units)
    eigenvalues = np.linalg.eigvals(matrix).astype(complex)
    eigenvalues = eigenvalues[np.argsort(-np.abs(eigenvalues), kind="stable")]
    sigma = np.linalg.svd(matrix, compute_uv=False)
    with np.errstate(over="ignore"):
        return tuple(v.astype(np.float32) for v in (sigma, eigenvalues.real, eigenvalues.imag))


def radius(real: np.ndarray, imaginary: np.ndarray) -> float:
    """Spectral radius: the largest absolute value of an eigenvalue."""
    return float(np.hypot(real.astype(float), imaginary.astype(float)).max())


def fitted(line: np.ndarray) -> tuple[int, int, float] | None:
    """First and last step of the window, and the factor per step back; None if it is too short.

    The window is the half farther from the loss of the last run of steps with a gradient.
    """
    alive = np.flatnonzero(np.isfinite(line))
    if not alive.size:
        return None
    last = int(alive[-1])
    lost = np.flatnonzero(~np.isfinite(line[:last]))
    start = int(lost[-1]) + 1 if lost.size else 0
    size = (last - start + 1) // 2
    if size < LEAST:
        return None
    t, values = np.arange(size) - (size - 1) / 2, line[start : start + size]
    return start + 1, start + size, float(10 ** -((t * values).sum() / (t * t).sum()))


def span(zero: np.ndarray) -> str:
    """The steps without a gradient in words."""
    steps = np.flatnonzero(zero) + 1
    if len(steps) == 1:
        return f"step {steps[0]}"
    if steps[-1] - steps[0] + 1 == len(steps):
        return f"steps {steps[0]} to {steps[-1]}"
    return f"{len(steps)} of {len(zero)} steps"


def norm_text(log: float) -> str:
    """A norm from its logarithm."""
    return "no gradient" if np.isneginf(log) else figures(10 ** float(log))


def ranges(grid: Grid) -> dict[str, list[float]]:
    """Least and largest log10 norm by length and words, so that a slider keeps the axis."""
    found: dict[str, list[float]] = {}
    for settings, point in zip(combinations(grid.choices), grid.points, strict=True):
        logs = np.concatenate(point.lines)
        logs = logs[np.isfinite(logs)].tolist()
        words = [value for value in settings.values() if isinstance(value, str)]
        key = "\n".join([str(point.steps), *words])
        seen = found.get(key, []) + logs
        found[key] = [min(seen), max(seen)] if seen else []
    return {key: ends or [-1.0, 0.0] for key, ends in found.items()}


def reach_of(grid: Grid, *arrays: int) -> float:
    """Largest size in these arrays over the grid, at least 1."""
    sizes = (
        np.hypot.reduce([model[k].astype(float) for k in arrays], axis=0)
        for point in grid.points
        for model in point.models
    )
    return max(1.0, *(float(size.max()) for size in sizes if size.size), 0.0)
