"""GPT: a transformer that reads from left to right and says which token comes next."""

import os

from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import (
    DEPTH,
    checked_flag,
    checked_integer,
    checked_name,
    checked_number,
    checked_size,
)
from seqviz.nn.bert import ACTIVATIONS, initialise
from seqviz.nn.ids import checked_rows, checked_tokens
from seqviz.nn.key_values import KeyValues
from seqviz.nn.masks import causal_mask
from seqviz.nn.position import LearnedPositions
from seqviz.nn.pretrained import Checkpoint
from seqviz.nn.shapes import checked_heads, checked_vectors
from seqviz.nn.transformer_layers import TransformerEncoderLayer
from seqviz.nn.weight_names import DECODERS

GPTState = list[KeyValues]  # of each layer


class GPT(nn.Module):
    """Read ids from left to right; return the logits of each next token.

    Token and position embeddings, layers of :class:`TransformerEncoderLayer` under a causal mask,
    and the embeddings once more as the output layer (decks 001, 003, 004). Pre-norm with a last
    norm it is GPT-2 (Radford et al. 2019), post-norm GPT (Radford et al. 2018). Arguments are
    named as in transformers' configuration of GPT-2; the defaults are its smallest.

    Parameters
    ----------
    vocab_size, n_positions, n_embd : int
        Numbers of tokens, of positions, and of numbers in a vector.
    n_layer, n_head : int
        Layers, and heads of each; they share `n_embd`.
    n_inner : int, optional
        Units of the feed-forward nets; four times `n_embd` without.
    activation_function : {"gelu_new", "gelu", "relu"}
        Of the feed-forward nets; "gelu_new" is gelu by a tanh.
    resid_pdrop, embd_pdrop, attn_pdrop : float
        Probability of dropping a number of what a sublayer adds, of an embedding, and an attention
        weight, in training.
    layer_norm_epsilon : float
        Added to the variance in LayerNorm.
    norm_first : bool
        Pre-norm and a norm after the last layer, as GPT-2, rather than post-norm, as GPT.

    Attributes
    ----------
    tokens : nn.Embedding
        Also the output layer: the logits are h times its vectors.
    positions : LearnedPositions
    layers : nn.ModuleList of TransformerEncoderLayer
    norm : nn.LayerNorm or None

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, the heads cannot share `n_embd`, a probability is none, or
        `activation_function` is unknown.

    Examples
    --------
    >>> import torch
    >>> gpt = GPT(vocab_size=9, n_positions=16, n_embd=8, n_layer=2, n_head=2)
    >>> gpt(torch.tensor([[1, 5, 8], [1, 7, 2]])).shape
    torch.Size([2, 3, 9])
    """

    def __init__(
        self,
        vocab_size: int = 50257,
        n_positions: int = 1024,
        n_embd: int = 768,
        n_layer: int = 12,
        n_head: int = 12,
        n_inner: int | None = None,
        *,
        activation_function: str = "gelu_new",
        resid_pdrop: float = 0.1,
        embd_pdrop: float = 0.1,
        attn_pdrop: float = 0.1,
        layer_norm_epsilon: float = 1e-5,
        norm_first: bool = True,
    ):
        super().__init__()
        size = checked_size("n_embd", n_embd, 4, square=True)
        self.vocab_size = checked_size("vocab_size", vocab_size, size)
        heads = checked_heads("n_head", n_head, size, "n_embd")
        width = 4 * size if n_inner is None else checked_size("n_inner", n_inner, size)
        activation = ACTIVATIONS[
            checked_name("activation_function", activation_function, ACTIVATIONS)
        ]
        dropout = checked_number("resid_pdrop", resid_pdrop, 0, 1)
        on_weights = checked_number("attn_pdrop", attn_pdrop, 0, 1)
        eps = checked_number("layer_norm_epsilon", layer_norm_epsilon, 0)
        before = checked_flag("norm_first", norm_first)

        def layer() -> TransformerEncoderLayer:
            one = TransformerEncoderLayer(
                size, heads, width, dropout, activation, eps, True, before
            )
            one.self_attn.dropout = on_weights
            one.dropout.p = 0.0  # GPT drops nothing inside the feed-forward net
            return one

        self.tokens = nn.Embedding(self.vocab_size, size)
        self.positions = LearnedPositions(checked_size("n_positions", n_positions, size), size)
        self.dropout = nn.Dropout(checked_number("embd_pdrop", embd_pdrop, 0, 1))
        count = checked_integer("n_layer", n_layer, 1, DEPTH)
        self.layers = nn.ModuleList(layer() for _ in range(count))
        self.norm = nn.LayerNorm(size, eps) if before else None
        initialise(self)
        if before:  # each layer adds to the shortcut twice (Radford et al. 2019, 2.3)
            for one in self.layers:
                for added in (one.self_attn.out_proj, one.linear2):
                    nn.init.normal_(added.weight, std=0.02 / (2 * count) ** 0.5)

    @classmethod
    def from_pretrained(cls, name_or_folder: str | os.PathLike) -> "GPT":
        """Return a GPT or GPT-2 with pretrained weights, in eval mode.

        Parameters
        ----------
        name_or_folder : str or path
            A folder that transformers' ``save_pretrained`` wrote, or a name such as "gpt2"; it is
            looked for where :meth:`BERT.from_pretrained` looks.

        Raises
        ------
        TypeError, ValueError, DownloadError
            As from :meth:`BERT.from_pretrained`.
        """
        checkpoint = Checkpoint.read(name_or_folder, DECODERS)
        return checkpoint.load_into(cls(**checkpoint.options()))

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits after each token.

        Parameters
        ----------
        ids : Tensor
            (batch, time), dtype long.

        Returns
        -------
        Tensor
            (batch, time, vocab).

        Raises
        ------
        TypeError
            If `ids` is no long tensor.
        ValueError
            If a shape does not fit, an id is no token, or a text is longer than `n_positions`.
        """
        return self.logits(self.states(ids))

    def states(self, ids: Tensor) -> Tensor:
        """Return h of each token (batch, time, n_embd), after the last norm; as :meth:`forward`."""
        checked_tokens("ids", ids, self.tokens, "batch", "time")
        x = self._embedded(ids, 0)
        mask = causal_mask(ids.shape[1]).to(ids.device)
        for layer in self.layers:
            x = layer(x, mask)
        return self._normed(x)

    def logits(self, states: Tensor) -> Tensor:
        """Return the logits (..., vocab) of states (..., n_embd): h times each token's vector."""
        checked_vectors("states", states, self.tokens.embedding_dim)
        return F.linear(states, self.tokens.weight)

    def step(self, ids: Tensor, state: GPTState | None = None) -> tuple[Tensor, GPTState]:
        """Read one token of each text; keys and values of those before it are in the state.

        Parameters
        ----------
        ids : Tensor
            (batch,), dtype long.
        state : list of KeyValues, optional
            That of the step before; None at the first.

        Returns
        -------
        logits : Tensor
            (batch, vocab), what :meth:`forward` gives at this position.
        state : list of KeyValues
            For the next step; the one given stays as it was.

        Raises
        ------
        TypeError, ValueError
            As from :meth:`forward`, and if the state is of another batch.
        """
        checked_tokens("ids", ids, self.tokens, "batch")
        past = [None] * len(self.layers) if state is None else self._checked(state)
        x = self._embedded(ids.unsqueeze(1), 0 if state is None else state[0].key.shape[2])
        now = []
        for layer, kept in zip(self.layers, past, strict=True):
            x, kept = layer.step(x, kept)
            now.append(kept)
        return self.logits(self._normed(x)).squeeze(1), now

    @staticmethod
    def select(state: GPTState, rows: Tensor) -> GPTState:
        """Return these rows of a state's batch, in this order; a row may come twice."""
        rows = checked_rows(state, list, rows)
        return [kept.select(rows) for kept in state]

    def _checked(self, state: GPTState) -> GPTState:
        count = len(self.layers)
        known = isinstance(state, list | tuple) and len(state) == count
        if not known or not all(isinstance(kept, KeyValues) for kept in state):
            got = f"{len(state)} parts" if isinstance(state, list | tuple) else type(state).__name__
            raise TypeError(
                f"state must be None or what step gave, KeyValues of {count} layers, got {got}"
            )
        return state

    def _embedded(self, ids: Tensor, start: int) -> Tensor:
        return self.dropout(self.positions(self.tokens(ids), start))

    def _normed(self, x: Tensor) -> Tensor:
        return x if self.norm is None else self.norm(x)
