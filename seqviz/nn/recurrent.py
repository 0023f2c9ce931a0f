"""RNN, LSTM and GRU with the names, shapes and weights of torch.nn's."""

import warnings
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from seqviz.arguments import (
    DEPTH,
    checked_flag,
    checked_integer,
    checked_name,
    checked_number,
    checked_size,
)
from seqviz.nn.cells import NONLINEARITIES
from seqviz.nn.shapes import checked_kind
from seqviz.nn.unrolling import unroll

State = Tensor | tuple[Tensor, Tensor]


class Recurrent(nn.Module):
    """What RNN, LSTM and GRU share: their weights, and one run through time.

    `mode` is torch's name of the cell, `gates` the number of blocks of hidden_size rows in each
    weight, `biases` are the names of a layer's; the other arguments are as in :class:`RNN`.
    """

    def __init__(
        self,
        mode: str,
        gates: int,
        biases: tuple[str, ...],
        input_size: int,
        hidden_size: int,
        num_layers: int,
        bias: bool,
        batch_first: bool,
        dropout: float,
        bidirectional: bool,
        device: torch.device | str | None,
        dtype: torch.dtype | None,
    ):
        super().__init__()
        hidden_size = checked_size("hidden_size", hidden_size, gates, square=True)
        input_size = checked_size("input_size", input_size, gates * hidden_size)
        num_layers = checked_integer("num_layers", num_layers, 1, DEPTH)
        kind = checked_kind(device, dtype)
        bias, batch_first = checked_flag("bias", bias), checked_flag("batch_first", batch_first)
        bidirectional = checked_flag("bidirectional", bidirectional)
        dropout = checked_number("dropout", dropout, 0, 1)
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout acts between layers: with num_layers=1 it does nothing", stacklevel=3
            )
        self.mode = mode
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, dropout
        self.bidirectional = bidirectional
        rows, directions = gates * hidden_size, 2 if bidirectional else 1
        for k in range(num_layers):
            below = input_size if k == 0 else directions * hidden_size
            for suffix in ("", "_reverse")[:directions]:
                shapes = {"weight_ih": (rows, below), "weight_hh": (rows, hidden_size)}
                if bias:
                    shapes |= dict.fromkeys(biases, (rows,))
                for name, shape in shapes.items():
                    weight = nn.Parameter(torch.empty(shape, **kind))
                    self.register_parameter(f"{name}_l{k}{suffix}", weight)
        bound = hidden_size**-0.5
        for weight in self.parameters():
            nn.init.uniform_(weight, -bound, bound)

    def forward(
        self,
        input: Tensor | PackedSequence,
        hx: State | None = None,
        lengths: Tensor | Sequence[int] | None = None,
    ) -> tuple[Tensor | PackedSequence, State]:
        """Return the top layer's h at every time, and every layer's last state.

        Parameters
        ----------
        input : Tensor or PackedSequence
            (time, batch, input), or (batch, time, input) for ``batch_first``, or (time, input).
        hx : Tensor, or tuple of two for an LSTM, optional
            h_0, or (h_0, c_0), (layers * directions, batch, unit) each, without the batch for
            unbatched input. Zeros if not given.
        lengths : Tensor or sequence of int, optional
            Steps of each sequence in a padded `input`. What follows them is not read: the output
            there is zero, and the last state is that of the sequence's own last step. Torch's
            modules do not have it; there the input must be packed.

        Returns
        -------
        output : Tensor or PackedSequence
            Laid out as the input, with directions * hidden_size at the end.
        hx : as the argument
            The state after the last step; in reverse that is the step at time 0.

        Raises
        ------
        TypeError
            If a tensor has the wrong dtype or is none.
        ValueError
            If a shape does not fit, the input has no time steps, or `lengths` do not fit it.
        """
        one = self.mode != "LSTM"
        run = unroll(self, input, (hx,) if one and hx is not None else hx, lengths)
        return run.output, run.last[0] if one else run.last

    def extra_repr(self) -> str:
        """Sizes, for ``print(model)``."""
        return (
            f"{self.input_size}, {self.hidden_size}, num_layers={self.num_layers}"
            f"{', bidirectional=True' if self.bidirectional else ''}"
        )


