"""A checked piece of music: notes, weights between them, statements of motifs, a sound."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqviz.views.piano_roll.checks import (
    heads_of,
    motifs_of,
    notes_of,
    predicted_of,
    weights_of,
)
from seqviz.views.piano_roll.waveform import waveform
from seqviz.views.shared.checking import line

KEYS = ("notes", "weights", "head_names", "motifs", "predicted", "sound")
MOST_PIECES = 12


@dataclass(frozen=True)
class Piece:
    """n notes in the order in which they begin.

    Attributes
    ----------
    name : str
        What it is called in the list; empty if it stands alone.
    notes : array of int, (n, 4)
        Pitch, start, end, velocity; times in ticks of 10 ms.
    weights : array, (heads, n, n)
        From each note to itself and those before it; no heads if nothing attends.
    heads : list of str
    motifs : dict of str to list of list of int
        For each motif its statements, each a list of notes.
    predicted : dict of int to int
        The pitch that a model said where a note stands.
    sound : bytes
        A WAV file; empty for silence.
    """

    name: str
    notes: np.ndarray
    weights: np.ndarray
    heads: list[str]
    motifs: dict[str, list[list[int]]]
    predicted: dict[int, int]
    sound: bytes

    @cached_property
    def opening(self) -> int:
        """The note that attends most to a single earlier one, in a return if there is one; or 0."""
        if not self.heads:
            return 0
        largest = np.tril(self.weights[0], -1).max(axis=1)
        which = {}  # statement a note is of, by the first motif that has it
        for statements in reversed(self.motifs.values()):
            which |= {note: s for s, statement in enumerate(statements) for note in statement}
        returns = sorted(note for note, s in which.items() if s)
        late = range(len(self.notes) // 2, len(self.notes))
        return 1 + max(returns or late, key=lambda note: largest[note])

    def facts(self) -> dict:
        """What the page is told of it beside the numbers."""
        return {
            "name": self.name,
            "notes": len(self.notes),
            "heads": self.heads,
            "motifs": [[name, statements] for name, statements in self.motifs.items()],
            "opening": self.opening,
            "sound": bool(self.sound),
        }

    def parts(self, k: int) -> dict:
        """What travels of it as piece k: notes, the weights of each head, the sound."""
        said = [self.predicted.get(note, -1) for note in range(len(self.notes))]
        earlier = np.tril_indices(len(self.notes))
        heads = {f"piece {k} head {h}": w[earlier] for h, w in enumerate(self.weights, 1)}
        sound = {f"sound {k}": self.sound} if self.sound else {}
        return {f"piece {k}": np.column_stack([self.notes, said]), **heads, **sound}

    def rows(self) -> Iterator[list]:
        """Rows of a table: piece, note, quantity, of a weight its head and goal, value."""
        names = ("pitch", "start, ticks", "end, ticks", "velocity")
        for k, note in enumerate(self.notes.astype(float).tolist()):
            start = [self.name, str(k + 1)]
            yield from ([*start, name, "", "", v] for name, v in zip(names, note, strict=True))
            if k in self.predicted:
                yield [*start, "pitch that the model says", "", "", float(self.predicted[k])]
            for head, weights in zip(self.heads, self.weights[:, k, : k + 1], strict=True):
                for j, weight in enumerate(weights.tolist()):
                    yield [*start, "weight", head, str(j + 1), weight]


def pieces_of(given) -> list[Piece]:
    """Check pieces by name; one piece may stand alone."""
    if not isinstance(given, Mapping):
        raise TypeError(
            "pieces: expected a mapping with 'notes', or of names to such mappings, came "
            f"{type(given).__name__} {given!r:.60}"
        )
    if "notes" in given and not isinstance(given["notes"], Mapping):
        return [piece_of("pieces", "", given)]
    if not 1 <= len(given) <= MOST_PIECES:
        raise ValueError(f"pieces: expected 1 to {MOST_PIECES} pieces, came {len(given)}")
    return [
        piece_of(f"pieces[{name!r}]", line("pieces, a name", name), piece)
        for name, piece in given.items()
    ]


def piece_of(where: str, name: str, given) -> Piece:
    """Check one piece."""
    if not isinstance(given, Mapping) or given.get("notes") is None:
        came = ", ".join(map(repr, given)) if isinstance(given, Mapping) else repr(given)
        raise ValueError(f"{where}: expected a mapping with 'notes', came {came:.60}")
    if unknown := sorted(str(key) for key in given if key not in KEYS):
        raise ValueError(f"{where} has {unknown[0]!r}, expected {', '.join(KEYS)}")
    notes = notes_of(f"{where}['notes']", given["notes"])
    weights = weights_of(f"{where}['weights']", given.get("weights"), len(notes))
    return Piece(
        name,
        notes,
        weights,
        heads_of(f"{where}['head_names']", given.get("head_names"), len(weights)),
        motifs_of(f"{where}['motifs']", given.get("motifs"), len(notes)),
        predicted_of(f"{where}['predicted']", given.get("predicted"), len(notes)),
        waveform(f"{where}['sound']", given.get("sound"), int(notes[-1, 1])),
    )
