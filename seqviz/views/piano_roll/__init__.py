"""A piano roll: notes over time, which earlier notes each one attends to, and the sound."""

from seqviz.views.piano_roll.entry import piano_roll
from seqviz.views.piano_roll.widget import PianoRoll

__all__ = ["PianoRoll", "piano_roll"]
