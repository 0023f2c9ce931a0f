"""A model as a value: operations in order, their weights, and what is found in them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, fx

Argument = object  # {"value": name}, {"number": "inf"}, a list of these, a number, a string, None


@dataclass(frozen=True)
class Node:
    """One operation.

    Attributes
    ----------
    name : str
        Of the value that it gives.
    op : str
        Torch's core name, "addmm" or "sum.dim_IntList"; "sym.add" for arithmetic of lengths.
    arguments : list
        All of them, by place; ``{"value": name}`` stands for the value of another node, a weight
        or an input.
    kind : str
        "float", "whole" (integers and lengths) or "truth".
    shape : tuple of int or str
        A length that is left free has a name; empty for a number.
    module : str
        The path of the module that it is of, "" for the model itself.
    """

    name: str
    op: str
    arguments: list[Argument]
    kind: str
    shape: tuple[int | str, ...]
    module: str

    @property
    def reads(self) -> list[str]:
        """The names of the values that it reads."""
        return list(_names(self.arguments))


@dataclass(frozen=True)
class Attention:
    """Where a graph attends once: the names of its values, each (..., heads, query, key or unit).

    Attributes
    ----------
    query, key, scores, mask, softmax, weights, value, context : str
        Of the products' operands and results, `query` and `key` are "" where the scores are of
        something else, as in additive attention; `weights` are what the values are multiplied with,
        `mask` is "" where there is none.
    heads : int or None
        The axis of heads in weights and context, from 0; None if there is one head without an axis.
    count : int
        How many heads there are.
    path : str
        The module that attends.
    """

    query: str
    key: str
    scores: str
    mask: str
    softmax: str
    weights: str
    value: str
    context: str
    heads: int | None
    count: int
    path: str


@dataclass(frozen=True)
class Block:
    """One step along the stream of a model: what an update is made of, and what it is added to.

    Attributes
    ----------
    before, update, after : str
        The stream, what is added to it, their sum.
    norm : str
        The normalisation: of what the update reads (pre-norm), or of the sum (post-norm); "" where
        there is none.
    attends : int or None
        Which of the graph's attentions makes the update; None for a feed-forward layer.
    hidden : str
        Of a feed-forward layer what its activation gives; "" for attention.
    """

    before: str
    update: str
    after: str
    norm: str
    attends: int | None
    hidden: str


@dataclass(frozen=True)
class Roles:
    """What the parts of a graph do, told from the flow of its values and never from names.

    Attributes
    ----------
    ids : tuple of str
        Inputs that a table is read by.
    embedded : tuple of str
        What the rows of tables give that are summed before the first block.
    attentions : tuple of Attention
    stream : tuple of Block
    logits : str
        What the last product gives of the last stream, "" where there is none.
    """

    ids: tuple[str, ...] = ()
    embedded: tuple[str, ...] = ()
    attentions: tuple[Attention, ...] = ()
    stream: tuple[Block, ...] = ()
    logits: str = ""


@dataclass(frozen=True, eq=False)
class Graph:
    """A model that was exported: it runs here, and in a page; `exported` makes it.

    Attributes
    ----------
    model : str
        The name of the model's class.
    inputs : tuple of str
        In the order of the call.
    lengths : dict of str to int
        Of inputs whose length is fixed, this length; empty where any length goes.
    limits : dict of str to tuple
        Of inputs of other lengths the axis, the least and the largest length, None for any.
    longest : int or None
        Tokens of the longest text that the model has positions for, None if it does not say.
    nodes : tuple of Node
    weights : dict of str to Tensor
        Parameters, buffers and constants; tied ones are one tensor.
    outputs : tuple of str
        The tensors that the model returns, in order.
    roles : Roles
    """

    model: str
    inputs: tuple[str, ...]
    lengths: Mapping[str, int]
    limits: Mapping[str, tuple[int, int, int | None]]
    longest: int | None
    nodes: tuple[Node, ...]
    weights: Mapping[str, Tensor]
    outputs: tuple[str, ...]
    roles: Roles
    program: torch.export.ExportedProgram = field(repr=False)

    def __call__(self, *inputs: Tensor) -> list[Tensor]:
        """Run the graph, and return the tensors that the model returns."""
        return self.run(inputs)[0]

    def run(
        self,
        inputs: Sequence[Tensor],
        keep: Collection[str] = (),
        weights: Mapping[str, Tensor] | None = None,
        changes: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
    ) -> tuple[list[Tensor], dict[str, Tensor]]:
        """Run the graph; return the model's tensors, and the values of the names to `keep`.

        Parameters
        ----------
        inputs : sequence of Tensor
            In the order of `inputs`.
        keep : collection of str
        weights : mapping of str to Tensor, optional
            In place of some of the graph's.
        changes : mapping of str to function, optional
            By the names of values what takes such a value, and gives another in its place.

        Raises
        ------
        TypeError
            If there are more or fewer inputs than the graph has.
        ValueError
            If an input is of a length that the graph does not take.
        """
        if len(inputs) != len(self.inputs):
            raise TypeError(
                f"inputs: expected {len(self.inputs)}, {', '.join(self.inputs)}; came {len(inputs)}"
            )
        if wrong := self.beyond(inputs):
            raise ValueError(wrong)
        given = {**self.weights, **(weights or {}), **dict(zip(self.inputs, inputs, strict=True))}
        known = [node.name for node in self.program.graph.nodes if node.op == "placeholder"]
        with torch.no_grad():
            taps = _Taps(self.program.graph_module, {*keep, *self.outputs}, changes or {})
            taps.run(*(given.get(name) for name in known))
        return [taps.kept[name] for name in self.outputs], taps.kept

    def behind(self, name: str, value: Tensor, values: Mapping, wanted: str) -> Tensor:
        """Return what `wanted` becomes where another `value` stands for the one of that name.

        Only what is made of it and leads there is run again: `values` are those of all nodes and
        inputs, as a run has kept them.
        """
        made, leads = {name}, {wanted}
        for node in self.nodes:
            if not made.isdisjoint(node.reads):
                made.add(node.name)
        for node in reversed(self.nodes):
            if node.name in leads:
                leads.update(node.reads)
        again = (made & leads) - {name}
        known = {**self.weights, **values, name: value}
        stays = {
            node: known.get(node.name)
            for node in self.program.graph.nodes
            if node.name not in again and node.op != "output"
        }
        with torch.no_grad():
            taps = _Taps(self.program.graph_module, {wanted}, {})
            taps.run(initial_env=stays)
        return taps.kept[wanted]

    def beyond(self, inputs: Sequence[Tensor]) -> str:
        """Say which input is of a length that the graph does not take; "" if none is."""
        for name, one in zip(self.inputs, inputs, strict=True):
            if name in self.lengths and self.lengths[name] not in one.shape:
                return f"{name}: expected length {self.lengths[name]}, came {tuple(one.shape)}"
            if name in self.limits:
                axis, least, most = self.limits[name]
                if one.shape[axis] < least or (most and one.shape[axis] > most):
                    wanted = f"{least} to {most}" if most else f"{least} or more"
                    return f"{name}: expected length {wanted}, came {one.shape[axis]}"
        return ""

    @property
    def size(self) -> int:
        """How many numbers the weights are."""
        return sum(one.numel() for one in {id(one): one for one in self.weights.values()}.values())


class _Taps(fx.Interpreter):
    """Runs a graph, changes some of its values and keeps some."""

    def __init__(self, module: fx.GraphModule, names: set[str], changes: Mapping[str, Callable]):
        super().__init__(module)
        self.names, self.changes, self.kept = names, changes, {}

    def run_node(self, node: fx.Node):
        """Return a node's value, kept if that is wanted."""
        value = super().run_node(node)
        if node.name in self.changes:
            value = self.changes[node.name](value)
        if node.name in self.names:
            self.kept[node.name] = value
        return value


def _names(argument: Argument):
    if isinstance(argument, dict) and "value" in argument:
        yield argument["value"]
    elif isinstance(argument, list):
        for one in argument:
            yield from _names(one)
