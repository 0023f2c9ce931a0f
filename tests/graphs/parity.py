"""Operations of torch and those of the page, on the same arguments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch._ops import OpOverload

from seqviz.graphs.packing import _placed
from seqviz.graphs.programs import BESIDE, _plain, kind_of

FORMS = {"float": "float32", "whole": "float64", "truth": "uint8"}
HOLDERS = {"float": "Float32Array", "whole": "Float64Array", "truth": "Uint8Array"}
LAYOUTS = ("dense", "permuted", "sliced", "flipped")
FIRST = ("norm", "pool")  # of these operations only the first result is made


@dataclass(frozen=True)
class Case:
    """A call of one of torch's core operations, by the name that a graph has for it."""

    op: str
    args: tuple
    dtype: torch.dtype | None = None

    @cached_property
    def function(self) -> OpOverload:
        name, _, overload = self.op.partition(".")
        room = torch.ops.aten if name != "seqviz" else torch.ops
        function = getattr(getattr(room, name), overload or "default")
        return function if room is torch.ops.aten else function.default

    @property
    def whole(self) -> list:
        """The arguments as a graph has them: those that are left out have their defaults."""
        rest = self.function._schema.arguments[len(self.args) :]
        return [*self.args, *(one.default_value for one in rest if one.name not in BESIDE)]

    @cached_property
    def expected(self) -> Tensor | list[Tensor]:
        function = self.function
        named = [one.name for one in function._schema.arguments if one.kwarg_only]
        places = len(function._schema.arguments) - len(named)
        given = dict(zip(named, self.args[places:], strict=False))
        given |= {} if self.dtype is None else {"dtype": self.dtype}
        found = function(*self.args[:places], **given)
        if isinstance(found, Tensor):
            return found
        return list(found[:1] if any(part in self.op for part in FIRST) else found)

    def __str__(self):
        return f"{self.op}{_seen(self.args)}"


def _seen(one):
    if isinstance(one, list | tuple):
        return type(one)(_seen(each) for each in one)
    return [*one.shape] if isinstance(one, Tensor) else one


def wrong(script, cases: Sequence[Case]) -> str:
    """What differs from torch, in any layout of the arguments, in lines."""
    tries = [(case, layout) for case in cases for layout in LAYOUTS]
    graphs = [Graph(case, layout).sent for case, layout in tries]
    found = script("shared/graph/running.js", RUN, graphs)
    return "\n".join(
        f"{case}, {layout}: {difference}"
        for (case, layout), one in zip(tries, found, strict=True)
        for difference in _differences(case.expected, one)
    )


# Runs graphs of one operation each; gives shape, kind and numbers of its results, or its error.
RUN = """async graphs => {
    const seen = a => Array.isArray(a)
        ? a.map(seen)
        : {shape: a.shape, holder: a.values.constructor.name, numbers: Array.from(flat(a))};
    const result = ({told, numbers}) =>
        run(load(told, numbers.buffer), {}, {keep: ['out']}).then(({kept}) => seen(kept.out));
    return Promise.all(graphs.map(one => result(one).catch(error => error.message)));
}"""


class Graph:
    """What travels of one operation: its tensors are weights, laid out in some way."""

    def __init__(self, case: Case, layout: str):
        self.numbers, self.weights, self.nodes, self.layout = bytearray(), [], [], layout
        first = case.expected if isinstance(case.expected, Tensor) else case.expected[0]
        self._node("out", case.op, self._argument(case.whole), first)
        told = {"weights": self.weights, "nodes": self.nodes, "inputs": [], "output": []}
        self.sent = {"told": {"version": 1, **told}, "numbers": bytes(self.numbers)}

    def _node(self, name: str, op: str, args: list, given: Tensor) -> dict:
        told = {"name": name, "op": op, "args": args, "kind": kind_of(given.dtype), "module": ""}
        self.nodes.append(told)
        return {"value": name}

    def _argument(self, value):
        if isinstance(value, Tensor):
            return self._laid_out(value)
        if isinstance(value, list | tuple):
            return [self._argument(one) for one in value]
        return _plain(value)

    def _laid_out(self, value: Tensor) -> dict:
        """A node that gives a tensor whose numbers lie in another order, or apart."""
        axes = list(range(value.dim()))[::-1]
        if self.layout == "dense" or not axes:
            return self._weight(value)
        if self.layout == "permuted":
            stored, op, args = value.permute(axes), "permute", [axes]
        elif self.layout == "sliced":
            stored = torch.stack([torch.ones_like(value), value], dim=-1).flatten(-2)
            op, args = "slice.Tensor", [-1, 1, None, 2]
        else:
            stored, op, args = value.flip(axes), "flip", [axes]
        return self._node(str(len(self.nodes)), op, [self._weight(stored), *args], value)

    def _weight(self, value: Tensor) -> dict:
        name, kind = f"weight {len(self.weights)}", kind_of(value.dtype)
        told = {"name": name, "kind": kind, "form": FORMS[kind], "shape": [*value.shape]}
        self.weights.append(told | _placed(value, FORMS[kind], self.numbers))
        return {"value": name}


def _differences(expected, found) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(expected, list):
        for one, other in zip(expected, found, strict=True):
            yield from _differences(one, other)
    elif found["shape"] != [*expected.shape]:
        yield f"shape {found['shape']}, expected {[*expected.shape]}"
    elif found["holder"] != HOLDERS[kind_of(expected.dtype)]:
        yield f"numbers in {found['holder']}, expected {kind_of(expected.dtype)}"
    else:
        numbers = expected.flatten().double().numpy()
        close = 1e-6 if expected.is_floating_point() else 0
        if not np.allclose(found["numbers"], numbers, close, close, equal_nan=True):
            yield f"{found['numbers'][:8]}, expected {numbers[:8].tolist()}"
