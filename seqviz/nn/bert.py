"""BERT: a transformer's encoder, which reads every word with both of its sides."""

import os
from copy import deepcopy
from functools import partial
from typing import NamedTuple

from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import (
    DEPTH,
    NUMBERS,
    checked_flag,
    checked_integer,
    checked_name,
    checked_number,
    checked_size,
)
from seqviz.nn.bert_inputs import Embeddings, padding_of
from seqviz.nn.pretrained import Checkpoint
from seqviz.nn.shapes import checked_heads
from seqviz.nn.transformer_layers import TransformerEncoderLayer
from seqviz.nn.weight_names import ENCODERS

ACTIVATIONS = {
    "gelu": F.gelu,
    "gelu_new": partial(F.gelu, approximate="tanh"),
    "relu": F.relu,
}


class BERTOutput(NamedTuple):
    """What :class:`BERT` returns.

    Attributes
    ----------
    last_hidden_state : Tensor
        (batch, time, hidden_size), a vector for each token.
    pooler_output : Tensor or None
        (batch, hidden_size), tanh(W h + b) of the h of [CLS]; None without a pooler.
    hidden_states : tuple of Tensor, or None
        What the embeddings give, then what each layer gives, if asked for.
    """

    last_hidden_state: Tensor
    pooler_output: Tensor | None
    hidden_states: tuple[Tensor, ...] | None


