"""What an anatomy says of a graph, compared with the numbers of a run."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from seqviz.graphs import Graph
from seqviz.graphs.parts import Anatomy, AttentionPart, FeedPart, Part, Place, Stream

HIDDEN = -5e3  # scores below are masked, as some models do with -1e4
EPSILONS = (1e-12, 1e-8, 1e-6, 1e-5)
FUNCTIONS = {
    "GELU": (functional.gelu, lambda x: functional.gelu(x, approximate="tanh")),
    "ReLU": (functional.relu,),
    "ReLU²": (lambda x: functional.relu(x) ** 2,),
    "SiLU": (functional.silu, lambda x: x * torch.sigmoid(1.702 * x)),
    "tanh": (torch.tanh,),
    "sigmoid": (torch.sigmoid,),
    "no activation": (lambda x: x,),
}


def faults(graph: Graph, anatomy: Anatomy, inputs: Sequence[Tensor]) -> list[str]:
    """Everything that an anatomy says and that is not so in a run, in words."""
    names = [node.name for node in graph.nodes if node.shape]
    values = graph.run(inputs, keep=names)[1]
    run = Run(graph, values | dict(zip(graph.inputs, inputs, strict=True)))
    found = [fault for stream in anatomy.streams for fault in run.of_stream(stream)]
    parts = [one for stream in anatomy.streams for block in stream.blocks for one in block.parts]
    attentions = [one for one in parts if isinstance(one, AttentionPart)]
    if {one.attention for one in attentions} != set(range(len(graph.roles.attentions))):
        found.append(f"{len(attentions)} of {len(graph.roles.attentions)} attentions are there")
    if (len(anatomy.streams) > 1) != any(one.cross for one in attentions):
        found.append(f"{len(anatomy.streams)} streams")
    if anatomy.logits is not None:
        last = anatomy.streams[-1].last
        found += [] if run.products(run.at(last)) else ["last: no product reads it"]
    return found


class Run:
    """The values of a run."""

    def __init__(self, graph: Graph, values: dict[str, Tensor]):
        self.graph, self.values = graph, values | dict(graph.weights)

    def at(self, place: Place) -> Tensor:
        """A value as (token, number), or (head, token, number)."""
        axes = [one for one in (place.head, place.token, place.number) if one is not None]
        value = self.values[place.node].double()
        rest = [axis for axis in range(value.dim()) if axis not in axes]
        assert all(value.shape[axis] == 1 for axis in rest), f"{place}: {tuple(value.shape)}"
        return value.permute(*axes, *rest).reshape([value.shape[axis] for axis in axes])

    def products(self, operand: Tensor) -> list[Tensor]:
        """What products give that read a value; a convolution of one token at a time is one."""
        found = []
        for node in self.graph.nodes:
            name = {"mm": 0, "addmm": 1, "bmm": 0, "convolution": 0}.get(node.op)
            if name is not None:
                read = self.values[node.arguments[name]["value"]]
                if node.op == "convolution":
                    read = read.mT
                if read.numel() == operand.numel() and alike(read.flatten(), operand.flatten()):
                    result = self.values[node.name].double()
                    found.append(result.mT if node.op == "convolution" else result)
        return found

    # ---- streams
    def of_stream(self, stream: Stream) -> Iterator[str]:
        """What is wrong in a stream."""
        parts = [part for block in stream.blocks for part in block.parts]
        total = sum(self.at(one.place) for one in stream.embedded)
        read = self.at(stream.norm or stream.start)
        if not (normalises(total, read) if stream.norm else alike(total, read)):
            yield "the embeddings' sum is not what is read"
        if not alike(self.at(stream.start), self.at(parts[0].before)):
            yield "start is not what the first part reads"
        for one, later in pairwise(parts):
            ends = [one.before, one.after, one.post]  # before: of parts side by side
            if not any(end and goes_on(self.at(end), self.at(later.before)) for end in ends):
                yield f"{later.path} does not go on with {one.path}"
        if not alike(self.at(stream.end), self.at(parts[-1].post or parts[-1].after)):
            yield "end is not the end"
        for k, part in enumerate(parts):
            for fault in self.of_part(part, parts):
                side = f"{stream.side} " * bool(stream.side)
                yield f"{side}part {k}, {part.path}: {fault}"

    def of_part(self, part: Part, parts: list[Part]) -> Iterator[str]:
        """What is wrong in a part."""
        before, after = self.at(part.before), self.at(part.after)
        beside = [one for one in parts if one.after == part.after]
        updates = sum(self.at(one.update) for one in beside)
        if not alike(before + updates, after) and part.update != part.after:
            yield "before + update is not after"
        if part.post and not normalises(after, self.at(part.post)):
            yield "post is not the norm of after"
        befores = [part.before, *(one.before for one in parts if one.after == part.before)]
        if part.norm and not any(normalises(self.at(one), self.at(part.norm)) for one in befores):
            yield "norm is not the norm of before"
        if isinstance(part, AttentionPart):
            yield from self.of_attention(part)
        if isinstance(part, FeedPart):
            yield from self.of_feed(part)

    def made(self, part: Part, results: list[Tensor]) -> bool:
        """Whether an update is one of the results of products, perhaps scaled or normalised."""
        update = self.at(part.update)
        results = [one.reshape(update.shape) for one in results if one.numel() == update.numel()]
        return any(fits(one[..., None], update) or normalises(one, update) for one in results)

    def at_maps(self, part: AttentionPart, name: str) -> Tensor:
        """A map as (head, query, key), or (query, key)."""
        maps = part.maps
        axes = [one for one in (maps.head, maps.query, maps.key) if one is not None]
        value = self.values[name].double()
        value = value.reshape((1,) * (self.values[part.softmax].dim() - value.dim()) + value.shape)
        rest = [axis for axis in range(value.dim()) if axis not in axes]
        return value.permute(*axes, *rest).reshape([value.shape[axis] for axis in axes])

    def of_attention(self, part: AttentionPart) -> Iterator[str]:
        """What is wrong in an attention."""
        query, key, value, context = map(self.at, (part.query, part.key, part.value, part.context))
        scores, weights = (self.at_maps(part, name) for name in (part.scores, part.weights))
        if part.heads != (1 if query.dim() == 2 else query.shape[0]):
            yield f"{part.heads} heads, but queries {tuple(query.shape)}"
        if query.shape[-1] != key.shape[-1] or not alike(query @ key.mT, scores):
            yield "query @ key is not scores"
        if not alike(weights @ value, context):
            yield "weights @ value is not the context"
        joined = context if part.heads == 1 else context.transpose(0, 1).flatten(1)
        if not self.made(part, self.products(self.at(part.into) if part.into else joined)):
            yield "no product of the context gives the update"
        masked, softmax = self.values[part.masked], self.values[part.softmax]
        scaled, seen = self.values[part.scores] / part.scale, masked > HIDDEN
        scaled = scaled if part.cap is None else part.cap * torch.tanh(scaled / part.cap)
        for name in (*part.added, *filter(None, [part.mask])):
            scaled = scaled + self.values[name] * (self.values[name].dtype != torch.bool)
        same = scaled.numel() == masked.numel()  # with other axes of length 1
        scaled = scaled.reshape(masked.shape) if same else scaled.expand_as(masked)
        if not alike(scaled[seen], masked[seen]):
            yield "scores / scale + mask is not masked"
        if part.sinks != (softmax.shape[-1] > masked.shape[-1]):
            yield "sinks"
        softmax = softmax[..., : masked.shape[-1]]
        rest = softmax.sum(-1, keepdim=True) if part.sinks else 1  # what sinks leave over
        if not alike(masked.softmax(-1) * rest, softmax):
            yield "softmax(masked) is not softmax"
        if not alike(softmax, self.values[part.weights]):
            yield "weights are not the softmax"

    def of_feed(self, part: FeedPart) -> Iterator[str]:
        """What is wrong in a feed-forward layer."""
        up, act, hidden = map(self.at, (part.up, part.act, part.hidden))
        source = self.at(part.gate) if part.gate else up
        functions = FUNCTIONS.get(part.name, ())
        if functions and not any(alike(function(source), act) for function in functions):
            yield f"act is not {part.name}({'gate' if part.gate else 'up'})"
        made = act * up if part.gate else act
        if not (alike(made, hidden) or normalises(made, hidden)):
            yield "hidden is not act * up" if part.gate else "hidden is not act"
        if not self.made(part, self.products(hidden)):
            yield "no product of hidden gives the update"
        read = self.at(part.norm or part.before)
        for name, one in {"up": up, "gate": source}.items():
            if not any(within(one, result) for result in self.products(read)):
                yield f"{name} is no product of what is read"


def alike(one: Tensor, other: Tensor) -> bool:
    """Whether two values are the same, but for rounding."""
    if one.shape != other.shape:
        return False
    one, other = one.double(), other.double()
    return torch.allclose(
        one,
        other,
        atol=1e-5 * max(1, other.abs().nan_to_num(0, 0, 0).max().item()),
        rtol=1e-5,
        equal_nan=True,
    )


def goes_on(one: Tensor, other: Tensor) -> bool:
    """Whether a value is another one, or the other times a number."""
    return alike(one * (other.norm() / one.norm()), other)


def within(part: Tensor, whole: Tensor) -> bool:
    """Whether columns are some of another value's, side by side."""
    width = part.shape[-1]
    whole = whole.reshape(-1, whole.shape[-1])
    return any(alike(part, whole[:, k : k + width]) for k in range(0, whole.shape[1] - width + 1))


def normalises(x: Tensor, norm: Tensor) -> bool:
    """Whether one value is the layer norm of another, or x over its root mean square."""
    ones, centred = torch.ones_like(x), x - x.mean(-1, keepdim=True)
    return x.shape == norm.shape and any(
        fits(torch.stack(terms, -1), norm)
        for eps in EPSILONS
        for terms in (
            (centred / (centred.pow(2).mean(-1, keepdim=True) + eps).sqrt(), ones),
            (x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt(),),
        )
    )


def fits(terms: Tensor, wanted: Tensor) -> bool:
    """Whether in each column numbers are the same sum of multiples of terms, for all tokens."""
    terms, wanted = terms.transpose(0, 1), wanted.transpose(0, 1)[..., None]
    found = torch.linalg.lstsq(terms, wanted).solution
    return torch.allclose(terms @ found, wanted, atol=1e-4, rtol=1e-4)
