"""From a model's logits to sequences of tokens: greedy, sampled, or the best of a beam."""

from seqviz.decoding.beam_search import beam
from seqviz.decoding.beam_tree import BeamTree, Hypothesis
from seqviz.decoding.filters import nucleus, top_k, with_temperature
from seqviz.decoding.one_path import greedy, sample

__all__ = [
    "BeamTree",
    "Hypothesis",
    "beam",
    "greedy",
    "nucleus",
    "sample",
    "top_k",
    "with_temperature",
]
