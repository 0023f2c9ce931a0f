"""Attention: every query looks at all keys, and takes a weighted mean of the values."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import (
    checked_device,
    checked_dtype,
    checked_flag,
    checked_integer,
    checked_number,
)


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
        Added to the scores (..., query, key): -inf where a query must not look. A query that may
        not look anywhere has weights 0.
    dropout : float
        Probability of dropping a weight.
    """
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5  # (..., query, key)
    if mask is not None:
        scores = scores + mask
    nowhere = (scores == -torch.inf).all(dim=-1, keepdim=True)  # softmax would give 0/0
    weights = scores.masked_fill(nowhere, 0).softmax(dim=-1).masked_fill(nowhere, 0)
    weights = F.dropout(weights, dropout)
    return weights @ value, weights


class MultiheadAttention(nn.Module):
    """Attention with several heads from scratch: ``torch.nn.MultiheadAttention``, in the open.

    Each head has its own W_q, W_k, W_v: softmax(Q K^T / sqrt(d_k)) V with Q = x W_q^T + b_q and so
    on, d_k = embed_dim / num_heads. What the heads give stands side by side and goes through
    ``out_proj`` (decks 004, 005; Vaswani et al. 2017). The state dict is torch's, in both
    directions; an equal seed gives equal weights.

    Parameters
    ----------
    embed_dim : int
        Numbers in a query and in an output; the heads share them.
    num_heads : int
        Must divide `embed_dim`.
    dropout : float
        Probability of dropping a weight while training.
    bias : bool
        Whether the projections have a bias.
    kdim, vdim : int, optional
        Numbers in a key and in a value, if not `embed_dim`.
    batch_first : bool
        Whether input and output are (batch, time, ...) rather than (time, batch, ...).
    device, dtype : optional
        Where the weights lie and what they are, as in torch.

    Raises
    ------
    TypeError
        If a size is not an integer, `dropout` not a number, or `dtype` not a float type of torch.
    ValueError
        If a size is below one, `dropout` is not a probability, or the heads cannot share evenly.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ):
        super().__init__()
        self.embed_dim = checked_integer("embed_dim", embed_dim, 1)
        self.num_heads = checked_integer("num_heads", num_heads, 1)
        self.kdim = self.embed_dim if kdim is None else checked_integer("kdim", kdim, 1)
        self.vdim = self.embed_dim if vdim is None else checked_integer("vdim", vdim, 1)
        if self.embed_dim % self.num_heads:
            raise ValueError(
                f"num_heads must divide embed_dim={embed_dim}, which the heads share, "
                f"got {num_heads}"
            )
        self.dropout = checked_number("dropout", dropout, 0, 1)
        self.batch_first = checked_flag("batch_first", batch_first)
        bias = checked_flag("bias", bias)

        E, kind = self.embed_dim, {"device": device, "dtype": checked_dtype("dtype", dtype)}
        together = {"in_proj_weight": (3 * E, E)}  # W_q, W_k and W_v, one above the other
        apart = {
            "q_proj_weight": (E, E),
            "k_proj_weight": (E, self.kdim),
            "v_proj_weight": (E, self.vdim),
        }
        same = self.kdim == E == self.vdim
        for name in together | apart:
            self.register_parameter(name, None)
        for name, shape in (together if same else apart).items():
            self.register_parameter(name, nn.Parameter(torch.empty(shape, **kind)))
        self.register_parameter("in_proj_bias", None)
        if bias:
            self.in_proj_bias = nn.Parameter(torch.zeros(3 * E, **kind))
        self.out_proj = nn.Linear(E, E, bias=bias, **kind)
        for name in together if same else apart:
            nn.init.xavier_uniform_(getattr(self, name))
        if bias:
            nn.init.zeros_(self.out_proj.bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Return what every query takes from the values, and the weights.

        In a mask of truth values True means: must not look there. A float mask is added to the
        scores. A query that may not look anywhere has weights 0, and ``out_proj.bias`` as its
        output; torch's gives NaN.

        Parameters
        ----------
        query, key, value : Tensor
            (time, batch, embed_dim), (.., kdim) and (.., vdim), or (batch, time, ..) for
            ``batch_first``, or (time, ..) without a batch. Keys and values are equally many.
        key_padding_mask : Tensor, optional
            (batch, key), or (key,) without a batch.
        need_weights : bool
            Whether to return the weights; without, None is in their place.
        attn_mask : Tensor, optional
            (query, key), or (batch * num_heads, query, key).
        average_attn_weights : bool
            Whether to return the mean of the heads' weights.
        is_causal : bool
            Says that `attn_mask`, which must be there, is causal. It changes nothing here.

        Returns
        -------
        output : Tensor
            Laid out as `query`.
        weights : Tensor or None
            (batch, query, key), or (batch, num_heads, query, key) if not averaged; without the
            batch if the input has none. After dropout.

        Raises
        ------
        TypeError
            If a tensor is none, or no float tensor; masks may have truth values.
        ValueError
            If a shape does not fit, or `attn_mask` is missing beside `is_causal`.
        """
        need_weights = checked_flag("need_weights", need_weights)
        average_attn_weights = checked_flag("average_attn_weights", average_attn_weights)
        batched = self._checked(query, key, value)
        q, k, v = (self._batch_in_front(x) for x in (query, key, value))  # (batch, time, ...)
        if checked_flag("is_causal", is_causal) and attn_mask is None:
            raise ValueError(
                "is_causal only says that attn_mask is causal: give attn_mask="
                "torch.ones(queries, keys, dtype=torch.bool).triu(1) as well"
            )
        mask = self._mask(q, k, key_padding_mask, attn_mask, batched)
        q, k, v = (self._split(x) for x in self._project(q, k, v))  # (batch, head, time, d_k)
        heads, weights = attend(q, k, v, mask, self.dropout if self.training else 0.0)
        output = self.out_proj(heads.transpose(1, 2).flatten(2))  # (batch, query, embed_dim)
        weights = weights.mean(dim=1) if average_attn_weights else weights
        if not batched:
            output, weights = output.squeeze(0), weights.squeeze(0)
        elif not self.batch_first:
            output = output.transpose(0, 1)
        return output, weights if need_weights else None

    def _project(self, query: Tensor, key: Tensor, value: Tensor) -> list[Tensor]:
        """Q = x W_q^T + b_q, and K and V alike, all heads side by side."""
        W = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        if self.in_proj_weight is not None:
            W = self.in_proj_weight.chunk(3)
        b = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        return [F.linear(*of_one) for of_one in zip((query, key, value), W, b, strict=True)]

    def _split(self, x: Tensor) -> Tensor:
        """(batch, time, embed_dim) to (batch, head, time, d_k)."""
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def _batch_in_front(self, x: Tensor) -> Tensor:
        if x.dim() == 2:
            return x.unsqueeze(0)
        return x if self.batch_first else x.transpose(0, 1)

    def _mask(
        self,
        query: Tensor,
        key: Tensor,
        padding: Tensor | None,
        between: Tensor | None,
        batched: bool,
    ) -> Tensor | None:
        """What is added to the scores, (batch or 1, head or 1, query or 1, key)."""
        (B, T, _), S, mask = query.shape, key.shape[1], None
        if padding is not None:
            shapes = {(B, S) if batched else (S,): (B, 1, 1, S)}
            mask = _added("key_padding_mask", padding, shapes, query.dtype)
        if between is not None:
            shapes = {(T, S): (1, 1, T, S), (B * self.num_heads, T, S): (B, self.num_heads, T, S)}
            between = _added("attn_mask", between, shapes, query.dtype)
            mask = between if mask is None else mask + between
        return mask

    def _checked(self, query: Tensor, key: Tensor, value: Tensor) -> bool:
        """Check dtypes and shapes; return whether there is a batch."""
        layout = "batch, time" if self.batch_first else "time, batch"
        sizes = (self.embed_dim, self.kdim, self.vdim)
        for name, x, size in zip(
            ("query", "key", "value"), (query, key, value), sizes, strict=True
        ):
            if not isinstance(x, Tensor) or not x.is_floating_point():
                got = x.dtype if isinstance(x, Tensor) else type(x).__name__
                raise TypeError(f"{name} must be a float tensor, got {got}: embed ids first")
            checked_device(name, x, self.out_proj.weight)
            if x.dim() not in (2, 3) or x.dim() != query.dim() or x.shape[-1] != size:
                raise ValueError(
                    f"{name} must be ({layout}, {size}), or (time, {size}) if none of the three "
                    f"has a batch, got shape {tuple(x.shape)} beside a query {tuple(query.shape)}"
                )
        if key.shape[:-1] != value.shape[:-1]:
            raise ValueError(
                f"value must have one vector for each of key {tuple(key.shape)}, "
                f"got shape {tuple(value.shape)}"
            )
        place = 0 if self.batch_first else 1
        if query.dim() == 3 and query.shape[place] != key.shape[place]:
            raise ValueError(
                f"key must have the batch of query, {query.shape[place]}, got "
                f"{key.shape[place]} in ({layout}, ..) = {tuple(key.shape)}: is batch_first="
                f"{self.batch_first} meant?"
            )
        return query.dim() == 3

    def extra_repr(self) -> str:
        """Sizes, for ``print(model)``."""
        return f"{self.embed_dim}, num_heads={self.num_heads}"


def _added(name: str, mask: Tensor, shapes: dict, dtype: torch.dtype) -> Tensor:
    """Turn a mask of one of these shapes into what is added to the scores."""
    if not isinstance(mask, Tensor) or not (mask.dtype == torch.bool or mask.is_floating_point()):
        got = mask.dtype if isinstance(mask, Tensor) else type(mask).__name__
        raise TypeError(
            f"{name} must be a tensor of truth values, True where a query must not look, or of "
            f"floats that are added, got {got}: use mask.bool()"
        )
    if tuple(mask.shape) not in shapes:
        raise ValueError(
            f"{name} must have shape {' or '.join(map(str, shapes))}, got {tuple(mask.shape)}"
        )
    if mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=dtype).masked_fill(mask, -torch.inf)
    return mask.to(dtype).reshape(shapes[tuple(mask.shape)])
