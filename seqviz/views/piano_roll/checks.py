"""Checks of what a piece is made of: notes, weights, motifs, what a model said."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from seqviz.views.shared.checking import (
    holds_several,
    line,
    numbers,
    spare_of,
    strings,
    whole,
    within,
)

MOST_NOTES, MOST_TICKS = 400, 60_000
MOST_HEADS, MOST_MOTIFS = 16, 4
PITCHES, VELOCITIES = 128, 32
ZERO = 1e-6  # a weight that is no larger is none


def notes_of(name: str, given) -> np.ndarray:
    """Return notes in the order in which they begin, (n, 4) of int."""
    several = hasattr(given, "__len__") and holds_several(given)
    if isinstance(given, (str, Mapping)) or not several:
        raise TypeError(
            f"{name}: expected a list of (pitch, start, end, velocity), came {given!r:.60}"
        )
    if not 1 <= len(given) <= MOST_NOTES:
        raise ValueError(
            f"{name}: expected 1 to {MOST_NOTES} notes, came {len(given)}"
            + (f": take notes[:{MOST_NOTES}]" if len(given) else "")
        )
    notes = np.array([_note(f"{name}[{k}]", note) for k, note in enumerate(given)])
    held: dict[int, tuple[int, int]] = {}
    for k, (pitch, start, end, _) in enumerate(notes.tolist()):
        if k and start < notes[k - 1, 1]:
            raise ValueError(
                f"{name}[{k}] starts at tick {start}, before note {k - 1} at {notes[k - 1, 1]}: "
                "sort the notes by their start, and the rows and columns of weights with them"
            )
        before, until = held.get(pitch, (0, 0))
        if start < until:
            raise ValueError(
                f"{name}[{k}] starts at tick {start} on key {pitch}, which note {before} holds "
                f"until {until}: end that one first"
            )
        held[pitch] = k, end
    return notes


def _note(name: str, given) -> tuple[int, int, int, int]:
    try:
        pitch, start, end, velocity = given
    except (TypeError, ValueError):
        raise ValueError(
            f"{name}: expected (pitch, start, end, velocity), came {given!r:.60}"
        ) from None
    pitch = within(f"{name}, pitch", pitch, 0, PITCHES - 1)
    velocity = within(f"{name}, velocity", velocity, 0, VELOCITIES - 1)
    start, end = whole(f"{name}, start", start), whole(f"{name}, end", end)
    if not 0 <= start < end <= MOST_TICKS:
        raise ValueError(
            f"{name}: expected 0 <= start < end <= {MOST_TICKS} in ticks of 10 ms, came "
            f"{start} to {end}"
        )
    return pitch, start, end, velocity


def weights_of(name: str, given, count: int) -> np.ndarray:
    """Return weights from each note to itself and those before it, (heads, n, n) of float32."""
    if given is None:
        return np.zeros((0, count, count), np.float32)
    weights = numbers(name, given)
    came = weights.shape
    weights = weights[None] if weights.ndim == 2 else weights
    if weights.ndim != 3 or weights.shape[1:] != (count, count):
        raise ValueError(
            f"{name}: expected shape ({count}, {count}) or (heads, {count}, {count}) for {count} "
            f"notes, came {came}: add up the weights of a note's events first"
        )
    if not 1 <= len(weights) <= MOST_HEADS:
        raise ValueError(f"{name}: expected 1 to {MOST_HEADS} heads, came {len(weights)}")
    for h, i, j in np.argwhere(weights < 0):
        raise ValueError(
            f"{name}[{h}, {i}, {j}] is {weights[h, i, j]:.4g}, expected 0 or more: take the "
            "weights after the softmax"
        )
    for h, i, j in np.argwhere(np.triu(weights, 1) > ZERO):
        raise ValueError(
            f"{name}[{h}, {i}, {j}] is {weights[h, i, j]:.4g}, but note {j} comes after note {i}: "
            "expected 0 there, as under a causal mask"
        )
    sums = weights.sum(axis=2, dtype=float)
    for h, i in np.argwhere(sums > 1 + spare_of(given)):
        raise ValueError(f"{name}[{h}, {i}] sums to {sums[h, i]:.4g}, expected at most 1")
    return weights


def heads_of(name: str, given, count: int) -> list[str]:
    """Return a name for each head."""
    if given is None:
        return [str(h) for h in range(1, count + 1)]
    names = [line(f"{name}[{h}]", one) for h, one in enumerate(strings(name, given))]
    if len(names) != count:
        raise ValueError(f"{name}: expected {count}, one for each head, came {len(names)}")
    return names


def motifs_of(name: str, given, count: int) -> dict[str, list[list[int]]]:
    """Return for each motif its statements, each a rising list of notes."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{name}: expected a mapping of names to lists of statements, came {given!r:.60}"
        )
    if len(given) > MOST_MOTIFS:
        raise ValueError(f"{name}: expected at most {MOST_MOTIFS} motifs, came {len(given)}")
    found = {}
    for motif, statements in given.items():
        where = f"{name}[{line(f'{name}, a name', motif)!r}]"
        if isinstance(statements, str) or not isinstance(statements, Sequence) or not statements:
            raise ValueError(
                f"{where}: expected a list of statements, each a list of notes, came "
                f"{statements!r:.60}"
            )
        found[motif] = [_statement(f"{where}[{s}]", one, count) for s, one in enumerate(statements)]
    return found


def _statement(name: str, given, count: int) -> list[int]:
    if isinstance(given, str) or not hasattr(given, "__len__") or not len(given):
        raise ValueError(f"{name}: expected a list of notes, came {given!r:.60}")
    notes = [within(f"{name}[{k}]", one, 0, count - 1) for k, one in enumerate(given)]
    if any(later <= note for note, later in pairwise(notes)):
        raise ValueError(f"{name}: expected each note once, in the order of time, came {notes}")
    return notes


def predicted_of(name: str, given, count: int) -> dict[int, int]:
    """Return the pitch that a model said where a note stands."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{name}: expected a mapping of a note's place to the pitch that a model said, came "
            f"{given!r:.60}"
        )
    return {
        within(f"{name}, a place", note, 0, count - 1): within(
            f"{name}[{note}]", pitch, 0, PITCHES - 1
        )
        for note, pitch in given.items()
    }
