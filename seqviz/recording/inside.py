"""Which module runs, and who watches the weighted sums inside it."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.func import debug_unwrap

from seqviz.nn.recurrent import Recurrent
from seqviz.recording.axes import Axes, axes_of
from seqviz.recording.near_misses import Changed
from seqviz.recording.replay import leaving
from seqviz.recording.stand_in import StandIn
from seqviz.recording.tensors import tensors_in
from seqviz.recording.weighing import Weighing, WeightedSum

HEADS = ("num_heads", "n_heads", "n_head", "num_attention_heads", "nhead", "num_head", "heads", "h")


COMPILING = ("torch._dynamo", "torch.nn.attention.flex_attention")


class Watcher(Protocol):
    """Is told what happens inside a model, by the paths of its modules."""

    def entered(self, path: str) -> None:
        """Note that a module runs."""

    def saw(self, path: str, sum: WeightedSum, axes: Axes | None) -> Tensor:
        """Return the result of a weighted sum with which the run goes on."""

    def missed(self, path: str, change: Changed) -> None:
        """Hear why weights of a softmax are not those of a sum."""


@dataclass
class Call:
    """A watched module that runs: what it was given first, and what one inside it gave last."""

    inside: "Inside"
    given: Tensor | None
    last: Tensor | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of what it was given: at first batch and time, or time and batch."""
        return () if self.given is None else tuple(self.given.shape)


class Running(threading.local):
    """The watched modules that run in a thread, the innermost last."""

    def __init__(self):
        self.calls: list[Call] = []


_running = Running()


class Inside(StandIn):
    """Tells watchers what happens inside a module."""

    def __init__(self, module: nn.Module):
        super().__init__(module)
        self.watchers: dict[Watcher, str] = {}

    def __call__(self, *args, **kwargs) -> object:
        """Run `forward`; in the outermost module torch begins to show its functions."""
        if leaving():
            return self.forward(*args, **kwargs)
        tensors = list(tensors_in((args, kwargs)))
        if any(x.is_nested for x in tensors):
            raise ValueError(
                f"{type(self.module).__name__} is watched on padded input only, got a nested "
                "tensor: give nested.to_padded_tensor(0.0) and its key_padding_mask"
            )
        outermost, result = not _running.calls, None
        _running.calls.append(Call(self, tensors[0] if tensors else None))
        try:
            for watcher, path in self.watchers.items():
                watcher.entered(path)
            with Weighing(_saw, _missed) if outermost else nullcontext():
                result = self.forward(*args, **kwargs)
                return result
        finally:
            _running.calls.pop()
            if not outermost:
                _running.calls[-1].last = next(tensors_in(result), None)

    def leave(self, watcher: Watcher) -> None:
        """Watch no more; the last one who leaves restores the forward."""
        self.watchers.pop(watcher, None)
        if not self.watchers:
            self.step_aside()


def watchable(model: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Modules in which attention can be seen, with their paths."""
    for path, module in model.named_modules():
        closed = isinstance(module, Recurrent | nn.RNNBase | torch.jit.ScriptModule)
        if not closed and type(module).forward is not nn.Module.forward:
            yield path, module


@contextmanager
def watched(model: nn.Module, watcher: Watcher) -> Iterator[None]:
    """Tell a watcher of all that happens in a model's modules while the block runs.

    What torch.compile has compiled runs uncompiled: compiled, it shows nothing.
    """
    insides = []
    compiling = any(name in sys.modules for name in COMPILING)
    try:
        for path, module in watchable(model):
            inside = vars(module).get("forward")
            if not isinstance(inside, Inside):
                inside = Inside(module)
            inside.watchers[watcher] = path
            insides.append(inside)
        with torch.compiler.set_stance("force_eager") if compiling else nullcontext():
            yield
    finally:
        for inside in insides:
            inside.leave(watcher)


def _saw(sum: WeightedSum) -> Tensor:
    """Name the axes of a sum, and tell those who watch the innermost module."""
    inside, sizes, heads = _running.calls[-1].inside, _running.calls[-1].sizes, None
    for call in reversed(_running.calls):
        if heads := _heads(call.inside.module):
            sizes = call.sizes
            break
    own = (
        debug_unwrap(x).untyped_storage().data_ptr()
        for x in (*inside.module.parameters(), *inside.module.buffers())
    )
    stored = debug_unwrap(sum.values).untyped_storage().data_ptr() in set(own)
    axes = axes_of(sum, heads, sizes[:2], stored, [call.sizes for call in _running.calls])
    if axes is not None and axes.blocks > 1:
        axes = replace(axes, cuts=tuple(_cuts(axes.blocks)))
    for watcher, path in list(inside.watchers.items()):
        sum = replace(sum, result=watcher.saw(path, sum, axes))
    return sum.result


def _cuts(blocks: int) -> Iterator[tuple[Tensor, Tensor]]:
    """What the running modules had that may be cut into blocks, and the blocks; of one item."""
    for k, inner in enumerate(_running.calls):
        parts = inner.given
        for outer in reversed(_running.calls[:k]):
            for whole in (outer.last, outer.given):
                if parts is None or whole is None or parts.dim() != 3 or whole.dim() not in (3, 4):
                    continue
                if parts.shape[-1] == whole.shape[-1] and len(parts) == blocks * len(whole):
                    yield whole[0].flatten(0, -2), parts[:blocks]


def _missed(change: Changed) -> None:
    """Tell those who watch the innermost module what became of a softmax."""
    inside = _running.calls[-1].inside
    for watcher, path in list(inside.watchers.items()):
        watcher.missed(path, change)


def _heads(module: nn.Module) -> int | None:
    """How many heads a module, or its config, says it has."""
    own = vars(module)
    config = getattr(own.get("config"), "__dict__", {})
    numbers = (said.get(name) for said in (own, config) for name in HEADS)
    return next((n for n in numbers if isinstance(n, int) and n > 0), None)
