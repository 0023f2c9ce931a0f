"""What every way of decoding asks of a prompt and of a model's step."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from seqviz.arguments import checked_integer, refuse_meta, shown

Step = Callable[[Tensor, Any], tuple[Tensor, Any]]
Prompt = Sequence[int] | Sequence[Sequence[int]] | Tensor


def checked_step(step: Step) -> None:
    """Refuse what cannot be called."""
    if not callable(step):
        raise TypeError(f"step must be a function step(ids, state), got {type(step).__name__}")


def checked_prompt(prompt: Prompt) -> Tensor:
    """Return the prompt as ids (time,) or (batch, time)."""
    if isinstance(prompt, str):
        raise TypeError(
            f"prompt must be a list of ids, got the text {shown(prompt)}: encode it first"
        )
    try:
        ids = torch.as_tensor(prompt)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise TypeError(
            f"prompt must be a list of integers, or lists of one length, got {shown(prompt)}"
        ) from error
    if ids.numel() == 0:
        raise ValueError("prompt must hold at least one id, got none")
    others = ids.dtype == torch.bool or ids.is_floating_point() or ids.is_complex()
    if ids.dim() not in (1, 2) or others:
        raise TypeError(
            "prompt must be a list of integers, or lists of one length, "
            f"got shape {tuple(ids.shape)} of {ids.dtype}"
        )
    refuse_meta("prompt", ids)
    return ids.long()


def checked_stop(stop: int | None) -> int | None:
    """Return the id that ends a sequence, or None."""
    return None if stop is None else checked_integer("stop", stop, 0)


def read(step: Step, prompt: Tensor, state: Any) -> tuple[Tensor, Any]:
    """Read ids (batch, time) one time after the other; return what the last step gave."""
    for ids in prompt.unbind(dim=1):
        given = step(ids, state)
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise TypeError(
                f"step must return two things, logits and the next state, got {_kind(given)}: "
                "end it with `return logits, state`"
            )
        logits, state = given
        if not isinstance(logits, Tensor) or not logits.is_floating_point():
            raise TypeError(
                f"step must return logits as a float tensor (batch, vocab), got {_kind(logits)}"
            )
    return logits, state


def _kind(given: Any) -> str:
    if isinstance(given, Tensor):
        return f"a tensor {tuple(given.shape)} of {given.dtype}"
    return f"{len(given)} things" if isinstance(given, tuple | list) else type(given).__name__


def checked_logits(logits: Tensor, rows: Tensor) -> Tensor:
    """Return these rows of logits on the CPU, `rows` (batch,) being truth values."""
    batch = len(rows)
    if logits.dim() != 2 or len(logits) != batch:
        raise ValueError(
            f"step must return logits ({batch}, vocab), got shape {tuple(logits.shape)}"
        )
    if logits.shape[1] == 0:
        raise ValueError(
            f"step must return logits of at least one token, got shape {tuple(logits.shape)}"
        )
    refuse_meta("step's logits", logits)
    logits = logits.cpu()[rows]
    highest = logits.max(dim=1).values  # the maximum of a row with NaN is NaN
    if not highest.isfinite().all():
        wrong = highest[~highest.isfinite()][0].item()
        raise ValueError(
            f"step returned logits with no finite maximum ({wrong}): "
            "the model's weights are NaN or infinite, train it again with a lower lr"
        )
    return logits
