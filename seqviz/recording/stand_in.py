"""What stands in place of a module's forward while it is recorded."""

import sys
from collections.abc import Callable
from functools import cached_property
from inspect import Signature, signature
from types import FrameType

import torch
from torch import Tensor, nn
from torch.utils.module_tracker import ModuleTracker

from seqviz.recording.named_array import NamedArray
from seqviz.recording.records import Record

OWN = ("seqviz", "torch", "transformers", "transformers_modules", "contextlib")
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}
_tracker = ModuleTracker()


class StandIn:
    """Stands in place of a module's `forward` while it is recorded.

    A copy of the model, deep or pickled, has the forward itself: a copy is not recorded.

    Parameters
    ----------
    module : nn.Module
    forward : callable
        What it ran before.
    rec : Record
        Where to keep what happens.
    path : str
        The module's path in the model.
    """

    def __init__(self, module: nn.Module, forward: Callable, rec: Record, path: str):
        self.module, self.forward, self.rec, self.path = module, forward, rec, path

    def __reduce__(self) -> tuple:
        return itself, (self.forward,)

    @staticmethod
    def kinds(module: nn.Module) -> tuple[str, ...]:
        """Which arrays a record of this module has."""
        return ()

    def keep(self, kind: str, call: NamedArray, along: str | None = None) -> None:
        """Append an array to the record, or go on with the last one along an axis."""
        self.rec.keep(kind, self.path, call, users_level(), along)

    @property
    def name(self) -> str:
        """The module, for a message."""
        return f"module {self.path!r} ({type(self.module).__name__})"

    @cached_property
    def signature(self) -> Signature:
        """What the forward takes."""
        return signature(self.forward)

    def arguments(self, expected: Signature, args: tuple, kwargs: dict) -> dict:
        """Name what the module is called with as the forward of its base class does.

        Raises
        ------
        TypeError
            If the module does not take this, or the base class does not.
        """
        try:
            self.signature.bind(*args, **kwargs)
        except TypeError as error:
            takes = ", ".join(self.signature.parameters)
            raise TypeError(f"{self.name} takes {takes}: {error}") from error
        try:
            given = expected.bind(self.module, *args, **kwargs)
        except TypeError as error:
            raise self.foreign(str(error)) from error
        given.apply_defaults()
        _, *names = given.arguments
        return {name: given.arguments[name] for name in names}

    def runs(self, forward: Callable) -> bool:
        """Whether the module's forward is this function."""
        return getattr(self.forward, "__func__", None) is forward

    def check_device(self, device: torch.device, drops: str) -> None:
        """Refuse dropout of which a second run cannot draw the same again."""
        if device.type != "cpu":
            raise ValueError(
                f"{self.name} drops {drops}, and only on the CPU the same ones can be drawn "
                "again: call model.eval(), or model.cpu(), to record the run"
            )

    def pair(self, results: object) -> tuple:
        """Check that the forward gave two things."""
        if not isinstance(results, tuple) or len(results) != 2:
            raise self.foreign(f"it gives a {type(results).__name__}, not a pair")
        return results

    def foreign(self, what: str) -> TypeError:
        """Say that a derived class has another kind of forward than the class it derives from."""
        return TypeError(
            f"the forward of {self.name} does not take and give what that of its base class does: "
            f"{what}. Put the base class inside a module of your own and record that"
        )


def itself(forward: Callable) -> Callable:
    """Give back what a copied or unpickled stand-in stood in place of."""
    return forward


def recomputing() -> bool:
    """Whether a backward pass runs: what a checkpoint runs again in it has been recorded."""
    return _tracker.is_bw


def gap(one: Tensor, other: Tensor, times: float = 1.0) -> str:
    """Say by how much two results differ, as in "1.0e-04, more than 1e-05"; "" if they agree.

    What passed through numbers larger than these by so many `times` may differ by as much more.
    """
    tolerance = TOLERANCE.get(one.dtype, 1e-2) * times
    size = max(1.0, other.abs().max().item()) if other.numel() else 1.0  # a ReLU net's states
    apart = (one - other).abs().max().item() if other.numel() else 0.0
    if apart <= tolerance * size:
        return ""
    if torch.allclose(one, other, rtol=tolerance, atol=tolerance * size, equal_nan=True):
        return ""
    return f"{apart:.1e}, more than {tolerance:.0e},"


def users_level() -> int:
    """The `stacklevel`, for its caller's warning, of the nearest line outside these packages."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and package(frame) in OWN:
        level, frame = level + 1, frame.f_back
    return level


def package(frame: FrameType) -> str:
    """The package whose code runs in a frame."""
    return frame.f_globals.get("__name__", "").split(".")[0]
