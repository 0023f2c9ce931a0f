"""Numbers that say how good a model is."""

import torch
import torch.nn.functional as F
from torch import Tensor


def perplexity(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> float:
    """Return exp of the mean cross-entropy: the number of tokens a model hesitates between.

    A model that knows nothing has the size of the vocabulary, a perfect one has 1 (deck 002).

    Parameters
    ----------
    logits : Tensor
        (..., vocab), float.
    targets : Tensor
        (...), long: the ids that came next.
    ignore_index : int
        Targets with this value do not count (padding).

    Returns
    -------
    float
        At least 1; computed in float64.

    Raises
    ------
    TypeError
        If `logits` is not a float tensor or `targets` not a long one.
    ValueError
        If the shapes do not fit, a target lies outside the vocabulary, none is left to count, or
        the logits hold NaN.
    """
    if not isinstance(logits, Tensor) or not logits.is_floating_point():
        got = getattr(logits, "dtype", type(logits).__name__)
        raise TypeError(f"logits must be a float tensor, got {got}")
    if not isinstance(targets, Tensor) or targets.dtype != torch.long:
        got = getattr(targets, "dtype", type(targets).__name__)
        raise TypeError(f"targets must be a torch.long tensor, got {got}")
    if logits.dim() == 0 or logits.shape[:-1] != targets.shape:
        raise ValueError(
            "logits must be (..., vocab) and targets (...), "
            f"got {tuple(logits.shape)} and {tuple(targets.shape)}"
        )
    vocab = logits.shape[-1]
    counted = targets != ignore_index
    logits, targets = logits[counted].detach().double(), targets[counted]  # (n, vocab), (n,)
    if len(targets) == 0:
        raise ValueError("targets must hold at least one id that counts, got none")
    if targets.min() < 0 or targets.max() >= vocab:
        wrong = targets[(targets < 0) | (targets >= vocab)][0].item()
        raise ValueError(f"targets must lie between 0 and {vocab - 1}, got {wrong}")
    if logits.isnan().any():
        raise ValueError("logits must not hold NaN: the model has diverged, lower its lr")
    return F.cross_entropy(logits, targets).exp().item()
