"""Masks of attention: checked, and turned into what is added to the scores."""

import warnings
from collections.abc import Sequence

import torch
from torch import Tensor

from seqviz.arguments import checked_size, checked_tensor
from seqviz.nn.shapes import checked_kind

MASKS = (torch.bool, torch.float64, torch.float32, torch.float16, torch.bfloat16)


def causal_mask(size: int, device: torch.device | str | None = None) -> Tensor:
    """Return the mask of a decoder, that of no look ahead (decks 000, 001, 004).

    Parameters
    ----------
    size : int
        Number of positions.
    device : optional
        Where the mask lies.

    Returns
    -------
    Tensor
        (size, size) of truth values: True, as in torch, where query t must not attend, to all
        keys after t.

    Raises
    ------
    TypeError, ValueError
        If `size` is no integer of at least one.

    Examples
    --------
    >>> causal_mask(3).int()
    tensor([[0, 1, 1],
            [0, 0, 1],
            [0, 0, 0]], dtype=torch.int32)
    """
    size = checked_size("size", size, square=True)
    device = checked_kind(device, None)["device"]
    return torch.ones(size, size, dtype=torch.bool, device=device).triu(1)


def added(name: str, mask: Tensor, shapes: Sequence[tuple], dtype: torch.dtype) -> Tensor:
    """Turn a mask into what is added to scores of a dtype.

    It holds truth values, True where a query must not attend, or floats. `shapes` are pairs: one
    that it may have, and the one (batch, head, query, key) that it stands for.
    """
    wanted = "a tensor of truth values, True where a query must not attend, or of floats"
    checked_tensor(name, mask, MASKS, f"{wanted} that are added: use mask.bool()")
    stands_for = next((to for shape, to in shapes if tuple(mask.shape) == shape), None)
    if stands_for is None:
        known = " or ".join(str(shape) for shape, _ in shapes)
        raise ValueError(f"{name} must have shape {known}, got {tuple(mask.shape)}")
    if mask.is_floating_point() and not torch.compiler.is_compiling() and mask.isnan().any():
        raise ValueError(f"{name} must hold numbers that are added, or -inf, got NaN")
    if mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=dtype).masked_fill(mask, -torch.inf)
    return mask.to(dtype).reshape(stands_for)


def warn_of_reversed(name: str, mask: Tensor) -> None:
    """Warn of a mask (query, key) whose True was meant as "may attend"."""
    if torch.compiler.is_compiling() or mask.dim() != 2:
        return
    forbidden = mask if mask.dtype == torch.bool else mask == -torch.inf
    if forbidden.all():
        what = "forbids every query every key"
    elif torch.equal(forbidden, torch.ones_like(forbidden).tril()):
        what = "lets each query attend to later keys only"
    else:
        return
    warnings.warn(
        f"{name} {what}: True (or -inf) means 'must not attend' here, as in torch. If it was meant "
        f"the other way, pass ~{name}",
        stacklevel=4,
    )
