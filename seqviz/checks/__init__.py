"""Checks of the exercises: fixed inputs, and a verdict that says what differs and by how much."""

from seqviz.checks.backprop import input_gradient, step_back, truncated
from seqviz.checks.elman import one_hot_column, rnn_step, sampling_loop
from seqviz.checks.flow import clip_by_norm, spectral_radius, worst_growth
from seqviz.checks.forcing import inputs_and_targets, mixed_step, sequence_log_likelihood
from seqviz.checks.gating import freeze_f, gru_step, lstm_step
from seqviz.checks.stacking import bio_names, from_the_right, two_directions
from seqviz.checks.verdict import Verdict, ramp

__all__ = [
    "Verdict",
    "bio_names",
    "clip_by_norm",
    "freeze_f",
    "from_the_right",
    "gru_step",
    "input_gradient",
    "inputs_and_targets",
    "lstm_step",
    "mixed_step",
    "one_hot_column",
    "ramp",
    "rnn_step",
    "sampling_loop",
    "sequence_log_likelihood",
    "spectral_radius",
    "step_back",
    "truncated",
    "two_directions",
    "worst_growth",
]
