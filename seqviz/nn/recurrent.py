"""The Elman RNN as a loop over time."""

import warnings
from numbers import Real

import torch
import torch.nn.functional as F
from torch import Tensor, nn

NONLINEARITIES = {"tanh": torch.tanh, "relu": torch.relu}


def hidden_states(rnn: nn.Module, input: Tensor, h_0: Tensor | None = None) -> Tensor:
    """Run an Elman RNN and return the states of every layer at every time.

    Source: decks 000, 002 and 003, h_t = tanh(W_hh h_{t-1} + W_xh x_t + b).

    Parameters
    ----------
    rnn : RNN or torch.nn.RNN
        One direction only. In training mode its dropout is applied between the layers.
    input : Tensor
        (time, batch, input), or (batch, time, input) for ``batch_first``, or (time, input).
    h_0 : Tensor, optional
        (layers, batch, unit), or (layers, unit) for unbatched input. Without it the RNN's learned
        ``h_0`` if it has one, else zeros.

    Returns
    -------
    Tensor
        (layer, time, batch, unit), whatever the layout of the input; unbatched input is a batch
        of one.

    Raises
    ------
    TypeError
        If `rnn` is neither RNN, or a tensor has the wrong dtype.
    ValueError
        If a shape does not fit, the input has no time steps, or `rnn` is bidirectional.
    """
    x, h_0 = _time_first(rnn, input, h_0)
    f = NONLINEARITIES[rnn.nonlinearity]
    layers = []
    for k in range(rnn.num_layers):
        W_xh, W_hh = getattr(rnn, f"weight_ih_l{k}"), getattr(rnn, f"weight_hh_l{k}")
        b_xh, b_hh = getattr(rnn, f"bias_ih_l{k}", None), getattr(rnn, f"bias_hh_l{k}", None)
        h = h_0[k]  # (batch, unit)
        from_input = F.linear(x, W_xh, b_xh)  # W_xh x_t + b for all t at once: it needs no h
        states = []
        for from_x_t in from_input:
            h = f(F.linear(h, W_hh, b_hh) + from_x_t)
            states.append(h)
        layers.append(torch.stack(states))  # (time, batch, unit)
        x = F.dropout(layers[-1], rnn.dropout, rnn.training)
    return torch.stack(layers)


