"""What the parts of a graph do, told from the flow of its values and never from names."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from seqviz.graphs.graph import Attention, Block, Node, Roles

MOVES = {  # operations that hand numbers on as they are
    "view", "_unsafe_view", "reshape", "expand", "permute", "transpose", "unsqueeze", "squeeze",
    "clone", "_to_copy", "alias", "copy", "select", "slice", "split_with_sizes", "getitem", "flip",
    "repeat", "as_strided", "cat",
}  # fmt: skip
BETWEEN = MOVES | {  # what else may stand between a product and its softmax, or weights and values
    "mul", "div", "add", "sub", "where", "masked_fill", "tanh", "clamp", "neg", "index", "gather",
    "constant_pad_nd", "sum", "slice_scatter", "select_scatter", "maximum", "scatter", "index_put",
    "native_layer_norm", "rsub", "round", "exp", "relu", "full_like",
}  # fmt: skip
PRODUCTS = {"mm", "addmm", "bmm", "baddbmm"}
LAYERS = {*PRODUCTS, "convolution", "grouped_mm_fallback", "seqviz.recurrent"}
LAYER_NORM = "native_layer_norm"
OF_LENGTHS = {"sym_size", "full_like", "zeros_like", "ones_like", "empty_like", "new_zeros"}


def roles_of(
    nodes: Sequence[Node],
    inputs: Sequence[str],
    outputs: Sequence[str],
    weights: Mapping[str, tuple[int, ...]],
) -> Roles:
    """Find the roles; `weights` are the shapes of the weights by name."""
    flow = Flow(nodes, inputs, weights)
    attentions = [found for node in nodes if (found := flow.attention(node))]
    stream = list(flow.stream(attentions))
    return Roles(
        tuple(flow.ids()),
        tuple(flow.embedded(stream)),
        tuple(attentions),
        tuple(stream),
        flow.logits(outputs, stream),
    )


def kind(node: Node) -> str:
    """What an operation does, whatever its arguments: "add" of "add.Tensor"."""
    return node.op if node.op.startswith("seqviz.") else node.op.removeprefix("sym.").split(".")[0]


class Flow:
    """The nodes of a graph by what they read and who reads them."""

    def __init__(self, nodes: Sequence[Node], inputs: Sequence[str], weights: Mapping[str, tuple]):
        self.nodes, self.inputs, self.weights = nodes, inputs, weights
        self.by_name = {node.name: node for node in nodes}
        self.shapes = {**weights, **{node.name: node.shape for node in nodes}}
        self.users: dict[str, list[Node]] = {}
        self.bits = {name: 1 << k for k, name in enumerate((*inputs, *self.by_name))}
        self.above = {name: self.bits[name] for name in inputs}  # all that a value is made of
        text = set(inputs)
        for node in nodes:
            reads = [name for name in node.reads if name not in weights]
            self.above[node.name] = self.bits[node.name]
            for name in reads:
                self.users.setdefault(name, []).append(node)
                self.above[node.name] |= self.above[name]
            if kind(node) not in OF_LENGTHS and not text.isdisjoint(reads):
                text.add(node.name)
        self.text = text  # what depends on the text, not only on its length

    def made_of(self, name: str, part: str) -> bool:
        """Whether a value is made of another one."""
        return bool(self.above.get(name, 0) & self.bits.get(part, 0))

    def tensors(self, node: Node) -> list[str]:
        """The values that a node reads, without weights and without lengths."""
        return [
            name
            for name in node.reads
            if name in self.inputs or (name in self.by_name and self.by_name[name].shape)
        ]

    def upwards(self, name: str, through: set[str]) -> Iterator[Node]:
        """The nodes that a value is made of, the nearest first, `through` those operations."""
        queue, seen = [name], set()
        while queue:
            one = queue.pop(0)
            if one in seen or one not in self.by_name:
                continue
            seen.add(one)
            node = self.by_name[one]
            yield node
            if kind(node) in through:
                queue += self.tensors(node)

    def downwards(self, name: str, goes: Callable[[Node], bool]) -> Iterator[tuple[str, Node]]:
        """Who reads a value, the nearest first, and as what; on behind nodes that it `goes` to."""
        queue, seen = [name], set()
        while queue:
            one = queue.pop(0)
            for user in self.users.get(one, []):
                yield one, user
                if user.name not in seen and goes(user):
                    seen.add(user.name)
                    queue.append(user.name)

    # ---- attention
    def attention(self, softmax: Node) -> Attention | None:
        """What a softmax over the last axis attends with, None if it weighs no values of a text."""
        shape = softmax.shape
        if kind(softmax) != "_softmax" or softmax.arguments[1] not in (-1, len(shape) - 1):
            return None
        products = [
            node
            for node in self.upwards(softmax.reads[0], BETWEEN)
            if kind(node) in PRODUCTS and self.text.issuperset(node.reads[-2:])
        ]
        context = self._context(softmax)
        of_all_keys = softmax.name in self.text and isinstance(shape[-1], str)  # of no product
        if context is None or not (products or of_all_keys):
            return None
        product, weights, value = context
        scores = products[0] if products else self.by_name[softmax.reads[0]]
        query, key = scores.reads[-2:] if products else ("", "")
        heads = len(shape) - 3 if len(shape) > 2 else None
        count = math.prod(size for size in shape[:-2] if isinstance(size, int))
        mask = self._mask(softmax, scores)
        names = scores.name, mask, softmax.name, weights, value, product.name
        return Attention(query, key, *names, heads, count, product.module)

    def _context(self, softmax: Node) -> tuple[Node, str, str] | None:
        """The product of the weights with values: it, the weights, the values."""
        for weights, user in self.downwards(softmax.name, lambda node: kind(node) in BETWEEN):
            if kind(user) in ("bmm", "mm"):
                other = [name for name in user.reads if name != weights]
                if other and other[0] in self.text:
                    return user, weights, other[0]
        return None

    def _mask(self, softmax: Node, scores: Node) -> str:
        """What is added to the scores, or chooses which of them stay; "" where nothing is."""
        for node in self.upwards(softmax.reads[0], BETWEEN):
            of_scores = self.made_of(node.name, scores.name)
            if kind(node) in ("add", "where", "masked_fill") and of_scores:
                others = [name for name in node.reads if not self.made_of(name, scores.name)]
                if others and self._is_map(others[0]):
                    return others[0]
        return ""

    def _is_map(self, name: str) -> bool:
        return len(self.shapes.get(name, ())) > 1

    # ---- the stream
    def stream(self, attentions: Sequence[Attention]) -> Iterator[Block]:
        """Each sum of a value and of what layers made of that value, or of what it is a sum of."""
        sums = {}
        for node in self.nodes:
            if kind(node) != "add" or len(self.tensors(node)) != 2:
                continue
            for before, update in (node.reads[:2], node.reads[1::-1]):
                made_of = {self._unscaled(before)} | sums.get(self.same(before), set())
                if self._updates(before, update, node, made_of):
                    sums[node.name] = made_of
                    yield self._block(before, update, node, attentions)
                    break

    def _updates(self, before: str, update: str, node: Node, made_of: set[str]) -> bool:
        whole = [self._unscaled(before), self.same(update)]
        if whole[0] == whole[1] or not any(self.made_of(whole[1], one) for one in made_of):
            return False
        if len(node.shape) < 2 or before not in self.text:
            return False
        if before not in self.inputs and self.shapes[before] != node.shape:
            return False  # a mask that is added is smaller
        own = self.above[whole[1]] & ~self.above[whole[0]]
        return any(own & self.bits[layer.name] for layer in self.layers)

    def _unscaled(self, name: str) -> str:
        """The value that a value is, before it was moved and multiplied by what is fixed."""
        node = self.by_name.get(self.same(name))
        reads = self.text.intersection(node.reads) if node else ()
        if len(reads) != 1 or kind(node) not in ("mul", "div"):
            return self.same(name)
        return self._unscaled(*reads)

    @cached_property
    def layers(self) -> list[Node]:
        """Products with weights, and what else learns."""
        return [
            node
            for node in self.nodes
            if kind(node) in LAYERS and any(self.is_weight(name) for name in node.reads)
        ]

    def is_weight(self, name: str) -> bool:
        """Whether a value is a weight, moved or not."""
        if name in self.weights:
            return True
        node = self.by_name.get(name)
        return bool(node and kind(node) in MOVES and node.reads and self.is_weight(node.reads[0]))

    def same(self, name: str) -> str:
        """The value that a value is, before it was moved."""
        node = self.by_name.get(name)
        if node is None or kind(node) not in MOVES - {"cat", "select", "slice"}:
            return name
        moved = self.tensors(node)
        return self.same(moved[0]) if len(moved) == 1 else name

    def _block(
        self, before: str, update: str, node: Node, attentions: Sequence[Attention]
    ) -> Block:
        own = self.above[update] & ~self.above[before]
        attends = [k for k, one in enumerate(attentions) if own & self.bits[one.context]]
        norm = self._norm_of(before, own) or self._norm_of(node.name)
        hidden = ""
        if not attends:
            last = [layer for layer in self.layers if own & self.bits[layer.name]][-1]
            inside = [name for name in last.reads if name in self.text]
            hidden = self.same(inside[0]) if inside else ""
        return Block(before, update, node.name, norm, attends[-1] if attends else None, hidden)

    def _norm_of(self, name: str, inside: int | None = None) -> str:
        """The normalisation that reads a value, "" if none does; `inside` of what it must lie."""

        def goes(node: Node) -> bool:
            if inside is not None and not inside & self.bits[node.name]:
                return False
            square = kind(node) == "mul" and node.reads == node.reads[:1] * 2
            return square or kind(node) in {*MOVES, "pow", "mean", "add", "rsqrt", LAYER_NORM}

        for _, user in self.downwards(name, goes):
            if kind(user) == LAYER_NORM and goes(user):
                return self.users[user.name][0].name
            if kind(user) == "rsqrt" and goes(user):
                return self._scaled(user)
        return ""

    def _scaled(self, root: Node) -> str:
        """Of a root mean square norm the value times its gain."""
        found = ""
        for _, user in self.downwards(root.name, _scales):
            if _scales(user):
                found = user.name
                if any(self.is_weight(one) for one in user.reads):
                    break
        return found

    # ---- ends
    def ids(self) -> list[str]:
        """Inputs by which a table is read."""
        found = [
            self.same(node.reads[1])
            for node in self.nodes
            if kind(node) == "embedding" and self.is_weight(node.reads[0])
        ]
        return [name for name in self.inputs if name in found]

    def embedded(self, stream: Sequence[Block]) -> list[str]:
        """What is summed before the first block: rows of tables."""
        found, queue = [], [block.before for block in stream[:1]]
        while queue:
            name = queue.pop(0)
            node = self.by_name.get(name)
            if node is None or kind(node) not in {*MOVES, "add", "mul", LAYER_NORM}:
                found += [name] if self._is_map(name) else []
                continue
            parts = node.reads[:1] if kind(node) == LAYER_NORM else node.reads
            queue += [part for part in parts if self.shapes.get(part)]
        return found

    def logits(self, outputs: Sequence[str], stream: Sequence[Block]) -> str:
        """The output that a product makes of the last stream, "" if there is none."""
        ends = [name for name in outputs if stream and self.output_layer(name, stream[-1].after)]
        return ends[0] if ends else ""

    def output_layer(self, name: str, end: str) -> Node | None:
        """The product that makes an output of the stream's end, perhaps scaled, capped, chosen."""
        node = self.by_name.get(self.same(name))
        capped = {"tanh"} if node is not None and kind(node) == "mul" else set()
        for one in self.upwards(name, MOVES | {"add", "mul", "div", "index"} | capped):
            if kind(one) in PRODUCTS and self.made_of(one.name, end):
                return one
        return None


def _scales(node: Node) -> bool:
    return kind(node) in {*MOVES, "mul"}
