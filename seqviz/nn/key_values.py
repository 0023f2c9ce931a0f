"""Keys and values, projected once and kept for the queries to come."""

from typing import NamedTuple

import torch
from torch import Tensor


class KeyValues(NamedTuple):
    """What attention has made of its keys and values, for any number of later queries.

    Attributes
    ----------
    key, value : Tensor
        K and V of each head, (batch, head, time, d_k).
    """

    key: Tensor
    value: Tensor

    def followed_by(self, later: "KeyValues") -> "KeyValues":
        """Return these and, after them, those of later times.

        Raises
        ------
        ValueError
            If the two are not of the same batch.
        """
        if len(later.key) != len(self.key):
            raise ValueError(
                f"a cache of {len(self.key)} rows cannot take {len(later.key)}: a batch that "
                "changes needs its rows chosen with select"
            )
        return KeyValues(*(torch.cat(both, dim=2) for both in zip(self, later, strict=True)))

    def select(self, rows: Tensor) -> "KeyValues":
        """Return these rows of the batch, in this order; a row may come twice."""
        return KeyValues(*(x.index_select(0, rows) for x in self))


class LayerCache(NamedTuple):
    """What a decoder layer keeps from step to step.

    Attributes
    ----------
    past : KeyValues or None
        Those of the words so far, None before the first.
    memory : KeyValues
        Those of the source.
    """

    past: KeyValues | None
    memory: KeyValues

    def select(self, rows: Tensor) -> "LayerCache":
        """Return these rows of the batch, in this order; a row may come twice."""
        return LayerCache(*(kept and kept.select(rows) for kept in self))
