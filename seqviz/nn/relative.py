"""Relative positions: what a head adds to a score for the distance from query to key."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import checked_integer, checked_size
from seqviz.nn.shapes import checked_kind, checked_shape


class RelativePositions(nn.Module):
    """A vector for each distance, which meets the query: S_rel = Q E^T, shifted into place.

    A key that stands r places after its query (before it: r < 0) adds q . e_r to the score. Beyond
    `max_distance` all distances are one, so a text may be longer than any in training (Shaw et al.
    2018, 3.1; Huang et al. 2019, "Music Transformer", 3.4; deck 002).

    Parameters
    ----------
    max_distance : int
        The largest distance with a vector of its own, to each side.
    num_heads, head_dim : int
        Each head has its own table.
    device, dtype : optional
        As in torch.

    Attributes
    ----------
    table : nn.Parameter
        (num_heads, 2 max_distance + 1, head_dim), from -max_distance to max_distance.

    Raises
    ------
    TypeError
        If a size is no integer, or `dtype` no float type of torch.
    ValueError
        If a size is below one.
    """

    def __init__(
        self,
        max_distance: int,
        num_heads: int,
        head_dim: int,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ):
        super().__init__()
        heads = checked_size("num_heads", num_heads)
        size = checked_size("head_dim", head_dim, heads)
        self.max_distance = checked_size("max_distance", max_distance, 2 * heads * size)
        shape = (heads, 2 * self.max_distance + 1, size)
        self.table = nn.Parameter(torch.empty(shape, **checked_kind(device, dtype)))
        nn.init.normal_(self.table, std=size**-0.5)

    def forward(self, query: Tensor, keys: int) -> Tensor:
        """Return q . e_r for each query and key, (batch, head, query, key).

        Parameters
        ----------
        query : Tensor
            (batch, head, query, head_dim).
        keys : int
            How many keys there are; the queries stand at the last of their places.

        Raises
        ------
        ValueError
            If there are fewer keys than queries.
        """
        heads, _, size = self.table.shape
        shape = checked_shape("query", query, "batch", heads, "query", size).shape
        queries, keys = shape[2], checked_size("keys", keys, math.prod(shape[:3]))
        if keys < queries:
            raise ValueError(
                f"keys must be at least {queries}, a key for each query, got {keys}: relative "
                "positions are those of one text with itself"
            )
        far = torch.arange(1 - keys, queries, device=query.device)  # every distance there is
        rows = far.clamp(-self.max_distance, self.max_distance) + self.max_distance
        return skew(query @ self.table[:, rows].transpose(1, 2), keys)

    def extra_repr(self) -> str:
        """The reach, for ``print(model)``."""
        return f"max_distance={self.max_distance}"


def skew(products: Tensor, keys: int) -> Tensor:
    """Shift each row of Q E^T one place less than the row above, so that keys stand under keys.

    No tensor of query x key x head_dim is ever made (Huang et al. 2019, 3.4.1).

    Parameters
    ----------
    products : Tensor
        (..., query, query + keys - 1): of each query with every distance from 1 - keys on.
    keys : int
        How many keys there are.

    Returns
    -------
    Tensor
        (..., query, keys).

    Raises
    ------
    TypeError
        If `products` is no tensor, or `keys` no integer.
    ValueError
        If the shape does not fit.
    """
    if not isinstance(products, Tensor):
        raise TypeError(f"products must be a tensor, got {type(products).__name__}")
    keys = checked_integer("keys", keys, 1)
    if products.dim() < 2 or products.shape[-1] != products.shape[-2] + keys - 1:
        raise ValueError(
            "products must be (..., query, query + keys - 1), a column for each distance, got "
            f"{tuple(products.shape)} for {keys} keys"
        )
    queries = products.shape[-2]
    flat = F.pad(products, (0, 1)).flatten(-2)[..., queries - 1 : -1]
    return flat.unflatten(-1, (queries, queries + keys - 1))[..., :keys]
