"""What a user hands to a recurrent net, checked and brought to (time, batch, ...), and back."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from seqviz.arguments import checked_device, refuse_meta, shown


def time_first(
    module: nn.Module, input: Tensor | PackedSequence, lengths: Tensor | Sequence[int] | None
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """Return the input as (time, batch, input), where it is read (time, batch), and the order.

    `order` tells for each place in the batch which of the caller's sequences stands there.
    """
    if isinstance(input, PackedSequence):
        if lengths is not None:
            raise ValueError("lengths must not be given with a packed input, which has its own")
        x = _checked(module, input.data, (2,), "a packed sequence with data (steps, input)")
        sizes = input.batch_sizes
        places = torch.arange(int(sizes[0]), device=sizes.device)
        inside = (places < sizes.unsqueeze(1)).to(x.device)
        padded = x.new_zeros(*inside.shape, x.shape[-1])
        return padded.masked_scatter(inside.unsqueeze(-1), x), inside, input.sorted_indices
    wanted = "(batch, time, input)" if module.batch_first else "(time, batch, input)"
    x = _checked(module, input, (2, 3), f"{wanted} or (time, input)")
    x = x.unsqueeze(1) if x.dim() == 2 else x.transpose(0, 1) if module.batch_first else x
    if len(x) == 0:
        raise ValueError(f"input must have at least one time step, got shape {tuple(input.shape)}")
    if lengths is None:
        return x, None, None
    inside = _inside(lengths, x)
    return x.masked_fill(~inside.unsqueeze(-1), 0), inside, None


def _checked(module: nn.Module, x: Tensor, dims: tuple[int, ...], wanted: str) -> Tensor:
    if not isinstance(x, Tensor):
        raise TypeError(f"input must be a tensor, got {type(x).__name__}")
    dtype = module.weight_ih_l0.dtype
    if not x.is_floating_point():
        raise TypeError(
            f"input must be a float tensor, got {x.dtype}: "
            "make ids one-hot first, F.one_hot(ids, size).float()"
        )
    checked_device("input", x, module.weight_ih_l0)
    if x.dtype != dtype and not torch.is_autocast_enabled(x.device.type):
        raise TypeError(
            f"input must be {dtype} like the weights, got {x.dtype}: use input.to({dtype})"
        )
    if x.dim() not in dims or x.shape[-1] != module.input_size:
        raise ValueError(
            f"input must be {wanted} with input = {module.input_size}, got shape {tuple(x.shape)}"
        )
    return x


def _inside(lengths: Tensor | Sequence[int], x: Tensor) -> Tensor:
    """Turn lengths into (time, batch): whether the sequence still has a step at that time."""
    lengths = checked_lengths(lengths, *x.shape[:2], x.device)
    return torch.arange(len(x), device=x.device).unsqueeze(1) < lengths


def checked_lengths(
    lengths: Tensor | Sequence[int], time: int, batch: int, device: torch.device
) -> Tensor:
    """Return the steps of each padded sequence, (batch,), dtype long."""
    try:
        lengths = torch.as_tensor(lengths, device=device)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"lengths must be whole numbers, got {shown(lengths)}") from error
    refuse_meta("lengths", lengths)
    if lengths.is_floating_point() or lengths.is_complex() or lengths.dtype == torch.bool:
        raise TypeError(f"lengths must be whole numbers, got {lengths.dtype}")
    lengths = lengths.long()
    if lengths.shape != (batch,):
        raise ValueError(
            f"lengths must have one number for each of the {batch} sequences, "
            f"got shape {tuple(lengths.shape)}"
        )
    wrong = lengths[(lengths < 1) | (lengths > time)]
    if len(wrong):
        raise ValueError(
            f"lengths must lie between 1 and {time}, the padded length, got {wrong[0].item()}: "
            "leave empty sequences out, pad the input to the longest"
        )
    return lengths


def ends_of(ids: Tensor, lengths: Tensor | Sequence[int] | None) -> Tensor:
    """Return the tokens of each text of ids (batch, time): all that there are without lengths."""
    if lengths is None:
        return torch.full((len(ids),), ids.shape[1], device=ids.device)
    return checked_lengths(lengths, *ids.mT.shape, ids.device)


def start(
    module: nn.Module,
    input: Tensor | PackedSequence,
    given: Sequence[Tensor] | None,
    shape: tuple[int, int, int],
    order: Tensor | None,
) -> tuple[Tensor, ...]:
    """Return the states before the first step, (layers * directions, batch, unit) each."""
    weight = module.weight_ih_l0
    names = ("h_0", "c_0") if module.mode == "LSTM" else ("h_0",)
    if given is None:
        learned = getattr(module, "h_0", None)
        if learned is not None:
            return (learned.expand(shape),)
        return tuple(weight.new_zeros(shape) for _ in names)
    if not isinstance(given, tuple | list) or len(given) != len(names):
        many = isinstance(given, tuple | list)
        got = f"{len(given)} tensors" if many else type(given).__name__
        raise TypeError(f"hx must be the tuple ({', '.join(names)}) of an LSTM, got {got}")
    unbatched = isinstance(input, Tensor) and input.dim() == 2
    expected = (shape[0], shape[2]) if unbatched else shape
    states = []
    for name, state in zip(names, given, strict=True):
        mixed = torch.is_autocast_enabled(weight.device.type)
        if not isinstance(state, Tensor) or (state.dtype != weight.dtype and not mixed):
            got = getattr(state, "dtype", type(state).__name__)
            raise TypeError(f"{name} must be a {weight.dtype} tensor like the weights, got {got}")
        checked_device(name, state, weight)
        if state.shape != expected:
            raise ValueError(f"{name} must have shape {expected}, got {tuple(state.shape)}")
        state = state.reshape(shape)
        states.append(state if order is None else state.index_select(1, order))
    return tuple(states)


def as_given(
    module: nn.Module,
    input: Tensor | PackedSequence,
    output: Tensor,
    last: tuple[Tensor, ...],
    inside: Tensor | None,
) -> tuple[Tensor | PackedSequence, tuple[Tensor, ...]]:
    """Lay out the output (time, batch, unit) as the input was, and the last states with it."""
    if isinstance(input, PackedSequence):
        if input.unsorted_indices is not None:
            last = tuple(state.index_select(1, input.unsorted_indices) for state in last)
        return input._replace(data=output[inside]), last
    if input.dim() == 2:
        return output.squeeze(1), tuple(state.squeeze(1) for state in last)
    return (output.transpose(0, 1) if module.batch_first else output), last
