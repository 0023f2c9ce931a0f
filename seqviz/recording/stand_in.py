"""What a stand-in for a module's forward asks: who calls, does it run again, do results agree."""

import sys
from collections.abc import Callable
from types import FrameType

import torch
from torch import Tensor
from torch.utils.module_tracker import ModuleTracker

OWN = ("seqviz", "torch", "transformers", "transformers_modules", "contextlib")
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}
_tracker = ModuleTracker()


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
