"""A graph as it travels to a page: JSON, and one run of bytes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from seqviz.graphs.graph import Graph
from seqviz.graphs.programs import kind_of

VERSION = 1
HALF = torch.finfo(torch.float16).max
SHARE = 0.1  # of all numbers that a table in bytes has at least: a small one gains nothing


@dataclass(frozen=True)
class Packed:
    """What travels of a graph: `told` as JSON, and the `numbers` of its weights."""

    told: dict
    numbers: bytes


def packed(graph: Graph, precision: str = "half") -> Packed:
    """Pack a graph.

    Parameters
    ----------
    graph : Graph
    precision : {"full", "half", "small"}
        Weights as float32; matrices as float16; tables of embeddings as bytes, too: see `forms`.
    """
    numbers, places, listed = bytearray(), {}, []
    for name, form in forms(graph, precision).items():
        weight = graph.weights[name]
        if id(weight) not in places:
            places[id(weight)] = _placed(weight, form, numbers)
        told = {"name": name, "kind": kind_of(weight.dtype), "shape": list(weight.shape)}
        listed.append(told | {"form": form, **places[id(weight)]})
    told = {
        "version": VERSION,
        "inputs": list(graph.inputs),
        "output": [{"value": name} for name in graph.outputs],
        "weights": listed,
        "nodes": [
            {
                "name": node.name,
                "op": node.op,
                "args": node.arguments,
                "kind": node.kind,
                "module": node.module,
            }
            for node in graph.nodes
        ],
        "lengths": dict(graph.lengths),
        "limits": {name: list(limit) for name, limit in graph.limits.items()},
        "longest": graph.longest,
    }
    return Packed(told, bytes(numbers))


def forms(graph: Graph, precision: str) -> dict[str, str]:
    """In which form each weight travels: vectors, and what halves cannot hold, in full."""
    tables = {
        id(graph.weights.get(node.reads[0])) for node in graph.nodes if node.op == "embedding"
    }
    found = {}
    for name, weight in graph.weights.items():
        if weight.dtype == torch.bool:
            found[name] = "uint8"
        elif not weight.is_floating_point():
            found[name] = "float64"
        elif precision == "full" or weight.dim() < 2 or not _fits(weight):
            found[name] = "float32"
        else:
            large = id(weight) in tables and weight.numel() >= SHARE * graph.size
            found[name] = "int8" if precision == "small" and large else "float16"
    return found


def rounded(graph: Graph, precision: str) -> dict[str, Tensor]:
    """The weights that travel with less than all their digits, as a page gets them."""
    return {
        name: _as_read(graph.weights[name], form)
        for name, form in forms(graph, precision).items()
        if form in ("float16", "int8")
    }


def _fits(weight: Tensor) -> bool:
    return not weight.numel() or weight.abs().max().item() <= HALF


def _placed(weight: Tensor, form: str, numbers: bytearray) -> dict:
    """Add a weight to the numbers; return where it begins."""
    places = {}
    for name, array in _arrays(weight, form):
        numbers += b"\0" * (-len(numbers) % 8)
        places[name] = len(numbers)
        numbers += array.tobytes()
    return places


def _arrays(weight: Tensor, form: str) -> Iterator[tuple[str, np.ndarray]]:
    array = np.ascontiguousarray(weight.numpy())
    if form == "int8":  # a step is of each column: of a table some are much larger than others
        most = np.abs(array).max(axis=0)
        scales = np.where(most > 0, most / 127, 1).astype("<f4")
        yield "start", np.rint(array / scales).astype(np.int8)
        yield "scales", scales
    else:
        yield "start", array.astype(np.dtype(form).newbyteorder("<"))


def _as_read(weight: Tensor, form: str) -> Tensor:
    arrays = dict(_arrays(weight, form))
    return torch.from_numpy(np.float32(arrays["start"]) * arrays.get("scales", np.float32(1)))
