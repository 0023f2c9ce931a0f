"""The notes as rows of a table; table.js makes the same."""

from seqviz.views.piano_roll.sentence import note_name
from seqviz.views.piano_roll.values import Piece

HEADER = ["note", "key", "start, s", "length, s", "velocity", "motif"]


def rows_of(piece: Piece, note: int | None, head: int) -> list[list]:
    """A row for each note, with the weight that the one in focus puts on it."""
    header = [*HEADER]
    if piece.predicted:
        header.append("model says")
    attends = bool(piece.heads) and note is not None
    if attends:
        header.append(f"weight from note {note + 1}")
    rows = []
    for k, (pitch, start, end, velocity) in enumerate(piece.notes.tolist()):
        times = [start / 100, (end - start) / 100]
        row = [str(k + 1), note_name(pitch), *times, float(velocity), _motif(piece, k)]
        if piece.predicted:
            row.append(note_name(piece.predicted[k]) if k in piece.predicted else "")
        if attends:
            row.append(float(piece.weights[head, note, k]))
        rows.append(row)
    return [header, *rows]


def _motif(piece: Piece, note: int) -> str:
    if note not in piece.places:
        return ""
    motif, which, k = piece.places[note]
    return f"{motif} {which}, note {k}"
