"""Which values of a graph are the maps that a view shows: told by their numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from seqviz.graphs import Graph
from seqviz.views.attention.values import Attention

ALLOWED = 1e-4  # by which a weight that was recorded may differ from the graph's


@dataclass(frozen=True, eq=False)
class Seen:
    """The maps of one attention of a graph, (heads, query, key), and where they come from."""

    graph: str
    weights: str
    context: str
    path: str
    maps: np.ndarray


@dataclass(frozen=True)
class Head:
    """A head of a view: the attention of a graph, and which slice of its values."""

    graph: str
    weights: str
    context: str
    slice: int


def seen_in(
    name: str, graph: Graph, inputs: Sequence[Tensor], weights: Mapping | None = None
) -> list[Seen]:
    """Run a graph, with other `weights` if they are given; return the maps of its attentions."""
    found = graph.roles.attentions
    _, kept = graph.run(inputs, [one.weights for one in found], weights)
    return [
        Seen(name, one.weights, one.context, one.path, as_maps(kept[one.weights])) for one in found
    ]


def as_maps(weights: Tensor) -> np.ndarray:
    """Weights (..., query, key) as maps (heads, query, key)."""
    return weights.reshape(-1, *weights.shape[-2:]).numpy()


def heads_of(kind: Attention, seen: Iterable[Seen]) -> list[list[Head]]:
    """Return each head of each layer of a kind.

    Raises
    ------
    ValueError
        If the graph has no map with a head's weights.
    """
    seen = [one for one in seen if one.maps.shape[1:] == kind.shape]
    found = []
    for number, layer in zip(kind.numbers, kind.layers, strict=True):
        heads = [_nearest(weights, head, seen) for head, weights in enumerate(layer)]
        if None in heads:
            raise ValueError(
                f"answers: head {heads.index(None)} of layer {number} of {kind.name!r} is not "
                "found in the model's graph, as it attends in another way than by a softmax over "
                "products: write the page without answers"
            )
        found.append(heads)
    return found


def _nearest(weights: np.ndarray, head: int, seen: Sequence[Seen]) -> Head | None:
    """The map with a head's numbers; of equal ones that in the head's own place."""
    best, least = None, ALLOWED
    for one in seen:
        off = np.abs(one.maps - weights).max(axis=(1, 2))
        places = [head] if head < len(off) and off[head] <= ALLOWED / 100 else range(len(off))
        for k in places:
            if off[k] < least:
                best, least = Head(one.graph, one.weights, one.context, int(k)), off[k]
    return best


def value_of(graph: Graph, inputs: Sequence[Tensor], wanted: Tensor) -> str | None:
    """The name of the first output, else of the last value, with these numbers; None if none is.

    Parameters
    ----------
    graph : Graph
    inputs : sequence of Tensor
    wanted : Tensor
        (token, unit).
    """
    size = wanted.numel()
    floats = [node.name for node in graph.nodes if node.kind == "float"]
    _, kept = graph.run(inputs, keep=floats)
    alike = [name for name in floats if _is_like(kept[name], wanted, size)]
    outputs = [name for name in graph.outputs if name in alike]
    return next(iter([*outputs, *reversed(alike)]), None)


def _is_like(value, wanted: Tensor, size: int) -> bool:
    if not isinstance(value, Tensor) or value.numel() != size:
        return False
    return value.shape[-1:] == wanted.shape[-1:] and torch.allclose(
        value.reshape(wanted.shape), wanted.float(), atol=ALLOWED, rtol=ALLOWED
    )


def largest_difference(before: Mapping[tuple, np.ndarray], after: Mapping) -> float:
    """By how much weights differ at most."""
    return max(float(np.abs(before[name] - after[name]).max()) for name in before)
