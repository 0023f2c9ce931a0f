"""A recurrent net over time: layers, directions and sequences of unequal length."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from seqviz.nn import cells, layout
from seqviz.nn.cells import State


@dataclass(frozen=True, eq=False)
class Layer:
    """What one layer did in one direction. A time is a place in the input, also in reverse.

    Parameters
    ----------
    from_input : Tensor
        (time, batch, gate * unit): what each step took from its input.
    start : tuple of Tensor
        The state before the first step: h, or h and c; (batch, unit) each.
    states, gates : list of tuple of Tensor
        The state after each time, and the gates at it.
    """

    from_input: Tensor
    start: State
    states: list[State]
    gates: list[State]


@dataclass(frozen=True, eq=False)
class Run:
    """What a recurrent net returns, and how it came to it.

    Parameters
    ----------
    output : Tensor or PackedSequence
        The top layer's h, laid out as the input.
    last : tuple of Tensor
        h_n, or h_n and c_n: every layer's state after its last step, as torch returns them.
    layers : list of Layer
        In torch's order: layer 0, layer 0 in reverse if there are two directions, layer 1, ...
    inside : Tensor or None
        (time, batch), False at padding; None if no sequence is shorter than the others.
    order : Tensor or None
        For a packed input, the place of each of the caller's sequences in the batch of `layers`.
    """

    output: Tensor | PackedSequence
    last: State
    layers: list[Layer]
    inside: Tensor | None
    order: Tensor | None


def unroll(
    module: nn.Module,
    input: Tensor | PackedSequence,
    start: Sequence[Tensor] | None = None,
    lengths: Tensor | Sequence[int] | None = None,
) -> Run:
    """Run a recurrent net step by step.

    Parameters
    ----------
    module : RNN, LSTM, GRU, or torch's
        In training mode its dropout is applied between the layers.
    input : Tensor or PackedSequence
        (time, batch, input), or (batch, time, input) for ``batch_first``, or (time, input).
    start : sequence of Tensor, optional
        h_0, or h_0 and c_0, (layers * directions, batch, unit), or (layers * directions, unit) for
        unbatched input. Without it the module's learned ``h_0`` if it has one, else zeros.
    lengths : Tensor or sequence of int, optional
        Steps of each sequence; what stands after them in a padded `input` is not read. The
        output there is zero, and the last state is that of the sequence's own last step.

    Returns
    -------
    Run

    Raises
    ------
    TypeError
        If a tensor has the wrong dtype or is none.
    ValueError
        If a shape does not fit, the input has no time steps, or `lengths` do not fit the padding.
    """
    x, inside, order = layout.time_first(module, input, lengths)
    suffixes = ("", "_reverse") if module.bidirectional else ("",)
    count = module.num_layers * len(suffixes)
    start = layout.start(module, input, start, (count, x.shape[1], module.hidden_size), order)
    layers, last = [], []
    for k in range(module.num_layers):
        if k > 0:
            x = _dropout(x, module, inside)
        outputs = []
        for suffix in suffixes:
            from_input, W_hh, step = _equations(module, f"_l{k}{suffix}", x)
            state = tuple(s[len(layers)] for s in start)
            layer, end = _through_time(step, from_input, W_hh, state, inside, suffix != "")
            layers.append(layer)
            last.append(end)
            outputs.append(torch.stack([h for h, *_ in layer.states]))
        x = torch.cat(outputs, dim=-1) if len(outputs) > 1 else outputs[0]
        if inside is not None:
            x = x * inside.unsqueeze(-1)
    last = tuple(torch.stack(states) for states in zip(*last, strict=True))
    return Run(*layout.as_given(module, input, x, last, inside), layers, inside, order)


def _through_time(
    step: Callable,
    from_input: Tensor,
    W_hh: Tensor,
    start: State,
    inside: Tensor | None,
    reverse: bool,
) -> tuple[Layer, State]:
    """Take every step; at padding the state stays as it is."""
    inputs, state, T = from_input.unbind(), start, len(from_input)
    states, gates = [None] * T, [None] * T
    for t in reversed(range(T)) if reverse else range(T):
        after, gates[t] = step(inputs[t], *state, W_hh)
        if inside is not None:
            read = inside[t].unsqueeze(-1)
            after = tuple(torch.where(read, new, s) for new, s in zip(after, state, strict=True))
        states[t] = state = after
    return Layer(from_input, start, states, gates), state


def _equations(module: nn.Module, name: str, x: Tensor) -> tuple[Tensor, Tensor, Callable]:
    """What a layer takes from its inputs, for all times at once; its W_hh and its step."""
    W_xh, W_hh = getattr(module, f"weight_ih{name}"), getattr(module, f"weight_hh{name}")
    if module.mode == "GRU" and getattr(module, "reset", "after") == "before":
        b = getattr(module, f"bias{name}", None)
        return F.linear(x, W_xh, b), W_hh, cells.gru_step_reset_before
    b_xh, b_hh = getattr(module, f"bias_ih{name}", None), getattr(module, f"bias_hh{name}", None)
    if module.mode == "GRU":
        return F.linear(x, W_xh, b_xh), W_hh, partial(cells.gru_step, b_hh=b_hh)
    b = None if b_xh is None else b_xh + b_hh
    if module.mode == "LSTM":
        return F.linear(x, W_xh, b), W_hh, cells.lstm_step
    step = partial(cells.rnn_step, nonlinearity=module.nonlinearity)
    return F.linear(x, W_xh, b), W_hh, step


def _dropout(x: Tensor, module: nn.Module, inside: Tensor | None) -> Tensor:
    """Drop units between two layers; as torch does it for packed input, only where it is read."""
    if inside is None:
        return F.dropout(x, module.dropout, module.training)
    read = F.dropout(x[inside], module.dropout, module.training)
    return x.masked_scatter(inside.unsqueeze(-1), read)
