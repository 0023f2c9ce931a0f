"""A piano roll: notes over time, which earlier notes each one attends to, and the sound."""

from seqviz.view.played_notes.entry import piano_roll
from seqviz.view.played_notes.widget import PianoRoll

__all__ = ["PianoRoll", "piano_roll"]
