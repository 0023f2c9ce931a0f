"""Layers as graphs: output i of a layer reads these inputs, and these outputs before it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from seqviz.views.shared.checking import real, truths

MOST_POSITIONS, MOST_LAYERS = 32, 16
KEYS = ("layers", "own", "seconds")


class Lane(NamedTuple):
    """One layer type at n positions.

    Attributes
    ----------
    own : array of bool, (n, n)
        Output i of a layer reads output j of the same layer, j < i.
    ticks : array of int, (L, n)
        When each layer's outputs are computed: one tick after the last that they read.
    reads : array of bool, (L, n, n)
        Output i of a layer reads input j of it.
    reach : array of bool, (n, L + 1, n)
        For each last output: what it depends on among the inputs and in each layer.
    path, edges : int
        The longest of the shortest ways from an input to an output; all that is read.
    seconds : float
        What a stopwatch said; NaN for nothing.
    """

    own: np.ndarray
    ticks: np.ndarray
    reads: np.ndarray
    reach: np.ndarray
    path: int
    edges: int
    seconds: float

    @property
    def last(self) -> int:
        """The tick at which all outputs are there."""
        return int(self.ticks[-1].max())


def read(name: str, given) -> Lane:
    """Check one lane and run it."""
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{name}: expected a mapping with the key 'layers', came {type(given).__name__}"
        )
    if wrong := [key for key in given if key not in KEYS]:
        raise ValueError(f"{name} has {wrong[0]!r}; expected {', '.join(map(repr, KEYS))}")
    if "layers" not in given:
        raise ValueError(f"{name}: 'layers' is missing: a list of boolean (n, n) arrays")
    layers = given["layers"]
    if not isinstance(layers, Sequence | np.ndarray):
        raise TypeError(f"{name}['layers']: expected a list of arrays, came {layers!r}")
    if not 1 <= len(layers) <= MOST_LAYERS:
        raise ValueError(f"{name}['layers']: expected 1 to {MOST_LAYERS}, came {len(layers)}")
    graphs = [graph(f"{name}['layers'][{k}]", layer) for k, layer in enumerate(layers)]
    n = len(graphs[0])
    own = graph(f"{name}['own']", given.get("own", np.zeros((n, n), bool)))
    if wrong := [found.shape for found in (*graphs, own) if len(found) != n]:
        raise ValueError(f"{name}: expected all graphs of shape ({n}, {n}), came {wrong[0]}")
    if np.triu(own).any():
        i, j = map(int, np.argwhere(np.triu(own))[0])
        raise ValueError(
            f"{name}['own'][{i}, {j}] is True: output {i} would wait for output {j}, which is not "
            "before it; transpose it if columns read rows"
        )
    seconds = real(f"{name}['seconds']", given.get("seconds", float("nan")))
    if seconds < 0 or np.isinf(seconds):
        raise ValueError(f"{name}['seconds']: expected a time, not negative, came {seconds}")
    return run(np.stack(graphs), own, seconds)


def graph(name: str, given) -> np.ndarray:
    """Return a boolean (n, n) array."""
    array = truths(name, given, "booleans, True where output i reads input j")
    if array.ndim != 2 or len(set(array.shape)) > 1 or not 1 < len(array) <= MOST_POSITIONS:
        raise ValueError(
            f"{name}: expected shape (n, n) with n from 2 to {MOST_POSITIONS}, came {array.shape}"
        )
    return array


def run(reads: np.ndarray, own: np.ndarray, seconds: float) -> Lane:
    """Run the graph once: each output when all that it reads is there."""
    n = len(own)
    same = np.eye(n, dtype=bool)
    tick, distance, reach = np.zeros(n, int), np.where(same, 0, np.inf), same[:, None]
    ticks = []
    for layer in reads:
        before, tick = tick, np.zeros(n, int)
        steps, distance = distance, np.full((n, n), np.inf)
        field, reach = reach, np.zeros((n, reach.shape[1] + 1, n), bool)
        for i in range(n):
            tick[i] = 1 + max([*before[layer[i]], *tick[own[i]]], default=0)
            ways = np.vstack([steps[layer[i]], distance[own[i]]])
            distance[i] = 1 + ways.min(0, initial=np.inf)
            reach[i, :-1] = field[layer[i]].any(0)
            reach[i] |= reach[own[i]].any(0)
            reach[i, -1, i] = True
        ticks.append(tick)
    edges = int(reads.sum() + len(reads) * own.sum())
    path = int(distance[np.isfinite(distance)].max(initial=0))
    return Lane(own, np.stack(ticks), reads, reach, path, edges, seconds)
