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
    maps: np.ndarray


def seen_in(
    name: str, graph: Graph, inputs: Sequence[Tensor], weights: Mapping | None = None
) -> tuple[list[Tensor], list[Seen]]:
    """Run a graph, with other `weights` if given; return its tensors, and its attentions' maps."""
    found = graph.roles.attentions
    outputs, kept = graph.run(inputs, [one.weights for one in found], weights)
    return outputs, [
        Seen(name, one.weights, one.context, as_maps(kept[one.weights])) for one in found
    ]


def as_maps(weights: Tensor) -> np.ndarray:
    """Weights (..., query, key) as maps (heads, query, key)."""
    return weights.reshape(-1, *weights.shape[-2:]).numpy()


def heads_of(kind: Attention, seen: Iterable[Seen]) -> list[list[dict]]:
    """Return where each head of each layer of a kind is: a graph, its values, a slice of these.

    Raises
    ------
    ValueError
        If the graph has no map with a head's weights.
    """
    seen = [one for one in seen if one.maps.shape[1:] == kind.shape]
    found = []
    for number, layer in zip(kind.numbers, kind.layers, strict=True):
        heads = [nearest(weights, head, seen) for head, weights in enumerate(layer)]
        if None in heads:
            raise ValueError(
                f"answers: head {heads.index(None)} of layer {number} of {kind.name!r} is not "
                "found in the model's graph, as it attends in another way than by a softmax over "
                "products: write the page without answers"
            )
        found.append(heads)
    return found


def nearest(weights: np.ndarray, head: int, seen: Sequence[Seen]) -> dict | None:
    """The map with a head's numbers; of equal ones that in the head's own place."""
    best, least = None, ALLOWED
    for one in seen:
        off = np.abs(one.maps - weights).max(axis=(1, 2))
        places = [head] if head < len(off) and off[head] <= ALLOWED / 100 else range(len(off))
        for k in places:
            if off[k] < least:
                best, least = (one, int(k)), off[k]
    if best is None:
        return None
    one, k = best
    return {"graph": one.graph, "weights": one.weights, "context": one.context, "slice": k}


def value_of(graph: Graph, inputs: Sequence[Tensor], wanted: Tensor) -> str | None:
    """The name of the first output, else of the last value, with these numbers; None if none is.

    Parameters
    ----------
    graph : Graph
    inputs : sequence of Tensor
    wanted : Tensor
        (token, unit).
    """
    floats = [node.name for node in graph.nodes if node.kind == "float"]
    _, kept = graph.run(inputs, keep=floats)
    alike = [name for name in floats if _is_like(kept[name], wanted)]
    outputs = [name for name in graph.outputs if name in alike]
    return next(iter([*outputs, *reversed(alike)]), None)


def _is_like(value, wanted: Tensor) -> bool:
    if not isinstance(value, Tensor) or value.numel() != wanted.numel():
        return False
    return value.shape[-1:] == wanted.shape[-1:] and torch.allclose(
        value.reshape(wanted.shape), wanted.float(), atol=ALLOWED, rtol=ALLOWED
    )


def largest_difference(before: Sequence[Seen], after: Sequence[Seen]) -> float:
    """By how much weights of the same attentions differ at most."""
    pairs = zip(before, after, strict=True)
    return max(float(np.abs(one.maps - other.maps).max()) for one, other in pairs)
