"""The stream of a model while it runs: what its first block reads, and what each block gives."""

import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial

import torch
from torch import Tensor, nn
from torch.utils.weak import WeakTensorKeyDictionary

from seqviz.blocks import Stack, stacks_of
from seqviz.recording.inside import COMPILING
from seqviz.recording.stand_in import recomputing
from seqviz.recording.tensors import tensors_in

EMBEDDINGS = "embeddings"
_instead_of = WeakTensorKeyDictionary()  # what replaces a stream, and that
_watching: set[int] = set()  # hooks of blocks


@dataclass(frozen=True)
class State:
    """The stream at one place of a stack.

    Attributes
    ----------
    stack : str
        The path of the list of blocks.
    block : str
        The path of the block that gives it, or reads it.
    layer : int
        The number of the block's call in this pass; -1 for what the first block reads.
    rows : Tensor
        (batch, time, unit), or more axes behind; a view of the tensor that runs.
    """

    stack: str
    block: str
    layer: int
    rows: Tensor


class Watcher(ABC):
    """Is told of the states of a model's streams, and of the ends of passes through its blocks."""

    @abstractmethod
    def state(self, at: State) -> Tensor | None:
        """Return rows with which the run goes on, or None for those that are there."""

    def ended(self, stack: str) -> None:  # noqa: B027
        """Hear that a pass through a stack has ended, or that one begins."""

    def broken(self, stack: str, why: str) -> None:  # noqa: B027
        """Hear that what the modules of a list give is no stream; of these no more is told."""


@dataclass
class Pass:
    """One pass through a stack, as far as it has come."""

    stack: Stack
    watcher: Watcher
    given: tuple[
        int, ...
    ] = ()  # sizes of what the owner was given: batch and time, or time and batch
    calls: int = 0
    began: bool = False
    within: bool = False  # an owner runs
    ran: set[str] = field(default_factory=set)
    shapes: list[tuple[int, ...]] = field(default_factory=list)  # of what running blocks read
    numbers: dict[str, int] = field(default_factory=dict)  # of the last call of each block
    last: tuple[str, Tensor] | None = None  # the block that ran last, and what it gave
    kinds: dict[type, bool] = field(default_factory=dict)  # whether such modules give a stream
    is_stream: bool = True
    odd: dict[str, str] = field(default_factory=dict)
    thread: int | None = None  # in which an owner runs

    def begin(self, module: nn.Module, args: tuple, kwargs: dict) -> None:
        """Start anew: the module that calls the blocks is called."""
        self._check_thread()
        self.thread = threading.get_ident()
        first = next(tensors_in((args, kwargs)), None)
        self.end()
        self.given, self.within = () if first is None else tuple(first.shape[:2]), True
        self.began = True

    def _check_thread(self) -> None:
        if self.thread not in (None, threading.get_ident()) and not recomputing():
            raise ValueError(
                f"model: another thread runs {self.stack.path!r} while its states are patched or "
                "recorded: run one after the other, or give each thread copy.deepcopy(model)"
            )

    def left(self, *_) -> None:
        """Let another thread run it, also after an error."""
        self.thread = None if self.thread == threading.get_ident() else self.thread

    def end(self, *_) -> None:
        """End: the next block that runs is the first."""
        self.calls, self.within, self.last = 0, False, None
        self.ran.clear()
        self.shapes.clear()
        if self.is_stream:
            self.watcher.ended(self.stack.path)

    def read(self, path: str, module: nn.Module, args: tuple, kwargs: dict) -> tuple | None:
        """Tell what a block reads, if it is the first."""
        self._check_thread()
        if path in self.ran and not self.within:  # a loop of the user's own
            self.end()
        stream = _first((args, kwargs))
        self.shapes.append(() if stream is None else tuple(stream.shape))
        if self.last and not recomputing() and not _follows(stream, self.last[1]):
            self._broken(path, module, f"reads something else than {self.last[0]!r} gave")
        if stream is None or self._number(path):
            return None
        changed = self._told(path, module, stream, -1)
        return None if changed is None else _replaced((args, kwargs), stream, changed)

    def gave(self, path: str, module: nn.Module, args: tuple, output: object) -> object:
        """Tell what a block gives, if that is a stream of the shape that it read."""
        if not self.shapes:  # another thread's run, which began before
            return None
        stream, shape = _first(output), self.shapes.pop()
        fits = stream is not None and tuple(stream.shape) == shape and len(shape) > 1
        alike = self.kinds.setdefault(type(module), fits) == fits
        if not (fits and alike):
            gives = "no numbers" if stream is None else str(tuple(stream.shape))
            why = f"gives {gives} for {shape or 'none'}"
            self._broken(path, module, why, tell=not alike)
            return None
        self.numbers[path] = number = self._number(path)
        self.ran.add(path)
        self.calls = number + 1
        changed = self._told(path, module, stream, number)
        self.last = path, stream
        return None if changed is None else _replaced(output, stream, changed)

    def _broken(self, path: str, module: nn.Module, why: str, tell: bool = True) -> None:
        self.odd[path] = why = f"{path!r} ({type(module).__name__}) {why}"
        if tell and self.is_stream:
            self.is_stream = False
            self.watcher.broken(self.stack.path, why)

    def _number(self, path: str) -> int:
        """The number of a block's call; what a checkpoint runs again has the number that it had."""
        return self.numbers.get(path, 0) if recomputing() else self.calls

    def _told(self, path: str, module: nn.Module, stream: Tensor, layer: int) -> Tensor | None:
        if not self.is_stream:
            return None
        rows, back = laid_out(stream, self.given, module)
        changed = self.watcher.state(State(self.stack.path, path, layer, rows))
        if changed is None:
            return None
        changed = back(changed)
        _instead_of[changed] = stream
        return changed


