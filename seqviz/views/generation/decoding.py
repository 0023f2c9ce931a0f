"""What each method keeps at a place, from what the view holds of it."""

from dataclasses import dataclass

import numpy as np

from seqviz.views.generation.stops import EPSILON, NUCLEUS, TEMPERATURES, stop_of
from seqviz.views.generation.values import Place


@dataclass(frozen=True)
class Kept:
    """The n likeliest tokens, their probability together, and what each has after decoding.

    `after` is (K,), by rank, zero where nothing is kept; what is kept beyond K has the rest.
    """

    n: int
    mass: float
    after: np.ndarray


def kept_at(place: Place, method: str, knob: float, V: int) -> Kept:
    """Decode a place."""
    if method == "temperature":
        k = stop_of("temperature", knob, TEMPERATURES)
        with np.errstate(under="ignore"):
            return Kept(V, 1.0, place.p ** (1 / knob) / place.sums[k])
    if method == "sample":
        return Kept(V, 1.0, place.p)
    if method == "nucleus":
        n, mass = _nucleus(place, knob, V)
    else:
        n = 1 if method == "greedy" else int(knob)
        mass = float(place.cumulated[n - 1])
    inside = np.arange(len(place.p)) < n
    return Kept(n, mass, np.where(inside, place.p / mass, 0.0))


def _nucleus(place: Place, p: float, V: int) -> tuple[int, float]:
    if p == 1:
        return V, 1.0
    before = int((place.cumulated < p - EPSILON).sum())
    if before < len(place.p):
        return before + 1, float(place.cumulated[before])
    k = stop_of("p", p, NUCLEUS)
    return int(place.counts[k]), float(place.masses[k])
