"""The layers of a transformer: attention and a feed-forward net, each around a shortcut."""

from torch import Tensor

from seqviz.arguments import checked_type
from seqviz.nn.key_values import KeyValues, LayerCache
from seqviz.nn.sublayers import TransformerLayer


class TransformerEncoderLayer(TransformerLayer):
    """Attention of a text to itself, then a feed-forward net: torch's, in the open.

    Post-norm, as in the paper: x = norm1(x + self_attn(x)), x = norm2(x + feed_forward(x)).
    Pre-norm (`norm_first`): x = x + self_attn(norm1(x)), x = x + feed_forward(norm2(x)), whose
    shortcut nothing interrupts. Decks 000, 002, 004; Vaswani et al. 2017, 3.1; Xiong et al. 2020.
    The state dict is torch's, in both directions; an equal seed gives equal weights.

    Parameters
    ----------
    d_model, nhead : int
        Numbers in a vector, and heads, which share them.
    dim_feedforward : int
        Units of the feed-forward net.
    dropout : float
        Probability of dropping an attention weight, a unit of the feed-forward net, and a number
        of what a sublayer adds, while training.
    activation : {"relu", "gelu"} or callable
        That of the feed-forward net.
    layer_norm_eps : float
        Added to the variance in LayerNorm.
    batch_first : bool
        Whether input and output are (batch, time, d_model) rather than (time, batch, d_model).
    norm_first : bool
        Pre-norm rather than post-norm.
    bias : bool
        Whether linear maps and norms have a bias.
    device, dtype : optional
        Where the weights lie and what they are, as in torch.
    relative : int, optional
        As in :class:`MultiheadAttention`: the heads of `self_attn` also attend by distance.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, `nhead` does not divide `d_model`, `dropout` is no probability, or
        `activation` is unknown.
    """

    sublayers = 2

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Return the layer's output, laid out as `src`.

        Parameters
        ----------
        src : Tensor
            (time, batch, d_model), or (batch, time, d_model) for ``batch_first``, or
            (time, d_model).
        src_mask, src_key_padding_mask, is_causal
            `attn_mask`, `key_padding_mask` and `is_causal` of :class:`MultiheadAttention`. A
            position that may not attend to anything takes nothing from others (torch: NaN).

        Raises
        ------
        TypeError, ValueError
            If `src` or a mask does not fit.
        """
        self._check("src", src)

        def attend(x: Tensor) -> Tensor:
            masks = (src_key_padding_mask, src_mask, is_causal)
            return self._attended("src", self.self_attn, x, x, *masks)

        x = self._around(1, attend, src)
        return self._around(2, self.feed_forward, x)

    def step(self, src: Tensor, past: KeyValues | None = None) -> tuple[Tensor, KeyValues]:
        """Read the next word alone, as under a causal mask.

        Parameters
        ----------
        src : Tensor
            One vector of each text, laid out as in :meth:`forward` with a time of 1.
        past : KeyValues, optional
            Those of the words before; None at the first.

        Returns
        -------
        Tensor
            What :meth:`forward` with a causal mask gives at this position.
        KeyValues
            For the next step; those given stay as they were.

        Raises
        ------
        ValueError
            If `past` is of another batch.
        """
        self._check("src", src)
        x, past = self._next(src, past)
        return self._around(2, self.feed_forward, x), past


class TransformerDecoderLayer(TransformerLayer):
    """Attention of a text to itself, to a source, then a feed-forward net: torch's, in the open.

    As :class:`TransformerEncoderLayer`, with the cross-attention ``multihead_attn`` as the second
    of three sublayers: its queries are the decoder's, its keys and values the `memory` that the
    encoder gave.

    Parameters
    ----------
    d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, \
    bias, device, dtype, relative
        As in :class:`TransformerEncoderLayer`.

    Raises
    ------
    TypeError, ValueError
        As in :class:`TransformerEncoderLayer`.
    """

    sublayers = 3

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
        """Return the layer's output, laid out as `tgt`.

        Parameters
        ----------
        tgt, memory : Tensor
            The target (time, batch, d_model) and what the encoder gave (source time, batch,
            d_model), or with the batch first, or without one.
        tgt_mask, tgt_key_padding_mask, tgt_is_causal
            The masks of the attention to the target, as in :class:`MultiheadAttention`.
        memory_mask, memory_key_padding_mask, memory_is_causal
            Those of the attention to the source.

        Raises
        ------
        TypeError, ValueError
            If a tensor or a mask does not fit.
        """
        self._check("tgt", tgt)
        self._check("memory", memory)

        def attend_to_target(x: Tensor) -> Tensor:
            masks = (tgt_key_padding_mask, tgt_mask, tgt_is_causal)
            return self._attended("tgt", self.self_attn, x, x, *masks)

        def attend_to_source(x: Tensor) -> Tensor:
            masks = (memory_key_padding_mask, memory_mask, memory_is_causal)
            return self._attended("memory", self.multihead_attn, x, memory, *masks)

        x = self._around(1, attend_to_target, tgt)
        x = self._around(2, attend_to_source, x)
        return self._around(3, self.feed_forward, x)

    def start(self, memory: Tensor) -> LayerCache:
        """Return the cache before the first step: K and V of the source, projected once."""
        self._check("memory", memory)
        return LayerCache(None, self.multihead_attn.key_values(memory, memory))

    def step(
        self, tgt: Tensor, cache: LayerCache, memory_key_padding_mask: Tensor | None = None
    ) -> tuple[Tensor, LayerCache]:
        """Read the next word alone; the ones before it are in the cache.

        Parameters
        ----------
        tgt : Tensor
            One vector of each target, laid out as in :meth:`forward` with a time of 1.
        cache : LayerCache
            That of :meth:`start` or of the step before.
        memory_key_padding_mask : Tensor, optional
            (batch, source time).

        Returns
        -------
        Tensor
            What :meth:`forward` with a causal mask gives at this position.
        LayerCache
            For the next step; the one given stays as it was.

        Raises
        ------
        ValueError
            If the cache is of another batch.
        """
        self._check("tgt", tgt)
        checked_type("cache", cache, LayerCache, "what start or step gave")

        def attend_to_source(x: Tensor) -> Tensor:
            masks, kept = (memory_key_padding_mask, None, False), cache.memory
            return self._attended("memory", self.multihead_attn, x, None, *masks, kept)

        x, past = self._next(tgt, cache.past)
        x = self._around(2, attend_to_source, x)
        return self._around(3, self.feed_forward, x), LayerCache(past, cache.memory)