@contextmanager
def streaming(model: nn.Module, watcher: Watcher, first: bool = False) -> Iterator[list[Pass]]:
    """Tell a watcher of the streams of a model while the block runs.

    Parameters
    ----------
    model : nn.Module
    watcher : Watcher
    first : bool
        Whether to be told before those who watch already.
    """
    passes = [Pass(stack, watcher) for stack in stacks_of(model)]
    fast = torch.backends.mha.get_fastpath_enabled()
    compiling = any(name in sys.modules for name in COMPILING)
    handles = []
    try:
        torch.backends.mha.set_fastpath_enabled(False)  # runs a block without its hooks
        for one in passes:
            for owner in one.stack.owners.values():
                handles += [
                    owner.register_forward_pre_hook(one.begin, with_kwargs=True),
                    owner.register_forward_hook(one.end),
                    owner.register_forward_hook(one.left, always_call=True),
                ]
            for path, block in one.stack.blocks.items():
                read, gave = partial(one.read, path), partial(one.gave, path)
                before = block.register_forward_pre_hook(read, prepend=first, with_kwargs=True)
                behind = block.register_forward_hook(gave)
                if first:  # but after hooks of the user's own
                    hooks = block._forward_hooks
                    for number in [number for number in hooks if number in _watching]:
                        hooks[number] = hooks.pop(number)
                _watching.add(behind.id)
                handles += [before, behind]
        with torch.compiler.set_stance("force_eager") if compiling else nullcontext():
            yield passes
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
        for handle in handles:
            handle.remove()
            _watching.discard(handle.id)


def untold(model: nn.Module, passes: list[Pass]) -> str:
    """What is said of a model whose blocks cannot be told: what was found."""
    odd = [words for one in passes for words in one.odd.values()]
    lists = [repr(one.stack.path) for one in passes]
    found = "no list of modules that are made of others"
    if lists:
        found = f"{', '.join(lists)}, of which no module ran"
    if odd:
        found = "; ".join(odd[:3])
    return (
        f"model ({type(model).__name__}): its blocks cannot be told. They are modules of a list (a "
        "ModuleList, a Sequential, or numbered as block1, block2) that are called in order, and "
        f"give a stream (batch, time, unit) of the shape that they read; found {found}"
    )


def laid_out(stream: Tensor, given: tuple[int, ...], block: nn.Module):
    """Return a stream as a view (batch, time, ...), and what lays such rows out as it was.

    Time is first where the block says so as ``batch_first``, or where the model was given the two
    sizes the other way round.
    """
    if stream.dim() == 2:
        return stream.unsqueeze(0), lambda rows: rows.squeeze(0)
    place = next((k for k in range(stream.dim() - 2) if stream.shape[k : k + 2] == given), 0)
    if place:
        axes = (place, place + 1)
        return stream.movedim(axes, (0, 1)), lambda rows: rows.movedim((0, 1), axes)
    said = (vars(one).get("batch_first") for one in block.modules())
    says = next((one for one in said if isinstance(one, bool)), None)
    turned = tuple(stream.shape[:2]) == given[::-1] != given
    if says is False or (says is None and turned):
        return stream.transpose(0, 1), lambda rows: rows.transpose(0, 1)
    return stream, lambda rows: rows


def _follows(stream: Tensor | None, before: Tensor) -> bool:
    """Whether a stream is what a block gave, be it that hooks have replaced some of its states."""
    while stream is not None and stream is not before and stream in _instead_of:
        stream = _instead_of[stream]
    if stream is None or stream is before:
        return stream is before
    return stream.shape == before.shape and bool((stream == before).all(-1).any())


def _first(given: object) -> Tensor | None:
    """The first tensor of numbers that are no ids."""
    return next((one for one in tensors_in(given) if one.is_floating_point()), None)


def _replaced(given: object, old: Tensor, new: Tensor) -> object:
    """Arguments or an output with another tensor in one's place."""
    if given is old:
        return new
    if isinstance(given, Mapping):
        changed = {k: _replaced(one, old, new) for k, one in given.items()}
        return changed if type(given) is dict else type(given)(**changed)
    if isinstance(given, tuple | list):
        changed = [_replaced(one, old, new) for one in given]
        return type(given)(*changed) if hasattr(given, "_fields") else type(given)(changed)
    return given
