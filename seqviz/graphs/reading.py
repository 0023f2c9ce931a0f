"""How one part of a model is read from the values of its graph: attention, feed-forward, other."""

from dataclasses import dataclass

from seqviz.graphs.graph import Attention, Node
from seqviz.graphs.parts import AttentionPart, Box, FeedPart, Maps, Part, Place
from seqviz.graphs.roles import MOVES, PRODUCTS, kind
from seqviz.graphs.values import Values

ACTIVATIONS = {  # the operations between two products
    "gelu": "GELU",
    "erf mul": "GELU",
    "mul pow tanh": "GELU",
    "mul tanh": "GELU",
    "relu": "ReLU",
    "pow relu": "ReLU²",
    "mul sigmoid": "SiLU",
    "silu": "SiLU",
    "tanh": "tanh",
    "sigmoid": "sigmoid",
    "leaky_relu": "leaky ReLU",
    "": "no activation",
}
ASIDE = {"add", "div", "sub", "clamp", "full_like", "native_layer_norm"} | MOVES
BOXES = {  # by the first of these operations that is inside
    "seqviz.recurrent": "recurrent layer",
    "convolution": "convolution",
    "topk": "experts",
    "_softmax": "attention",
}
MIXING = {"recurrent layer", "convolution", "attention"}  # boxes in which tokens see each other


@dataclass(frozen=True)
class Update:
    """What is added to a stream, and by which of the graph's attentions it is made."""

    before: str
    update: str
    after: str
    attends: int | None
    norm: str = ""
    post: str = ""


def part_of(values: Values, one: Update, start: str) -> Part:
    """Read a part of a stream that begins so, a box where it is neither attention nor feed."""
    reader = _Reader(values, one, start)
    found = reader.feed() if one.attends is None else reader.attention()
    return found or reader.box()


