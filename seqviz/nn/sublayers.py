"""What the layers of a transformer share: shortcuts with norms, and the feed-forward net."""

from collections.abc import Callable
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import (
    checked_flag,
    checked_floats,
    checked_number,
    checked_size,
    renamed,
    shown,
)
from seqviz.nn.key_values import KeyValues
from seqviz.nn.multihead import MultiheadAttention
from seqviz.nn.shapes import checked_heads, checked_kind

Activation = str | Callable[[Tensor], Tensor]
ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


class TransformerLayer(nn.Module):
    """What encoder and decoder layers share: shortcuts with norms, and the feed-forward net.

    Each of its sublayers has a LayerNorm ``norm1``, ``norm2`` ... and a dropout. Arguments as in
    :class:`TransformerEncoderLayer`.
    """

    sublayers: ClassVar[int]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        *,
        relative: int | None = None,
    ):
        super().__init__()
        kind = {"bias": checked_flag("bias", bias), **checked_kind(device, dtype)}
        self.d_model = checked_size("d_model", d_model, 3, square=True)
        width = checked_size("dim_feedforward", dim_feedforward, d_model)
        dropout = checked_number("dropout", dropout, 0, 1)
        eps = checked_number("layer_norm_eps", layer_norm_eps, 0)
        self.norm_first = checked_flag("norm_first", norm_first)
        self.activation = _activation(activation)
        checked_heads("nhead", nhead, d_model, "d_model")
        heads = {"dropout": dropout, "batch_first": batch_first, **kind}
        self.self_attn = MultiheadAttention(d_model, nhead, relative=relative, **heads)
        if self.sublayers == 3:
            self.multihead_attn = MultiheadAttention(d_model, nhead, **heads)
        self.linear1 = nn.Linear(d_model, width, **kind)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(width, d_model, **kind)
        for k in range(1, self.sublayers + 1):
            self.add_module(f"norm{k}", nn.LayerNorm(d_model, eps=eps, **kind))
        for k in range(1, self.sublayers + 1):
            self.add_module(f"dropout{k}", nn.Dropout(dropout))

    def feed_forward(self, x: Tensor) -> Tensor:
        """W_2 relu(W_1 x + b_1) + b_2, the same for each position (deck 002; 2017, eq. 2)."""
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def _around(self, k: int, sublayer: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        """The shortcut around sublayer k, with its norm after the sum, or before the sublayer."""
        norm, dropout = getattr(self, f"norm{k}"), getattr(self, f"dropout{k}")
        if self.norm_first:
            return x + dropout(sublayer(norm(x)))
        return norm(x + dropout(sublayer(x)))

    def _next(self, x: Tensor, past: KeyValues | None) -> tuple[Tensor, KeyValues]:
        """Sublayer 1 for the next word alone, which attends to itself and to those before it."""

        def attend(x: Tensor) -> Tensor:
            nonlocal past
            new = self.self_attn.key_values(x, x)
            past = new if past is None else past.followed_by(new)
            return self.self_attn(x, need_weights=False, projected=past)[0]

        return self._around(1, attend, x), past

    @staticmethod
    def _attended(
        name: str,
        attention: MultiheadAttention,
        x: Tensor,
        memory: Tensor | None,
        padding: Tensor | None,
        mask: Tensor | None,
        is_causal: bool,
        projected: KeyValues | None = None,
    ) -> Tensor:
        """What x takes from the memory; an error calls the masks by the layer's arguments."""
        masks = (padding, False, mask, True, is_causal)
        try:
            return attention(x, memory, memory, *masks, projected=projected)[0]
        except (TypeError, ValueError) as error:
            theirs = {"key_padding_mask": f"{name}_key_padding_mask", "attn_mask": f"{name}_mask"}
            theirs |= {} if name == "src" else {"is_causal": f"{name}_is_causal"}
            theirs["query"] = "tgt" if name == "memory" else name
            raise renamed(error, key=name, value=name, **theirs) from None

    def _check(self, name: str, x: Tensor) -> None:
        checked_floats(name, x, fix=": embed ids first")
        if x.dim() not in (2, 3) or x.shape[-1] != self.d_model:
            raise ValueError(
                f"{name} must have 2 or 3 axes, d_model={self.d_model} the last, got shape "
                f"{tuple(x.shape)}"
            )


def _activation(activation: Activation) -> Callable[[Tensor], Tensor]:
    if callable(activation):
        return activation
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        raise ValueError(
            f"activation must be 'relu', 'gelu' or a function of a tensor, got {shown(activation)}"
        )
    return ACTIVATIONS[activation]
