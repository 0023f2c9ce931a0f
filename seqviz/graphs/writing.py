"""Who wrote an answer: a logit as the sum of what a model's parts added to its stream.

Behind the last update all is linear but norms and activations. They are held at what they did in
the run: a norm divides by the deviation that it found, an activation multiplies by the factor
between what it got and gave. Then the logit is a sum, exact but for rounding. Where another
function bends the way, what it makes is no sum of parts: it is left to the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from seqviz.graphs.graph import Graph
from seqviz.graphs.held import Held, path_of
from seqviz.graphs.parts import Anatomy, AttentionPart, Place, Stream
from seqviz.graphs.roles import MOVES, kind
from seqviz.graphs.values import Values


@dataclass(frozen=True)
class Written:
    """What one part wrote for an answer.

    Attributes
    ----------
    kind : str
        "head", "part" (a feed-forward or another layer), "input" (an embedding), "carried" (states
        put in place of the model's), "bias" (all biases and shifts) or "rest" (rounding, and
        what is no sum of parts).
    name : str
        Of an embedding "token", "segment", "position"; else "".
    block, part, head : int or None
        Of the stream that the output layer reads.
    value : float
    """

    kind: str
    name: str
    block: int | None
    part: int | None
    head: int | None
    value: float


def written(
    graph: Graph,
    anatomy: Anatomy,
    values: Mapping[str, Tensor],
    token: int,
    plus: int,
    less: int | None = None,
    carried: Mapping[str, Sequence[int]] | None = None,
) -> list[Written]:
    """Return who wrote a logit, or how much larger it is than another one.

    Parameters
    ----------
    graph : Graph
    anatomy : Anatomy
        Of the graph.
    values : mapping of str to Tensor
        Of all nodes and inputs of a run.
    token : int
        Whose logits; of a text that has one row of them it does not matter.
    plus, less : int, int or None
        The numbers of the logits: that of `plus`, or that minus the one of `less`.
    carried : mapping of str to sequence of int
        Of states that were put in place of the model's: the node, and which tokens.

    Returns
    -------
    list of Written
        They sum to the logit, or to the difference.

    Raises
    ------
    ValueError
        If the graph has no logits.

    Examples
    --------
    >>> import torch, seqviz as sv
    >>> ids = torch.ones(1, 5).long()
    >>> graph = sv.graphs.exported(sv.nn.GPT(12, 32, 8, 2, 2), (ids,))
    >>> names = [node.name for node in graph.nodes]
    >>> [logits], values = graph.run([ids], names)
    >>> values = {"ids": ids, **values}
    >>> parts = written(graph, sv.graphs.anatomy_of(graph), values, token=4, plus=7)
    >>> len([one for one in parts if one.kind == "head"])
    4
    >>> bool(abs(sum(one.value for one in parts) - logits[0, 4, 7]) < 1e-4)
    True
    """
    if anatomy.logits is None:
        raise ValueError(f"graph: {no_logits(graph)}, so no answer is written")
    stream, carried = anatomy.streams[-1], dict(carried or {})
    leaves = _leaves(stream)
    path = path_of(Values(graph), stream, anatomy.logits.node, set(leaves))
    run = Held(graph, path, values, stream, carried)

    def answer(given: Mapping[str, Tensor]) -> Tensor:
        row = _row(anatomy.logits, run.answer(given, anatomy.logits.node), token)
        return row[plus] if less is None else row[plus] - row[less]

    given = {name: values[name].detach().double() for name in path.leaves}
    given |= {f"carried {name}": values[name].detach().double() for name in carried}
    for one in given.values():
        one.requires_grad_()
    whole = answer(given)
    linear = whole.requires_grad  # else no part is told of it
    slopes = [None] * len(given)
    if linear:
        slopes = torch.autograd.grad(whole, list(given.values()), allow_unused=True)
    added = {
        name: one.detach() * slope
        for (name, one), slope in zip(given.items(), slopes, strict=True)
        if slope is not None
    }
    found = [one for name, of in leaves.items() if name in added for one in of(added[name])]
    states = [of.sum().item() for name, of in added.items() if name.startswith("carried ")]
    if any(states):
        found.append(Written("carried", "", None, None, None, sum(states)))
    nothing = {name: torch.zeros_like(one, requires_grad=True) for name, one in given.items()}
    bias = answer(nothing).item() if linear else 0.0
    found.append(Written("bias", "", None, None, None, bias))
    logits = _row(anatomy.logits, values[anatomy.logits.node], token)
    real = (logits[plus] - (0 if less is None else logits[less])).item()
    rest = real - sum(one.value for one in found)
    return [*found, Written("rest", "", None, None, None, rest)]


def no_logits(graph: Graph) -> str:
    """Why a graph has no logits: what makes its output."""
    values = Values(graph)
    nodes = [*values.upwards(graph.outputs[0], MOVES), None]
    made = next(one for one in nodes if one is None or kind(one) not in MOVES)
    what = f"{kind(made)} in {made.module!r}" if made else "no operation"
    pooled = " (take the mean before that layer: it gives the same)"
    return (
        f"{graph.model} has no logits: its output comes of {what}, expected of an output layer "
        f"on the last states{pooled if made and kind(made) == 'mean' else ''}"
    )


# ---- what is a part of the sum
def _leaves(stream: Stream) -> dict:
    """Of each value that is added to the stream what makes of its share a list of `Written`."""
    found = {}
    for one in stream.embedded:
        found[one.place.node] = _of_input(one.name)
    for block in stream.blocks:
        for k, part in enumerate(block.parts):
            if isinstance(part, AttentionPart):
                found[part.context.node] = _of_heads(block.number, k, part)
            else:
                found[part.update.node] = _of_part(block.number, k)
    return found


def _of_input(name: str):
    return lambda share: [Written("input", name, None, None, None, share.sum().item())]


def _of_part(block: int, part: int):
    return lambda share: [Written("part", "", block, part, None, share.sum().item())]


def _of_heads(block: int, number: int, part: AttentionPart):
    def of(share: Tensor) -> list[Written]:
        by_head = share[None] if part.context.head is None else share.movedim(part.context.head, 0)
        sums = by_head.flatten(1).sum(1).tolist()
        return [Written("head", "", block, number, k, one) for k, one in enumerate(sums)]

    return of


def _row(place: Place, value: Tensor, token: int) -> Tensor:
    for axis in reversed(range(value.dim())):
        if axis not in (place.token, place.number):
            value = value.select(axis, 0)
    if value.dim() == 1:
        return value
    return value.select(0 if place.token < place.number else 1, token)
