"""A model as it is used: nothing dropped, and no gradient."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


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