class _Reader:
    def __init__(self, values: Values, one: Update, start: str):
        self.values, self.one, self.start = values, one, start
        self.layers = values.made_by(one.before, one.update)

    def _around(self) -> dict[str, Place | None]:
        """Places of what all parts have."""
        names = ("before", "norm", "update", "after", "post")
        given = ((name, getattr(self.one, name)) for name in names)
        return {name: self.values.place(value) if value else None for name, value in given}

    # ---- attention
    def attention(self) -> AttentionPart | None:
        """The attention, None where its maps are not one for each head."""
        values, found = self.values, self.values.graph.roles.attentions[self.one.attends]
        shape, product = values.shapes[found.softmax], values.shapes[found.scores]
        heads = product[0] if len(product) == 3 else 1
        masked = self._masked(found)
        if not found.query or not isinstance(heads, int) or not masked:
            return None
        sinks, shape = shape[-1] != product[-1], (*shape[:-1], product[-1])
        leading = [axis for axis, size in enumerate(shape[:-2]) if size != 1]
        if [shape[axis] for axis in leading] != [heads] * (heads > 1):
            return None
        return AttentionPart(
            cross=not values.made_of(found.key, self.start),
            attention=self.one.attends,
            heads=heads,
            query=values.operand(found.query, -2, -1, heads),
            key=values.operand(found.key, -1, -2, heads),
            value=values.operand(found.value, -2, -1, heads),
            context=values.operand(found.context, -2, -1, heads),
            into=self._into(found.context),
            scores=self._like(found.scores, shape),
            masked=masked,
            softmax=found.softmax,
            weights=self._unmoved(found.weights, shape),
            sinks=sinks,
            maps=Maps(leading[0] if leading else None, len(shape) - 2, len(shape) - 1),
            **scaled(values, found),
            path=found.path,
            **self._around(),
        )

    def _masked(self, found: Attention) -> str:
        """What the softmax is of: before the largest is taken off, without sinks; "" if other."""
        values, name = self.values, self.values.by_name[found.softmax].reads[0]
        wanted = values.shapes[found.scores][-2:]
        while name != found.scores:
            node = values.by_name[name]
            of_scores = [one for one in node.reads if values.made_of(one, found.scores)]
            less_most = kind(node) == "sub" and len(of_scores) == 2
            has_sinks = kind(node) == "cat" and len(of_scores) == 1
            if not (less_most or has_sinks):
                break
            name = of_scores[0]
        return name if values.shapes[name][-2:] == wanted else ""

    def _into(self, context: str) -> Place | None:
        """What the last product reads, None where that is the heads' results as they are."""
        values, last = self.values, self._last()
        read = values.read_by(last) if last else ""
        is_more = values.made_of(read, context) and values.same(read) != values.same(context)
        return values.place(read) if is_more and values.is_flat(read) else None

    def _last(self) -> Node | None:
        """The product that gives the update, None where there is more than one."""
        results = self._behind(self.one.update)[0]
        last = self.values.layer_of(results[0]) if len(results) == 1 else None
        return last if last is not None and kind(last) in PRODUCTS else None

    def _like(self, name: str, shape: tuple) -> str:
        """A value, moved to a shape."""
        moved = (node.name for node in self.values.onward(name) if kind(node) in MOVES)
        return next((one for one in (name, *moved) if self.values.shapes[one] == shape), name)

    def _unmoved(self, name: str, shape: tuple) -> str:
        """A value before it was moved from a shape."""
        one = self.values.plain(name)
        while self.values.shapes[one] != shape and kind(self.values.by_name[one]) in MOVES:
            one = self.values.by_name[one].reads[0]
        return one if self.values.shapes[one] == shape else name

    # ---- feed-forward
    def feed(self) -> FeedPart | None:
        """The feed-forward layer, None where it is more than two products and a third."""
        values, last = self.values, self._last()
        if last is None:
            return None
        hidden = values.read_by(last)
        norm = values.norm_among([hidden])
        act, *up = self._factors(values.plain(values.norms[norm]) if norm else hidden)
        source, steps = self._behind(act)
        if len(source) != 1 or not all(map(values.is_flat, (*source, *up))):
            return None
        if up and self._behind(up[0])[0] != up:
            return None
        if not all(map(self._is_first, (*source, *up))):
            return None
        given = {"up": (up or source)[0], "gate": source[0] if up else "", "act": act}
        paths = [values.layer_of(name).module for name in (*source, *up)]
        return FeedPart(
            **{name: values.place(one) if one else None for name, one in given.items()},
            hidden=values.place(hidden),
            name=_activation(steps),
            path=_common([*paths, last.module]),
            **self._around(),
        )

    def _is_first(self, result: str) -> bool:
        """Whether a product reads the stream or its norm."""
        values = self.values
        read = values.read_by(values.layer_of(result))
        return values.same(read) == values.same(self.one.norm or self.one.before)

    def _factors(self, hidden: str) -> list[str]:
        """A value, or what it is the product of: what went through an activation, and the other."""
        node = self.values.by_name.get(hidden)
        if len(self._behind(hidden)[0]) != 2 or kind(node) != "mul" or len(node.reads) != 2:
            return [hidden]
        sides = map(self.values.plain, node.reads)
        return sorted(sides, key=lambda one: len(self._behind(one)[1]), reverse=True)

    def _behind(self, name: str) -> tuple[list[str], list[str]]:
        """The results of layers that a value is made of, and the operations on the way there."""
        values, found, steps, queue = self.values, {}, [], [name]
        while queue:
            name = values.plain(queue.pop(0))
            if name in found or name not in values.by_name:
                continue
            found[name] = values.layer_of(name) in self.layers
            if not found[name]:
                node = values.by_name[name]
                steps.append(kind(node))
                queue += [read for read in values.tensors(node) if read in values.text]
        return [name for name, is_result in found.items() if is_result], steps

    # ---- others
    def box(self) -> Box:
        """Any other part."""
        own = self.values.above[self.one.update] & ~self.values.above[self.one.before]
        kinds = {kind(node) for node in self.values.nodes if own & self.values.bits[node.name]}
        kinds -= {"_softmax"} if self.one.attends is None else set()
        name = next((name for one, name in BOXES.items() if one in kinds), "layer")
        path = _common([layer.module for layer in self.layers])
        return Box(name=name, path=path, **self._around())


def scaled(values: Values, found: Attention) -> dict[str, object]:
    """What the scores are divided by, how they are capped, what is added until the softmax."""
    scale, cap, added = 1.0, None, []
    name = values.by_name[found.softmax].reads[0]
    while name != found.scores:
        node = values.by_name[name]
        inside = next(read for read in node.reads if values.made_of(read, found.scores))
        others = [one for one in node.arguments if one not in ({"value": inside}, None)]
        number = values.number_of(others[0]) if others else None
        if kind(node) in ("div", "mul") and number is not None:
            scale *= number if kind(node) == "div" else 1 / number
        elif kind(node) == "tanh":
            scale, cap = 1.0, 1 / scale
        elif kind(node) in ("add", "where", "masked_fill"):
            added += [one for one in node.reads if one != inside and values.shapes[one]]
        name = inside
    scale = scale if cap is None else scale / cap
    mask, *others = *added, ""
    return {"mask": mask, "added": tuple(filter(None, others)), "scale": scale, "cap": cap}


def _activation(steps: list[str]) -> str:
    kinds = set(steps) - ASIDE
    tries = (" ".join(sorted(one)) for one in (kinds, kinds - {"mul"}))
    return next((ACTIVATIONS[one] for one in tries if one in ACTIVATIONS), "activation")


def _common(paths: list[str]) -> str:
    """The module that all of them are in, or are."""
    common = []
    for parts in zip(*(path.split(".") for path in paths), strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return ".".join(common)
