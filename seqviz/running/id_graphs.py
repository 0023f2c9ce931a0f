"""A graph that reads the ids of one text, and gives logits for each; how it gets to a page."""

from collections.abc import Collection, Mapping

import torch
from torch import Tensor

from seqviz.graphs import Graph, Packed, packed
from seqviz.graphs.programs import inputs_of, kind_of

FORMS = {"full": "float32", "half": "float16", "small": "float16 and int8"}


class IdGraph:
    """A graph with its inputs told from each other: ids, perhaps segments (0) and a mask (1).

    Parameters
    ----------
    name : str
        What a message calls it.
    graph : Graph
    size : int
        Tokens that it has logits of.

    Raises
    ------
    ValueError
        If it reads no ids, or ids of one length only, needs more than that, or has other logits.
    """

    def __init__(self, name: str, graph: Graph, size: int):
        self.graph, ids = graph, graph.roles.ids
        given = inputs_of(graph.program)
        wide = [one for one, value in given.items() if value.dim() != 2 or value.shape[0] != 1]
        if not ids or wide:
            reads = ", ".join(f"{one} {tuple(value.shape)}" for one, value in given.items())
            raise ValueError(
                f"{name}: expected a graph of ids (1, time), perhaps with a mask and segments; "
                f"that of {graph.model} reads {reads}: export it with sv.graphs.exported(model, "
                "(ids,))"
            )
        if graph.lengths:
            (length, *_) = graph.lengths.values()
            raise ValueError(
                f"{name}: {graph.model} was exported for texts of {length} tokens only, expected "
                "any length: hand in a function instead"
            )
        self.ids, self.kinds = ids[0], {one: value.dtype for one, value in given.items()}
        self.fills = {one: int(one not in ids) for one in graph.inputs if one != ids[0]}
        self.output = checked_logits(name, graph, size)

    def __call__(self, ids: Tensor, keep: Collection[str] = ()) -> tuple[Tensor, dict[str, Tensor]]:
        """Return logits (time, vocabulary) for ids (time,), and values to `keep` by their names."""
        longest = self.graph.longest
        if longest is not None and len(ids) > longest:
            raise ValueError(
                f"text: expected at most {longest} tokens, for which {self.graph.model} has "
                f"positions, came {len(ids)}"
            )
        row = ids[None]
        fills = {
            one: torch.full_like(row, fill, dtype=self.kinds[one])
            for one, fill in self.fills.items()
        }
        outputs, kept = self.graph.run([fills.get(one, row) for one in self.graph.inputs], keep)
        return outputs[self.output][0], kept

    def told(self) -> dict:
        """Return the same for a page."""
        return {
            "model": self.graph.model,
            "ids": self.ids,
            "fills": [
                {"name": one, "value": fill, "kind": kind_of(self.kinds[one])}
                for one, fill in self.fills.items()
            ],
            "output": self.output,
            "longest": self.graph.longest,
        }


def checked_logits(name: str, graph: Graph, size: int) -> int:
    """Return which of a graph's outputs are logits over a vocabulary of `size` tokens."""
    shapes = {node.name: node.shape for node in graph.nodes}
    fitting = [one for one in graph.outputs if shapes[one][-1:] == (size,)]
    if not fitting:
        came = ", ".join(str(shapes[one]) for one in graph.outputs).replace("'", "")
        raise ValueError(
            f"{name}: expected logits over the {size:,} tokens of the vocabulary; {graph.model} "
            f"gives {came}: hand in the vocabulary of this model"
        )
    logits = graph.roles.logits
    return graph.outputs.index(logits if logits in fitting else fitting[0])


def travelling(graphs: Mapping[str, Graph], precision: str) -> tuple[dict[str, Packed], str]:
    """Return the graphs packed, by the same names, and what the page says of them."""
    found = {name: packed(graph, precision) for name, graph in graphs.items()}
    size = sum(len(one.numbers) for one in found.values()) / 1e6
    models = " and ".join(f"{graph.model} with {graph.size:,} weights" for graph in graphs.values())
    return found, f"Runs in this page: {models}, {size:.1f} MB in {FORMS[precision]}."
