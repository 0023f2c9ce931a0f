"""Who wrote an answer: a logit as the sum of what a model's parts added to its stream.

Behind the last update all is linear but norms and activations. They are held at what they did in
the run: a norm divides by the deviation that it found, an activation multiplies by the factor
between what it got and gave. Then the logit is a sum, exact but for rounding. Where another
function bends the way, what it makes is no sum of parts: it is left to the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, fx

from seqviz.graphs.graph import Graph
from seqviz.graphs.parts import Anatomy, AttentionPart, Place, Stream
from seqviz.graphs.roles import MOVES, kind
from seqviz.graphs.values import Values

FACTORS = {"gelu", "relu", "tanh", "leaky_relu", "elu", "hardtanh", "hardswish", "clamp"}
ADDS = {"add", "sub", "rsub", "where", "cat"}
HELD = {"rsqrt", "sqrt", "pow", "reciprocal", "sigmoid", "erf", "exp", "log", "log1p", "_softmax"}


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
    path = _path(Values(graph), stream, anatomy.logits.node, set(leaves))
    run = _Held(graph, path, values, stream, carried)

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


# ---- the way from there to the logit
@dataclass(frozen=True)
class _Path:
    """The nodes between what is added to the stream and the logits."""

    leaves: set[str]
    nodes: set[str]


def _path(values: Values, stream: Stream, logits: str, ends: set[str]) -> _Path:
    """Go back from the logits; inside an attention only to what its heads give."""
    heads = {
        part.update.node: part.context.node
        for block in stream.blocks
        for part in block.parts
        if isinstance(part, AttentionPart)
    }
    leaves, nodes, todo = set(), set(), [(logits, "")]
    while todo:
        name, inside = todo.pop()
        if name in ends:
            leaves.add(name)
        elif name in values.by_name and name not in nodes:
            nodes.add(name)
            inside = heads.get(name, inside)
            bit = values.bits[inside] if inside else 0
            reads = values.by_name[name].reads
            todo += [
                (one, inside)
                for one in reads
                if not inside or one == inside or values.above.get(one, 0) & bit
            ]
    return _Path(leaves, nodes)


class _Held(fx.Interpreter):
    """Runs the nodes of a path again, norms and activations held at what they did."""

    def __init__(
        self, graph: Graph, path: _Path, values: Mapping, stream: Stream, carried: Mapping
    ):
        super().__init__(graph.program.graph_module)
        self.ops = {node.name: kind(node) for node in graph.nodes}
        self.path, self.carried = path, carried
        self.known = {name: _doubled(one) for name, one in (graph.weights | values).items()}
        places = [stream.start, *(block.end for block in stream.blocks)]
        self.places = {place.node: place for place in places}

    def answer(self, given: Mapping[str, Tensor], wanted: str) -> Tensor:
        """Return what `wanted` becomes, where the leaves are as `given`."""
        self.given, self.bent, self.dead, self.found = given, set(), set(), None
        again = self.path.leaves | self.path.nodes
        stays = {
            node: self.known.get(node.name)
            for node in self.module.graph.nodes
            if node.name not in again and node.op != "output"
        }
        self.wanted = wanted
        with torch.enable_grad():
            self.run(initial_env=stays)
        return self.found

    def run_node(self, node: fx.Node):
        """Return the value of a node: of a leaf, of the path, with the rows that were carried."""
        if node.op == "output":
            return None
        value = self.given[node.name] if node.name in self.given else self._value(node)
        self._note(node, value)
        if node.name in self.carried:
            value = self._with_carried(node.name, value)
        if node.name == self.wanted:
            self.found = value
        return value

    def _note(self, node: fx.Node, value) -> None:
        """Note what is made of leaves, and is the same whatever they are."""
        read = node.all_input_nodes
        held = self.ops[node.name] in HELD and any(_lives(self.env.get(one)) for one in read)
        if not _lives(value) and (held or any(one.name in self.dead for one in read)):
            self.dead.add(node.name)

    def _with_carried(self, name: str, value: Tensor) -> Tensor:
        rows = torch.zeros(value.shape[self.places[name].token], dtype=torch.bool)
        rows[list(self.carried[name])] = True
        shape = [1] * value.dim()
        shape[self.places[name].token] = -1
        return torch.where(rows.view(shape), self.given[f"carried {name}"], value)

    def _value(self, node: fx.Node):
        op = self.ops[node.name]
        if op == "native_layer_norm":
            return self._normed(*self.fetch_args_kwargs_from_env(node)[0], node)
        if op in HELD:
            return self.known[node.name]
        if op in FACTORS:
            self.bent.add(node)
            before, after = self.known[node.args[0].name], self.known[node.name]
            factor = torch.where(before.abs() < 1e-9, 0, after / before)
            return self.env[node.args[0]] * factor
        args, kwargs = self.fetch_args_kwargs_from_env(node)
        if op in ADDS and any(_lives(self.env[one]) for one in node.all_input_nodes):
            args = fx.map_arg(node.args, self._unless_dead)
        if op in ("mul", "div"):
            args = self._one_held(op, node, args)
        return self.call_function(node.target, args, kwargs)

    def _unless_dead(self, node: fx.Node):
        """The value of a node; zeros if it would be added as it was in the run."""
        value = self.env[node]
        dead = node.name in self.dead and value.is_floating_point()
        return torch.zeros_like(value) if dead else value

    def _normed(self, x: Tensor, shape: Sequence[int], weight, bias, eps: float, node: fx.Node):
        axes = tuple(range(-len(shape), 0))
        before = self.known[node.args[0].name]
        centred = x - x.mean(axes, keepdim=True)
        variance = before.var(axes, unbiased=False, keepdim=True)
        normed = centred / (variance + eps).sqrt()
        normed = normed if weight is None else normed * weight
        return (normed if bias is None else normed + bias, None, None)

    def _one_held(self, op: str, node: fx.Node, args: tuple) -> list:
        """Of two factors that depend on leaves hold one: an activation's, else the last."""
        args = list(args)
        if all(isinstance(one, Tensor) and one.requires_grad for one in args):
            k = 0 if op == "mul" and node.args[0] in self.bent else 1
            args[k] = self.known[node.args[k].name]
        return args


def _lives(value) -> bool:
    """Whether a value, or one of several, changes with the leaves."""
    if isinstance(value, list | tuple):
        return any(map(_lives, value))
    return isinstance(value, Tensor) and value.requires_grad


def _doubled(value):
    if isinstance(value, list | tuple):
        return type(value)(map(_doubled, value))
    is_float = isinstance(value, Tensor) and value.is_floating_point()
    return value.detach().double() if is_float else value


def _row(place: Place, value: Tensor, token: int) -> Tensor:
    for axis in reversed(range(value.dim())):
        if axis not in (place.token, place.number):
            value = value.select(axis, 0)
    if value.dim() == 1:
        return value
    return value.select(0 if place.token < place.number else 1, token)
