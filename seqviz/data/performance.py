"""Music as a line of events, as a language model reads it; events to notes, and notes to sound."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from seqviz.arguments import MANY, checked_integer, checked_type, checked_words, shown

PITCHES, SHIFTS, VELOCITIES = 128, 100, 32
EVENTS = [  # 388, as in "Music Transformer", Huang et al. 2019, 4.2, and Performance RNN
    *(f"ON {pitch}" for pitch in range(PITCHES)),
    *(f"OFF {pitch}" for pitch in range(PITCHES)),
    *(f"SHIFT {ticks}" for ticks in range(1, SHIFTS + 1)),
    *(f"VELOCITY {velocity}" for velocity in range(VELOCITIES)),
]
_KNOWN = {*EVENTS}


class Note(NamedTuple):
    """A key that is held.

    Parameters
    ----------
    pitch : int
        Number of the key, as in MIDI: 60 is the middle C, 69 the A of 440 Hz.
    start, end : int
        In ticks of 10 ms.
    velocity : int
        How hard it is struck, 0 to 31.
    """

    pitch: int
    start: int
    end: int
    velocity: int = 20


def notes_to_events(notes: Iterable[Note]) -> list[str]:
    """Write notes as events: "VELOCITY 20", "ON 60", "SHIFT 50", "OFF 60" (deck 002).

    Parameters
    ----------
    notes : iterable of Note
        In any order.

    Returns
    -------
    list of str
        Of `EVENTS`. At one tick keys go up before others go down; a pause is a row of shifts.

    Raises
    ------
    TypeError
        If a number is no integer.
    ValueError
        If a number lies outside, a note ends where it starts or before, or two notes of a key
        overlap.
    """
    moves = []
    held: dict[int, int] = {}  # until when each key is held
    for note in sorted(_notes(notes), key=lambda note: note.start):
        if held.get(note.pitch, 0) > note.start:
            raise ValueError(
                f"notes must not overlap on a key: {note} begins while the key is held until tick "
                f"{held[note.pitch]}"
            )
        held[note.pitch] = note.end
        moves += [(note.start, 1, note), (note.end, 0, note)]
    events, now, velocity = [], 0, None
    for tick, down, note in sorted(moves, key=lambda move: (move[:2], move[2].pitch)):
        while now < tick:
            step = min(tick - now, SHIFTS)
            events.append(f"SHIFT {step}")
            now += step
        if down and note.velocity != velocity:
            velocity = note.velocity
            events.append(f"VELOCITY {velocity}")
        events.append(f"{'ON' if down else 'OFF'} {note.pitch}")
    return events


def events_to_notes(events: Sequence[str]) -> list[Note]:
    """Read notes from events.

    Parameters
    ----------
    events : sequence of str
        Of `EVENTS`. Keys that are still down at the end go up there.

    Returns
    -------
    list of Note
        In the order in which they begin, lower keys first.

    Raises
    ------
    TypeError
        If `events` is no list of strings.
    ValueError
        If an event is none, a key goes up that is not down, or down twice.
    """
    now, velocity, down, notes = 0, 20, {}, []
    for k, event in enumerate(checked_words("events", events)):
        if event not in _KNOWN:
            raise ValueError(
                f"events[{k}] must be 'ON 60', 'OFF 60', 'SHIFT 50' or 'VELOCITY 20', with numbers "
                f"up to 127, 127, {SHIFTS} and {VELOCITIES - 1}, got {event!r}"
            )
        kind, number = event.split()
        value = int(number)
        if kind == "SHIFT":
            now += value
        elif kind == "VELOCITY":
            velocity = value
        elif kind == "ON":
            if value in down:
                raise ValueError(f"events[{k}] is {event!r}, but that key is down already")
            down[value] = now, velocity
        elif value not in down:
            raise ValueError(f"events[{k}] is {event!r}, but that key is not down")
        else:
            start, struck = down.pop(value)
            notes.append(Note(value, start, now, struck))
    notes += [Note(pitch, start, now, struck) for pitch, (start, struck) in down.items()]
    return sorted(notes, key=lambda note: (note.start, note.pitch))


def sound(notes: Iterable[Note], rate: int = 16000) -> np.ndarray:
    """Return the sound of notes, for ``IPython.display.Audio(sound(notes), rate=16000)``.

    Each note is a sum of four sines that fade, an octave 2 to 1 and each half-tone the twelfth
    root of it.

    Parameters
    ----------
    notes : iterable of Note
    rate : int
        Numbers a second.

    Returns
    -------
    array
        (numbers,), float32, at most 1; a second longer than the last note.

    Raises
    ------
    TypeError, ValueError
        As from :func:`notes_to_events`, and if there is no note.
    """
    rate = checked_integer("rate", rate, 1000, 192_000)
    notes = _notes(notes)
    if not notes:
        raise ValueError("notes must hold one note at least, got none")
    wave = np.zeros((max(note.end for note in notes) + 100) * rate // 100)
    for note in notes:
        first = note.start * rate // 100
        seconds = np.arange(len(wave) - first) / rate
        held = (note.end - note.start) / 100
        fading = np.exp(-3 * seconds) * np.exp(-20 * np.maximum(seconds - held, 0))
        rising = np.minimum(seconds / 0.01, 1)
        frequency = 440 * 2 ** ((note.pitch - 69) / 12)
        tones = sum(np.sin(2 * np.pi * k * frequency * seconds) / k**2 for k in (1, 2, 3, 4))
        wave[first:] += (note.velocity + 1) * rising * fading * tones
    return (wave / max(np.abs(wave).max(), 1e-9)).astype(np.float32)


def _notes(notes: Iterable[Note]) -> list[Note]:
    wanted = "a list of Note, or of (pitch, start, end)"
    found = []
    for note in checked_type("notes", notes, Iterable, wanted):
        if not isinstance(note, tuple | list) or not 3 <= len(note) <= 4:
            raise TypeError(f"notes must be {wanted}, got {shown(note)} among them")
        found.append(_checked(Note(*note)))
    return found


def _checked(note: Note) -> Note:
    checked_integer("pitch", note.pitch, 0, PITCHES - 1)
    checked_integer("start", note.start, 0)
    checked_integer("end", note.end, 0, MANY)
    checked_integer("velocity", note.velocity, 0, VELOCITIES - 1)
    if note.end <= note.start:
        raise ValueError(f"a note must end after it starts, got {note}")
    return note
