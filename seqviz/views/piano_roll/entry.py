"""The function that shows notes, what they attend to, and their sound."""

from collections.abc import Mapping

from seqviz.views.piano_roll.values import pieces_of
from seqviz.views.piano_roll.widget import PianoRoll
from seqviz.views.shared.checking import line_or


def piano_roll(pieces: Mapping, *, title: str | None = None) -> PianoRoll:
    """Show notes over time, which earlier notes each one attends to, and play them.

    A bar is a note: its row the key, its length the time, its strength the velocity. Point at one
    to see an arc to each note that it attends to, as wide as the weight; click to lock it; the
    arrows walk. Space plays the sound, and the arcs follow it. After the pictures of "Music
    Transformer", Huang et al. 2019 (deck 002).

    Parameters
    ----------
    pieces : mapping
        One piece, or 1 to 12 of them by name. A piece is a mapping with these keys:

        - ``"notes"``: n notes (pitch, start, end, velocity) such as ``sv.data.Note``, n at most
          400, in the order in which they begin. Pitch 0 to 127, 60 the middle C; start and end in
          ticks of 10 ms; velocity 0 to 31;
        - ``"weights"``, optional: (n, n) or (heads, n, n), at most 16 heads; row i holds what note
          i puts on itself and on earlier notes, with a sum of at most 1;
        - ``"head_names"``, optional: a name for each head;
        - ``"motifs"``, optional: name of each motif, at most 4, to its statements, each a list of
          places of notes, from 0. They are outlined and numbered;
        - ``"predicted"``, optional: place of a note, from 0, to the pitch that a model said there.
          A wrong one is crossed, and what was said is drawn beside it;
        - ``"sound"``, optional: (samples, rate), samples (N,) from -1 to 1, N at most 4,000,000.
    title : str, optional
        The heading, one line.

    Returns
    -------
    PianoRoll
        The view; its controls are `piece`, `note` (from 1, 0 for none), `locked` and `head`. With
        weights it opens at the note, of a motif's return if there is one, that attends most to a
        single earlier note.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If there is no note or more than 400, they are not in order, or two overlap on a key; if
        weights have another shape, hold NaN, are negative, sum to more than 1 or go to a later
        note; if a motif or a prediction names a note that is not there; if a sound is louder than
        1 or ends before the last note begins.

    Examples
    --------
    >>> notes = [(64, 0, 50, 20), (67, 50, 100, 20), (64, 100, 150, 20)]
    >>> weights = [[0, 0, 0], [0.5, 0, 0], [0.75, 0.25, 0]]
    >>> piano_roll({"notes": notes, "weights": weights}).alt
    "Piano roll of 3 notes; piece 1 of 1, note 3, head '1'"
    """
    return PianoRoll(pieces_of(pieces), line_or("title", title))
