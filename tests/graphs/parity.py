"""Operations of torch and those of the page, on the same arguments."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

FORMS = {torch.float32: "float32", torch.bool: "uint8"}
KINDS = {torch.float32: "float", torch.bool: "truth"}  # all others are whole
HOLDERS = {"float": "Float32Array", "whole": "Float64Array", "truth": "Uint8Array"}
LAYOUTS = ("dense", "permuted", "sliced", "flipped")


@dataclass(frozen=True)
class Case:
    """A call of one of torch's core operations, by the name that a graph has for it."""

    op: str
    args: tuple
    dtype: torch.dtype | None = None
    results: int | None = None  # how many are compared, all if None

    @cached_property
    def expected(self) -> list[Tensor]:
        function = _function(self.op)
        named = [one.name for one in function._schema.arguments if one.kwarg_only]
        places = len(function._schema.arguments) - len(named)
        given = dict(zip(named, self.args[places:], strict=False))
        if self.dtype is not None:
            given["dtype"] = self.dtype
        result = function(*self.args[:places], **given)
        found = list(result) if isinstance(result, list | tuple) else [result]
        return found[: self.results]

    def __str__(self):
        return f"{self.op} of {[_seen(one) for one in self.args]}"


def _seen(one):
    if isinstance(one, list):
        return [_seen(each) for each in one]
    return tuple(one.shape) if isinstance(one, Tensor) else one


def _function(op: str):
    if op.startswith("seqviz."):
        return getattr(torch.ops.seqviz, op.removeprefix("seqviz.")).default
    name, _, overload = op.partition(".")
    return getattr(getattr(torch.ops.aten, name), overload or "default")


class Graph:
    """What travels of one operation, all its tensors as weights in some layout."""

    def __init__(self, op: str, kind: str, layout: str = "dense"):
        self.numbers, self.weights, self.nodes, self.layout = bytearray(), [], [], layout
        self.op, self.kind = op, kind

    def told(self, args: tuple) -> dict:
        given = [self.argument(one) for one in args]
        self.node("out", self.op, given, self.kind)
        return {
            "version": 1,
            "inputs": [],
            "output": [],
            "weights": self.weights,
            "nodes": self.nodes,
        }

    def node(self, name: str, op: str, args: list, kind: str) -> dict:
        self.nodes.append(
            {"name": name, "op": op, "args": args, "kind": kind, "module": "net.part"}
        )
        return {"value": name}

    def argument(self, value):
        if isinstance(value, Tensor):
            return self.laid_out(value)
        if isinstance(value, list | tuple):
            return [self.argument(one) for one in value]
        if isinstance(value, float) and not math.isfinite(value):
            return {"number": str(value)}
        return value

    def laid_out(self, value: Tensor) -> dict:
        """A node that gives a tensor whose numbers lie in another order, or apart."""
        if self.layout == "dense" or not value.dim():
            return self.weight(value)
        axes = list(range(value.dim()))[::-1]
        kind = KINDS.get(value.dtype, "whole")
        if self.layout == "permuted":
            stored, op, args = value.permute(axes), "permute", [axes]
        elif self.layout == "sliced":
            stored = torch.stack([torch.ones_like(value), value], dim=-1).flatten(-2)
            op, args = "slice.Tensor", [-1, 1, None, 2]
        else:
            stored, op, args = value.flip(axes), "flip", [axes]
        return self.node(f"given_{len(self.nodes)}", op, [self.weight(stored), *args], kind)

    def weight(self, value: Tensor) -> dict:
        name = f"weight_{len(self.weights)}"
        form = FORMS.get(value.dtype, "float64")
        self.numbers += b"\0" * (-len(self.numbers) % 8)
        start, kind = len(self.numbers), KINDS.get(value.dtype, "whole")
        shape = list(value.shape)
        self.weights.append(
            {"name": name, "kind": kind, "shape": shape, "form": form, "start": start}
        )
        self.numbers += value.contiguous().numpy().astype(form).tobytes()
        return {"value": name}


# Runs graphs of one operation each; gives shape, kind and numbers of its results, or its error.
RUN = """async graphs => {
    const seen = a => a instanceof Tensor
        ? [a.shape, a.values.constructor.name, Array.from(flat(a))]
        : Array.isArray(a) ? a.map(seen) : a;
    const found = [];
    for (const {told, numbers} of graphs) {
        try {
            const {kept} = await run(load(told, numbers.buffer), {}, {keep: ['out']});
            found.push(seen(told.nodes.at(-1).lists ? kept.out : [kept.out]));
        } catch (error) {
            found.push(error.message);
        }
    }
    return found;
}"""


def wrong(script, cases: Sequence[Case]) -> str:
    """What differs in any layout, in lines."""
    tries = [(case, layout) for case in cases for layout in LAYOUTS]
    graphs = [graph_of(case, layout) for case, layout in tries]
    found = script("shared/graph/running.js", RUN, graphs)
    return "\n".join(
        f"{case}, {layout}: {difference}"
        for (case, layout), one in zip(tries, found, strict=True)
        for difference in differences(case, one)
    )


def graph_of(case: Case, layout: str = "dense") -> dict:
    kind = KINDS.get(case.expected[0].dtype, "whole")
    graph = Graph(case.op, kind, layout)
    told = graph.told(case.args)
    several = len(case.expected) > 1 or case.results is not None or "split" in case.op
    told["nodes"][-1]["lists"] = several
    return {"told": told, "numbers": bytes(graph.numbers)}


def differences(case: Case, found) -> Iterator[str]:
    """In what the page's results differ from torch's."""
    if isinstance(found, str):
        yield found
        return
    for expected, (shape, holder, numbers) in zip(case.expected, found, strict=True):
        kind = KINDS.get(expected.dtype, "whole")
        if shape != list(expected.shape):
            yield f"shape {shape}, expected {list(expected.shape)}"
        elif holder != HOLDERS[kind]:
            yield f"numbers in {holder}, expected {kind}"
        elif not _equal(np.array(numbers), expected.flatten().double().numpy(), kind):
            yield f"{numbers[:8]}, expected {expected.flatten()[:8].tolist()}"


def _equal(found: np.ndarray, expected: np.ndarray, kind: str) -> bool:
    close = (1e-6, 1e-6) if kind == "float" else (0, 0)
    return np.allclose(found, expected, *close, equal_nan=True)
