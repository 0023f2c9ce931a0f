"""Where a model is: its inputs have to be there."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn


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
