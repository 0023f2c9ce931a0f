"""A small view of every kind."""

import json
from functools import cache

import numpy as np

from seqviz.view import (
    atlas,
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
    import torch  # what is made of arrays needs none

    from seqviz import data, nn
    from seqviz.graphs import exported

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


def small_atlas():
    """Two heads of one layer, and the one sentence that was looked at."""
    told = {
        "format": 1,
        "model": "Net",
        "heads": [[0, 0], [0, 1]],
        "scores": ["previous", "distance"],
        "places": ["first", "far"],
        "kinds": [["previous word", "previous", 0.3, 2]],
        "sentences": 1,
        "given": 1,
        "run": 1,
        "cut": 0,
        "words": 2,
        "ranked": 1,
        "ranks": [0],
        "texts": [["[CLS]", "he", "sat"]],
        "special": [[0]],
        "queries": [[["sat", 0.5]], [["he", 0.25]]],
        "keys": [[["he", 1.5]], [["sat", 1.25]]],
        "first": "[CLS]",
        "separator": "",
    }
    rows = np.full((2, 6, 8), 255, np.uint8)
    rows[1] = 0
    rows[:, :, 0] = [[0, 0, 1, 0, 2, 1], [255, 128, 128, 255, 64, 64]]
    return {
        "values": np.float32([[0.5, 1], [0.25, 1]]),
        "even": np.float32([0.4, 1]),
        "held": np.uint8([[1], [0]]),
        "most": np.int32([[0, 1], [1, 0]]),
        "profile": np.float32([[0.5, 0.2, 0.1], [0.1, 0.2, 0.5]]),
        "reach": np.float32([[0.5, 0.5], [0.25, 0.75]]),
        "sentence": np.int32([[0], [0]]),
        "does": np.uint8([[1], [0]]),
        "link": np.float32([[0.5], [0.25]]),
        "begins": np.int32([[0], [3]]),
        "rows": rows,
        "told": np.frombuffer(json.dumps(told).encode(), np.uint8),
    }


GRU = {"cell": "GRU", "r": [[1]], "z": [[0.5]], "n": [[0.8]], "h": [[0.4]]}
VIEWS = {
    "atlas": lambda: atlas(small_atlas()),
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
