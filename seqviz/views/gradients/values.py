"""The norm of a gradient at each time step, and the spectrum of the matrix that carries it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from seqviz.views.shared.grid_values import Grid, combinations, reals

MOST_UNITS = 64
NOTHING = np.zeros(0, np.float32)


class Flow(NamedTuple):
    """What one run holds, as float32; without a matrix the last three are empty.

    Attributes
    ----------
    logs : array, (T,)
        log10 of the norm at each time step; -inf for a norm of 0.
    sigma : array, (H,)
        Singular values, largest first.
    real, imaginary : array, (H,)
        Parts of the eigenvalues, by size.
    """

    logs: np.ndarray
    sigma: np.ndarray = NOTHING
    real: np.ndarray = NOTHING
    imaginary: np.ndarray = NOTHING

    @property
    def radius(self) -> float:
        """Spectral radius: the largest absolute value of an eigenvalue; 0 without a matrix."""
        return float(np.hypot(self.real, self.imaginary, dtype=float).max(initial=0))

    @property
    def top(self) -> float:
        """The largest singular value; 0 without a matrix."""
        return float(self.sigma.max(initial=0))


def read(name: str, run) -> Flow:
    """Check one run."""
    if not isinstance(run, Mapping):
        return Flow(log_norms(name, run))
    if not run.keys() <= {"norms", "W"} or "norms" not in run:
        raise ValueError(f"{name}: expected 'norms' and, if there is one, 'W'; came {[*run]}")
    logs = log_norms(f"{name}['norms']", run["norms"])
    if "W" not in run:
        return Flow(logs)
    where = f"{name}['W']"
    W = reals(where, run["W"], 2).astype(float)
    if W.shape[0] != W.shape[1] or len(W) > MOST_UNITS:
        raise ValueError(f"{where}: expected shape (H, H), H at most {MOST_UNITS}, came {W.shape}")
    if not np.isfinite(W).all():
        raise ValueError(f"{where}: expected finite numbers; look for the update that broke it")
    found = spectrum(W.tobytes(), len(W))
    if not all(np.isfinite(values).all() for values in found):
        raise ValueError(f"{where}: its singular values or eigenvalues pass what float32 holds")
    return Flow(logs, *found)


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


def ranges(grid: Grid) -> dict[str, list[float]]:
    """Least and largest log10 norm by length and words, so that a slider keeps the axis."""
    found: dict[str, list[float]] = {}
    for settings, point in zip(combinations(grid.choices), grid.points, strict=True):
        logs = np.concatenate([flow.logs for flow in point.models])
        logs = logs[np.isfinite(logs)].tolist()
        words = [value for value in settings.values() if isinstance(value, str)]
        key = "\n".join([str(point.steps), *words])
        seen = found.get(key, []) + logs
        found[key] = [min(seen), max(seen)] if seen else []
    return {key: ends or [-1.0, 0.0] for key, ends in found.items()}
