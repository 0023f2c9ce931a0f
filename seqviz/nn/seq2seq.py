"""Sequence to sequence: many-to-one and one-to-many, composed and trained as one."""

from torch import Tensor

from seqviz.arguments import (
    DEPTH,
    checked_flag,
    checked_integer,
    checked_name,
    checked_number,
    checked_size,
)
from seqviz.nn.attention import attention_or_none
from seqviz.nn.encoder_decoder import CELLS, Decoder, Encoder, State
from seqviz.nn.ids import checked_marks, checked_padding, checked_tokens
from seqviz.nn.writing import Writer


class Seq2Seq(Writer):
    """Translate: source ids in, logits of the target's next token out (decks 000 to 004).

    Without attention one vector carries the whole source (Sutskever et al. 2014; here each step
    of the decoder reads it, as in deck 000). With it, each step attends to all of the source
    (Bahdanau et al. 2015, Luong et al. 2015). Keys and queries both have `hidden_size` numbers,
    so that every score fits.

    Parameters
    ----------
    source_size, target_size : int
        Numbers of tokens, padding and START included.
    embed_dim, hidden_size : int
        Numbers in a token's vector, and units of the decoder and of each h_i; two directions
        share them, half each.
    num_layers : int
        Layers of the encoder and of the decoder.
    dropout : float
        Probability of dropping a number of a token's vector, and of h between two layers, while
        training.
    bidirectional : bool
        Whether the encoder also reads from the last token to the first.
    cell : {"GRU", "LSTM", "RNN"}
        The recurrent net of both.
    attention : {"additive", "general", "dot", "scaled dot", "cosine", "location"} or None
        The score, see :class:`Attention`, or none.
    wiring : {"bahdanau", "luong"}
        Which state asks and where its answer goes: see
        :class:`seqviz.nn.encoder_decoder.Decoder`. Of no effect without attention.
    attention_dim, max_length : int, optional
        As in :class:`Attention`.
    residual : bool
        Whether attention attends to h_i + W x_i rather than to h_i alone.
    padding_idx, start_idx : int
        The ids of padding, in both languages, and of START, with which each target begins.

    Attributes
    ----------
    encoder : Encoder
    decoder : Decoder
        ``decoder.attention`` is the :class:`Attention`.

    Raises
    ------
    TypeError
        If a size is not an integer.
    ValueError
        If a size is below one, a name is unknown, `hidden_size` is odd with two directions,
        `padding_idx` or `start_idx` is no token, or an argument of attention has no attention.

    Examples
    --------
    >>> import torch
    >>> model = Seq2Seq(source_size=9, target_size=7, embed_dim=4, hidden_size=6)
    >>> source = torch.tensor([[5, 8, 3], [4, 2, 0]])
    >>> target = torch.tensor([[1, 3, 6, 2], [1, 5, 2, 0]])  # START is 1, STOP is 2
    >>> logits, alpha = model(source, target[:, :-1], need_weights=True)
    >>> logits.shape, alpha.shape
    (torch.Size([2, 3, 7]), torch.Size([2, 3, 3]))
    >>> nexts = target[:, 1:].flatten()
    >>> loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), nexts, ignore_index=0)

    Free running, with :func:`seqviz.decoding.greedy` or :func:`seqviz.decoding.beam`:
    ``greedy(model.step, [[1], [1]], 10, state=model.encode(source), stop=2)``.
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        embed_dim: int,
        hidden_size: int,
        num_layers: int = 1,
        dropout: float = 0.0,
        bidirectional: bool = False,
        cell: str = "GRU",
        attention: str | None = "additive",
        wiring: str = "bahdanau",
        attention_dim: int | None = None,
        max_length: int | None = None,
        residual: bool = False,
        padding_idx: int = 0,
        start_idx: int = 1,
    ):
        super().__init__()
        hidden_size = checked_size("hidden_size", hidden_size, 4, square=True)
        embed_dim = checked_size("embed_dim", embed_dim, 4 * hidden_size)
        source_size = checked_size("source_size", source_size, embed_dim)
        target_size = checked_size("target_size", target_size, max(embed_dim, hidden_size))
        num_layers = checked_integer("num_layers", num_layers, 1, DEPTH)
        marks = checked_marks(padding_idx, start_idx, source_size, target_size)
        self.padding_idx, self.start_idx = marks
        dropout = checked_number("dropout", dropout, 0, 1)
        bidirectional = checked_flag("bidirectional", bidirectional)
        residual = checked_flag("residual", residual)
        cell = checked_name("cell", cell, CELLS)
        wiring = checked_name("wiring", wiring, ("bahdanau", "luong"))
        if bidirectional and hidden_size % 2:
            raise ValueError(
                f"hidden_size must be even, two directions share it, got {hidden_size}"
            )
        if attention is None and (attention_dim is not None or max_length is not None or residual):
            raise ValueError(
                "attention_dim, max_length and residual are of attention, got attention=None: "
                "drop them"
            )
        more = {"attention_dim": attention_dim, "max_length": max_length}
        attention = attention_or_none(hidden_size, hidden_size, attention, **more)
        direction = hidden_size // 2 if bidirectional else hidden_size
        rest = {"num_layers": num_layers, "dropout": dropout, "cell": cell}
        rest["padding_idx"] = padding_idx
        self.encoder = Encoder(
            source_size,
            embed_dim,
            direction,
            bidirectional=bidirectional,
            residual=residual,
            **rest,
        )
        self.decoder = Decoder(target_size, embed_dim, hidden_size, attention, wiring, **rest)

    def forward(
        self, source: Tensor, target: Tensor, need_weights: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the logits after each token of the target, all of it given (teacher forcing).

        Parameters
        ----------
        source : Tensor
            (batch, time), dtype long. A shorter source is padded at its end.
        target : Tensor
            (batch, steps), dtype long. START comes first; the logits at a step are those of the
            token after it.
        need_weights : bool
            Whether to return alpha too.

        Returns
        -------
        logits : Tensor
            (batch, steps, target_size).
        alpha : Tensor
            (batch, steps, time), only with `need_weights`: the weights of each step.

        Raises
        ------
        TypeError
            If `source` or `target` is no long tensor.
        ValueError
            If a shape does not fit, an id is no token, a source is empty or has padding before
            its end, a target does not begin with START, or `need_weights` finds no attention.
        """
        return self._written(source, target, need_weights)

    def encode(self, source: Tensor) -> State:
        """Read sources (batch, time); return the decoder's state before its first step.

        Raises
        ------
        TypeError, ValueError
            As for the source of :meth:`forward`.
        """
        checked_tokens("source", source, self.encoder.embedding, "batch", "time")
        padding = checked_padding(source, self.padding_idx)
        keys, last = self.encoder(source)
        return self.decoder.start(keys, last, padding)
