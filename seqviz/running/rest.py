"""A model as it is used: nothing dropped, no gradient, its inputs where its weights are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn


@contextmanager
def at_rest(model: nn.Module) -> Iterator[None]:
    """Run a model as in eval mode and without gradients; each module's mode is restored in the end.

    The modes are set by hand: a `train` of the model's own may do more than can be undone.
    """
    modes = [(module, module.training) for module in model.modules()]
    try:
        for module, _ in modes:
            module.training = False
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes:
            module.training = mode


def device_of(model: nn.Module) -> torch.device:
    """Where a model's weights are, the first of them."""
    first = next(chain(model.parameters(), model.buffers()), None)
    return torch.device("cpu") if first is None else first.device


def moved(given: Any, device: torch.device) -> Any:
    """Move the tensors among arguments to a device."""
    if isinstance(given, Tensor):
        return given.to(device)
    if isinstance(given, Mapping):
        return {name: moved(one, device) for name, one in given.items()}
    if type(given) in (list, tuple):
        return type(given)(moved(one, device) for one in given)
    return given
