import csv
from collections import defaultdict
from pathlib import Path

import seqviz as sv

FILE = Path(__file__).parents[2] / "datasets" / "melodies" / "melodies.csv"
MELODIES = sv.data.melodies()


def test_bars_are_full():
    quarters = defaultdict(float)
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            quarters[row["melody"], int(row["bar"])] += float(row["quarters"])
    tied = {("Ode to Joy", 103): 5, ("Ode to Joy", 104): 3}  # a quarter over the bar line
    expected = {("Ode to Joy", bar): 4 for bar in range(92, 108)}
    expected |= {("Minuet in G", bar): 3 for bar in range(1, 17)}
    assert quarters == expected | tied


def test_what_is_marked_returns_note_by_note():
    for melody in MELODIES.values():
        first, again = melody.statements
        assert len(first) == len(again) >= 12
        for a, b in zip(first, again, strict=True):
            one, other = melody.notes[a], melody.notes[b]
            assert (one.pitch, one.end - one.start) == (other.pitch, other.end - other.start)
        assert [one.end for one in melody.notes[:-1]] == [one.start for one in melody.notes[1:]]
