"""A graph that reads the ids of one text, and gives logits for each of them."""

from collections.abc import Collection

import torch
from torch import Tensor

from seqviz.graphs import Graph
from seqviz.graphs.programs import inputs_of, kind_of


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
        self.name, self.graph = name, graph
        given, ids = inputs_of(graph.program), graph.roles.ids
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
        fills = {one: 0 if one in ids else 1 for one in graph.inputs if one != ids[0]}
        self.ids, self.kinds = ids[0], {one: value.dtype for one, value in given.items()}
        self.fills, self.output = fills, self._logits(size)

    def _logits(self, size: int) -> int:
        """Which of the outputs are logits over the vocabulary."""
        graph, shapes = self.graph, {node.name: node.shape for node in self.graph.nodes}
        fitting = [one for one in graph.outputs if shapes[one][-1:] == (size,)]
        if not fitting:
            came = ", ".join(str(shapes[one]) for one in graph.outputs).replace("'", "")
            raise ValueError(
                f"{self.name}: expected logits (1, time, {size}) over the {size:,} tokens of the "
                f"vocabulary; {graph.model} gives {came}: hand in the vocabulary of this model"
            )
        logits = graph.roles.logits
        return graph.outputs.index(logits if logits in fitting else fitting[0])

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