class RNN(Recurrent):
    """An Elman RNN from scratch, with the names, shapes and weights of ``torch.nn.RNN``.

    h_t = tanh(W_hh h_{t-1} + W_xh x_t + b), the same weights at every step (decks 000, 002, 003).
    The state dict is torch's, in both directions, and an equal seed gives equal weights.

    Parameters
    ----------
    input_size, hidden_size, num_layers : int
        Numbers of inputs, of units in a layer, and of layers.
    nonlinearity : {"tanh", "relu"}
        The function around the sum.
    bias : bool
        Whether a layer has b; it is the sum of ``bias_ih_l{k}`` and ``bias_hh_l{k}``, as in torch.
    batch_first : bool
        Whether input and output are (batch, time, ...) rather than (time, batch, ...).
    dropout : float
        Probability of dropping a unit between two layers while training.
    bidirectional : bool
        Whether each layer also reads from the last step to the first; h of both side by side.
    device, dtype : optional
        Where the weights lie and what they are, as in torch.
    learn_h_0 : bool
        Whether the first state is a parameter ``h_0`` (layers * directions, 1, hidden_size), zero
        at first. Torch's RNN has none: load its state dict with ``strict=False``, and ``h_0``
        stays as it is.

    Raises
    ------
    TypeError
        If a size is not an integer, `dropout` not a number, or `dtype` not a float type of torch.
    ValueError
        If a size is below one, `nonlinearity` is unknown or `dropout` is not a probability.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        *,
        learn_h_0: bool = False,
    ):
        checked_name("nonlinearity", nonlinearity, NONLINEARITIES)
        checked_flag("learn_h_0", learn_h_0)
        sizes = (input_size, hidden_size, num_layers)
        rest = (bias, batch_first, dropout, bidirectional, device, dtype)
        super().__init__(f"RNN_{nonlinearity.upper()}", 1, ("bias_ih", "bias_hh"), *sizes, *rest)
        self.nonlinearity = nonlinearity
        if learn_h_0:
            shape = (self.num_layers * (2 if bidirectional else 1), 1, hidden_size)
            self.h_0 = nn.Parameter(torch.zeros(shape, device=device, dtype=dtype))

    def extra_repr(self) -> str:
        """Sizes, for ``print(model)``."""
        return f"{super().extra_repr()}, nonlinearity={self.nonlinearity!r}"


class LSTM(Recurrent):
    """An LSTM from scratch, with the names, shapes and weights of ``torch.nn.LSTM``.

    c_t = f * c_{t-1} + i * g and h_t = o * tanh(c_t) (decks 000, 002, 003; Hochreiter and
    Schmidhuber 1997, the forget gate of Gers et al. 2000). The rows of each weight are the blocks
    i, f, g, o. The state dict is torch's, in both directions; an equal seed gives equal weights.

    Parameters
    ----------
    input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, device, dtype
        As in :class:`RNN`. The bias of a gate is the sum of ``bias_ih_l{k}`` and ``bias_hh_l{k}``:
        to raise the forget gate's, fill rows hidden_size to 2 * hidden_size of one of the two.
    proj_size : int
        Only 0: h is not projected.

    Raises
    ------
    TypeError, ValueError
        As in :class:`RNN`.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ):
        if checked_integer("proj_size", proj_size) != 0:
            raise ValueError(f"proj_size must be 0, got {proj_size!r}: h is not projected here")
        sizes = (input_size, hidden_size, num_layers)
        rest = (bias, batch_first, dropout, bidirectional, device, dtype)
        super().__init__("LSTM", 4, ("bias_ih", "bias_hh"), *sizes, *rest)


class GRU(Recurrent):
    """A GRU from scratch; with reset after the product it is ``torch.nn.GRU``.

    h_t = (1 - z) * n + z * h_{t-1} (decks 000, 003; Cho et al. 2014). The rows of each weight are
    the blocks r, z, n.

    Parameters
    ----------
    input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, device, dtype
        As in :class:`RNN`.
    reset : {"after", "before"}
        Where r acts: "after", n = tanh(W_xn x_t + r * (W_hn h_{t-1} + b_hn)) as in torch, whose
        state dict fits; or "before", n = tanh(W_xn x_t + W_hn (r * h_{t-1})) as on the slides,
        with a single bias ``bias_l{k}`` (nothing stands between two biases there).

    Raises
    ------
    TypeError, ValueError
        As in :class:`RNN`; also if `reset` is unknown, and from ``load_state_dict`` if torch's keys
        meet reset="before".
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        *,
        reset: str = "after",
    ):
        checked_name("reset", reset, ("after", "before"))
        sizes = (input_size, hidden_size, num_layers)
        rest = (bias, batch_first, dropout, bidirectional, device, dtype)
        biases = ("bias_ih", "bias_hh") if reset == "after" else ("bias",)
        super().__init__("GRU", 3, biases, *sizes, *rest)
        self.reset = reset
        if reset == "before":  # marks the weights, of no use to another GRU, also without a bias
            self.register_buffer("reset_before", torch.tensor(True))

    def extra_repr(self) -> str:
        """Sizes, for ``print(model)``."""
        return f"{super().extra_repr()}, reset={self.reset!r}"

    def _load_from_state_dict(
        self, state_dict, prefix, metadata, strict, missing, unexpected, errors
    ):
        if self.reset == "before" and f"{prefix}reset_before" not in state_dict:
            errors.append(
                "these weights are of a GRU with reset after the product, r * (W_hn h + b_hn), as "
                'torch.nn.GRU has it; with reset="before" it is W_hn (r * h), another function '
                'with a single bias. Load them into sv.nn.GRU(..., reset="after").'
            )
        super()._load_from_state_dict(
            state_dict, prefix, metadata, strict, missing, unexpected, errors
        )
