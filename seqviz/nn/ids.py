"""The checks that models make of the ids they read."""

from typing import Any

import torch
from torch import Tensor, nn

from seqviz.arguments import (
    checked_device,
    checked_integer,
    checked_tensor,
    checked_type,
    refuse_meta,
)


def checked_ids(
    name: str, ids: Tensor, vocabulary: int, weight: Tensor, *layouts: tuple[str, ...]
) -> Tensor:
    """Return ids of one of these layouts, such as ``("time", "batch")``, that a model can read.

    `vocabulary` is the number of tokens, `weight` one of the model's.
    """
    layout = " or ".join(f"({', '.join(axes)}{',' * (len(axes) == 1)})" for axes in layouts)
    checked_tensor(name, ids, [torch.long], f"a torch.long tensor {layout}")
    if ids.dim() not in map(len, layouts) or ids.numel() == 0:
        raise ValueError(f"{name} must be {layout} and not empty, got shape {tuple(ids.shape)}")
    refuse_meta(name, ids)
    checked_device(name, ids, weight)
    if torch.compiler.is_exporting():  # a graph is taken: there are no numbers yet
        return ids
    outside = ids[(ids < 0) | (ids >= vocabulary)]
    if len(outside):
        raise ValueError(
            f"{name} must lie between 0 and {vocabulary - 1} (vocabulary of {vocabulary} "
            f"tokens), got {outside[0].item()}"
        )
    return ids


def checked_tokens(name: str, ids: Tensor, embedding: nn.Embedding, *axes: str) -> Tensor:
    """Return ids with these axes of tokens that an embedding has."""
    return checked_ids(name, ids, embedding.num_embeddings, embedding.weight, axes)


def checked_rows(state: Any, kind: type, rows: Tensor) -> Tensor:
    """Return the rows that `select` takes of a state, if both are what they must be."""
    if not len(checked_type("state", state, kind, "what encode or step gave")):
        raise ValueError("state must be what encode or step gave, got nothing")
    wanted = "a long tensor of places in the batch"
    return checked_tensor("rows", rows, (torch.long, torch.int32), wanted)


def checked_padding(source: Tensor, padding_idx: int) -> Tensor:
    """Return where a checked source (batch, time) has padding: after each row's end, no more."""
    padding = source == padding_idx
    if torch.compiler.is_exporting():
        return padding
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
    """Check that a target (batch, steps) has a row for each source and begins with START."""
    if len(target) != sources:
        raise ValueError(
            f"target must have a row for each of the {sources} sources, got {len(target)}"
        )
    if torch.compiler.is_exporting():
        return
    without = target[target[:, 0] != start_idx]
    if len(without):
        raise ValueError(
            f"target must begin with START, id {start_idx}, in each row, got "
            f"{without[0, 0].item()}: put START in front"
        )


def checked_marks(padding_idx: int, start_idx: int, *sizes: int) -> tuple[int, int]:
    """Return the ids of padding, in vocabularies of these sizes, and of START, in the last one."""
    padding_idx = checked_integer("padding_idx", padding_idx, 0, min(sizes) - 1)
    start_idx = checked_integer("start_idx", start_idx, 0, sizes[-1] - 1)
    if padding_idx == start_idx:
        raise ValueError(f"start_idx must differ from padding_idx, got {start_idx} for both")
    return padding_idx, start_idx


def check_step(state: Any, kind: type, ids: Tensor, embedding: nn.Embedding) -> None:
    """Check that a step has a state that `encode` or `step` gave, and a token for each source."""
    checked_type("state", state, kind, "what model.encode(source) returned")
    checked_tokens("ids", ids, embedding, "batch")
    if len(ids) != len(state.padding):
        raise ValueError(
            f"ids must hold one for each of the {len(state.padding)} sources, got {len(ids)}"
        )
