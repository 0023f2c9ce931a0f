import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqviz.view import attention
from seqviz.view.attention_explorer.packing import short
from seqviz.view.attention_explorer.rollups import error_rate
from tests.view.attention_explorer.arrays import weights, words

GIVEN = weights(3, 4, 6, 6)


def shown(given=None, **options):
    given = GIVEN if given is None else given
    return attention(given, words(given.shape[-2]), **options)


def score(view, name, g=0):
    names = view.facts["kinds"][g]["scores"]
    layers, heads = (view.facts["kinds"][g][size] for size in ("layers", "heads"))
    table = np.frombuffer(view.part(f"{g} scores"), "<f4").reshape(len(names), layers, heads)
    return table[names.index(name)]


def close(got, want):
    """Equal within the error of a byte."""
    assert got.shape == want.shape
    np.testing.assert_array_less(np.abs(got - want).max(axis=-1), 4e-3 * want.max(axis=-1) + 1e-12)


def test_means_are_of_the_floats():
    view, given = shown(), GIVEN
    for layer in range(3):
        close(view.parts.decoded(0, layer, "mean"), given[layer].mean(axis=0))
    for head in range(4):
        close(view.parts.decoded(0, "mean", head), given[:, head].mean(axis=0))
    close(view.parts.decoded(0, "mean", "mean"), given.mean(axis=(0, 1)))
    assert np.abs(given[0].mean(axis=0) - given[1].mean(axis=0)).max() > 0.05
    top = np.frombuffer(view.part("0 1 mean"), "<f4", 6)
    np.testing.assert_array_equal(top, short(given[1].mean(axis=0).max(axis=1)))


def test_a_maximum_is_of_the_decoded_heads():
    view = shown()
    every = [[view.parts.decoded(0, layer, head) for head in range(4)] for layer in range(3)]
    every = np.array(every)
    for layer, head, want in [
        (1, "max", every[1].max(axis=0)),
        ("max", 2, every[:, 2].max(axis=0)),
        ("max", "max", every.max(axis=(0, 1))),
    ]:
        np.testing.assert_array_equal(view.parts.decoded(0, layer, head), want)


def test_rollout_is_the_product_of_half_attention_and_half_itself():
    given, view = GIVEN, shown()
    T = given.shape[-1]
    for layer in (2, 0, 1, 2):
        want = [[float(q == k) for k in range(T)] for q in range(T)]
        for deep in range(layer + 1):
            step = [
                [
                    0.5 * sum(given[deep, h, q, k] for h in range(4)) / 4 + 0.5 * (q == k)
                    for k in range(T)
                ]
                for q in range(T)
            ]
            want = [
                [sum(step[q][m] * want[m][k] for m in range(T)) for k in range(T)] for q in range(T)
            ]
        close(view.parts.decoded(0, layer, "rollout"), np.array(want))
        rows = view.parts.rollups[0].rollout(layer)
        np.testing.assert_allclose(rows, want, atol=1e-12)
        np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_rollout_is_computed_from_the_floats_and_not_from_bytes():
    given = weights(5, 1, 6, 6)
    exact = np.eye(6)
    for layer in given:
        exact = (0.5 * layer[0] + 0.5 * np.eye(6)) @ exact
    top = np.frombuffer(shown(given).part("0 4 rollout"), "<f4", 6)
    np.testing.assert_array_equal(top, short(exact.max(axis=1)))


def test_scores_of_every_head():
    given, view = GIVEN, shown()
    T = given.shape[-1]
    names = ["entropy", "previous", "itself", "next", "first"]
    assert view.facts["kinds"][0]["scores"] == names
    for layer in range(3):
        for head in range(4):
            a = given[layer, head].tolist()
            want = {
                "entropy": -sum(p * math.log2(p) for row in a for p in row) / T,
                "previous": sum(a[q][q - 1] for q in range(1, T)) / (T - 1),
                "itself": sum(a[q][q] for q in range(T)) / T,
                "next": sum(a[q][q + 1] for q in range(T - 1)) / (T - 1),
                "first": sum(a[q][0] for q in range(T)) / T,
            }
            for name in names:
                assert abs(score(view, name)[layer, head] - want[name]) < 1e-6, name


