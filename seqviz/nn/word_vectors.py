"""A vector for each word, learned from the words around it: skip-gram and GloVe."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import checked_floats, checked_number, checked_size
from seqviz.nn.ids import checked_tokens


class TwoTables(nn.Module):
    """Two vectors for each word: W where it is the centre, W' where it stands around one.

    Parameters
    ----------
    vocab_size, embedding_dim : int
        Numbers of words, and of numbers in a vector.

    Attributes
    ----------
    W, W_out : nn.Embedding
        W and W' of the slides, (vocab, embedding_dim).

    Raises
    ------
    TypeError
        If a size is no integer.
    ValueError
        If a size is below one.
    """

    def __init__(self, vocab_size: int, embedding_dim: int):
        super().__init__()
        size = self.embedding_dim = checked_size("embedding_dim", embedding_dim)
        self.vocab_size = checked_size("vocab_size", vocab_size, size)
        self.W = nn.Embedding(self.vocab_size, size)
        self.W_out = nn.Embedding(self.vocab_size, size)

    @property
    def vectors(self) -> Tensor:
        """The mean of W and W', (vocab, embedding_dim), without gradients."""
        return (self.W.weight + self.W_out.weight).detach() / 2


class SkipGram(TwoTables):
    """Tell the words around a word from words that were drawn (Mikolov et al. 2013, equation 4).

    -log sigmoid(w_c . w'_o) - sum_k log sigmoid(-w_c . w'_k): the centre c is drawn towards the
    word o that stood near it, and away from k drawn ones.
    """

    def __init__(self, vocab_size: int, embedding_dim: int):
        super().__init__(vocab_size, embedding_dim)
        nn.init.uniform_(self.W.weight, -0.5 / self.embedding_dim, 0.5 / self.embedding_dim)
        nn.init.zeros_(self.W_out.weight)

    def forward(self, center: Tensor, context: Tensor, negatives: Tensor) -> Tensor:
        """Return the mean loss of some pairs.

        Parameters
        ----------
        center, context : Tensor
            (batch,), dtype long: a word, and one that stood near it.
        negatives : Tensor
            (batch, k), dtype long: words drawn by :func:`unigram_noise`.

        Returns
        -------
        Tensor
            A single number.

        Raises
        ------
        TypeError
            If a tensor is not of dtype long.
        ValueError
            If shapes do not fit, or an id is no word.
        """
        checked_tokens("center", center, self.W, "batch")
        checked_tokens("context", context, self.W, "batch")
        checked_tokens("negatives", negatives, self.W, "batch", "k")
        if not len(center) == len(context) == len(negatives):
            raise ValueError(
                "center, context and negatives must be equally long, got "
                f"{len(center)}, {len(context)} and {len(negatives)}"
            )
        w = self.W(center)
        near = (w * self.W_out(context)).sum(dim=1)  # (batch,)
        drawn = (self.W_out(negatives) @ w.unsqueeze(2)).squeeze(2)  # (batch, k)
        return -(F.logsigmoid(near) + F.logsigmoid(-drawn).sum(dim=1)).mean()


class GloVe(TwoTables):
    """Fit w_i . w'_j + b_i + b'_j to the log of how often j stands near i.

    The squares are weighted by f(x) = min(1, (x / x_max)^alpha), so that rare pairs count little
    and frequent ones not without end (Pennington et al. 2014, equations 8 and 9).

    Parameters
    ----------
    vocab_size, embedding_dim : int
        As in :class:`TwoTables`.
    x_max : float
        From this count on a pair has the full weight.
    alpha : float
        How fast the weight grows below.

    Attributes
    ----------
    b, b_out : nn.Parameter
        b and b', (vocab,).
    """

    def __init__(
        self, vocab_size: int, embedding_dim: int, x_max: float = 100.0, alpha: float = 0.75
    ):
        super().__init__(vocab_size, embedding_dim)
        self.x_max = checked_number("x_max", x_max, above=0)
        self.alpha = checked_number("alpha", alpha, 0)
        for table in (self.W, self.W_out):
            nn.init.uniform_(table.weight, -0.5 / self.embedding_dim, 0.5 / self.embedding_dim)
        self.b = nn.Parameter(torch.zeros(self.vocab_size))
        self.b_out = nn.Parameter(torch.zeros(self.vocab_size))

    def forward(self, i: Tensor, j: Tensor, x: Tensor) -> Tensor:
        """Return the mean weighted square of some pairs.

        Parameters
        ----------
        i, j : Tensor
            (batch,), dtype long: a word, and one that stands near it.
        x : Tensor
            (batch,), float: how often, above zero.

        Returns
        -------
        Tensor
            A single number.

        Raises
        ------
        TypeError
            If a tensor has the wrong type.
        ValueError
            If shapes do not fit, an id is no word, or a count is not above zero.
        """
        checked_tokens("i", i, self.W, "batch")
        checked_tokens("j", j, self.W, "batch")
        if not i.shape == j.shape == checked_floats("x", x, " (batch,)").shape:
            raise ValueError(
                f"i, j and x must be equally long, got {len(i)}, {len(j)} and {tuple(x.shape)}"
            )
        if not torch.compiler.is_exporting() and not (x > 0).all():
            raise ValueError(
                f"x must be above 0, the log of it is fitted, got {x.min().item():g}: leave pairs "
                "out that never stand together"
            )
        fitted = (self.W(i) * self.W_out(j)).sum(dim=1) + self.b[i] + self.b_out[j]
        weight = (x / self.x_max).clamp(max=1) ** self.alpha
        return (weight * (fitted - x.log()) ** 2).mean()


def unigram_noise(counts: Tensor, power: float = 0.75) -> Tensor:
    """Return the probabilities that negatives are drawn with: counts to a power.

    The power lifts rare words: 0 draws all words alike, 1 as often as they come (Mikolov et al.
    2013, 2.2).

    Parameters
    ----------
    counts : Tensor
        (vocab,), how often each word comes.
    power : float
        From 0 to 1.

    Returns
    -------
    Tensor
        (vocab,), float64: for ``torch.multinomial(unigram_noise(counts), n, replacement=True)``.

    Raises
    ------
    TypeError
        If `counts` is no tensor, or `power` no number.
    ValueError
        If a count is negative, all are zero, or `power` lies outside.
    """
    if not isinstance(counts, Tensor):
        raise TypeError(f"counts must be a tensor (vocab,), got {type(counts).__name__}")
    power = checked_number("power", power, 0, 1)
    if counts.dim() != 1 or not (counts >= 0).all() or not (counts > 0).any():
        raise ValueError(
            "counts must be (vocab,), none negative and one above 0, got "
            f"{counts.flatten()[:4].tolist()} ... of shape {tuple(counts.shape)}"
        )
    lifted = torch.where(counts > 0, counts.double() ** power, 0.0)
    return lifted / lifted.sum()
