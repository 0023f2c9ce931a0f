"""What stands in place of a module's forward while it is recorded."""

import sys
from collections.abc import Callable

import torch
from torch import Tensor, nn

from seqviz.recording.records import NamedArray, Record

OWN = ("seqviz", "torch", "transformers")
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}


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
        return _itself, (self.forward,)

    @staticmethod
    def kinds(module: nn.Module) -> tuple[str, ...]:
        """Which arrays a record of this module has."""
        return ()

    def keep(self, kind: str, call: NamedArray) -> None:
        """Append an array to the record."""
        self.rec.keep(kind, self.path, call, users_level())

    def foreign(self, what: str) -> TypeError:
        """Say that the forward of a derived class is another kind of function than torch's."""
        return TypeError(
            f"the forward of module {self.path!r} ({type(self.module).__name__}) does not take and "
            f"give what torch's does: {what}. Put the torch module inside a module of your own and "
            "record that"
        )


def _itself(forward: Callable) -> Callable:
    """Give back what a copied or unpickled stand-in stood in place of."""
    return forward


def gap(one: Tensor, other: Tensor) -> str:
    """Say by how much two results differ, as in "1.0e-04, more than 1e-05"; "" if they agree."""
    tolerance = TOLERANCE.get(one.dtype, 1e-2)
    size = max(1.0, other.abs().max().item()) if other.numel() else 1.0  # a ReLU net's states
    if torch.allclose(one, other, rtol=tolerance, atol=tolerance * size, equal_nan=True):
        return ""
    return f"{(one - other).abs().max().item():.1e}, more than {tolerance:.0e},"


def users_level() -> int:
    """The `stacklevel`, for its caller's warning, of the nearest line outside these packages."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in OWN:
        level, frame = level + 1, frame.f_back
    return level
