"""Checks of the exercises: fixed inputs, and a verdict that says what differs and by how much."""

from seqviz.checks.agreeing import agree
from seqviz.checks.alignment import alignment_error, attention_step, padded_weights
from seqviz.checks.assigned.attending import attend, attend_backward, local_weights, masked_softmax
from seqviz.checks.assigned.linking import both_ways, coverage_penalty, error_table
from seqviz.checks.assigned.reaching import leaky_norms, numeric_gradient, update_windows
from seqviz.checks.assigned.recurrence import bptt, masked_states, token_loss
from seqviz.checks.backprop import input_gradient, step_back, truncated
from seqviz.checks.elman import one_hot_column, rnn_step, sampling_loop
from seqviz.checks.finetuning import best_threshold_score, piece_labels, word_mean
from seqviz.checks.flow import clip_by_norm, spectral_radius, worst_growth
from seqviz.checks.forcing import inputs_and_targets, mixed_step, sequence_log_likelihood
from seqviz.checks.gating import freeze_f, gru_step, lstm_step
from seqviz.checks.heads import block, shift_matrix, split_heads
from seqviz.checks.layering import attention_matrix, causal_conv, window_mask
from seqviz.checks.masking import masked_inputs, masked_loss, whole_words
from seqviz.checks.searching import beam_step, bleu_parts, greedy_decode
from seqviz.checks.stacking import bio_names, from_the_right, two_directions
from seqviz.checks.translating import merge_once, noam, shifted_and_masked
from seqviz.checks.verdict import Verdict, ramp

__all__ = [
    "Verdict",
    "agree",
    "alignment_error",
    "attend",
    "attend_backward",
    "attention_matrix",
    "attention_step",
    "beam_step",
    "best_threshold_score",
    "bio_names",
    "bleu_parts",
    "block",
    "both_ways",
    "bptt",
    "causal_conv",
    "clip_by_norm",
    "coverage_penalty",
    "error_table",
    "freeze_f",
    "from_the_right",
    "greedy_decode",
    "gru_step",
    "input_gradient",
    "inputs_and_targets",
    "leaky_norms",
    "local_weights",
    "lstm_step",
    "masked_inputs",
    "masked_loss",
    "masked_softmax",
    "masked_states",
    "merge_once",
    "mixed_step",
    "noam",
    "numeric_gradient",
    "one_hot_column",
    "padded_weights",
    "piece_labels",
    "ramp",
    "rnn_step",
    "sampling_loop",
    "sequence_log_likelihood",
    "shift_matrix",
    "shifted_and_masked",
    "spectral_radius",
    "split_heads",
    "step_back",
    "token_loss",
    "truncated",
    "two_directions",
    "update_windows",
    "whole_words",
    "window_mask",
    "word_mean",
    "worst_growth",
]