class BERT(nn.Module):
    """Read texts; return a vector for each token, made of what stands left and right of it.

    Embeddings, then layers of :class:`TransformerEncoderLayer`, post-norm, without a causal mask
    (decks 000 to 004; Devlin et al. 2019). With `embedding_size` and `share_layers` it is ALBERT
    (deck 002; Lan et al. 2020). Arguments are named as in transformers' configuration; the
    defaults are those of BERT base.

    Parameters
    ----------
    vocab_size, hidden_size, num_hidden_layers : int
        Numbers of tokens, of numbers in a vector, and of layers.
    num_attention_heads : int
        Heads of a layer; they share `hidden_size`.
    intermediate_size : int
        Units of the feed-forward nets.
    max_position_embeddings : int
        Tokens of the longest text: there is no position for a later one.
    type_vocab_size : int
        Segments: 2 for pairs of sentences, 0 for a model that does not tell them apart.
    hidden_act : {"gelu", "gelu_new", "relu"}
        Of the feed-forward nets; "gelu_new" is gelu by a tanh.
    hidden_dropout_prob : float
        Probability of dropping a number of an embedding, or of what a sublayer adds, in training.
    attention_probs_dropout_prob : float
        Probability of dropping an attention weight in training.
    layer_norm_eps : float
        Added to the variance in LayerNorm.
    pad_token_id : int or None
        The id of padding. Its vector is zero and is not trained; `attention_mask` hides it.
    embedding_size : int, optional
        E of the factorised embedding, E numbers for each token and a map onto `hidden_size`.
    share_layers : bool
        Whether all layers have the same weights. Each is a module of its own, which ``sv.record``
        and ``sv.ablate`` tell from the others. ``parameters()`` has each weight once; the state
        dict has it under each layer, so write it with ``safetensors.torch.save_model``.
    add_pooling_layer : bool
        Whether there is a `pooler_output`.

    Attributes
    ----------
    embeddings : Embeddings
    layers : nn.ModuleList of TransformerEncoderLayer
    pooler : nn.Linear or None

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, the heads cannot share `hidden_size`, a probability is none,
        `hidden_act` is unknown, or `pad_token_id` is no token.

    Examples
    --------
    >>> import torch
    >>> bert = BERT(vocab_size=9, hidden_size=8, num_hidden_layers=2, num_attention_heads=2)
    >>> ids = torch.tensor([[1, 5, 8, 2], [1, 7, 2, 0]])
    >>> output = bert(ids, attention_mask=ids != 0)
    >>> output.last_hidden_state.shape, output.pooler_output.shape
    (torch.Size([2, 4, 8]), torch.Size([2, 8]))
    """

    def __init__(
        self,
        vocab_size: int = 30522,
        hidden_size: int = 768,
        num_hidden_layers: int = 12,
        num_attention_heads: int = 12,
        intermediate_size: int = 3072,
        max_position_embeddings: int = 512,
        type_vocab_size: int = 2,
        *,
        hidden_act: str = "gelu",
        hidden_dropout_prob: float = 0.1,
        attention_probs_dropout_prob: float = 0.1,
        layer_norm_eps: float = 1e-12,
        pad_token_id: int | None = 0,
        embedding_size: int | None = None,
        share_layers: bool = False,
        add_pooling_layer: bool = True,
    ):
        super().__init__()
        H = self.hidden_size = checked_size("hidden_size", hidden_size, 3, square=True)
        factorised = embedding_size is not None
        E = checked_size("embedding_size", embedding_size, H) if factorised else H
        self.vocab_size = checked_size("vocab_size", vocab_size, E)
        positions = checked_size("max_position_embeddings", max_position_embeddings, E)
        segments = checked_integer("type_vocab_size", type_vocab_size, 0, NUMBERS // E)
        if pad_token_id is not None:
            checked_integer("pad_token_id", pad_token_id, 0, self.vocab_size - 1)
        heads = checked_heads("num_attention_heads", num_attention_heads, H, "hidden_size")
        width = checked_size("intermediate_size", intermediate_size, H)
        count = checked_integer("num_hidden_layers", num_hidden_layers, 1, DEPTH)
        activation = ACTIVATIONS[checked_name("hidden_act", hidden_act, ACTIVATIONS)]
        dropout = checked_number("hidden_dropout_prob", hidden_dropout_prob, 0, 1)
        on_weights = checked_number(
            "attention_probs_dropout_prob", attention_probs_dropout_prob, 0, 1
        )
        eps = checked_number("layer_norm_eps", layer_norm_eps, 0)
        self.embedding_size, self.activation = E, activation
        self.hidden_dropout_prob, self.layer_norm_eps = dropout, eps

        def layer() -> TransformerEncoderLayer:
            one = TransformerEncoderLayer(H, heads, width, dropout, activation, eps, True)
            one.self_attn.dropout = on_weights
            one.dropout.p = 0.0  # BERT drops nothing inside the feed-forward net
            return one

        sizes = (self.vocab_size, E, positions, segments, H if factorised else None)
        self.embeddings = Embeddings(*sizes, dropout, eps, pad_token_id)
        shared = checked_flag("share_layers", share_layers)
        layers = _sharing(layer(), count) if shared else [layer() for _ in range(count)]
        self.layers = nn.ModuleList(layers)
        self.pooler = None
        if checked_flag("add_pooling_layer", add_pooling_layer):
            self.pooler = nn.Linear(H, H)
        initialise(self)
        if pad_token_id is not None:
            self.embeddings.word_embeddings.weight.data[pad_token_id] = 0

    @classmethod
    def from_pretrained(cls, name_or_folder: str | os.PathLike) -> "BERT":
        """Return a BERT, DistilBERT or ALBERT with pretrained weights, in eval mode.

        A folder is one that transformers' ``save_pretrained`` wrote. A name is looked for in the
        download cache (files ``NAME-config.json`` and ``NAME-model.safetensors``, ``--`` for the
        ``/`` of the name), then among installed packages, then on the hub. One printed line says
        where the weights were, and which of them were left out. There is a pooler if they have one.

        Parameters
        ----------
        name_or_folder : str or path
            Such as "sentence-transformers/all-MiniLM-L6-v2".

        Raises
        ------
        TypeError
            If it is neither a string nor a path.
        ValueError
            If there is no such folder, or it has no safetensors file (a pickle is not read); if a
            file is damaged, or is not the one that is registered for the name; if it is of another
            architecture, or weights are missing, surplus, or of another shape.
        DownloadError
            If a name is not found, or the hub cannot be reached.
        """
        checkpoint = Checkpoint.read(name_or_folder, ENCODERS)
        bert = cls(**checkpoint.options(), add_pooling_layer=checkpoint.has_pooler)
        return checkpoint.load_into(bert)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        *,
        output_hidden_states: bool = False,
    ) -> BERTOutput:
        """Return a vector for each token.

        Parameters
        ----------
        input_ids : Tensor
            (batch, time), dtype long.
        attention_mask : Tensor, optional
            (batch, time), 1 or True where a token may be attended to, 0 at padding, as in
            transformers. Without it padding is attended to as any token is.
        token_type_ids : Tensor, optional
            (batch, time), dtype long, the segment of each token; without it all are in segment 0.
        output_hidden_states : bool
            Whether to return what each layer gives.

        Returns
        -------
        BERTOutput
            (last_hidden_state, pooler_output, hidden_states).

        Raises
        ------
        TypeError
            If a tensor has the wrong type.
        ValueError
            If a shape does not fit, an id is no token, a text is empty or longer than
            `max_position_embeddings`, or the mask hides a whole text.
        """
        all_states = checked_flag("output_hidden_states", output_hidden_states)
        x = self.embeddings(input_ids, token_type_ids)
        padding = None if attention_mask is None else padding_of(attention_mask, input_ids)
        states = [x]
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=padding)
            if all_states:
                states.append(x)
        pooled = None if self.pooler is None else self.pooler(x[:, 0]).tanh()
        return BERTOutput(x, pooled, tuple(states) if all_states else None)


def _sharing(layer: nn.Module, count: int) -> list[nn.Module]:
    """The layer and copies of it that have the very weights of the first."""
    weights = {id(weight): weight for weight in layer.parameters()}
    return [layer, *(deepcopy(layer, memo=dict(weights)) for _ in range(count - 1))]


def initialise(module: nn.Module) -> None:
    """Draw weights from N(0, 0.02^2) and set biases to 0 (Devlin et al. 2019)."""
    for name, weight in module.named_parameters():
        if weight.dim() > 1:
            nn.init.normal_(weight, std=0.02)
        elif name.endswith("bias"):
            nn.init.zeros_(weight)
