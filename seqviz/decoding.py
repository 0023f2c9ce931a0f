"""From a model's logits to a sequence of tokens, one at a time."""

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import torch
from torch import Tensor

from seqviz.integers import checked_integer

Step = Callable[[Tensor, Any], tuple[Tensor, Any]]


def greedy(
    step: Step, prompt: Sequence[int], length: int, *, state: Any = None, stop: int | None = None
) -> list[int]:
    """Continue a prompt, taking the most probable token each time (deck 003).

    Parameters
    ----------
    step : callable
        Takes ids (batch,) and a state, gives logits (batch, vocab) and the next state, as
        ``LanguageModel.step`` does. The batch is one; ids lie on the prompt's device.
    prompt : sequence of int or Tensor
        Ids to read first, at least one.
    length : int
        Number of ids to produce.
    state : optional
        Where to start from; None is the model's own first state.
    stop : int, optional
        An id that ends the sequence; it is included.

    Returns
    -------
    list of int
        The new ids, without the prompt.

    Raises
    ------
    TypeError
        If `step` is no function, `prompt` is not made of integers, or `length` or `stop` is not
        an integer.
    ValueError
        If `prompt` is empty, `length` is below one, or the logits are no distribution (NaN).
    """
    return _decode(step, prompt, length, lambda logits: logits.argmax(), state, stop)


def sample(
    step: Step,
    prompt: Sequence[int],
    length: int,
    *,
    temperature: float = 1.0,
    state: Any = None,
    stop: int | None = None,
    generator: torch.Generator | None = None,
) -> list[int]:
    """Continue a prompt, drawing each token from softmax(logits / temperature) (deck 002).

    Parameters
    ----------
    step, prompt, length, state, stop
        As in :func:`greedy`.
    temperature : float
        Above zero. Below one the probable tokens gain, above one the improbable ones.
    generator : torch.Generator, optional
        A CPU generator to draw from; torch's global one otherwise. The draw is made on the CPU,
        so that a seed gives the same text on every device.

    Returns
    -------
    list of int
        The new ids, without the prompt.

    Raises
    ------
    TypeError, ValueError
        As in :func:`greedy`, and if `temperature` is not a finite number above zero.
    """
    if isinstance(temperature, bool) or not isinstance(temperature, Real):
        raise TypeError(f"temperature must be a number, got {temperature!r}")
    if not 0 < temperature < float("inf"):
        raise ValueError(
            f"temperature must be finite and above 0, got {temperature!r}: "
            "the limit at 0 is sv.decoding.greedy"
        )

    def draw(logits: Tensor) -> Tensor:
        logits = logits.double()
        # softmax does not see the maximum; without it a tiny temperature gives no infinity
        probabilities = torch.softmax((logits - logits.max()) / temperature, dim=-1)
        return torch.multinomial(probabilities, 1, generator=generator)

    return _decode(step, prompt, length, draw, state, stop)


@torch.no_grad()
def _decode(
    step: Step,
    prompt: Sequence[int],
    length: int,
    choose: Callable[[Tensor], Tensor],
    state: Any,
    stop: int | None,
) -> list[int]:
    """Read the prompt, then choose a token and read it, again and again."""
    if not callable(step):
        raise TypeError(f"step must be a function step(ids, state), got {type(step).__name__}")
    prompt = _checked_prompt(prompt)
    length = checked_integer("length", length, 1)
    if stop is not None:
        stop = checked_integer("stop", stop)

    new, unread = [], prompt
    while len(new) < length and new[-1:] != [stop]:
        for ids in unread.split(1):
            logits, state = step(ids, state)
        new.append(choose(_checked_logits(logits)).item())
        unread = prompt.new_tensor(new[-1:])
    return new


def _checked_prompt(prompt: Sequence[int]) -> Tensor:
    if isinstance(prompt, str):
        raise TypeError(f"prompt must be a list of ids, got the text {prompt!r}: encode it first")
    try:
        ids = torch.as_tensor(prompt)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"prompt must be a flat list of integers, got {prompt!r}") from error
    if ids.numel() == 0:
        raise ValueError("prompt must hold at least one id, got none")
    if ids.dim() != 1 or ids.dtype == torch.bool or ids.is_floating_point():
        raise TypeError(
            f"prompt must be a flat list of integers, got shape {tuple(ids.shape)} of {ids.dtype}"
        )
    return ids.long()


def _checked_logits(logits: Tensor) -> Tensor:
    """Take the only row of (1, vocab), on the CPU."""
    if logits.dim() != 2 or len(logits) != 1:
        raise ValueError(f"step must return logits (1, vocab), got shape {tuple(logits.shape)}")
    row = logits[0].cpu()
    if not row.max().isfinite():  # the maximum of a row with NaN is NaN
        raise ValueError(
            f"step returned logits with no finite maximum ({row.max().item()}): "
            "the model's weights are NaN or infinite, train it again with a lower lr"
        )
    return row
