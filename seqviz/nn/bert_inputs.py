"""What goes into BERT: ids, segments and mask, checked, and the vectors that are made of them."""

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_device, checked_type, refuse_meta
from seqviz.nn.ids import checked_tokens
from seqviz.nn.position import LearnedPositions


class Embeddings(nn.Module):
    """The vectors of a text: token + segment + position, normed (decks 001, 002, 004).

    Parameters
    ----------
    vocab_size, embedding_size, max_position_embeddings : int
        Numbers of tokens, of numbers in a vector, and of positions.
    type_vocab_size : int
        Segments; 0 for a model that does not tell them apart.
    hidden_size : int, optional
        Onto so many numbers a vector is mapped in the end: ALBERT's factorised embedding.
    dropout, layer_norm_eps : float
    pad_token_id : int or None
        The token whose vector is not trained.

    Attributes
    ----------
    word_embeddings : nn.Embedding
    position_embeddings : LearnedPositions
    token_type_embeddings : nn.Embedding or None
    norm : nn.LayerNorm
    projection : nn.Linear or None
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        max_position_embeddings: int,
        type_vocab_size: int,
        hidden_size: int | None,
        dropout: float,
        layer_norm_eps: float,
        pad_token_id: int | None,
    ):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, embedding_size, pad_token_id)
        self.position_embeddings = LearnedPositions(max_position_embeddings, embedding_size)
        self.token_type_embeddings = self.projection = None
        if type_vocab_size:
            self.token_type_embeddings = nn.Embedding(type_vocab_size, embedding_size)
        self.norm = nn.LayerNorm(embedding_size, eps=layer_norm_eps)
        self.dropout = nn.Dropout(dropout)
        if hidden_size is not None:
            self.projection = nn.Linear(embedding_size, hidden_size)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None) -> Tensor:
        """Return the vectors (batch, time, hidden_size) of ids and segments (batch, time)."""
        self._check(input_ids, token_type_ids)
        x = self.word_embeddings(input_ids)
        if self.token_type_embeddings is not None:
            segments = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
            x = x + self.token_type_embeddings(segments)
        x = self.dropout(self.norm(self.position_embeddings(x)))
        return x if self.projection is None else self.projection(x)

    def _check(self, ids: Tensor, segments: Tensor | None) -> None:
        checked_tokens("input_ids", ids, self.word_embeddings, "batch", "time")
        longest = len(self.position_embeddings.table)
        if ids.shape[1] > longest:
            raise ValueError(
                f"input_ids must have at most {longest} tokens a text, a row of the position table "
                f"each, got {ids.shape[1]}: truncate in the tokenizer, to {longest} with [CLS] and "
                "[SEP]"
            )
        if segments is None:
            return
        if self.token_type_embeddings is None:
            raise ValueError(
                "token_type_ids must be None: this model does not tell segments apart "
                "(type_vocab_size=0)"
            )
        checked_tokens("token_type_ids", segments, self.token_type_embeddings, "batch", "time")
        check_beside(ids, "token_type_ids", segments)


def padding_of(attention_mask: Tensor, input_ids: Tensor) -> Tensor:
    """Return where there is padding, from transformers' mask, which says where there is none.

    Both are (batch, time), the mask 1 or True at tokens and 0 at padding.
    """
    checked_type("attention_mask", attention_mask, Tensor, "a tensor")
    check_beside(input_ids, "attention_mask", attention_mask)
    refuse_meta("attention_mask", attention_mask)
    checked_device("attention_mask", attention_mask, input_ids, "input_ids")
    padding = attention_mask == 0
    if torch.compiler.is_exporting():
        return padding
    wrong = attention_mask[~padding & (attention_mask != 1)]
    if len(wrong):
        raise ValueError(
            f"attention_mask must be 1 at tokens and 0 at padding, got {wrong[0].item()}: it is no "
            "mask that is added to scores"
        )
    empty = padding.all(dim=1)
    if empty.any():
        raise ValueError(
            "attention_mask must leave each text a token, and row "
            f"{empty.nonzero()[0].item()} has none: an empty text still has [CLS] and [SEP]"
        )
    return padding


def check_beside(tokens: Tensor, name: str, given: Tensor, what: str = "input_ids") -> None:
    """Check that something is given for each token (batch, time)."""
    if given.shape != tokens.shape:
        raise ValueError(
            f"{name} must have the shape of {what} {tuple(tokens.shape)}, got {tuple(given.shape)}"
        )