def output_and_state(rnn: nn.Module, input: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    """Cut what ``torch.nn.RNN`` returns, ``(output, h_n)``, from the states of every layer."""
    output, h_n = states[-1], states[:, -1]
    if input.dim() == 2:
        return output.squeeze(1), h_n.squeeze(1)
    return (output.transpose(0, 1) if rnn.batch_first else output), h_n


def _time_first(rnn: nn.Module, input: Tensor, h_0: Tensor | None) -> tuple[Tensor, Tensor]:
    """Check the tensors; bring the input to (time, batch, input), h_0 to (layer, batch, unit)."""
    if not isinstance(rnn, RNN | nn.RNN):
        raise TypeError(f"rnn must be a seqviz or torch RNN, got {type(rnn).__name__}")
    if getattr(rnn, "bidirectional", False):
        raise ValueError("rnn must run in one direction, got bidirectional=True")
    if not isinstance(input, Tensor):
        raise TypeError(f"input must be a tensor, got {type(input).__name__}")
    weight = rnn.weight_ih_l0
    if not input.is_floating_point():
        raise TypeError(
            f"input must be a float tensor, got {input.dtype}: "
            "make ids one-hot first, F.one_hot(ids, size).float()"
        )
    if input.dtype != weight.dtype:
        raise TypeError(
            f"input must be {weight.dtype} like the weights, got {input.dtype}: "
            f"use input.to({weight.dtype})"
        )
    layout = "(batch, time, input)" if rnn.batch_first else "(time, batch, input)"
    if input.dim() not in (2, 3) or input.shape[-1] != rnn.input_size:
        raise ValueError(
            f"input must be {layout} or (time, input) with input = {rnn.input_size}, "
            f"got shape {tuple(input.shape)}"
        )
    unbatched = input.dim() == 2
    x = input.unsqueeze(1) if unbatched else input.transpose(0, 1) if rnn.batch_first else input
    if len(x) == 0:
        raise ValueError(f"input must have at least one time step, got shape {tuple(input.shape)}")

    shape = (rnn.num_layers, x.shape[1], rnn.hidden_size)
    if h_0 is None:
        learned = getattr(rnn, "h_0", None)
        return x, (x.new_zeros(shape) if learned is None else learned.expand(shape))
    if not isinstance(h_0, Tensor) or h_0.dtype != weight.dtype:
        got = getattr(h_0, "dtype", type(h_0).__name__)
        raise TypeError(f"h_0 must be a {weight.dtype} tensor like the weights, got {got}")
    expected = (shape[0], shape[2]) if unbatched else shape
    if h_0.shape != expected:
        raise ValueError(f"h_0 must have shape {expected}, got {tuple(h_0.shape)}")
    return x, h_0.reshape(shape)


class RNN(nn.Module):
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
        Only False: this RNN reads in one direction.
    device, dtype : optional
        Where the weights lie and what they are, as in torch.
    learn_h_0 : bool
        Whether the first state is a parameter ``h_0`` (num_layers, 1, hidden_size), zero at first.
        Torch's RNN has none: load its state dict with ``strict=False``, and ``h_0`` stays as it is.

    Raises
    ------
    TypeError
        If a size is not an integer, `dropout` not a number, or `dtype` not a float type of torch.
    ValueError
        If a size is below one, `nonlinearity` is unknown, `dropout` is not a probability or
        `bidirectional` is asked for.
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
        super().__init__()
        check_sizes(input_size=input_size, hidden_size=hidden_size, num_layers=num_layers)
        if bidirectional:
            raise ValueError(
                f"bidirectional must be False, got {bidirectional!r}: "
                "sv.nn.RNN has one direction only for now"
            )
        if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
            raise TypeError(f"dtype must be a float type such as torch.float64, got {dtype!r}")
        if nonlinearity not in NONLINEARITIES:
            raise ValueError(f"nonlinearity must be 'tanh' or 'relu', got {nonlinearity!r}")
        if isinstance(dropout, bool) or not isinstance(dropout, Real):
            raise TypeError(f"dropout must be a number, got {dropout!r}")
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout must lie between 0 and 1, got {dropout!r}")
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout acts between layers: with num_layers=1 it does nothing", stacklevel=2
            )
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.nonlinearity, self.bias, self.batch_first = nonlinearity, bias, batch_first
        self.dropout = float(dropout)
        kind = {"device": device, "dtype": dtype}
        for k in range(num_layers):
            below = input_size if k == 0 else hidden_size
            self.register_parameter(f"weight_ih_l{k}", _uniform(hidden_size, below, **kind))
            self.register_parameter(f"weight_hh_l{k}", _uniform(hidden_size, hidden_size, **kind))
            if bias:
                self.register_parameter(f"bias_ih_l{k}", _uniform(hidden_size, **kind))
                self.register_parameter(f"bias_hh_l{k}", _uniform(hidden_size, **kind))
        if learn_h_0:
            self.h_0 = nn.Parameter(torch.zeros(num_layers, 1, hidden_size, **kind))

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the top layer's states at every time, and every layer's last state.

        Parameters
        ----------
        input, hx : Tensor
            As `input` and `h_0` of :func:`hidden_states`.

        Returns
        -------
        output : Tensor
            Laid out as the input, with hidden_size at the end.
        h_n : Tensor
            (layers, batch, unit), or (layers, unit) for unbatched input.
        """
        return output_and_state(self, input, hidden_states(self, input, hx))

    def extra_repr(self) -> str:
        """Sizes, for ``print(model)``."""
        return (
            f"{self.input_size}, {self.hidden_size}, num_layers={self.num_layers}, "
            f"nonlinearity={self.nonlinearity!r}"
        )


def _uniform(*shape: int, **kind) -> nn.Parameter:
    """Draw between -1/sqrt(unit) and 1/sqrt(unit), as torch.nn.RNN does."""
    bound = shape[0] ** -0.5
    return nn.Parameter(torch.empty(shape, **kind).uniform_(-bound, bound))


def check_sizes(**sizes: int) -> None:
    """Raise unless every size is a positive integer."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"{name} must be an integer, got {size!r}")
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
