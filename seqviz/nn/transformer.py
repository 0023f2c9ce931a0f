"""Stacks of transformer layers, and an encoder with a decoder."""

from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import DEPTH, checked_integer, checked_type, renamed
from seqviz.nn.key_values import LayerCache
from seqviz.nn.sublayers import Activation
from seqviz.nn.transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer


class Stack(nn.Module):
    """Copies of a layer, one above the other; their weights go apart in training.

    Pre-norm needs a norm after the last one, since nothing has normed its shortcut.
    """

    def __init__(self, layer: nn.Module, num_layers: int, norm: nn.Module | None):
        super().__init__()
        self.num_layers = checked_integer("num_layers", num_layers, 1, DEPTH)
        checked_type(
            "norm", norm, nn.Module | None, "a module such as nn.LayerNorm(d_model), or None"
        )
        self.layers = nn.ModuleList(deepcopy(layer) for _ in range(num_layers))
        self.norm = norm

    def _normed(self, x: Tensor) -> Tensor:
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(Stack):
    """A stack of encoder layers: torch's, in the open (decks 000 to 004; Vaswani et al. 2017).

    Parameters
    ----------
    encoder_layer : TransformerEncoderLayer
        Copied, weights included: the layers start the same, as torch's do. :class:`Transformer`
        gives each its own start.
    num_layers : int
        Layers, which do not share weights.
    norm : nn.Module, optional
        After the last layer; pre-norm needs it.

    Raises
    ------
    TypeError
        If `encoder_layer` is none, or `num_layers` no integer.
    ValueError
        If `num_layers` is below one.
    """

    def __init__(
        self,
        encoder_layer: TransformerEncoderLayer,
        num_layers: int,
        norm: nn.Module | None = None,
    ):
        kind = "a TransformerEncoderLayer of sv.nn"
        checked_type("encoder_layer", encoder_layer, TransformerEncoderLayer, kind)
        super().__init__(encoder_layer, num_layers, norm)

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Return the last layer's output; arguments as in :class:`TransformerEncoderLayer`."""
        try:
            for layer in self.layers:
                src = layer(src, mask, src_key_padding_mask, is_causal)
        except (TypeError, ValueError) as error:
            raise renamed(error, src_mask="mask") from None
        return self._normed(src)


class TransformerDecoder(Stack):
    """A stack of decoder layers: torch's, in the open.

    Parameters
    ----------
    decoder_layer : TransformerDecoderLayer
        Copied, weights included.
    num_layers, norm
        As in :class:`TransformerEncoder`.

    Raises
    ------
    TypeError, ValueError
        As in :class:`TransformerEncoder`.
    """

    def __init__(
        self,
        decoder_layer: TransformerDecoderLayer,
        num_layers: int,
        norm: nn.Module | None = None,
    ):
        kind = "a TransformerDecoderLayer of sv.nn"
        checked_type("decoder_layer", decoder_layer, TransformerDecoderLayer, kind)
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Return the last layer's output; arguments as in :class:`TransformerDecoderLayer`."""
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        for layer in self.layers:
            tgt = layer(tgt, memory, *masks, tgt_is_causal, memory_is_causal)
        return self._normed(tgt)

    def start(self, memory: Tensor) -> list[LayerCache]:
        """Return the cache of each layer before the first step."""
        return [layer.start(memory) for layer in self.layers]

    def step(
        self, tgt: Tensor, cache: list[LayerCache], memory_key_padding_mask: Tensor | None = None
    ) -> tuple[Tensor, list[LayerCache]]:
        """Read the next word alone, as :meth:`TransformerDecoderLayer.step` does."""
        later = []
        for layer, kept in zip(self.layers, cache, strict=True):
            tgt, kept = layer.step(tgt, kept, memory_key_padding_mask)
            later.append(kept)
        return self._normed(tgt), later


class Transformer(nn.Module):
    """An encoder and a decoder, from vectors to vectors: ``torch.nn.Transformer``, in the open.

    Embeddings, positions and the layer before the softmax are not in it, as in torch; see
    :class:`TransformerSeq2Seq`. Both stacks end with a LayerNorm, as torch's do: pre-norm needs
    it; post-norm, the paper's, has just had one. Decks 000 to 004; Vaswani et al. 2017.

    Parameters
    ----------
    d_model, nhead : int
        Numbers in a vector, and heads, which share them.
    num_encoder_layers, num_decoder_layers : int
        Layers.
    dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device, \
    dtype
        As in :class:`TransformerEncoderLayer`.

    Raises
    ------
    TypeError, ValueError
        As in :class:`TransformerEncoderLayer`.
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        *,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ):
        super().__init__()
        checked_integer("num_encoder_layers", num_encoder_layers, 1, DEPTH)
        checked_integer("num_decoder_layers", num_decoder_layers, 1, DEPTH)
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        layer += (batch_first, norm_first, bias, device, dtype)
        norm = {"eps": layer_norm_eps, "bias": bias, "device": device, "dtype": dtype}
        self.encoder = TransformerEncoder(
            TransformerEncoderLayer(*layer), num_encoder_layers, nn.LayerNorm(d_model, **norm)
        )
        self.decoder = TransformerDecoder(
            TransformerDecoderLayer(*layer), num_decoder_layers, nn.LayerNorm(d_model, **norm)
        )
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        for weight in self.parameters():
            if weight.dim() > 1:  # each layer its own start
                nn.init.xavier_uniform_(weight)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool = False,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Return the decoder's output, laid out as `tgt`.

        Parameters
        ----------
        src, tgt : Tensor
            (time, batch, d_model) each, or with the batch first, or without one.
        src_mask, tgt_mask, memory_mask : Tensor, optional
            Which query must not attend to which key, in the encoder, in the decoder, and from the
            decoder to the encoder's output. `tgt_mask` is a :func:`causal_mask`; none is made here.
        src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask : Tensor, optional
            (batch, time). The third is in general the first again.
        src_is_causal, tgt_is_causal, memory_is_causal : bool
            Say that a mask is causal; they change nothing here.

        Raises
        ------
        TypeError, ValueError
            If a tensor or a mask does not fit.
        """
        try:
            memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        except (TypeError, ValueError) as error:
            raise renamed(error, mask="src_mask", is_causal="src_is_causal") from None
        return self.decoder(
            tgt,
            memory,
            tgt_mask,
            memory_mask,
            tgt_key_padding_mask,
            memory_key_padding_mask,
            tgt_is_causal,
            memory_is_causal,
        )
