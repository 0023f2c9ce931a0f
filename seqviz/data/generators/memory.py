"""Memory tasks, drawn when asked for: what must be carried over a known number of steps."""

import random
from typing import Any

import torch
from torch import Tensor

from seqviz.arguments import MANY, checked_integer, checked_number

SYMBOLS = 10  # of the counter
STEPS = (1, 2, 3)
IGNORED = -100  # targets that cross_entropy leaves out unless told otherwise


def echo(length: int, delay: int, batch: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Random bits, to be said again `delay` steps later.

    Backpropagation that is cut into chunks of `delay` steps or fewer never sees a bit and its
    echo together: no gradient teaches the state to keep the bit (deck 000, truncated BPTT).

    Parameters
    ----------
    length : int
        Time steps, more than `delay`.
    delay : int
        Steps between a bit and its echo; 0 is a copy.
    batch : int
        Sequences side by side.
    seed : int
        0 or more. The same seed gives the same bits; take another for each batch.

    Returns
    -------
    inputs : torch.Tensor
        Bits, (length, batch), int64.
    targets : torch.Tensor
        (length, batch), int64: ``targets[t] = inputs[t - delay]``. The first `delay` rows have no
        answer; they are -100, which ``torch.nn.functional.cross_entropy`` leaves out.

    Raises
    ------
    TypeError
        If an argument is no integer.
    ValueError
        If one is out of range, or `delay` leaves no step to answer at.

    Examples
    --------
    >>> inputs, targets = echo(length=4, delay=2, batch=1)
    >>> inputs.T, targets.T
    (tensor([[1, 1, 0, 0]]), tensor([[-100, -100,    1,    1]]))
    """
    length, batch = _checked_sides(length, batch)
    delay = checked_integer("delay", delay, 0)
    if delay >= length:
        raise ValueError(
            f"delay must be less than length = {length}, or no echo is heard, got {delay}; "
            f"take a length of at least {delay + 1}"
        )
    draw = random.Random(checked_integer("seed", seed, 0))
    inputs = torch.tensor(draw.choices((0, 1), k=length * batch)).view(length, batch)
    targets = torch.full_like(inputs, IGNORED)
    targets[delay:] = inputs[: length - delay]
    return inputs, targets


def recall(length: int, batch: int, symbols: int = 4, seed: int = 0) -> tuple[Tensor, Tensor]:
    """One symbol, to be told after ``length - 1`` distractors.

    The distractors are other symbols, equally many and drawn at random, so that something new
    presses on the state at every step. Chance is 1 / symbols.

    Parameters
    ----------
    length : int
        Time steps, 2 or more.
    batch : int
        Sequences side by side.
    symbols : int
        How many symbols may have to be told, 2 or more; there are as many distractors.
    seed : int
        0 or more. The same seed gives the same symbols; take another for each batch.

    Returns
    -------
    inputs : torch.Tensor
        (length, batch), int64: the symbol, 0 to symbols - 1, in row 0; below it distractors,
        symbols to 2 * symbols - 1. A model reads them one-hot or embedded, 2 * symbols wide.
    targets : torch.Tensor
        (batch,), int64: ``inputs[0]``.

    Raises
    ------
    TypeError
        If an argument is no integer.
    ValueError
        If one is out of range.
    """
    length, batch = _checked_sides(length, batch, least=2)
    symbols = checked_integer("symbols", symbols, 2)
    draw = random.Random(checked_integer("seed", seed, 0))
    targets = torch.tensor(draw.choices(range(symbols), k=batch))
    others = draw.choices(range(symbols, 2 * symbols), k=(length - 1) * batch)
    return torch.cat([targets[None], torch.tensor(others).view(length - 1, batch)]), targets


def adding(length: int, batch: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Random numbers, two of them marked, whose sum is to be told after the last.

    Source: Hochreiter and Schmidhuber, Long short-term memory (1997), experiment 4, with values
    from 0 to 1 and one mark in each half, as in later papers. Whoever always says 1 has a mean
    squared error of 1/6, the variance of the sum of two such numbers.

    Parameters
    ----------
    length : int
        Time steps, 2 or more.
    batch : int
        Sequences side by side.
    seed : int
        0 or more. The same seed gives the same numbers; take another for each batch.

    Returns
    -------
    inputs : torch.Tensor
        (length, batch, 2), float32: a value from 0 to 1, and 1 where it is marked, else 0. One
        mark is before step ``length // 2``, the other one is there or later.
    targets : torch.Tensor
        (batch,), float32: the sum of the two marked values.

    Raises
    ------
    TypeError
        If an argument is no integer.
    ValueError
        If one is out of range.
    """
    length, batch = _checked_sides(length, batch, least=2)
    draw, half = random.Random(checked_integer("seed", seed, 0)), length // 2
    numbers = [draw.random() for _ in range(length * batch)]
    values = torch.tensor(numbers, dtype=torch.float32).view(length, batch)
    early = torch.tensor(draw.choices(range(half), k=batch))
    late = torch.tensor(draw.choices(range(half, length), k=batch))
    column, marks = torch.arange(batch), torch.zeros_like(values)
    marks[early, column] = marks[late, column] = 1.0
    return torch.stack([values, marks], dim=2), values[early, column] + values[late, column]


def counter(
    length: int, batch: int, glitch: float = 0.1, seed: int = 0
) -> tuple[Tensor, Tensor, Tensor]:
    """Counters that go on by a fixed step, modulo 10, and now and then show a wrong symbol.

    A glitch is shown once and forgotten: the count behind it goes on. The symbol before and the
    step tell the next one unless the symbol before was a glitch; only a memory of earlier symbols
    tells which it was (deck 003, output recurrence against hidden recurrence).

    Parameters
    ----------
    length : int
        Time steps.
    batch : int
        Counters side by side.
    glitch : float
        Probability of a wrong symbol at any step, the first one too; each of the nine others is
        equally likely.
    seed : int
        0 or more. The same seed gives the same counters; take another for each batch.

    Returns
    -------
    steps : torch.Tensor
        (batch,), int64: 1, 2 or 3, by how much the counter goes on. The context of the sequence.
    symbols : torch.Tensor
        (length, batch), int64, 0 to 9: what is shown.
    counts : torch.Tensor
        (length, batch), int64, 0 to 9: what is counted, ``(counts[0] + t * steps) % 10``.

    Raises
    ------
    TypeError
        If `glitch` is no number, or another argument no integer.
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> steps, symbols, counts = counter(length=5, batch=1, glitch=0.0)
    >>> steps, symbols.T
    (tensor([3]), tensor([[7, 0, 3, 6, 9]]))
    """
    length, batch = _checked_sides(length, batch)
    glitch = checked_number("glitch", glitch, 0, 1)
    draw = random.Random(checked_integer("seed", seed, 0))
    steps = torch.tensor(draw.choices(STEPS, k=batch))
    starts = torch.tensor(draw.choices(range(SYMBOLS), k=batch))
    wrong = [draw.random() < glitch for _ in range(length * batch)]
    by = torch.tensor(draw.choices(range(1, SYMBOLS), k=length * batch)).view(length, batch)
    counts = (starts + steps * torch.arange(length).unsqueeze(1)) % SYMBOLS
    return steps, (counts + by * torch.tensor(wrong).view(length, batch)) % SYMBOLS, counts


def _checked_sides(length: Any, batch: Any, least: int = 1) -> tuple[int, int]:
    """Return length and batch of numbers that are drawn one by one, in Python."""
    length = checked_integer("length", length, least, MANY)
    return length, checked_integer("batch", batch, 1, max(10 * MANY // length, 1))
