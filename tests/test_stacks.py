"""A module's path tells its stack, its layer and its head."""

import pytest

from seqviz.stacks import Place, places


def told(*paths):
    return [(place.family, place.layer, place.head) for place in places(paths).values()]


def made(pattern, *numbers):
    return [pattern.format(*one) for one in numbers]


def test_a_stack_has_one_family_and_the_models_own_numbers():
    paths = made("layers.{}.self_attn", (1,), (3,), (12,))
    assert list(places(paths)) == paths
    assert told(*paths) == [("layers.*.self_attn", layer, None) for layer in (1, 3, 12)]


@pytest.mark.parametrize("blocks", [1, 4])
def test_a_number_that_is_the_same_in_every_layer_stays_in_the_name(blocks):
    for end in ("0.SelfAttention", "1.EncDecAttention"):
        paths = [f"decoder.block.{k}.layer.{end}" for k in range(blocks)]
        family = f"decoder.block.*.layer.{end}"
        assert told(*paths) == [(family, k, None) for k in range(blocks)]


def test_two_models_in_a_list_are_two_families():
    paths = made("{}.encoder.layer.{}.attention", (0, 0), (0, 1), (1, 0), (1, 1))
    assert told(*paths) == [
        (f"{model}.encoder.layer.*.attention", layer, None) for model in (0, 1) for layer in (0, 1)
    ]


def test_blocks_are_layers_within_their_stage_also_in_a_stage_of_one():
    paths = made("layers.{}.blocks.{}.attn", (0, 0), (1, 0), (1, 1))
    assert told(*paths) == [
        ("layers.0.blocks.*.attn", 0, None),
        ("layers.1.blocks.*.attn", 0, None),
        ("layers.1.blocks.*.attn", 1, None),
    ]


def test_stages_of_one_block_each_are_the_layers():
    paths = made("layers.{}.blocks.0.attn", (0,), (1,))
    assert told(*paths) == [("layers.*.blocks.0.attn", k, None) for k in (0, 1)]


def test_a_layer_that_is_shared_is_the_first_of_its_group():
    path = "encoder.albert_layer_groups.{}.albert_layers.{}.attention"
    assert told(path.format(0, 0)) == [
        ("encoder.albert_layer_groups.*.albert_layers.0.attention", 0, None)
    ]
    assert [layer for _, layer, _ in told(path.format(0, 0), path.format(1, 0))] == [0, 1]


def test_a_module_for_each_head():
    paths = made("blocks.{}.sa.heads.{}", (0, 0), (0, 1), (2, 0), (2, 1))
    assert told(*paths) == [
        ("blocks.*.sa.heads.*", layer, head) for layer in (0, 2) for head in (0, 1)
    ]


@pytest.mark.parametrize(
    ("pattern", "family", "layer"),
    [
        ("sa.heads.{}", "sa.heads.*", None),
        ("blocks.4.sa.head.{}", "blocks.*.sa.head.*", 4),
        ("overheads.{}", "overheads.*", ...),
    ],
)
def test_heads_of_one_layer(pattern, family, layer):
    found = told(*made(pattern, (0,), (1,)))
    if layer is ...:
        assert found == [(family, 0, None), (family, 1, None)]
    else:
        assert found == [(family, layer, 0), (family, layer, 1)]


def test_numbers_in_names_count_where_no_component_is_a_number():
    assert told("layer1.attn", "layer2.attn") == [("layer*.attn", k, None) for k in (1, 2)]
    assert told("attn1", "attn2") == [("attn*", k, None) for k in (1, 2)]
    assert told("1.layer1.attn", "1.layer2.attn") == [("1.layer*.attn", k, None) for k in (1, 2)]
    assert told("layer 0", "layer 1") == [("layer *", k, None) for k in (0, 1)]


@pytest.mark.parametrize("blocks", [1, 2])
def test_two_attentions_of_a_layer_are_two_families(blocks):
    paths = [f"blocks.{k}.attn{n}" for n in (1, 2) for k in range(blocks)]
    assert told(*paths) == [(f"blocks.*.attn{n}", k, None) for n in (1, 2) for k in range(blocks)]


def test_a_name_with_a_digit_is_no_layer():
    family = "wav2vec2.encoder.layers.*.attention"
    assert told("wav2vec2.encoder.layers.0.attention") == [(family, 0, None)]


def test_paths_without_numbers():
    assert told("", "attention") == [("", None, None), ("attention", None, None)]
    assert places([]) == {}


def test_a_path_that_comes_twice_does_not_vary():
    path = "block.3.layer.1.attention"
    assert places([path, path]) == {path: Place("block.*.layer.1.attention", 3, None)}
