"""The sentence over a piano roll; sentence.js says the same."""

from seqviz.views.piano_roll.values import Piece
from seqviz.views.shared.wording import readable, share

NAMES = ("C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B")
LETTERS = 16  # of a motif's or a head's name
SMALL = 0.005  # a row with less on each note attends to none


def note_name(pitch: int) -> str:
    """The name of a key: C4 is the middle one, 60."""
    return f"{NAMES[pitch % 12]}{pitch // 12 - 1}"


def seconds(ticks: int) -> str:
    """Ticks of 10 ms as seconds, with one or two decimals."""
    text = f"{ticks // 100}.{ticks % 100:02}"
    return f"{text.removesuffix('0')} s"


def named(text: str) -> str:
    """A name as people read it."""
    return readable(text, LETTERS)


def head_name(name: str) -> str:
    """A head with that word before its name, if it does not begin with it."""
    return named(name) if name.lower().startswith("head") else f"head {named(name)}"


def place_text(piece: Piece, note: int) -> str:
    """Which note of which statement it is, in brackets; nothing outside of motifs."""
    if note not in piece.places:
        return ""
    motif, which, k = piece.places[note]
    several = len(piece.motifs[motif]) > 1
    return f" (note {k} of {named(motif)}{f' {which}' if several else ''})"


def headline(piece: Piece, note: int | None, head: int) -> str:
    """The sentence for a note, from 0, or for the whole piece."""
    if note is None:
        return _whole(piece)
    said = _said(piece, note)
    if not piece.heads:
        _, start, end, velocity = piece.notes[note].tolist()
        for_ = f"sounds for {seconds(end - start)}, velocity {velocity}"
        return f"{_at(piece, note)} {for_}.{said}"
    which = f"In {head_name(piece.heads[head])}, " if len(piece.heads) > 1 else ""
    return f"{which}{_at(piece, note)} attends {_attended(piece, note, head)}.{said}"


def _at(piece: Piece, note: int) -> str:
    pitch, start = piece.notes[note, :2].tolist()
    return f"{note_name(pitch)} at {seconds(start)}{place_text(piece, note)}"


def _attended(piece: Piece, note: int, head: int) -> str:
    row = piece.weights[head, note, : note + 1].tolist()
    most = max(row)
    if most < SMALL:
        return "to no earlier note"
    best = row.index(most)
    to = "itself" if best == note else _at(piece, best)
    return f"most to {to}: {share(most)}"


def _said(piece: Piece, note: int) -> str:
    if note not in piece.predicted:
        return ""
    said = piece.predicted[note]
    if said == piece.notes[note, 0]:
        return " The model says it, too."
    return f" The model says {note_name(said)}: wrong."


def _whole(piece: Piece) -> str:
    pitches = piece.notes[:, 0]
    count = len(piece.notes)
    low, high = note_name(int(pitches.min())), note_name(int(pitches.max()))
    keys = f"on {low}" if low == high else f"from {low} to {high}"
    text = f"{count} note{'s' * (count > 1)} in {seconds(piece.span)}, {keys}."
    for motif, statements in list(piece.motifs.items())[:1]:
        times = len(statements)
        text += f" {named(motif)} comes {'once' if times == 1 else f'{times} times'}."
    if piece.predicted:
        text += f" The model says {piece.right} of {len(piece.predicted)} notes right."
    return text
