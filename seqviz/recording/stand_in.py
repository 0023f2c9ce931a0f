"""What stands in place of a module's forward while it is recorded or watched."""

import sys
from collections.abc import Callable
from functools import update_wrapper
from types import CodeType, FrameType

import torch
from torch import Tensor, nn
from torch.utils.module_tracker import ModuleTracker

OWN = ("seqviz", "torch", "transformers", "transformers_modules", "contextlib")
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}
_tracker = ModuleTracker()


class StandIn:
    """Stands in place of a module's `forward`, from its making until it steps aside.

    A copy of the model, deep or pickled, has the forward itself: a copy is not recorded.
    """

    def __init__(self, module: nn.Module):
        self.module, self.forward = module, module.forward
        self.before = vars(module).get("forward")
        update_wrapper(self, self.forward)
        module.forward = self

    def __reduce__(self) -> tuple:
        return _itself, (self.forward,)

    @property
    def __code__(self) -> CodeType:
        """The forward's: an export asks for it."""
        return self.forward.__code__

    def step_aside(self) -> None:
        """Restore the forward, unless another one has been set since."""
        if vars(self.module).get("forward") is self:
            del self.module.forward
            if self.before is not None:
                self.module.forward = self.before


def _itself(forward: Callable) -> Callable:
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
