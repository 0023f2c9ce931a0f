"""Melodies in which a motif returns, at any place and at any height."""

import random

from seqviz.arguments import MANY, checked_flag, checked_integer
from seqviz.data.melody import Melody
from seqviz.data.performance import Note

PITCHES = range(60, 72)  # an octave from the middle C
LENGTHS = (15, 30, 60)  # ticks of 10 ms
SIZE = 6  # notes of a motif
FREE = 3  # at most as many notes that belong to no motif, before each statement
FARTHEST = 5  # half-tones up or down


def motifs(
    count: int,
    seed: int = 0,
    control: bool = False,
    *,
    notes: int = 21,
    transposed: bool = True,
) -> list[Melody]:
    """Draw melodies with a motif of six notes that returns again and again.

    Motif and free notes are drawn for each melody: any key of an octave, any of three lengths. Up
    to three free notes stand before each statement, so no place of a melody tells what comes. A
    return has the motif's lengths, and its keys moved by one number of half-tones.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        0 or more. The same seed gives the same melodies.
    control : bool
        Whether a new motif is drawn in place of each return, so that nothing tells its notes.
    notes : int
        Of each melody, 12 or more: the first statement ends before.
    transposed : bool
        Whether returns are moved, each by -5 to 5 half-tones that keep it inside the octave, or
        have the motif's own keys.

    Returns
    -------
    list of Melody
        Each of `notes` notes without a pause, 3 `notes` + 1 events: a velocity, then each key
        down, held, and up.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If `count` is below one, `seed` below zero or `notes` below twelve.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    size = checked_integer("notes", notes, 2 * SIZE, MANY)
    control, transposed = checked_flag("control", control), checked_flag("transposed", transposed)
    count = checked_integer("count", count, 1, MANY)
    return [_melody(draw, size, control, transposed) for _ in range(count)]


def _melody(draw: random.Random, size: int, control: bool, transposed: bool) -> Melody:
    motif, drawn, statements = _keys(draw, SIZE), [], []
    while len(drawn) < size:
        drawn += _keys(draw, draw.randint(0, FREE))
        stated = _keys(draw, SIZE) if control and statements else motif
        if transposed and statements:
            stated = _moved(draw, stated)
        statements.append(tuple(range(len(drawn), min(len(drawn) + SIZE, size))))
        drawn += stated
    notes, now = [], 0
    for pitch, length in drawn[:size]:
        notes.append(Note(pitch, now, now + length))
        now += length
    return Melody(tuple(notes), tuple(one for one in statements if one))


def _keys(draw: random.Random, count: int) -> list[tuple[int, int]]:
    return [(draw.choice(PITCHES), draw.choice(LENGTHS)) for _ in range(count)]


def _moved(draw: random.Random, motif: list[tuple[int, int]]) -> list[tuple[int, int]]:
    pitches = [pitch for pitch, _ in motif]
    down, up = PITCHES[0] - min(pitches), PITCHES[-1] - max(pitches)
    by = draw.randint(max(down, -FARTHEST), min(up, FARTHEST))
    return [(pitch + by, length) for pitch, length in motif]
