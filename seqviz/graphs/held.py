"""The way from what is added to a stream to the logits, run again with norms held."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, fx

from seqviz.graphs.graph import Graph
from seqviz.graphs.parts import AttentionPart, Stream
from seqviz.graphs.roles import kind
from seqviz.graphs.values import Values

FACTORS = {"gelu", "relu", "tanh", "leaky_relu", "elu", "hardtanh", "hardswish", "clamp"}
ADDS = {"add", "sub", "rsub", "where", "cat"}
HELD = {"rsqrt", "sqrt", "pow", "reciprocal", "sigmoid", "erf", "exp", "log", "log1p", "_softmax"}


@dataclass(frozen=True)
class Path:
    """The nodes between what is added to the stream and the logits."""

    leaves: set[str]
    nodes: set[str]


def path_of(values: Values, stream: Stream, logits: str, ends: set[str]) -> Path:
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
    return Path(leaves, nodes)


class Held(fx.Interpreter):
    """Runs the nodes of a path again, norms and activations held at what they did."""

    def __init__(self, graph: Graph, path: Path, values: Mapping, stream: Stream, carried: Mapping):
        super().__init__(graph.program.graph_module)
        self.ops = {node.name: kind(node) for node in graph.nodes}
        self.path, self.carried = path, carried
        self.known = {name: doubled(one) for name, one in (graph.weights | values).items()}
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


def doubled(value):
    """The value in float64, or several."""
    if isinstance(value, list | tuple):
        return type(value)(map(doubled, value))
    is_float = isinstance(value, Tensor) and value.is_floating_point()
    return value.detach().double() if is_float else value
