"""The mean of several checkpoints of one run."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from seqviz.arguments import checked_type

Weights = Mapping[str, Tensor]


def average_weights(checkpoints: Sequence[Weights]) -> dict[str, Tensor]:
    """Return the mean of state dicts, weight by weight (deck 002; Vaswani et al. 2017, 6.1).

    Copies must be kept while training: ``deepcopy(model.state_dict())``, since training goes on
    in the tensors themselves.

    Parameters
    ----------
    checkpoints : sequence of state dicts
        Of one model, at several steps.

    Returns
    -------
    dict of str to Tensor
        For `load_state_dict`. What is no float, such as a count, is that of the last.

    Raises
    ------
    TypeError
        If `checkpoints` is no list of state dicts.
    ValueError
        If it is empty, or two of them differ in names or shapes.
    """
    checked_type("checkpoints", checkpoints, Sequence, "a list of state dicts")
    for weights in checkpoints:
        checked_type("each of checkpoints", weights, Mapping, "a state dict")
    if not checkpoints:
        raise ValueError("checkpoints must hold at least one state dict, got none")
    first, *others = ({k: v.shape for k, v in weights.items()} for weights in checkpoints)
    for number, other in enumerate(others, start=1):
        if other != first:
            wrong = min(k for k in first | other if first.get(k) != other.get(k))
            raise ValueError(
                f"checkpoints must be of one model, but number {number} differs from number 0 in "
                f"{wrong!r}: {_shape(other, wrong)} and {_shape(first, wrong)}"
            )
    return {
        name: torch.stack([weights[name] for weights in checkpoints]).mean(dim=0)
        if last.is_floating_point()
        else last.clone()
        for name, last in checkpoints[-1].items()
    }


def _shape(shapes: dict, name: str) -> str:
    return str(tuple(shapes[name])) if name in shapes else "nothing"
