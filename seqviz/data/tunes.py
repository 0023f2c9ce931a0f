"""Two melodies that everyone knows, typed from their scores."""

import csv

from seqviz.data import registry
from seqviz.data.melody import Melody
from seqviz.data.performance import Note

QUARTER = 40  # ticks of 10 ms
STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def melodies() -> dict[str, Melody]:
    """Return "Ode to Joy" (Beethoven) and "Minuet in G" (Petzold), a voice each.

    Beethoven's ninth symphony, op. 125, fourth movement, bars 92 to 107, the cellos; the minuet
    from the notebook for Anna Magdalena Bach, BWV Anh. 114, bars 1 to 16, the upper voice without
    ornaments. A quarter lasts 0.4 s. What is marked as the motif is what returns note by note.

    Returns
    -------
    dict of str to Melody
    """
    path = registry.shipped_folder() / "melodies" / "melodies.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = dict.fromkeys(row["melody"] for row in rows)
    return {name: _melody([row for row in rows if row["melody"] == name]) for name in names}


def _melody(rows: list[dict[str, str]]) -> Melody:
    notes, statements, now = [], {}, 0
    for place, row in enumerate(rows):
        end = now + round(float(row["quarters"]) * QUARTER)
        notes.append(Note(_pitch(row["key"]), now, end))
        if row["statement"]:
            statements.setdefault(row["statement"], []).append(place)
        now = end
    return Melody(tuple(notes), tuple(map(tuple, statements.values())))


def _pitch(key: str) -> int:
    """The number of a key: "C4" is 60, "F#3" 54."""
    return 12 * (int(key[-1]) + 1) + STEPS[key[0]] + ("#" in key)
