"""One token at a time and no way back: the most probable one, or one that is drawn."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from seqviz.arguments import MANY, checked_integer
from seqviz.decoding import filters
from seqviz.decoding.model_steps import (
    Prompt,
    Step,
    checked_logits,
    checked_prompt,
    checked_step,
    checked_stop,
    read,
)


def greedy(
    step: Step, prompt: Prompt, length: int, *, state: Any = None, stop: int | None = None
) -> list[int] | list[list[int]]:
    """Continue a prompt, taking the most probable token each time (decks 002, 003).

    Parameters
    ----------
    step : callable
        Takes ids (batch,) and a state, gives logits (batch, vocab) and the next state, as
        ``LanguageModel.step`` and ``Seq2Seq.step`` do. Ids lie on the prompt's device.
    prompt : sequence of int, sequence of such sequences, or Tensor
        Ids to read first, at least one: (time,), or (batch, time) for several at once.
    length : int
        Number of ids to produce; with `stop` at most: a row that does not end with it was cut here.
    state : optional
        Where to start from, such as ``Seq2Seq.encode(source)``; None is the model's own first
        state.
    stop : int, optional
        An id that ends a sequence; it is included. Those that have ended wait for the others.

    Returns
    -------
    list of int, or list of lists of int
        The new ids, without the prompt; a list for each row of a prompt (batch, time).

    Raises
    ------
    TypeError
        If `step` is no function, `prompt` is not made of integers, or `length` or `stop` is not
        an integer.
    ValueError
        If `prompt` is empty, `length` is below one, or the logits are no distribution (NaN).
    """
    return _decode(step, prompt, length, lambda logits: logits.argmax(dim=1), state, stop)


def sample(
    step: Step,
    prompt: Prompt,
    length: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    state: Any = None,
    stop: int | None = None,
    generator: torch.Generator | None = None,
) -> list[int] | list[list[int]]:
    """Continue a prompt, drawing each token from softmax(logits / temperature) (deck 002).

    Parameters
    ----------
    step, prompt, length, state, stop
        As in :func:`greedy`.
    temperature : float
        Above zero. Below one the probable tokens gain, above one the improbable ones.
    top_k : int, optional
        Draw from the k most probable tokens alone: :func:`top_k`.
    top_p : float, optional
        Draw from the fewest tokens that have this probability together: :func:`nucleus`. The
        temperature comes first, then `top_k`, then `top_p`.
    generator : torch.Generator, optional
        A CPU generator to draw from; torch's global one otherwise. The draw is made on the CPU,
        so that a seed gives the same text on every device.

    Returns
    -------
    list of int, or list of lists of int
        As from :func:`greedy`.

    Raises
    ------
    TypeError, ValueError
        As in :func:`greedy`, and as from the filters.
    """
    if generator is not None and not isinstance(generator, torch.Generator):
        raise TypeError(
            "generator must be a torch.Generator, such as torch.Generator().manual_seed(0), got "
            f"{generator!r}"
        )
    temperature = filters.checked_temperature(temperature)
    if top_k is not None:
        checked_integer("top_k", top_k, 1)
    if top_p is not None:
        filters.checked_share("top_p", top_p)

    def draw(logits: Tensor) -> Tensor:
        logits = filters.cooled(logits, temperature)
        if top_k is not None:
            logits = filters.highest(logits, filters.checked_count("top_k", top_k, logits))
        logits = logits if top_p is None else filters.likeliest(logits, top_p)
        return torch.multinomial(logits.softmax(dim=1), 1, generator=generator).squeeze(1)

    return _decode(step, prompt, length, draw, state, stop)


@torch.no_grad()
def _decode(
    step: Step,
    prompt: Prompt,
    length: int,
    choose: Callable[[Tensor], Tensor],
    state: Any,
    stop: int | None,
) -> list[int] | list[list[int]]:
    """Read the prompt, then choose a token for each row and read it, again and again."""
    checked_step(step)
    prompt = checked_prompt(prompt)
    length = checked_integer("length", length, 1, MANY)
    stop = checked_stop(stop)

    unread, columns = torch.atleast_2d(prompt), []
    running = torch.ones(len(unread), dtype=torch.bool)
    chosen = torch.zeros(len(unread), dtype=torch.long)
    while running.any() and len(columns) < length:
        logits, state = read(step, unread, state)
        chosen[running] = choose(checked_logits(logits, running))  # one that has ended keeps stop
        columns.append(chosen.clone())
        if stop is not None:
            running = chosen != stop
        unread = chosen.unsqueeze(1).to(prompt.device)
    new = [_up_to(stop, row) for row in torch.stack(columns, dim=1).tolist()]
    return new if prompt.dim() == 2 else new[0]


def _up_to(stop: int | None, ids: list[int]) -> list[int]:
    return ids[: ids.index(stop) + 1] if stop in ids else ids
