"""Attention: every query attends to all keys, and takes a weighted mean of the values."""

from torch import Tensor, inf
from torch.nn import functional as F


def attend(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, dropout: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Return softmax(Q K^T / sqrt(d_k)) V, and the weights (decks 004, 005; Vaswani et al. 2017).

    Parameters
    ----------
    query : Tensor
        (..., query, d_k).
    key, value : Tensor
        (..., key, d_k) and (..., key, d_v).
    mask : Tensor, optional
        Added to the scores (..., query, key): -inf where a query must not attend. A query that
        may not attend to anything has weights 0.
    dropout : float
        Probability of dropping a weight.
    """
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5  # (..., query, key)
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        nowhere = (mask == -inf).all(dim=-1, keepdim=True)  # softmax would give 0/0
        scores = scores + mask.masked_fill(nowhere, 0)
        weights = scores.softmax(dim=-1).masked_fill(nowhere, 0)
    if dropout:
        weights = F.dropout(weights, dropout)
    return weights @ value, weights
