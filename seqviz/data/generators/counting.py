"""A noisy counter: what it shows may be wrong, what it counts never is."""

import random

import torch
from torch import Tensor

from seqviz.arguments import checked_integer, checked_number
from seqviz.data.generators.memory import checked_sides

SYMBOLS = 10
STEPS = (1, 2, 3)


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
    length, batch = checked_sides(length, batch)
    glitch = checked_number("glitch", glitch, 0, 1)
    draw = random.Random(checked_integer("seed", seed, 0))
    steps = torch.tensor(draw.choices(STEPS, k=batch))
    starts = torch.tensor(draw.choices(range(SYMBOLS), k=batch))
    wrong = [draw.random() < glitch for _ in range(length * batch)]
    by = torch.tensor(draw.choices(range(1, SYMBOLS), k=length * batch)).view(length, batch)
    counts = (starts + steps * torch.arange(length).unsqueeze(1)) % SYMBOLS
    return steps, (counts + by * torch.tensor(wrong).view(length, batch)) % SYMBOLS, counts
