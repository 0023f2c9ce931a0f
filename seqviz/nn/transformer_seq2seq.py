"""A transformer that translates: ids in, logits out."""

from typing import NamedTuple

from torch import Tensor, nn

from seqviz.arguments import checked_flag, checked_name, checked_number, checked_size
from seqviz.nn.ids import (
    check_start,
    check_step,
    checked_marks,
    checked_padding,
    checked_rows,
    checked_tokens,
)
from seqviz.nn.key_values import LayerCache
from seqviz.nn.masks import causal_mask
from seqviz.nn.position import LearnedPositions, SinusoidalPositions
from seqviz.nn.transformer import Transformer

POSITIONS = {"sinusoidal": SinusoidalPositions, "learned": LearnedPositions}


class TransformerState(NamedTuple):
    """Where a decoder stands.

    Attributes
    ----------
    cache : list of LayerCache
        Keys and values of each layer.
    padding : Tensor
        (batch, source time), True where the source has none.
    steps : int
        Words read so far.
    """

    cache: list[LayerCache]
    padding: Tensor
    steps: int


class TransformerSeq2Seq(nn.Module):
    """Translate with a transformer: source ids in, logits of the target's next token out.

    A word's vector is its embedding times sqrt(d_model) plus its position's row; a linear map
    makes logits of what the decoder gives (decks 000 to 004; Vaswani et al. 2017, 3.4). Called,
    searched and trained as :class:`Seq2Seq` is.

    Parameters
    ----------
    source_size, target_size : int
        Numbers of tokens, padding and START included.
    d_model, nhead, num_encoder_layers, num_decoder_layers, dim_feedforward, dropout, norm_first
        As in :class:`Transformer`. `dropout` also acts on the sum of embedding and position.
    positions : {"sinusoidal", "learned"}
        What tells the words' places.
    share : {"none", "target", "all"}
        Which matrices are one: "target", the target's embedding and the output's weight (Press
        and Wolf 2017); "all", as in the paper, the source's embedding too, of one vocabulary.
    max_len : int
        Tokens of the longest source or target.
    padding_idx, start_idx : int
        The ids of padding, in both languages, and of START, with which each target begins.

    Attributes
    ----------
    transformer : Transformer
    source_embedding, target_embedding : nn.Embedding
    positions : SinusoidalPositions or LearnedPositions
    output : nn.Linear

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, heads do not divide `d_model`, a name is unknown, `d_model` is odd
        with sinusoids, one vocabulary is shared by two of different sizes, or `padding_idx` or
        `start_idx` is no token.

    Examples
    --------
    >>> import torch
    >>> model = TransformerSeq2Seq(source_size=9, target_size=7, d_model=8, nhead=2)
    >>> source = torch.tensor([[5, 8, 3], [4, 2, 0]])
    >>> target = torch.tensor([[1, 3, 6, 2], [1, 5, 2, 0]])  # START is 1, STOP is 2
    >>> model(source, target[:, :-1]).shape
    torch.Size([2, 3, 7])

    Free running: ``sv.decoding.greedy(model.step, [[1], [1]], 10, state=model.encode(source),
    stop=2)``, or ``beam(..., select=model.select)``. Its attention: ``with sv.record(model)``.
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        d_model: int = 128,
        nhead: int = 4,
        num_encoder_layers: int = 2,
        num_decoder_layers: int = 2,
        dim_feedforward: int = 512,
        dropout: float = 0.1,
        norm_first: bool = False,
        *,
        positions: str = "sinusoidal",
        share: str = "none",
        max_len: int = 256,
        padding_idx: int = 0,
        start_idx: int = 1,
    ):
        super().__init__()
        d_model = checked_size("d_model", d_model, 3, square=True)
        source_size = checked_size("source_size", source_size, d_model)
        target_size = checked_size("target_size", target_size, d_model)
        marks = checked_marks(padding_idx, start_idx, source_size, target_size)
        self.padding_idx, self.start_idx = marks
        checked_name("positions", positions, POSITIONS)
        checked_name("share", share, ("none", "target", "all"))
        if share == "all" and source_size != target_size:
            raise ValueError(
                'share="all" needs one vocabulary for both languages, got source_size='
                f'{source_size} and target_size={target_size}: use share="target"'
            )
        self.transformer = Transformer(
            d_model,
            nhead,
            num_encoder_layers,
            num_decoder_layers,
            dim_feedforward,
            checked_number("dropout", dropout, 0, 1),
            batch_first=True,
            norm_first=checked_flag("norm_first", norm_first),
        )
        self.source_embedding = nn.Embedding(source_size, d_model, padding_idx)
        self.target_embedding = nn.Embedding(target_size, d_model, padding_idx)
        self.positions = POSITIONS[positions](max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(d_model, target_size)
        for embedding in (self.source_embedding, self.target_embedding):
            nn.init.normal_(embedding.weight, std=d_model**-0.5)  # 1 after the factor
        if share != "none":
            self.output.weight = self.target_embedding.weight
        if share == "all":
            self.source_embedding.weight = self.target_embedding.weight

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the logits after each token of the target, all of it given (teacher forcing).

        Parameters
        ----------
        source : Tensor
            (batch, time), dtype long. A shorter source is padded at its end.
        target : Tensor
            (batch, steps), dtype long. START comes first; the logits at a step are those of the
            token after it. Padding after its end needs no mask: nobody before it sees it.

        Returns
        -------
        Tensor
            (batch, steps, target_size).

        Raises
        ------
        TypeError
            If `source` or `target` is no long tensor.
        ValueError
            If a shape does not fit, an id is no token, a source is empty or has padding before
            its end, a target does not begin with START, or one is longer than `max_len`.
        """
        memory, padding = self._read(source)
        checked_tokens("target", target, self.target_embedding, "batch", "steps")
        check_start(target, len(source), self.start_idx)
        decoded = self.transformer.decoder(
            self._embedded(self.target_embedding, target),
            memory,
            tgt_mask=causal_mask(target.shape[1], target.device),
            memory_key_padding_mask=padding,
        )
        return self.output(decoded)

    def encode(self, source: Tensor) -> TransformerState:
        """Read sources (batch, time); return the decoder's state before its first step.

        Raises
        ------
        TypeError, ValueError
            As for the source of :meth:`forward`.
        """
        memory, padding = self._read(source)
        return TransformerState(self.transformer.decoder.start(memory), padding, 0)

    def step(self, ids: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """Read one token of each target: ids (batch,) to logits (batch, vocab), and the next state.

        Raises
        ------
        TypeError
            If `state` is not one of :meth:`encode`, or `ids` is no long tensor.
        ValueError
            If `ids` are not as many as the sources, an id is no token, or `max_len` are read.
        """
        check_step(state, TransformerState, ids, self.target_embedding)
        x = self._embedded(self.target_embedding, ids.unsqueeze(1), state.steps)
        x, cache = self.transformer.decoder.step(x, state.cache, state.padding)
        return self.output(x[:, 0]), TransformerState(cache, state.padding, state.steps + 1)

    @staticmethod
    def select(state: TransformerState, rows: Tensor) -> TransformerState:
        """Return the state with these rows of its batch, in this order; a row may come twice."""
        rows = checked_rows(state, TransformerState, rows)
        cache = [layer.select(rows) for layer in state.cache]
        return TransformerState(cache, state.padding.index_select(0, rows), state.steps)

    def _read(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """What the encoder gives (batch, time, d_model), and where the source has padding."""
        checked_tokens("source", source, self.source_embedding, "batch", "time")
        padding = checked_padding(source, self.padding_idx)
        x = self._embedded(self.source_embedding, source)
        return self.transformer.encoder(x, src_key_padding_mask=padding), padding

    def _embedded(self, embedding: nn.Embedding, ids: Tensor, start: int = 0) -> Tensor:
        x = embedding(ids) * embedding.embedding_dim**0.5
        return self.dropout(self.positions(x, start))
