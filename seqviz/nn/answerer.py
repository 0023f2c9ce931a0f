"""A question about a picture: its last state attends to the regions, and names an answer."""

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_flag, checked_integer, checked_size
from seqviz.nn.attention import attention_or_none
from seqviz.nn.encoder_decoder import Encoder
from seqviz.nn.ids import checked_padding, checked_tokens
from seqviz.nn.pictures import checked_regions


class QuestionAnswerer(nn.Module):
    """Answer a question about a picture: the question's last state attends to the regions.

    Answer and question meet in W [q * c; q], q the question, c what it took from the regions
    (deck 002; Agrawal et al. 2015, Xu and Saenko 2016). Without attention c is the mean of all
    regions.

    Parameters
    ----------
    region_dim : int
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
        region_dim: int,
        vocab_size: int,
        num_answers: int,
        embed_dim: int,
        hidden_size: int,
        attention: str | None = "additive",
        padding_idx: int = 0,
    ):
        super().__init__()
        size = checked_size("hidden_size", hidden_size, 3, square=True)
        self.region_dim = checked_size("region_dim", region_dim, size)
        embed_dim = checked_size("embed_dim", embed_dim, 3 * size)
        vocab_size = checked_size("vocab_size", vocab_size, embed_dim)
        self.padding_idx = checked_integer("padding_idx", padding_idx, 0, vocab_size - 1)
        self.attention = attention_or_none(size, size, attention)
        self.reader = Encoder(vocab_size, embed_dim, size, padding_idx=padding_idx)
        self.keys = nn.Linear(region_dim, size)
        self.hidden = nn.Linear(2 * size, size)
        self.output = nn.Linear(size, checked_size("num_answers", num_answers, size))

    def forward(
        self, regions: Tensor, questions: Tensor, need_weights: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the logits of the answers, and with `need_weights` the weight of each region.

        Parameters
        ----------
        regions : Tensor
            (batch, regions, region_dim), float.
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
        checked_tokens("questions", questions, self.reader.embedding, "batch", "time")
        checked_padding(questions, self.padding_idx)
        keys = self.keys(checked_regions(regions, self.region_dim)).tanh()
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
