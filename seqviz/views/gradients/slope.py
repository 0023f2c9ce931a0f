"""How much each step back multiplies a gradient; slope.js says the same."""

import numpy as np

LEAST = 3  # steps that a slope is fitted to


def fitted(logs: np.ndarray) -> tuple[int, int, float] | None:
    """First and last step of the window, and the factor per step back; None if it is too short.

    The window is the half farther from the loss of the last run of steps with a gradient.
    """
    alive = np.flatnonzero(np.isfinite(logs))
    if not alive.size:
        return None
    last = int(alive[-1])
    lost = np.flatnonzero(~np.isfinite(logs[:last]))
    start = int(lost[-1]) + 1 if lost.size else 0
    size = (last - start + 1) // 2
    if size < LEAST:
        return None
    t, values = np.arange(size) - (size - 1) / 2, logs[start : start + size].astype(float)
    return start + 1, start + size, float(10 ** -((t * values).sum() / (t * t).sum()))
