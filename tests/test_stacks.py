"""A module's path tells its stack, its layer and its head."""

import pytest

from seqviz.stacks import Place, places


def made(pattern, *numbers):
    return [pattern.format(*one) for one in numbers]


def of(family, *layers):
    return [(family, layer, None) for layer in layers]


ALBERT = "encoder.albert_layer_groups.{}.albert_layers.{}.attention"
SHARED = "encoder.albert_layer_groups.*.albert_layers.0.attention"
STACKS = {  # the paths, and the family, layer and head of each
    "the model's own numbers": (
        made("layers.{}.self_attn", (1,), (3,), (12,)),
        of("layers.*.self_attn", 1, 3, 12),
    ),
    "a number that is the same in every layer stays in the name": (
        made("decoder.block.{}.layer.1.EncDecAttention", (0,), (1,), (2,)),
        of("decoder.block.*.layer.1.EncDecAttention", 0, 1, 2),
    ),
    "also in one layer": (
        ["decoder.block.0.layer.0.SelfAttention"],
        of("decoder.block.*.layer.0.SelfAttention", 0),
    ),
    "two models in a list are two families": (
        made("{}.encoder.layer.{}.attention", (0, 0), (0, 1), (1, 0)),
        [*of("0.encoder.layer.*.attention", 0, 1), *of("1.encoder.layer.*.attention", 0)],
    ),
    "blocks are layers within their stage, also in a stage of one": (
        made("layers.{}.blocks.{}.attn", (0, 0), (1, 0), (1, 1)),
        [*of("layers.0.blocks.*.attn", 0), *of("layers.1.blocks.*.attn", 0, 1)],
    ),
    "stages of one block each are the layers": (
        made("layers.{}.blocks.0.attn", (0,), (1,)),
        of("layers.*.blocks.0.attn", 0, 1),
    ),
    "a layer that is shared is the first of its group": (made(ALBERT, (0, 0)), of(SHARED, 0)),
    "shared layers of two groups": (made(ALBERT, (0, 0), (1, 0)), of(SHARED, 0, 1)),
    "a module for each head": (
        made("blocks.{}.sa.heads.{}", (0, 0), (0, 1), (2, 0)),
        [("blocks.*.sa.heads.*", layer, head) for layer, head in ((0, 0), (0, 1), (2, 0))],
    ),
    "heads without a layer": (
        made("sa.heads.{}", (0,), (1,)),
        [("sa.heads.*", None, 0), ("sa.heads.*", None, 1)],
    ),
    "heads of one layer": (
        made("blocks.4.sa.head.{}", (0,), (1,)),
        [("blocks.*.sa.head.*", 4, 0), ("blocks.*.sa.head.*", 4, 1)],
    ),
    "overheads are no heads": (made("overheads.{}", (0,), (1,)), of("overheads.*", 0, 1)),
    "numbers in names": (["1.layer1.attn", "1.layer2.attn"], of("1.layer*.attn", 1, 2)),
    "numbers at the end": (["attn1", "attn2"], of("attn*", 1, 2)),
    "numbers behind a space": (["layer 0", "layer 1"], of("layer *", 0, 1)),
    "two attentions of a layer are two families": (
        ["blocks.0.attn1", "blocks.1.attn1", "blocks.0.attn2"],
        [*of("blocks.*.attn1", 0, 1), *of("blocks.*.attn2", 0)],
    ),
    "a name with a digit is no layer": (
        ["wav2vec2.encoder.layers.0.attention"],
        of("wav2vec2.encoder.layers.*.attention", 0),
    ),
    "no numbers": (["", "attention"], [("", None, None), ("attention", None, None)]),
}


@pytest.mark.parametrize("case", STACKS)
def test_a_path_tells_family_layer_and_head(case):
    paths, expected = STACKS[case]
    found = places(paths)
    assert list(found) == paths
    assert [(place.family, place.layer, place.head) for place in found.values()] == expected


def test_a_path_that_comes_twice_does_not_vary():
    path = "block.3.layer.1.attention"
    assert places([path, path]) == {path: Place("block.*.layer.1.attention", 3, None)}
    assert places([]) == {}
