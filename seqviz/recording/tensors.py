"""Tensors among arguments, and what a tensor is."""

from collections.abc import Iterator

from torch import Tensor, nn
from torch.func import debug_unwrap


def is_softmax(values: Tensor, dim: int = -1) -> bool:
    """Whether numbers from 0 along an axis sum to 1, or are all 0; wrapped tensors do not tell."""
    if type(values) is not Tensor or values.is_meta or debug_unwrap(values) is not values:
        return False
    if values.dim() < 2 or not values.numel() or not values.is_floating_point():
        return False
    values = values.detach()
    if values.min() < 0:
        return False
    sums = values.sum(dim=dim)
    ones = (sums - 1).abs().nan_to_num() < 1e-2
    return bool((ones | (sums == 0)).all() and ones.any())


def is_parameter(values: Tensor) -> bool:
    """Whether a tensor is a parameter, or a view of one."""
    return any(isinstance(one, nn.Parameter) for one in (values, values._base))


def tensors_in(given: object) -> Iterator[Tensor]:
    """All tensors among arguments or results."""
    if isinstance(given, Tensor):
        yield given
    elif isinstance(given, list | tuple | dict):
        for one in given.values() if isinstance(given, dict) else given:
            yield from tensors_in(one)
