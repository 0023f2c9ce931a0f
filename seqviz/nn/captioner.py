"""A picture to words: a caption, with attention over regions or without, and an answer."""

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_flag, checked_integer, checked_name, checked_type
from seqviz.nn.attention import SCORES, Attention
from seqviz.nn.encoder_decoder import Decoder, Encoder, State
from seqviz.nn.ids import checked_ids, checked_padding
from seqviz.nn.pictures import ConvEncoder
from seqviz.nn.writing import Writer


class Captioner(Writer):
    """Write a caption: pictures in, logits of the next word out.

    Without attention every step reads one vector, the mean of the regions (deck 000; Vinyals et
    al. 2015). With it every step attends to the regions: alpha has a weight for each (deck 000,
    002; Xu et al. 2015).

    Parameters
    ----------
    encoder : ConvEncoder
        Trained with the captioner; ``encoder.requires_grad_(False)`` keeps what it learned before.
    vocab_size, embed_dim, hidden_size : int
        Numbers of words, of numbers in a word's vector, and of units of the GRU that writes.
    attention : str or None
        The score, as in :class:`Seq2Seq`, or none.
    dropout : float
        Probability of dropping a number of a word's vector in training.
    padding_idx, start_idx : int
        The ids of padding and START.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, `attention` is unknown, or padding and START are no two words.

    Examples
    --------
    >>> import torch
    >>> from seqviz.nn import ConvEncoder
    >>> model = Captioner(ConvEncoder(3, (8, 16)), vocab_size=7, embed_dim=4, hidden_size=6)
    >>> pictures, captions = torch.rand(2, 3, 32, 32), torch.tensor([[1, 3, 2], [1, 5, 2]])
    >>> logits, alpha = model(pictures, captions, need_weights=True)
    >>> logits.shape, alpha.shape  # 8 x 8 regions
    (torch.Size([2, 3, 7]), torch.Size([2, 3, 64]))
    """

    def __init__(
        self,
        encoder: ConvEncoder,
        vocab_size: int,
        embed_dim: int,
        hidden_size: int,
        attention: str | None = "additive",
        dropout: float = 0.0,
        padding_idx: int = 0,
        start_idx: int = 1,
    ):
        super().__init__()
        self.encoder = checked_type("encoder", encoder, ConvEncoder, "a ConvEncoder")
        vocab_size = checked_integer("vocab_size", vocab_size, 1)
        embed_dim = checked_integer("embed_dim", embed_dim, 1)
        size = checked_integer("hidden_size", hidden_size, 1)
        self.start_idx = checked_integer("start_idx", start_idx, 0, vocab_size - 1)
        padding_idx = checked_integer("padding_idx", padding_idx, 0, vocab_size - 1)
        if padding_idx == start_idx:
            raise ValueError(f"start_idx must differ from padding_idx, got {start_idx} for both")
        if attention is not None:
            checked_name("attention", attention, SCORES)
            attention = Attention(size, size, attention)
        self.keys = nn.Linear(encoder.region_dim, size)
        self.first = nn.Linear(encoder.region_dim, size)
        self.decoder = Decoder(
            vocab_size, embed_dim, size, attention, dropout=dropout, padding_idx=padding_idx
        )

    def forward(
        self, pictures: Tensor, captions: Tensor, need_weights: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the logits after each word of the caption, all of it given (teacher forcing).

        Parameters
        ----------
        pictures : Tensor
            (batch, channels, height, width), float, as the encoder takes them.
        captions : Tensor
            (batch, steps), dtype long, START first.
        need_weights : bool
            Whether to return alpha too.

        Returns
        -------
        logits : Tensor
            (batch, steps, vocab_size).
        alpha : Tensor
            (batch, steps, regions), only with `need_weights`: row by row of the grid.

        Raises
        ------
        TypeError
            If `pictures` is no float tensor, or `captions` no long tensor.
        ValueError
            If a shape does not fit, an id is no word, a caption is empty or does not begin with
            START, or `need_weights` finds no attention.
        """
        return self._written(pictures, captions, need_weights)

    def encode(self, source: Tensor) -> State:
        """Look at pictures; return the decoder's state before its first step.

        Raises
        ------
        TypeError, ValueError
            As for the pictures of :meth:`forward`.
        """
        regions = self.encoder.regions(source)
        s_0 = self.first(regions.mean(dim=1)).tanh()
        nothing_padded = torch.zeros(regions.shape[:2], dtype=torch.bool, device=regions.device)
        return self.decoder.start(self.keys(regions), s_0.unsqueeze(0), nothing_padded)


class QuestionAnswerer(nn.Module):
    """Answer a question about a picture: the question's last state attends to the regions.

    Answer and question meet in W [q * c; q], q the question, c what it took from the regions
    (deck 002; Agrawal et al. 2015, Xu and Saenko 2016). Without attention c is the mean of all
    regions.

    Parameters
    ----------
    encoder : ConvEncoder
        As in :class:`Captioner`.
    vocab_size, num_answers, embed_dim, hidden_size : int
        Numbers of words and of answers, of numbers in a word's vector, and of units.
    attention : str or None
        The score, or none.
    padding_idx : int
        The id of padding, which stands only after a question.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, `attention` is unknown, or `padding_idx` no word.
    """

    def __init__(
        self,
        encoder: ConvEncoder,
        vocab_size: int,
        num_answers: int,
        embed_dim: int,
        hidden_size: int,
        attention: str | None = "additive",
        padding_idx: int = 0,
    ):
        super().__init__()
        self.encoder = checked_type("encoder", encoder, ConvEncoder, "a ConvEncoder")
        vocab_size = checked_integer("vocab_size", vocab_size, 1)
        embed_dim = checked_integer("embed_dim", embed_dim, 1)
        size = checked_integer("hidden_size", hidden_size, 1)
        self.padding_idx = checked_integer("padding_idx", padding_idx, 0, vocab_size - 1)
        if attention is not None:
            checked_name("attention", attention, SCORES)
            attention = Attention(size, size, attention)
        self.attention = attention
        self.reader = Encoder(vocab_size, embed_dim, size, padding_idx=padding_idx)
        self.keys = nn.Linear(encoder.region_dim, size)
        self.hidden = nn.Linear(2 * size, size)
        self.output = nn.Linear(size, checked_integer("num_answers", num_answers, 1))

    def forward(
        self, pictures: Tensor, questions: Tensor, need_weights: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the logits of the answers, and with `need_weights` the weight of each region.

        Parameters
        ----------
        pictures : Tensor
            (batch, channels, height, width), float, as the encoder takes them.
        questions : Tensor
            (batch, time), dtype long.
        need_weights : bool
            Whether to return the weights too.

        Returns
        -------
        logits : Tensor
            (batch, num_answers).
        alpha : Tensor
            (batch, regions), only with `need_weights`.

        Raises
        ------
        TypeError
            If a tensor has the wrong type.
        ValueError
            If a shape does not fit, an id is no word, a question is empty, or `need_weights` finds
            no attention.
        """
        if checked_flag("need_weights", need_weights) and self.attention is None:
            raise ValueError("need_weights must be False: this model has attention=None")
        words = self.reader.embedding
        axes = ("batch", "time")
        checked_ids("questions", questions, words.num_embeddings, words.weight, axes)
        checked_padding(questions, self.padding_idx)
        keys = self.keys(self.encoder.regions(pictures))
        if len(keys) != len(questions):
            raise ValueError(
                f"questions must have a row for each of {len(keys)} pictures, got {len(questions)}"
            )
        q = self.reader(questions)[1][-1]  # (batch, hidden_size)
        if self.attention is None:
            c, alpha = keys.mean(dim=1), None
        else:
            c, alpha = self.attention(q, keys)
        logits = self.output(self.hidden(torch.cat([q * c, q], dim=1)).relu())
        return (logits, alpha) if need_weights else logits
