"""The check that every model makes of the ids it reads."""

import torch
from torch import Tensor

from seqviz.arguments import checked_device, refuse_meta


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
