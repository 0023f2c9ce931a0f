"""The checks that models make of their sizes, of where they lie, and of the shapes they read."""

from typing import Any

import torch
from torch import Tensor

from seqviz.arguments import checked_floats, checked_integer, shown


def checked_heads(name: str, value: Any, size: int, of: str) -> int:
    """Return a number of heads that can share the numbers of a vector evenly."""
    heads = checked_integer(name, value, 1)
    if size % heads:
        raise ValueError(f"{name} must divide {of}={size}, which the heads share, got {heads}")
    return heads


def checked_kind(device: Any, dtype: Any) -> dict[str, Any]:
    """Return where weights lie and which floats they are; None is torch's own choice."""
    if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise TypeError(f"dtype must be a float type such as torch.float64, got {shown(dtype)}")
    try:
        torch.empty(0, device=device)
    except (RuntimeError, TypeError, AssertionError, ValueError, OverflowError) as error:
        why = str(error).partition("\n")[0]
        raise ValueError(
            f"device must be one that is there, such as 'cpu', got {shown(device)}: {why}"
        ) from None
    return {"device": device, "dtype": dtype}


def checked_shape(name: str, x: Any, *axes: int | str, fix: str = "") -> Tensor:
    """Return a float tensor with these axes, each of a given size or, by name, of any but 0.

    Axes of one name are equally long: ``checked_shape("x", x, "batch", "side", "side", 3)``.
    """
    layout = f"({', '.join(map(str, axes))})"
    known: dict[int | str, int | None] = {axis: axis for axis in axes if isinstance(axis, int)}
    if checked_floats(name, x, f" {layout}").dim() != len(axes) or not all(
        known.setdefault(axis, n or None) == n for axis, n in zip(axes, x.shape, strict=True)
    ):
        raise ValueError(f"{name} must be {layout}, got shape {tuple(x.shape)}{fix}")
    return x


def checked_vectors(name: str, x: Any, size: int) -> Tensor:
    """Return a float tensor (..., size)."""
    if checked_floats(name, x).shape[-1:] != (size,):
        raise ValueError(f"{name} must be (..., {size}), got shape {tuple(x.shape)}")
    return x
