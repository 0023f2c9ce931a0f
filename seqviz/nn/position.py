"""Where a word stands: a row of a table, added to its vector."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_device, checked_floats, checked_integer, checked_size


def sinusoids(length: int, d_model: int) -> Tensor:
    """Return sines and cosines of the positions (decks 000 to 004; Vaswani et al. 2017, 3.5).

    PE(pos, 2i) = sin(pos / 10000^(2i/d_model)) and PE(pos, 2i+1) = cos of the same angle. Each
    pair (2i, 2i+1) is the hand of a clock; the first turns fastest.

    Parameters
    ----------
    length : int
        Number of positions.
    d_model : int
        Numbers in a row: even, a sine and a cosine for each wave length.

    Returns
    -------
    Tensor
        (length, d_model), float32, computed in float64.

    Raises
    ------
    TypeError
        If a size is no integer.
    ValueError
        If a size is below one, or `d_model` is odd.
    """
    d_model = checked_size("d_model", d_model)
    length = checked_size("length", length, d_model)
    if d_model % 2:
        raise ValueError(
            f"d_model must be even, a sine and a cosine for each wave length, got {d_model}: take "
            f"{d_model + 1}, or LearnedPositions"
        )
    pos = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (length, 1)
    two_i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = pos / 10000 ** (two_i / d_model)  # (length, d_model / 2)
    return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1).float()


class Positions(nn.Module):
    """Add row t of a table to the vector at position t.

    Attributes
    ----------
    table : Tensor
        (max_len, d_model).
    """

    table: Tensor

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """Return x with a row of the table added to each of its vectors.

        Parameters
        ----------
        x : Tensor
            (..., time, d_model).
        start : int
            The position of its first vector: that of a later piece is above 0.

        Raises
        ------
        TypeError
            If `x` is no float tensor.
        ValueError
            If `x` has another last size, or reaches beyond the table.
        """
        max_len, d_model = self.table.shape
        checked_floats("x", x, fix=": embed ids first")
        checked_device("x", x, self.table)
        if x.dim() < 2 or x.shape[-1] != d_model:
            raise ValueError(f"x must be (..., time, {d_model}), got shape {tuple(x.shape)}")
        end = checked_integer("start", start, 0) + x.shape[-2]
        if end > max_len:
            raise ValueError(
                f"x must end within the table's {max_len} positions, got {end} of them: cut it, "
                "give an earlier start, or make the table longer with max_len"
            )
        return x + self.table[start:end].to(x.dtype)

    def extra_repr(self) -> str:
        """Sizes, for ``print(model)``."""
        return "{}, {}".format(*self.table.shape)


class SinusoidalPositions(Positions):
    """Add :func:`sinusoids`: a fixed table, no weights, not in the state dict.

    Parameters
    ----------
    max_len : int
        Positions of the table.
    d_model : int
        Numbers in a vector: even.

    Raises
    ------
    TypeError, ValueError
        As from :func:`sinusoids`.
    """

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        max_len = checked_size("max_len", max_len, checked_size("d_model", d_model))
        self.register_buffer("table", sinusoids(max_len, d_model), persistent=False)


class LearnedPositions(Positions):
    """Add a learned row for each position (deck 002; Gehring et al. 2017; BERT).

    Parameters
    ----------
    max_len : int
        Positions of the table: there is no row for a later one.
    d_model : int
        Numbers in a vector.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer of at least one.
    """

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        d_model = checked_size("d_model", d_model)
        max_len = checked_size("max_len", max_len, d_model)
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)


def longest_text(model: nn.Module) -> int | None:
    """Tokens of the longest text that a model has positions for, None if it does not say.

    By the lengths of its tables of positions, and by what its configuration says.
    """
    return min(_lengths(model), default=None)


def _lengths(model: nn.Module) -> Iterator[int]:
    for path, module in model.named_modules():
        if isinstance(module, Positions):
            yield len(module.table)
        of_places = isinstance(module, nn.Embedding) and "position" in path.rpartition(".")[2]
        if of_places and module.padding_idx is not None:  # RoBERTa counts on from padding
            yield module.num_embeddings - module.padding_idx - 1
    config = getattr(model, "config", None)
    if hasattr(config, "get_text_config"):
        most = getattr(config.get_text_config(), "max_position_embeddings", None)
        if isinstance(most, int) and most > 0:
            yield most
