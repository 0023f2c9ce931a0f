"""The checks that models make of the ids they read."""

from typing import Any

import torch
from torch import Tensor

from seqviz.arguments import checked_device, checked_type, refuse_meta


def checked_ids(
    name: str, ids: Tensor, vocabulary: int, weight: Tensor, *layouts: tuple[str, ...]
) -> Tensor:
    """Return ids that a model can read.

    Parameters
    ----------
    name : str
        The argument, for the message.
    ids : Tensor
    vocabulary : int
        Number of tokens.
    weight : Tensor
        One of the model's.
    layouts : tuples of str
        The axes that the ids may have, such as ``("time", "batch")``.

    Raises
    ------
    TypeError
        If `ids` is no long tensor.
    ValueError
        If it has other axes, is empty, on another device, or holds an id of no token.
    """
    layout = " or ".join(f"({', '.join(axes)}{',' * (len(axes) == 1)})" for axes in layouts)
    if not isinstance(ids, Tensor) or ids.dtype != torch.long:
        got = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
        raise TypeError(f"{name} must be a torch.long tensor {layout}, got {got}")
    if ids.dim() not in map(len, layouts) or ids.numel() == 0:
        raise ValueError(f"{name} must be {layout} and not empty, got shape {tuple(ids.shape)}")
    refuse_meta(name, ids)
    checked_device(name, ids, weight)
    outside = ids[(ids < 0) | (ids >= vocabulary)]
    if len(outside):
        raise ValueError(
            f"{name} must lie between 0 and {vocabulary - 1} (vocabulary of {vocabulary} "
            f"tokens), got {outside[0].item()}"
        )
    return ids


def checked_rows(state: Any, kind: type, rows: Tensor) -> Tensor:
    """Return the rows that `select` takes of a state, if both are what they must be."""
    if not len(checked_type("state", state, kind, "what encode or step gave")):
        raise ValueError("state must be what encode or step gave, got nothing")
    if not isinstance(rows, Tensor) or rows.dtype not in (torch.long, torch.int32):
        got = rows.dtype if isinstance(rows, Tensor) else type(rows).__name__
        raise TypeError(f"rows must be a long tensor of places in the batch, got {got}")
    return rows


def checked_padding(source: Tensor, padding_idx: int) -> Tensor:
    """Return where a checked source (batch, time) has padding.

    Raises
    ------
    ValueError
        If a row begins with padding, or has it before its end.
    """
    padding = source == padding_idx
    if padding[:, 0].any():
        raise ValueError(
            "source must have a token in each row, and padding only after it; row "
            f"{padding[:, 0].nonzero()[0].item()} begins with padding, id {padding_idx}"
        )
    inside = padding[:, :-1] & ~padding[:, 1:]
    if inside.any():
        raise ValueError(
            f"source must have padding, id {padding_idx}, only at its end; row "
            f"{inside.nonzero()[0, 0].item()} has a token after it"
        )
    return padding


def check_start(target: Tensor, sources: int, start_idx: int) -> None:
    """Check that a target (batch, steps) has a row for each source and begins with START.

    Raises
    ------
    ValueError
        If it does not.
    """
    if len(target) != sources:
        raise ValueError(
            f"target must have a row for each of the {sources} sources, got {len(target)}"
        )
    without = target[target[:, 0] != start_idx]
    if len(without):
        raise ValueError(
            f"target must begin with START, id {start_idx}, in each row, got "
            f"{without[0, 0].item()}: put START in front"
        )


def check_marks(padding_idx: int, start_idx: int, source_size: int, target_size: int) -> None:
    """Check that padding and START are two tokens of a translator.

    Raises
    ------
    ValueError
        If they are not.
    """
    if padding_idx >= min(source_size, target_size) or start_idx >= target_size:
        raise ValueError(
            f"padding_idx and start_idx must be ids of tokens, got {padding_idx} and "
            f"{start_idx} with {source_size} source and {target_size} target tokens"
        )
    if padding_idx == start_idx:
        raise ValueError(f"start_idx must differ from padding_idx, got {start_idx} for both")
