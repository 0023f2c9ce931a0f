"""Regions of a picture to a caption, word by word, with attention over them or without."""

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_number, checked_size, renamed
from seqviz.nn.attention import Attention, attention_or_none
from seqviz.nn.encoder_decoder import State
from seqviz.nn.ids import checked_marks
from seqviz.nn.pictures import checked_regions
from seqviz.nn.recurrent import GRU
from seqviz.nn.writing import Writer


class RegionDecoder(nn.Module):
    """Write a caption, a word at each step; y_t is the vector of the word read at step t.

    s_t = GRU([y_t; c_{t-1}], s_{t-1}), c_t is what s_t takes from the regions, and the logits are
    W tanh(W_c [c_t; s_t]). The query s_t has read y_t: where several captions are right, only the
    words so far tell which one is being written. c_t is fed to the next step (Luong et al. 2015,
    3.3, input feeding). Without attention c_t is always the mean of the regions.

    Parameters
    ----------
    region_dim, vocab_size, embed_dim, hidden_size
        As in :class:`Captioner`.
    attention : Attention or None
    dropout, padding_idx
        As in :class:`Captioner`.
    """

    def __init__(
        self,
        region_dim: int,
        vocab_size: int,
        embed_dim: int,
        hidden_size: int,
        attention: Attention | None,
        dropout: float = 0.0,
        padding_idx: int = 0,
    ):
        super().__init__()
        self.attention = attention
        self.embedding = nn.Embedding(vocab_size, embed_dim, padding_idx=padding_idx)
        self.dropout = nn.Dropout(dropout)
        self.first = nn.Linear(region_dim, hidden_size)
        self.rnn = GRU(embed_dim + region_dim, hidden_size, batch_first=True)
        self.combine = nn.Linear(region_dim + hidden_size, hidden_size)
        self.output = nn.Linear(hidden_size, vocab_size)

    def start(self, regions: Tensor) -> State:
        """Return the state before the first step: s_0 = tanh(W mean), c_0 the mean."""
        mean = regions.mean(dim=1)
        projected = None if self.attention is None else self.attention.score.project(regions)
        none_padded = torch.zeros(regions.shape[:2], dtype=torch.bool, device=regions.device)
        s_0 = self.first(mean).tanh().unsqueeze(0)
        return State(s_0, mean, None, regions, projected, none_padded)

    def forward(self, target: Tensor, state: State) -> tuple[Tensor, Tensor | None, State]:
        """Read words (batch, steps); return logits, alpha (batch, steps, regions), the state."""
        y = self.dropout(self.embedding(target))
        if self.attention is None:
            c = state.context.unsqueeze(1).expand(-1, y.shape[1], -1)
            s, hidden = self.rnn(torch.cat([y, c], dim=-1), state.hidden)
            return self._said(c, s), None, state._replace(hidden=hidden)
        hidden, c, found = state.hidden, state.context, []
        for y_t in y.unbind(dim=1):
            _, hidden = self.rnn(torch.cat([y_t, c], dim=-1).unsqueeze(1), hidden)
            s = hidden[-1]
            c, alpha = self.attention(s, state.keys, projected=state.projected)
            found.append((c, s, alpha))
        c_all, s_all, alphas = (torch.stack(part, dim=1) for part in zip(*found, strict=True))
        state = state._replace(hidden=hidden, context=c, alpha=alpha)
        return self._said(c_all, s_all), alphas, state

    def _said(self, c: Tensor, s: Tensor) -> Tensor:
        return self.output(self.combine(torch.cat([c, s], dim=-1)).tanh())


class Captioner(Writer):
    """Write a caption: regions of pictures in, logits of the next word out.

    Without attention every step reads one vector, the mean of the regions (deck 000; Vinyals et
    al. 2015). With it every step attends to the regions: alpha has a weight for each (decks 000,
    002; Xu et al. 2015).

    Parameters
    ----------
    region_dim : int
        Numbers of a region, as ``ConvEncoder.regions`` gives them.
    vocab_size, embed_dim, hidden_size : int
        Numbers of words, of numbers in a word's vector, and of units of the GRU that writes.
    attention : str or None
        The score, one of :class:`Attention`'s but "location", or none.
    attention_dim : int, optional
        As in :class:`Attention`, for the additive score.
    dropout : float
        Probability of dropping a number of a word's vector in training.
    padding_idx, start_idx : int
        The ids of padding and START.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, `attention` is unknown or does not fit the sizes, or padding and
        START are no two words.

    Examples
    --------
    >>> import torch
    >>> model = Captioner(region_dim=10, vocab_size=7, embed_dim=4, hidden_size=6)
    >>> regions, captions = torch.rand(2, 64, 10), torch.tensor([[1, 3, 2], [1, 5, 2]])
    >>> logits, alpha = model(regions, captions, need_weights=True)
    >>> logits.shape, alpha.shape
    (torch.Size([2, 3, 7]), torch.Size([2, 3, 64]))
    """

    def __init__(
        self,
        region_dim: int,
        vocab_size: int,
        embed_dim: int,
        hidden_size: int,
        attention: str | None = "additive",
        attention_dim: int | None = None,
        dropout: float = 0.0,
        padding_idx: int = 0,
        start_idx: int = 1,
    ):
        super().__init__()
        size = checked_size("hidden_size", hidden_size, 3, square=True)
        self.region_dim = checked_size("region_dim", region_dim, 3 * size)
        embed_dim = checked_size("embed_dim", embed_dim, 3 * size)
        vocab_size = checked_size("vocab_size", vocab_size, max(embed_dim, size))
        padding_idx, self.start_idx = checked_marks(padding_idx, start_idx, vocab_size)
        dropout = checked_number("dropout", dropout, 0, 1)
        attention = attention_or_none(size, region_dim, attention, attention_dim=attention_dim)
        self.decoder = RegionDecoder(
            region_dim, vocab_size, embed_dim, size, attention, dropout, padding_idx
        )

    def forward(
        self, regions: Tensor, captions: Tensor, need_weights: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the logits after each word of the caption, all of it given (teacher forcing).

        Parameters
        ----------
        regions : Tensor
            (batch, regions, region_dim), float.
        captions : Tensor
            (batch, steps), dtype long, START first.
        need_weights : bool
            Whether to return alpha too.

        Returns
        -------
        logits : Tensor
            (batch, steps, vocab_size).
        alpha : Tensor
            (batch, steps, regions), only with `need_weights`.

        Raises
        ------
        TypeError
            If `regions` is no float tensor, or `captions` no long tensor.
        ValueError
            If a shape does not fit, an id is no word, a caption is empty or does not begin with
            START, or `need_weights` finds no attention.
        """
        try:
            return self._written(regions, captions, need_weights)
        except (TypeError, ValueError) as error:
            raise renamed(error, target="captions", source="regions", sources="regions") from None

    def encode(self, source: Tensor) -> State:
        """Take regions (batch, regions, region_dim); return the state before the first step.

        Raises
        ------
        TypeError, ValueError
            As for the regions of :meth:`forward`.
        """
        return self.decoder.start(checked_regions(source, self.region_dim, "source"))
