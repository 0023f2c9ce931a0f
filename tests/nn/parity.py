"""Torch's module and ours on the same numbers."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from seqviz import nn as ours

CLOSE = {"rtol": 0, "atol": 1e-10}


def twins(name: str, *sizes: int, **options) -> tuple[nn.Module, nn.Module]:
    """Torch's module and ours with the same weights, in float64; no weight is 0 or 1."""
    theirs = getattr(nn, name)(*sizes, **options).double()
    for weight in theirs.parameters():
        if weight.dim() == 1:
            nn.init.normal_(weight)
    mine = getattr(ours, name)(*sizes, **options).double()
    mine.load_state_dict(theirs.state_dict())
    return theirs, mine


def everything(
    module: nn.Module, given: list[Tensor], run: Callable | None = None, **options
) -> tuple[list, list, dict]:
    """Results and all gradients, of a loss that weights each number otherwise."""
    given = [x.clone().requires_grad_() for x in given]
    found = (run or module)(*given, **options)
    results = [x for x in (found if isinstance(found, tuple) else [found]) if x is not None]
    loss = sum(
        (r * torch.linspace(-1, 2, r.numel(), dtype=r.dtype).reshape(r.shape)).sum()
        for r in results
    )
    module.zero_grad()
    loss.backward()
    return results, [x.grad for x in given], {n: p.grad for n, p in module.named_parameters()}
