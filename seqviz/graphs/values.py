"""The values of a graph: which of their axes is which, what is normalised, what layers give."""

from collections.abc import Iterator
from functools import cached_property

from seqviz.graphs.graph import Graph, Node
from seqviz.graphs.parts import Place
from seqviz.graphs.programs import inputs_of
from seqviz.graphs.roles import MOVES, Flow, kind

KEEPS = {  # what may leave a value as it is
    "clone", "alias", "_to_copy", "copy", "view", "_unsafe_view", "reshape", "expand", "unsqueeze",
    "squeeze",
}  # fmt: skip
SQUARES = {"pow", "mean", "add", *MOVES}  # from a root mean square back to what is squared


class Values(Flow):
    """The values of a graph: where they lie, what is normalised, what layers give them."""

    def __init__(self, graph: Graph):
        shapes = {name: tuple(weight.shape) for name, weight in graph.weights.items()}
        super().__init__(graph.nodes, graph.inputs, shapes)
        self.graph = graph
        for name, value in inputs_of(graph.program).items():
            self.shapes[name] = tuple(n if isinstance(n, int) else str(n) for n in value.shape)

    # ---- where
    def place(self, name: str) -> Place:
        """Which axes of a value of a stream are its tokens and its numbers."""
        shape = self.shapes[name]
        free = [axis for axis, size in enumerate(shape) if isinstance(size, str)]
        wide = [axis for axis, size in enumerate(shape) if axis not in free[:1] and size != 1]
        number = wide[-1] if wide else len(shape) - 1
        others = [axis for axis in range(number) if shape[axis] != 1] or [number - 1]
        token = (free or others)[0]
        is_row = not free and len(shape) < 3 and shape[token] == 1
        return Place(name, None if is_row else token, None, number)

    def is_flat(self, name: str) -> bool:
        """Whether a value has no axes but those of tokens and numbers."""
        return len(self._sizes(name)) < 3

    def operand(self, name: str, token: int, number: int, heads: int) -> Place:
        """Of an operand or result of a product by head, its axes counted from the last."""
        rank = len(self.shapes[name])
        return Place(name, rank + token, rank - 3 if heads > 1 else None, rank + number)

    def plain(self, name: str) -> str:
        """A value as it was made, before it was copied, or axes of length 1 came or went."""
        while name in self.by_name and kind(self.by_name[name]) in KEEPS:
            source = self.by_name[name].reads[0]
            if source in self.weights or self._sizes(source) != self._sizes(name):
                break
            name = source
        return name

    def _sizes(self, name: str) -> list[int | str]:
        return [size for size in self.shapes[name] if size != 1]

    def onward(self, name: str) -> Iterator[Node]:
        """What reads a value, moved or not."""
        for _, user in self.downwards(name, lambda node: kind(node) in MOVES - {"cat"}):
            yield user

    def unmasked(self, name: str) -> str:
        """What a value is where tokens are left in, "" if it is not multiplied by a mask."""
        node = self.by_name.get(name)
        if node is None or kind(node) != "mul":
            return ""
        masks = [read for read in self.tensors(node) if self.shapes[read][-1] == 1]
        whole = [read for read in self.tensors(node) if read not in masks]
        return whole[0] if len(whole) == len(masks) == 1 else ""

    # ---- norms
    @cached_property
    def norms(self) -> dict[str, str]:
        """What is normalised, by the name of the result."""
        found = {}
        for node in self.nodes:
            if kind(node) == "native_layer_norm":
                results = [user for user in self.users.get(node.name, []) if user.arguments[1] == 0]
                found |= {result.name: node.reads[0] for result in results}
            elif _is_root(node) and (read := self._squared(node)):
                found |= dict.fromkeys(self._divided(node, read), read)
        return found

    def _squared(self, root: Node) -> str:
        """What is divided by the root of its mean square, or of its variance."""
        for node in self.upwards(root.reads[0], SQUARES - {"pow"}):
            twice = kind(node) == "mul" and len(set(node.reads)) == 1
            if kind(node) == "pow" or twice:
                return self._centred(node.reads[0])
        return ""

    def _centred(self, name: str) -> str:
        """A value before its mean was taken off."""
        node = self.by_name.get(self.same(name))
        return node.reads[0] if node is not None and kind(node) == "sub" else name

    def _divided(self, root: Node, read: str) -> Iterator[str]:
        """A value times one over its root mean square, and times its gain."""
        for node in self.onward(root.name):
            whole = [self.same(self._centred(name)) for name in node.reads]
            if kind(node) in ("mul", "div") and self.same(read) in whole:
                yield self._gained(node.name)

    def _gained(self, name: str) -> str:
        """A value times its gain, and with its shift."""
        for wanted in ("mul", "add"):
            for user in self.onward(name):
                others = [other for other in user.reads if self.same(other) != self.same(name)]
                if kind(user) == wanted and others and not self.text.intersection(others):
                    name = user.name
                    break
        return name

    def norm_among(self, names: list[str]) -> str:
        """The first of the values that is a norm, "" if none is."""
        known = {self.same(name): name for name in self.norms}
        return next((known[one] for name in names if (one := self.same(name)) in known), "")

    def norms_of(self, name: str) -> list[str]:
        """The norms of a value."""
        return [one for one, read in self.norms.items() if self.same(read) == self.same(name)]

    # ---- layers
    def made_by(self, before: str, update: str) -> list[Node]:
        """The layers between two values."""
        own = self.above[update] & ~self.above[before]
        return [layer for layer in self.layers if own & self.bits[layer.name]]

    def read_by(self, layer: Node) -> str:
        """What a layer reads of the text."""
        return next((self.plain(name) for name in layer.reads if name in self.text), "")

    def layer_of(self, name: str) -> Node | None:
        """The layer that gave a value, or of which it is a part."""
        node = self.by_name.get(name)
        while node is not None and kind(node) in MOVES - {"cat"}:
            node = self.by_name.get(node.reads[0])
        return node if node in self.layers else None

    def number_of(self, argument: object) -> float | None:
        """A number that is an argument, or a value of one number that is always the same."""
        if isinstance(argument, bool | int | float):
            return float(argument)
        name = argument.get("value") if isinstance(argument, dict) else None
        if name in self.weights and self.graph.weights[name].numel() == 1:
            return self.graph.weights[name].item()
        node = self.by_name.get(name)
        if node is not None and not node.shape and kind(node) in ("scalar_tensor", "full", *MOVES):
            return self.number_of(node.arguments[kind(node) == "full"])
        return None


def _is_root(node: Node) -> bool:
    return kind(node) in ("rsqrt", "sqrt") or (kind(node) == "pow" and node.arguments[1] == -0.5)
