"""The methods, where their knobs stand, and the random numbers: the page has the same."""

import numpy as np

from seqviz.views.shared.checking import real

METHODS = ("greedy", "sample", "temperature", "top-k", "nucleus")
NUCLEUS = np.arange(5, 101) / 100  # of p
TEMPERATURES = np.arange(1, 21) / 10
TAIL = 24  # ranks of the tail that are drawn
EPSILON = 1e-12  # what a sum may lack of p
ROWS = 12  # tokens that stand by name on the page
LUCKS = 1_000_000  # seeds from 0
WORD = 2**32
FIRST = 5  # so that seed 0 does not begin with a number that seems rigged


def stop_of(name: str, value: float, stops: np.ndarray) -> int:
    """Return the place of a value among the stops of its slider."""
    k = int(np.abs(stops - value).argmin())
    if not abs(stops[k] - value) <= 1e-9:  # not a number is none, too
        step = stops[1] - stops[0]
        raise ValueError(
            f"{name}: expected {stops[0]:g} to {stops[-1]:g} in steps of {step:g}, came {value:g}"
        )
    return k


def checked_method(value: str) -> str:
    """Return the name of a method."""
    if value not in METHODS:
        raise ValueError(f"method: expected one of {list(METHODS)}, came {value!r}")
    return value


def checked_share(value: float) -> float:
    """Return a stop of p."""
    value = real("p", value)
    if not 0 < value <= 1:
        raise ValueError(f"p: expected a probability above 0 and at most 1, came {value:g}")
    return float(NUCLEUS[stop_of("p", value, NUCLEUS)])


def checked_temperature(value: float) -> float:
    """Return a stop of the temperature."""
    value = real("temperature", value)
    if value == 0:
        raise ValueError('temperature: expected above 0, came 0: its limit is method "greedy"')
    return float(TEMPERATURES[stop_of("temperature", value, TEMPERATURES)])


def kept_by_mass(cumulated: np.ndarray, p: float) -> int:
    """How many of the likeliest tokens nucleus sampling keeps: the fewest that have p together."""
    if p == 1:
        return len(cumulated)
    return min(len(cumulated), 1 + int((cumulated < p - EPSILON).sum()))


def ranks_of_tail(V: int, keep: int) -> np.ndarray:
    """Ranks beyond the first `keep`, evenly apart on a log scale, the last is V."""
    if keep >= V:
        return np.zeros(0, int)
    shares = np.arange(1, TAIL + 1) / TAIL
    return np.unique(np.ceil(keep * (V / keep) ** shares - 1e-9).astype(int).clip(keep + 1, V))


def luck(seed: int, step: int) -> float:
    """The random number from 0 to 1 of a step: mulberry32, which a page has, too."""
    a = (seed * 0x9E3779B1 + (step + 1) * 0x6D2B79F5 + FIRST) % WORD
    t = (a ^ (a >> 15)) * (1 | a) % WORD
    t ^= (t + (t ^ (t >> 7)) * (61 | t)) % WORD
    return ((t ^ (t >> 14)) % WORD) / WORD
