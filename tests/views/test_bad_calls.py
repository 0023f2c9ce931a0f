"""Calls that a view could draw nonsense of: each is refused with the argument and the fix."""

from functools import partial

import numpy as np
import torch

from seqviz.view import (
    attention,
    beam,
    curves,
    embedding,
    gates,
    generation,
    gradients,
    masking,
    piano_roll,
    race,
    regions,
    text,
    unroll,
)
from tests.refusing import refused
from tests.views.views import DRAWS, GLIMPSED, GRU, MASKED, PLAYED, TREE, WEIGHTS

SQUARE = np.eye(3)
READ_OUT = {"W": [[1.0], [2.0]], "b": [0, 0], "labels": "xy"}
FOUR = ([*"abcd"], [[1, 0.1], [0.9, 0.4], [0, 1], [-1, 0.3]])


def masked(**more):
    return masking([{**MASKED, **more}], ["he", "sat"])


def drawn(rate, draw):
    return masking([MASKED], ["he", "sat"], draws={**DRAWS, "masked": {rate: draw}})


def senses(**more):
    use = {"sentence": "a b", "at": 0, "sense": "x", "states": np.eye(2), **more}
    return embedding(*FOUR, senses={"a": [use, use, {**use, "sense": "y"}, {**use, "sense": "y"}]})


NUMBERS = [  # where an array of numbers goes
    lambda x: attention([x[None, None]], "a", key_tokens="xy"),
    lambda x: attention(SQUARE, "abc", sure=x[None]),
    lambda x: beam({**TREE, "score": x}, ["he", "I"]),
    lambda x: curves({"a": x}),
    lambda x: curves({"a": [1, 2]}, bounds=x),
    lambda x: embedding([*"abcd"], x),
    lambda x: senses(states=x),
    lambda x: gates({**GRU, "h": x[None]}, ["hi"]),
    lambda x: gates(GRU, ["hi"], read_out={**READ_OUT, "b": x}),
    lambda x: generation(lambda ids: x, ["he", "sat"], [0]),
    lambda x: gradients({"a": {"norms": [1, 1], "W": x[None]}}),
    lambda x: masked(both=x),
    lambda x: drawn(0.5, {"fates": x, "inputs": [0, 0]}),
    lambda x: piano_roll({**PLAYED, "sound": (x, 8000)}),
    lambda x: regions({**GLIMPSED, "windows": x[None]}),
    lambda x: text("ab", [x, x]),
    lambda x: unroll({**WEIGHTS, "b_y": x}, "ab", "abba"),
]
FLAGS = {  # where a whole number goes: True is none
    "head": lambda: attention(SQUARE, "abc", head=True),
    r"words of tokens\[0\]": lambda: attention(SQUARE, "abc", words=[True, 1, 2]),
    "trees, a width": lambda: beam({True: TREE}, ["he", "I"]),
    "length_penalty": lambda: beam(TREE, ["he", "I"], length_penalty=True),
    r"senses\['a'\]\[0\]\['at'\]": lambda: senses(at=True),
    "marks": lambda: curves({"a": [1, 2]}, marks={True: "x"}),
    r"sentences\[0\]\['special'\]": lambda: masked(special=[True]),
    r"draws\['masked'\], a rate": lambda: drawn(True, DRAWS["masked"][0.5]),
    r"pieces\['notes'\]\[0\], pitch": lambda: piano_roll({"notes": [(True, 0, 1, 1)]}),
    r"films\[0\]\['label'\]": lambda: regions({**GLIMPSED, "label": True}),
    "unit": lambda: text("ab", [1, 2], unit=True),
    "step": lambda: unroll(WEIGHTS, "ab", "abba", step=True),
}
NO_AXIS, RAGGED = torch.tensor(1), [[True], [True, False]]
FILM = {"picture": np.eye(2), "words": ["a"], "weights": np.full((1, 2, 2), 0.25)}
KINDS = {  # something else in the place of an argument
    r"films\[0\]\['note'\]": lambda: regions({**FILM, "note": []}),
    "title": lambda: attention(SQUARE, "abc", title=np.array([0, 1])),
    r"sentences\[0\]\['special'\]": lambda: masked(special=-1),
    "layer": lambda: attention(SQUARE, "abc", layer=np.array([0, 1])),
    "threshold": lambda: attention(SQUARE, "abc", threshold=10**400),
    "segments": lambda: attention(SQUARE, "abc", segments=NO_AXIS),
    "trees.kept": lambda: beam({**TREE, "kept": RAGGED}, ["he", "I"]),
    "over": lambda: curves(lambda at: {"a": [1, 2]}, over={"k": NO_AXIS}),
    "prompt": lambda: generation(lambda ids: [0.3, 0.7], ["he", "sat"], NO_AXIS),
    r"pieces\['notes'\]": lambda: piano_roll({"notes": NO_AXIS}),
    r"lanes\['a'\]": lambda: race({"a": {"layers": [RAGGED]}}),
    "text": lambda: attention(lambda text: {}, text="\ud800"),
    "analogies": lambda: embedding(*FOUR, analogies=5),
    "targets": lambda: gates(GRU, ["hi"], read_out=READ_OUT, targets=5),
    "length_penalty": lambda: beam(TREE, ["he", "I"], length_penalty=10**400),
}


def test_another_kind_is_refused_by_its_name():
    calls = {rf"^{name}(\[.*\])?:? ": call for name, call in KINDS.items()}
    refused((TypeError, ValueError), calls)


def test_what_holds_no_numbers_is_refused():
    hidden, empty = np.ma.array([1, 2], mask=[False, True]), torch.ones(2, device="meta")
    for call in NUMBERS:
        fix = r"^\S+.*: expected numbers without a mask, came .*: hand in array\.filled"
        refused(TypeError, {fix: partial(call, hidden)})
        fix = r"^\S+.*: expected numbers, .*'meta'.*: make the model on"
        refused(ValueError, {fix: partial(call, empty)})


def test_true_is_no_number():
    refused(TypeError, {f"^{name}: expected .*, came (True|False)": FLAGS[name] for name in FLAGS})
