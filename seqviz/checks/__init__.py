"""Checks of the exercises: fixed inputs, and a verdict that says what differs and by how much."""

from seqviz.checks.elman import one_hot_column, rnn_step, sampling_loop
from seqviz.checks.verdict import Verdict, ramp

__all__ = ["Verdict", "one_hot_column", "ramp", "rnn_step", "sampling_loop"]