@pytest.mark.parametrize(("bits", "rows"), [(0, np.eye(8)), (3, np.full((8, 8), 1 / 8))])
def test_entropy_is_in_bits(bits, rows):
    assert abs(score(shown(rows), "entropy")[0, 0] - bits) < 1e-6


def test_masked_rows_and_dropout_do_not_count_in_the_entropy():
    rows = np.full((4, 4), 1 / 4)
    rows[2] = 0
    assert abs(score(shown(rows), "entropy")[0, 0] - 2) < 1e-6
    assert abs(score(shown(rows), "itself")[0, 0] - 0.25) < 1e-7
    assert abs(score(shown(rows), "next")[0, 0] - 0.25) < 1e-7
    with pytest.warns(UserWarning, match="sums to 0.5"):
        assert abs(score(shown(rows / 2), "entropy")[0, 0] - 2) < 1e-6
    assert not np.frombuffer(shown(rows * 0).part("0 scores"), "<f4").any()


def test_the_special_score_adds_up_special_keys():
    given = weights(1, 2, 4, 4)
    view = attention(given, ["[CLS]", "a", "b", "[SEP]"])
    want = given[0][:, :, [0, 3]].sum(axis=2).mean(axis=1)
    np.testing.assert_allclose(score(view, "special")[0], want, rtol=1e-6)


def test_scores_exist_where_they_make_sense():
    causal = np.tril(np.ones((3, 3))) / [[1], [2], [3]]
    assert shown(causal).facts["kinds"][0]["scores"] == ["entropy", "previous", "itself", "first"]
    assert shown(np.ones((1, 1))).facts["kinds"][0]["scores"] == ["entropy", "first"]
    cross = attention(weights(1, 1, 2, 3), "ab", key_tokens=["x", "y", "</s>"], sure={(0, 0)})
    assert cross.facts["kinds"][0]["scores"] == ["entropy", "first", "special", "error"]


def test_the_error_rate_is_that_of_och_and_ney():
    sure, possible = {(0, 0), (1, 1)}, {(0, 0), (1, 1), (2, 1), (2, 2)}
    assert error_rate(sure, sure, possible) == 0
    assert error_rate(possible, sure, possible) == 0
    assert error_rate({(0, 0), (2, 1), (1, 0)}, sure, possible) == 1 - (1 + 2) / (3 + 2)
    assert error_rate(set(), sure, possible) == 1
    assert error_rate(set(), set(), {(0, 0)}) == 0


@given(*[st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3))) for _ in range(3)])
def test_an_error_rate_is_a_rate(links, sure, more):
    rate = error_rate(links, sure, sure | more)
    assert 0 <= rate <= 1
    assert error_rate(links, sure, sure | more | links) <= rate


def test_the_error_of_a_head_is_that_of_each_querys_strongest_key():
    rows = np.array(
        [
            [0.6, 0.3, 0.1],  # [CLS] makes no link
            [0.1, 0.7, 0.2],
            [0.2, 0.3, 0.5],
            [0.8, 0.1, 0.1],  # to a special key: no link
            [0.0, 0.0, 0.0],  # masked: no link
        ]
    )
    view = attention(
        [[rows, rows[:, [0, 2, 1]]]],
        ["[CLS]", "a", "b", "c", "d"],
        key_tokens=["[CLS]", "x", "y"],
        sure={(1, 1)},
        possible=[(2, 1)],
    )
    assert view.facts["kinds"][0]["gold"] == {"sure": [[1, 1]], "possible": [[1, 1], [2, 1]]}
    first = 1 - (1 + 1) / (2 + 1)  # links 1-1 and 2-2
    second = 1 - (0 + 1) / (2 + 1)  # links 1-2 and 2-1
    np.testing.assert_allclose(score(view, "error")[0], [first, second], rtol=1e-6)


def test_a_masked_row_makes_no_link_to_the_first_key():
    view = attention([[[0, 0], [0, 1]]], "ab", key_tokens="xy", sure={(1, 1)})
    assert score(view, "error")[0, 0] == 0
