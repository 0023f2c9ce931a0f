"""Attention with several heads: torch.nn.MultiheadAttention, in the open."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import (
    checked_device,
    checked_flag,
    checked_floats,
    checked_number,
    checked_size,
    checked_type,
)
from seqviz.nn.key_values import KeyValues
from seqviz.nn.masks import added, warn_of_reversed
from seqviz.nn.relative import RelativePositions
from seqviz.nn.scaled_dot_product import attend
from seqviz.nn.shapes import checked_heads, checked_kind


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
    relative : int, optional
        Scores also tell how far a key stands from its query: the largest distance with a vector of
        its own, beyond which all are one (:class:`RelativePositions`). Torch's module does not have
        it.

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
        *,
        relative: int | None = None,
    ):
        super().__init__()
        self.embed_dim = checked_size("embed_dim", embed_dim, 3, square=True)
        self.num_heads = checked_heads("num_heads", num_heads, self.embed_dim, "embed_dim")
        self.kdim = self.embed_dim if kdim is None else checked_size("kdim", kdim, self.embed_dim)
        self.vdim = self.embed_dim if vdim is None else checked_size("vdim", vdim, self.embed_dim)
        self.dropout = checked_number("dropout", dropout, 0, 1)
        self.batch_first = checked_flag("batch_first", batch_first)
        bias = checked_flag("bias", bias)

        E, kind = self.embed_dim, checked_kind(device, dtype)
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
        self.relative = None
        if relative is not None:
            relative = checked_size("relative", relative, 2 * E)
            sizes = (relative, self.num_heads, E // self.num_heads)
            self.relative = RelativePositions(*sizes, **kind)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
        *,
        projected: KeyValues | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Return what every query takes from the values, and the weights.

        In a mask of truth values True means: must not attend. A float mask is added to the
        scores. A query that may not attend to anything has weights 0, and ``out_proj.bias`` as
        its output; torch's gives NaN.

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
        projected : KeyValues, optional
            In place of `key` and `value`: what :meth:`key_values` made of them before. Torch's
            module does not have it.

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
            If a shape does not fit, `attn_mask` is missing beside `is_causal`, or `projected` is
            of another batch or stands beside a `key`.

        Warns
        -----
        UserWarning
            If `attn_mask` forbids everything, or all but the future.
        """
        need_weights = checked_flag("need_weights", need_weights)
        average_attn_weights = checked_flag("average_attn_weights", average_attn_weights)
        if checked_flag("is_causal", is_causal) and attn_mask is None:
            raise ValueError(
                "is_causal only says that attn_mask is causal: give attn_mask="
                "torch.ones(queries, keys, dtype=torch.bool).triu(1) as well"
            )
        if projected is None:
            self._check(query=query, key=key, value=value)
            projected = self._split(key, value)
        else:
            self._check(query=query)
            self._check_projected(projected, query, key, value)
        batched = query.dim() == 3
        q = self._project(query, 0)  # (batch, head, query, d_k)
        k, v = projected  # (batch, head, key, d_k)
        mask = self._mask(q, k, key_padding_mask, attn_mask, batched)
        if self.relative is not None:
            distances = self.relative(q, k.shape[2]) / q.shape[-1] ** 0.5
            mask = distances if mask is None else distances + mask
        heads, weights = attend(q, k, v, mask, self.dropout if self.training else 0.0)
        output = self.out_proj(heads.transpose(1, 2).flatten(2))  # (batch, query, embed_dim)
        if not batched:
            output = output.squeeze(0)
        elif not self.batch_first:
            output = output.transpose(0, 1)
        if not need_weights:
            return output, None
        weights = weights.mean(dim=1) if average_attn_weights else weights
        return output, weights if batched else weights.squeeze(0)

    def key_values(self, key: Tensor, value: Tensor) -> KeyValues:
        """Return K and V of keys and values, to be used again as `projected`.

        Parameters
        ----------
        key, value : Tensor
            As in :meth:`forward`.

        Raises
        ------
        TypeError, ValueError
            As from :meth:`forward`.
        """
        self._check(key=key, value=value)
        return self._split(key, value)

    def _split(self, key: Tensor, value: Tensor) -> KeyValues:
        return KeyValues(self._project(key, 1), self._project(value, 2))

    def _project(self, x: Tensor, which: int) -> Tensor:
        """Q = x W_q^T + b_q, or K or V: `which` of the three, as (batch, head, time, d_k)."""
        if self.in_proj_weight is None:
            W = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)[which]
        else:
            W = self.in_proj_weight.chunk(3)[which]
        b = None if self.in_proj_bias is None else self.in_proj_bias.chunk(3)[which]
        side_by_side = F.linear(self._batch_in_front(x), W, b)  # (batch, time, embed_dim)
        return side_by_side.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def _batch_in_front(self, x: Tensor) -> Tensor:
        if x.dim() == 2:
            return x.unsqueeze(0)
        return x if self.batch_first else x.transpose(0, 1)

    def _mask(
        self, q: Tensor, k: Tensor, padding: Tensor | None, between: Tensor | None, batched: bool
    ) -> Tensor | None:
        """What is added to the scores, (batch or 1, head or 1, query or 1, key)."""
        (B, H, T, _), S, mask = q.shape, k.shape[2], None
        if padding is not None:
            shapes = [((B, S) if batched else (S,), (B, 1, 1, S))]
            mask = added("key_padding_mask", padding, shapes, q.dtype)
        if between is not None:
            shapes = [((T, S), (1, 1, T, S)), ((B * H, T, S), (B, H, T, S))]
            given, between = between, added("attn_mask", between, shapes, q.dtype)
            warn_of_reversed("attn_mask", given)
            mask = between if mask is None else mask + between
        return mask

    def _check(self, **given: Tensor) -> None:
        """Check dtypes and shapes of query, key and value, or of some of them."""
        layout, place = ("batch, time", 0) if self.batch_first else ("time, batch", 1)
        sizes = {"query": self.embed_dim, "key": self.kdim, "value": self.vdim}
        first = next(iter(given.values()))
        for name, x in given.items():
            checked_floats(name, x, fix=": embed ids first")
            checked_device(name, x, self.out_proj.weight)
            if x.dim() not in (2, 3) or x.dim() != first.dim() or x.shape[-1] != sizes[name]:
                beside = "" if x is first else f" beside {next(iter(given))} {tuple(first.shape)}"
                raise ValueError(
                    f"{name} must be ({layout}, {sizes[name]}), or (time, {sizes[name]}) if none "
                    f"of the three has a batch, got shape {tuple(x.shape)}{beside}"
                )
            if x.dim() == 3 and x.shape[place] != first.shape[place]:
                raise ValueError(
                    f"{name} must have the batch of {next(iter(given))}, {first.shape[place]}, got "
                    f"{x.shape[place]} in ({layout}, ..) = {tuple(x.shape)}: is batch_first="
                    f"{self.batch_first} meant?"
                )
        if "key" in given and given["key"].shape[:-1] != given["value"].shape[:-1]:
            raise ValueError(
                f"value must have one vector for each of key {tuple(given['key'].shape)}, "
                f"got shape {tuple(given['value'].shape)}"
            )

    def _check_projected(self, projected: KeyValues, query: Tensor, *others: Tensor | None) -> None:
        checked_type("projected", projected, KeyValues, "what key_values(key, value) returned")
        if any(other is not None for other in others):
            raise ValueError("key and value must be None beside projected, which stands for both")
        B = 1 if query.dim() == 2 else query.shape[0 if self.batch_first else 1]
        wanted = (B, self.num_heads, self.embed_dim // self.num_heads)
        found = projected.key.shape
        if (*found[:2], found[3]) != wanted:
            raise ValueError(
                f"projected must be of the {wanted[0]} rows of query, {wanted[1]} heads of "
                f"{wanted[2]} numbers, got (batch, head, time, d_k) = {tuple(found)}: a cache "
                "belongs to one model and one batch; choose its rows with select"
            )

    def extra_repr(self) -> str:
        """Sizes, for ``print(model)``."""
        return f"{self.embed_dim}, num_heads={self.num_heads}"
