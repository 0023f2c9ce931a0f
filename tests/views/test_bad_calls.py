"""Calls that a view could draw nonsense of: each is refused with the argument and the fix."""

import numpy as np
import pytest
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
from tests.views.views import DRAWS, GLIMPSED, GRU, MASKED, PLAYED, TREE, WEIGHTS

SQUARE = np.eye(3)
BATCH = torch.full((2, 1, 3, 3), 1 / 3)
READ_OUT = {"W": [[1.0], [2.0]], "b": [0, 0], "labels": "xy"}
NUMBERS = {  # where an array of numbers goes
    "attention weights": lambda x: attention(x[None], "a", key_tokens="xy"),
    "attention layer": lambda x: attention([x[None, None]], "a", key_tokens="xy"),
    "attention sure": lambda x: attention(SQUARE, "abc", sure=x[None]),
    "beam score": lambda x: beam({**TREE, "score": x}, ["he", "I"]),
    "beam token": lambda x: beam({**TREE, "token": x}, ["he", "I"]),
    "beam kept": lambda x: beam({**TREE, "kept": x > 0}, ["he", "I"]),
    "curves": lambda x: curves({"a": x}),
    "curves bounds": lambda x: curves({"a": [1, 2]}, bounds=x),
    "embedding vectors": lambda x: embedding([*"abcd"], x),
    "embedding states": lambda x: embedding(
        [*"abcd"],
        np.eye(4),
        senses={
            "a": [{"sentence": "a b", "at": 0, "sense": "x", "states": x}] * 2
            + [{"sentence": "a b", "at": 0, "sense": "y", "states": x}] * 2
        },
    ),
    "gates h": lambda x: gates({**GRU, "h": x[None]}, ["hi"]),
    "gates read_out": lambda x: gates(GRU, ["hi"], read_out={**READ_OUT, "b": x}),
    "generation": lambda x: generation(lambda ids: x, ["he", "sat"], [0]),
    "gradients": lambda x: gradients({"a": x}),
    "gradients W": lambda x: gradients({"a": {"norms": [1, 1], "W": x[None]}}),
    "masking both": lambda x: masking([{**MASKED, "both": x}], ["he", "sat"]),
    "masking attention": lambda x: masking([{**MASKED, "attention": {"a": x}}], ["he", "sat"]),
    "masking rates": lambda x: masking([MASKED], ["he", "sat"], rates=x),
    "masking draws": lambda x: masking(
        [MASKED],
        ["he", "sat"],
        draws={**DRAWS, "masked": {0.5: {"fates": x, "inputs": [0, 0]}}},
    ),
    "piano_roll weights": lambda x: piano_roll({**PLAYED, "weights": x[None]}),
    "piano_roll sound": lambda x: piano_roll({**PLAYED, "sound": (x, 8000)}),
    "regions picture": lambda x: regions({**GLIMPSED, "picture": x[None]}),
    "regions windows": lambda x: regions({**GLIMPSED, "windows": x[None]}),
    "regions probabilities": lambda x: regions({**GLIMPSED, "probabilities": x[None]}),
    "text values": lambda x: text("ab", x),
    "text of two": lambda x: text("ab", [x, x]),
    "text probabilities": lambda x: text("a", [1], probabilities=x[None], vocabulary="ab"),
    "unroll": lambda x: unroll({**WEIGHTS, "b_y": x}, "ab", "abba"),
}
FLAGS = {  # where a whole number goes: True is none
    "item": lambda: attention((BATCH,), "abc", item=True),
    "head": lambda: attention(SQUARE, "abc", head=True),
    r"words of tokens\[0\]": lambda: attention(SQUARE, "abc", words=[True, 1, 2]),
    "trees, a width": lambda: beam({True: TREE}, ["he", "I"]),
    "length_penalty": lambda: beam(TREE, ["he", "I"], length_penalty=True),
    r"senses\['a'\]\[0\]\['at'\]": lambda: embedding(
        [*"abcd"],
        np.eye(4),
        senses={"a": [{"sentence": "a b", "at": True, "sense": "x", "states": np.eye(2)}] * 3},
    ),
    "marks": lambda: curves({"a": [1, 2]}, marks={True: "x"}),
    r"sentences\[0\]\['special'\]": lambda: masking([{**MASKED, "special": [True]}], ["he", "sat"]),
    "draws\\['masked'\\], a rate": lambda: masking(
        [MASKED], ["he", "sat"], draws={**DRAWS, "masked": {True: DRAWS["masked"][0.5]}}
    ),
    r"pieces\['notes'\]\[0\], pitch": lambda: piano_roll({"notes": [(True, 0, 1, 1)]}),
    r"films\[0\]\['label'\]": lambda: regions({**GLIMPSED, "label": True}),
    "unit": lambda: text("ab", [1, 2], unit=True),
    "step": lambda: unroll(WEIGHTS, "ab", "abba", step=True),
}
NO_AXIS, RAGGED = torch.tensor(1), [[True], [True, False]]
FILM = {"picture": np.eye(2), "words": ["a"], "weights": np.full((1, 2, 2), 0.25)}
FOUR = ([*"abcd"], [[1, 0.1], [0.9, 0.4], [0, 1], [-1, 0.3]])
KINDS = [  # the argument, and a call with something else in its place
    (r"films\[0\]\['title'\]", lambda: regions({**FILM, "title": np.array([1, 2])})),
    (r"films\[0\]\['note'\]", lambda: regions({**FILM, "note": []})),
    ("title", lambda: attention(SQUARE, "abc", title=np.array([0, 1]))),
    (r"sentences\[0\]\['special'\]", lambda: masking([{**MASKED, "special": -1}], ["he", "sat"])),
    ("layer", lambda: attention(SQUARE, "abc", layer=np.array([0, 1]))),
    ("head", lambda: attention(SQUARE, "abc", head=np.array(["mean", "max"]))),
    ("threshold", lambda: attention(SQUARE, "abc", threshold=10**400)),
    ("segments", lambda: attention(SQUARE, "abc", segments=NO_AXIS)),
    ("trees.kept", lambda: beam({**TREE, "kept": RAGGED}, ["he", "I"])),
    ("over", lambda: curves(lambda at: {"a": [1, 2]}, over={"k": NO_AXIS})),
    ("prompt", lambda: generation(lambda ids: [0.3, 0.7], ["he", "sat"], NO_AXIS)),
    (r"pieces\['notes'\]", lambda: piano_roll({"notes": NO_AXIS})),
    (r"lanes\['a'\]", lambda: race({"a": {"layers": [RAGGED]}})),
    ("text", lambda: attention(lambda text: {}, text="\ud800")),
    ("analogies", lambda: embedding(*FOUR, analogies=5)),
    ("targets", lambda: gates(GRU, ["hi"], read_out=READ_OUT, targets=5)),
    ("length_penalty", lambda: beam(TREE, ["he", "I"], length_penalty=10**400)),
]


@pytest.mark.parametrize(("name", "call"), KINDS)
def test_another_kind_is_refused_by_its_name(name, call):
    with pytest.raises((TypeError, ValueError), match=f"^{name}(\\[.*\\])?:? "):
        call()


@pytest.mark.parametrize("call", NUMBERS.values(), ids=list(NUMBERS))
def test_what_holds_no_numbers_is_refused(call):
    fix = r"\S+: expected numbers without a mask, came a masked array .*: hand in array\.filled"
    with pytest.raises(TypeError, match=fix):
        call(np.ma.array([1, 2], mask=[False, True]))
    with pytest.raises(ValueError, match=r"\S+: expected numbers, .*'meta'.*: make the model on"):
        call(torch.ones(2, device="meta"))


@pytest.mark.parametrize(("name", "call"), FLAGS.items(), ids=list(FLAGS))
def test_true_is_no_number(name, call):
    with pytest.raises(TypeError, match=f"^{name}: expected .*, came (True|False)"):
        call()
