"""Recurrent nets as one operation: torch.export would unroll their steps, for one length only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from seqviz.nn.recurrent import Recurrent

STEPS = {
    "LSTM": torch.lstm,
    "GRU": torch.gru,
    "RNN_RELU": torch.rnn_relu,
    "RNN_TANH": torch.rnn_tanh,
}


@torch.library.custom_op("seqviz::recurrent", mutates_args=())
def recurrent(
    x: Tensor,
    start: list[Tensor],
    weights: list[Tensor],
    mode: str,
    num_layers: int,
    bidirectional: bool,
) -> list[Tensor]:
    """Run a recurrent net over (time, batch, input).

    Parameters
    ----------
    x : Tensor
    start : list of Tensor
        h_0, or h_0 and c_0, (layers * directions, batch, unit).
    weights : list of Tensor
        W_ih, W_hh, b_ih, b_hh of each layer and direction.
    mode : str
        "RNN_TANH", "RNN_RELU", "LSTM", "GRU", or "GRU_BEFORE", whose reset acts before the product.

    Returns
    -------
    list of Tensor
        The top layer's h at every time (time, batch, directions * unit), then the last states.
    """
    if mode == "GRU_BEFORE":
        return _reset_before(x, start[0], weights, num_layers, bidirectional)
    hx = start if mode == "LSTM" else start[0]
    found = STEPS[mode](x, hx, weights, True, num_layers, 0.0, False, bidirectional, False)
    return [one.clone() for one in found]


@recurrent.register_fake
def _(x, start, weights, mode, num_layers, bidirectional):
    width = start[0].shape[2] * (1 + bidirectional)
    return [x.new_empty(*x.shape[:2], width), *map(torch.empty_like, start)]


def _reset_before(
    x: Tensor, start: Tensor, weights: list[Tensor], num_layers: int, bidirectional: bool
) -> list[Tensor]:
    """A GRU with n = tanh(W_xn x + W_hn (r * h)), as on the slides."""
    directions, last = 1 + bidirectional, []
    for layer in range(num_layers):
        outputs = []
        for at in range(layer * directions, (layer + 1) * directions):
            W_ih, W_hh, b_ih, b_hh = weights[4 * at : 4 * at + 4]
            times = range(len(x)) if at % directions == 0 else reversed(range(len(x)))
            h, states = start[at], [None] * len(x)
            W_hr, W_hz, W_hn = W_hh.chunk(3)
            for t in times:
                r, z, n = (x[t] @ W_ih.T + b_ih + b_hh).chunk(3, dim=-1)
                r, z = (r + h @ W_hr.T).sigmoid(), (z + h @ W_hz.T).sigmoid()
                n = (n + (r * h) @ W_hn.T).tanh()
                h = states[t] = (1 - z) * n + z * h
            outputs.append(torch.stack(states))
            last.append(h)
        x = torch.cat(outputs, dim=-1)
    return [x.clone(), torch.stack(last)]


@contextmanager
def as_one(model: nn.Module) -> Iterator[None]:
    """Let the recurrent nets of a model run as that operation while the block runs."""
    nets = [net for net in model.modules() if isinstance(net, Recurrent | nn.RNNBase)]
    nets = [net for net in nets if not getattr(net, "proj_size", 0)]
    for net in nets:
        net.forward = _one_run(net)
    try:
        yield
    finally:
        for net in nets:
            del net.forward


def _one_run(net: nn.Module) -> Callable:
    """The forward of a recurrent net, of a batch without padding."""
    mode = "GRU_BEFORE" if getattr(net, "reset", "") == "before" else net.mode
    count = 2 if mode == "LSTM" else 1

    def forward(input: Tensor, hx=None, lengths=None):
        unbatched = input.dim() == 2
        x = input.unsqueeze(1) if unbatched else input.transpose(0, 1) if net.batch_first else input
        start = _start(net, x, hx, count, unbatched)
        weights = _weights(net, x, mode == "GRU_BEFORE")
        sizes = net.num_layers, net.bidirectional
        y, *last = recurrent(x.contiguous(), start, weights, mode, *sizes)
        if unbatched:
            y, last = y.squeeze(1), [one.squeeze(1) for one in last]
        elif net.batch_first:
            y = y.transpose(0, 1)
        return y, tuple(last) if count == 2 else last[0]

    return forward


def _start(net: nn.Module, x: Tensor, hx, count: int, unbatched: bool) -> list[Tensor]:
    """h_0, or h_0 and c_0, as given, as learned, or zero."""
    if hx is None:
        shape = net.num_layers * (1 + net.bidirectional), x.shape[1], net.hidden_size
        learned = getattr(net, "h_0", None)
        one = x.new_zeros(shape) if learned is None else learned.expand(shape)
        return [one.clone() for _ in range(count)]
    given = list(hx) if count == 2 else [hx]
    return [(one.unsqueeze(1) if unbatched else one).contiguous() for one in given]


def _weights(net: nn.Module, x: Tensor, one_bias: bool) -> list[Tensor]:
    """W_ih, W_hh, b_ih, b_hh of each layer and direction; zeros for a bias that is not there."""
    names, found = ("bias", "") if one_bias else ("bias_ih", "bias_hh"), []
    for layer in range(net.num_layers):
        for suffix in ("", "_reverse")[: 1 + net.bidirectional]:
            end = f"_l{layer}{suffix}"
            W_ih, W_hh = (getattr(net, f"weight_{of}{end}") for of in ("ih", "hh"))
            biases = [getattr(net, name + end, None) for name in names]
            none = x.new_zeros(len(W_ih))
            found += [W_ih, W_hh, *(none if one is None else one for one in biases)]
    return found
