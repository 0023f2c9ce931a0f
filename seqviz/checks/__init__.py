"""Checks of the exercises: fixed inputs, and a verdict that says what differs and by how much."""

from seqviz.checks.agreeing import agree
from seqviz.checks.alignment import alignment_error, attention_steps, padded_weights
from seqviz.checks.arguing import joint_gradients, span_scores, to_tags
from seqviz.checks.assigned.answering import best_span, pack
from seqviz.checks.assigned.asking import pseudo_log_likelihood, span_loss
from seqviz.checks.assigned.attending import attend, attend_backward, local_weights, masked_softmax
from seqviz.checks.assigned.beaming import beam_search
from seqviz.checks.assigned.circuits import induction_head, previous_head
from seqviz.checks.assigned.decoded import filtered, repeats
from seqviz.checks.assigned.exact import best_sentence
from seqviz.checks.assigned.gated import lstm_backward, lstm_states, step_backward
from seqviz.checks.assigned.grouping import absorb, grouped_attention
from seqviz.checks.assigned.judged import corpus_bleu
from seqviz.checks.assigned.lasting import both_ends, memory_bias, peephole_step, surviving
from seqviz.checks.assigned.linking import both_ways, coverage_penalty, error_table
from seqviz.checks.assigned.piecing import mask_spans, wordpiece
from seqviz.checks.assigned.reaching import leaky_norms, numeric_gradient, update_windows
from seqviz.checks.assigned.recurrence import bptt, masked_states, token_loss
from seqviz.checks.assigned.seeking import grow
from seqviz.checks.assigned.transforming import layer_norm_backward, rotate
from seqviz.checks.backprop import input_gradient, step_back, truncated
from seqviz.checks.elman import one_hot_column, rnn_step, sampling_loop
from seqviz.checks.embedding import analogy, noise, sampling_gradient
from seqviz.checks.finetuning import best_threshold_score, piece_labels, word_mean
from seqviz.checks.flow import clip_by_norm, spectral_radius, worst_growth
from seqviz.checks.forcing import inputs_and_targets, mixed_step, sequence_log_likelihood
from seqviz.checks.gating import freeze_f, gru_step, lstm_step
from seqviz.checks.generating import cached_step, choice_rows, nucleus
from seqviz.checks.heads import block, shift_matrix, split_heads
from seqviz.checks.layering import attention_matrix, causal_conv, window_mask
from seqviz.checks.masking import masked_inputs, masked_loss, whole_words
from seqviz.checks.relating import clipped_scores, note_events, two_sided_skew
from seqviz.checks.searching import beam_step, bleu_parts, greedy_decode
from seqviz.checks.seeing import attend_to, canvases, mass_inside
from seqviz.checks.stacking import bio_names, from_the_right, two_directions
from seqviz.checks.transferring import layer_mix, layer_rates, slanted_triangular
from seqviz.checks.translating import merge_once, noam, shifted_and_masked
from seqviz.checks.verdict import Verdict, ramp

__all__ = [
    "Verdict",
    "absorb",
    "agree",
    "alignment_error",
    "analogy",
    "attend",
    "attend_backward",
    "attend_to",
    "attention_matrix",
    "attention_steps",
    "beam_search",
    "beam_step",
    "best_sentence",
    "best_span",
    "best_threshold_score",
    "bio_names",
    "bleu_parts",
    "block",
    "both_ends",
    "both_ways",
    "bptt",
    "cached_step",
    "canvases",
    "causal_conv",
    "choice_rows",
    "clip_by_norm",
    "clipped_scores",
    "corpus_bleu",
    "coverage_penalty",
    "error_table",
    "filtered",
    "freeze_f",
    "from_the_right",
    "greedy_decode",
    "grouped_attention",
    "grow",
    "gru_step",
    "induction_head",
    "input_gradient",
    "inputs_and_targets",
    "joint_gradients",
    "layer_mix",
    "layer_norm_backward",
    "layer_rates",
    "leaky_norms",
    "local_weights",
    "lstm_backward",
    "lstm_states",
    "lstm_step",
    "mask_spans",
    "masked_inputs",
    "masked_loss",
    "masked_softmax",
    "masked_states",
    "mass_inside",
    "memory_bias",
    "merge_once",
    "mixed_step",
    "noam",
    "noise",
    "note_events",
    "nucleus",
    "numeric_gradient",
    "one_hot_column",
    "pack",
    "padded_weights",
    "peephole_step",
    "piece_labels",
    "previous_head",
    "pseudo_log_likelihood",
    "ramp",
    "repeats",
    "rnn_step",
    "rotate",
    "sampling_gradient",
    "sampling_loop",
    "sequence_log_likelihood",
    "shift_matrix",
    "shifted_and_masked",
    "slanted_triangular",
    "span_loss",
    "span_scores",
    "spectral_radius",
    "split_heads",
    "step_back",
    "step_backward",
    "surviving",
    "to_tags",
    "token_loss",
    "truncated",
    "two_directions",
    "two_sided_skew",
    "update_windows",
    "whole_words",
    "window_mask",
    "word_mean",
    "wordpiece",
    "worst_growth",
]
