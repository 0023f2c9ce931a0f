"""Curves of one length, NaN for no value, and the ends of their axis."""

import numpy as np

from seqviz.views.shared.checking import line
from seqviz.views.shared.grid_values import Grid, reals


def read(name: str, run) -> tuple[np.ndarray]:
    """One checked curve as float32; NaN stays."""
    with np.errstate(over="ignore"):
        curve = reals(name, run, 1).astype(np.float32)
    for t in np.flatnonzero(np.isinf(curve)):
        raise ValueError(
            f"{name}: the value at step {t + 1} is {curve[t]} in float32; write NaN for no value"
        )
    return (curve,)


def word(name: str, text) -> str:
    """What a step or a value is called: one line, not empty."""
    if not line(name, text):
        raise ValueError(f"{name}: expected a word such as 'step', came ''")
    return text


def ends(grid: Grid) -> list[float]:
    """Least and largest value of the whole grid."""
    values = np.concatenate([curve for point in grid.points for (curve,) in point.models])
    if np.isnan(values).all():
        raise ValueError("curves: every value is NaN; there is nothing to draw")
    return [float(np.nanmin(values)), float(np.nanmax(values))]


def read_bounds(bounds) -> list[float]:
    """Checked ends of the axis that the caller chose."""
    limits = reals("bounds", bounds, 1)
    if limits.shape != (2,) or not np.isfinite(limits).all() or not limits[0] < limits[1]:
        raise ValueError(f"bounds: expected two finite numbers, low < high, came {bounds!r}")
    return limits.astype(float).tolist()
