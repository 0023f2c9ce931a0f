"""A small view of every kind."""

from functools import cache

import numpy as np
import torch

from seqviz import data, nn
from seqviz.graphs import exported
from seqviz.view import (
    attention,
    beam,
    cause,
    curves,
    embedding,
    gates,
    generation,
    gradients,
    machine,
    masking,
    piano_roll,
    positions,
    race,
    regions,
    text,
    unroll,
)

WEIGHTS = {
    "W_xh": [[1, -1]],
    "W_hh": [[0.5]],
    "b": [0],
    "W_hy": [[1], [-1]],
    "b_y": [0, 0],
}
TREE = {
    "step": [1, 1],
    "parent": [-1, -1],
    "token": [0, 1],
    "kept": [True, False],
    "log_probability": [-0.7, -0.9],
    "score": [-0.7, -0.9],
    "finished": [True, False],
}
MASKED = {"tokens": ["he", "sat"], "both": [[0.9, 0.1], [0.2, 0.8]], "left": [[0.5, 0.5]] * 2}
DRAWS = {"tokens": ["he", "sat"], "masked": {0.5: {"fates": [0, 2], "inputs": [0, 0]}}}
GLIMPSED = {
    "picture": [[1.0, 0.5], [0.0, 0.25]],
    "windows": [[0.5, 0.5, 1], [1, 1, 2]],
    "probabilities": [[0.5, 0.5], [0.1, 0.9]],
    "classes": "ab",
}
PLAYED = {
    "notes": [(60, 0, 50, 20), (64, 50, 100, 10)],
    "weights": [[0, 0], [0.75, 0.25]],
    "sound": (np.sin(np.arange(4000.0)), 3000),
}


@cache
def small_model():
    """A graph of a model of one block, and its tokenizer."""
    torch.manual_seed(0)
    pieces = data.train_wordpiece(["he sat"], vocab_size=20)
    net = nn.BERTForMaskedLM(nn.BERT(len(pieces), 8, 1, 2)).eval()
    return exported(net, (pieces.encode("he sat").ids[None],)), pieces


def small_machine():
    """A machine that has all of its numbers at hand."""
    view = machine(*small_model(), "he sat")
    view.parts.whole = True
    return view


def small_cause():
    """Two texts of the small model."""
    return cause(*small_model(), "he sat", "sat he", carried=[{"stage": 1, "token": 1}])


GRU = {"cell": "GRU", "r": [[1]], "z": [[0.5]], "n": [[0.8]], "h": [[0.4]]}
VIEWS = {
    "attention": lambda: attention(np.full((2, 2, 3, 3), 1 / 3), "abc"),
    "beam": lambda: beam(TREE, ["he", "I"]),
    "cause": small_cause,
    "curves": lambda: curves({"a": [3, 2, 1]}),
    "embedding": lambda: embedding([*"abcd"], [[1, 0.1], [0.9, 0.4], [0, 1], [-1, 0.3]]),
    "gates": lambda: gates(GRU, ["hi"]),
    "generation": lambda: generation(lambda ids: [0.3, 0.7], ["he", "sat"], [0], steps=4),
    "gradients": lambda: gradients({"half": [0.25, 0.5, 1]}),
    "machine": small_machine,
    "masking": lambda: masking([MASKED], ["he", "sat"], draws=DRAWS),
    "piano_roll": lambda: piano_roll(PLAYED),
    "positions": lambda: positions(np.sin(np.arange(32.0)).reshape(8, 4)),
    "race": lambda: race({"every pair": {"layers": [np.ones((3, 3), bool)]}}),
    "regions": lambda: regions([GLIMPSED, GLIMPSED]),
    "text": lambda: text("hello", [0.1, -0.9, 0.4, 0.8, -0.2]),
    "unroll": lambda: unroll(WEIGHTS, "ab", "abba"),
}
