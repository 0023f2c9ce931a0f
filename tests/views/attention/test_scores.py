"""Scores and roll-ups of heads, against plain sums."""

import numpy as np
import pytest

from seqviz.view import attention
from seqviz.views.attention.scores import error_rate
from tests.views.attention.arrays import floats_of, read, weights, words

GIVEN = weights(3, 4, 6, 6)
NEAR = 2**-13  # by which a score is rounded, of itself


def shown(given=None, **options):
    given = GIVEN if given is None else given
    return attention(given, words(given.shape[-2]), **options)


def score(view, name, state="", g=0):
    names = view.facts["kinds"][g]["scores"]
    layers, heads = (view.facts["kinds"][g][size] for size in ("layers", "heads"))
    table = numbers(view.part_of(f"{g} scores{state}")).reshape(-1, layers, heads)
    return table[names.index(name)]


def numbers(part):
    return floats_of(part, 1, len(part) // 4)[0]


def test_masked_rows_and_dropout_do_not_count_in_the_entropy():
    rows = np.full((4, 4), 1 / 4)
    rows[2] = 0
    assert abs(score(shown(rows), "entropy")[0, 0] - 2) < 1e-6
    assert abs(score(shown(rows), "itself")[0, 0] - 0.25) < 1e-7
    assert abs(score(shown(rows), "next")[0, 0] - 0.25) < 1e-7
    with pytest.warns(UserWarning, match="sums to 0.5"):
        assert abs(score(shown(rows / 2), "entropy")[0, 0] - 2) < 1e-6
    assert not numbers(shown(rows * 0).part_of("0 scores")).any()


def test_scores_exist_where_they_make_sense():
    causal = np.tril(np.ones((3, 3))) / [[1], [2], [3]]
    names = ["entropy", "previous", "itself", "next", "first"]
    assert shown().facts["kinds"][0]["scores"] == names
    assert shown(causal).facts["kinds"][0]["scores"] == ["entropy", "previous", "itself", "first"]
    assert shown(np.ones((1, 1))).facts["kinds"][0]["scores"] == ["entropy", "first"]
    cross = attention(weights(1, 1, 2, 3), "ab", key_tokens=["x", "y", "</s>"], sure={(0, 0)})
    assert cross.facts["kinds"][0]["scores"] == ["entropy", "first", "special", "error"]


def test_the_error_rate_is_that_of_och_and_ney():
    sure, possible = {(0, 0), (1, 1)}, {(0, 0), (1, 1), (2, 1), (2, 2)}
    assert error_rate(sure, sure, possible) == 0
    assert error_rate({(0, 0), (2, 1), (1, 0)}, sure, possible) == 1 - (1 + 2) / (3 + 2)
    assert error_rate(set(), sure, possible) == 1
    assert error_rate(set(), set(), {(0, 0)}) == 0


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
    np.testing.assert_allclose(score(view, "error")[0], [first, second], NEAR)


TEXT = ["[CLS]", "un", "##tir", "##ed", "cats", "[SEP]"]
PIECES = [[0], [1, 2, 3], [4], [5]]


def on_screen(a, units, left, scale):
    """A head's map (units, units) of what is left, by sums over pieces."""
    merged = [
        [sum(a[q][k] for q in rows for k in columns) / len(rows) for columns in units]
        for rows in units
    ]
    cut = np.array([[merged[q][k] for k in left] for q in left])
    special = [merged[q][0] + merged[q][-1] for q in left]
    return cut / cut.sum(1, keepdims=True) if scale else cut, np.array(special)


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("specials", ["shown", "hidden", "renormalised"])
def test_scores_are_of_what_is_shown(specials, merge):
    view = attention(GIVEN, TEXT)
    state = " words" * merge + (f" {specials}" if specials != "shown" else "")
    units = PIECES if merge else [[k] for k in range(6)]
    left = range(len(units)) if specials == "shown" else range(1, len(units) - 1)
    for layer in range(3):
        for head in range(4):
            a, special = on_screen(GIVEN[layer, head], units, left, specials == "renormalised")
            p = a / a.sum(1, keepdims=True)
            want = {
                "entropy": -(p * np.log2(p)).sum(1).mean(),
                "previous": np.diagonal(a, -1).mean(),
                "itself": np.diagonal(a).mean(),
                "next": np.diagonal(a, 1).mean(),
                "first": a[:, 0].mean(),
                "special": special.mean(),  # of the rows that are left, before they were scaled
            }
            for name in view.facts["kinds"][0]["scores"]:
                np.testing.assert_allclose(score(view, name, state)[layer, head], want[name], NEAR)


def test_the_error_rate_is_of_the_links_between_what_is_shown():
    rows = np.array([[0.1, 0.2, 0.3, 0.4], [0.1, 0.5, 0.3, 0.1], [0.05, 0.3, 0.25, 0.4]])
    view = attention(
        rows,
        ["un", "##tired", "cat"],
        key_tokens=["in", "##fati", "gable", "</s>"],
        sure={(1, 2), (2, 2)},
        possible={(0, 0)},
    )
    pieces = 1 - (0 + 0) / (1 + 2)  # 1-1; the others attend to </s>
    assert abs(score(view, "error")[0, 0] - pieces) < NEAR
    hidden = 1 - (0 + 0) / (3 + 2)  # 0-2, 1-1, 2-1
    assert abs(score(view, "error", " hidden")[0, 0] - hidden) < NEAR
    # words: untired attends to infati 0.45, gable 0.3; cat at </s> 0.4, infati 0.35
    words = 1 - (0 + 1) / (1 + 2)  # untired-infati is possible as un-in is
    assert abs(score(view, "error", " words")[0, 0] - words) < NEAR
    both = 1 - (0 + 1) / (2 + 2)
    assert abs(score(view, "error", " words hidden")[0, 0] - both) < NEAR


# ---- roll-ups


def close(got, want):
    """Equal within the error of a byte."""
    np.testing.assert_array_less(np.abs(got - want).max(axis=-1), 4e-3 * want.max(axis=-1) + 1e-12)


def test_means_are_of_the_floats():
    view = shown()
    for layer in range(3):
        close(read(view, 0, layer, "mean")[0], GIVEN[layer].mean(axis=0))
    for head in range(4):
        close(read(view, 0, "mean", head)[0], GIVEN[:, head].mean(axis=0))
    close(read(view, 0, "mean", "mean")[0], GIVEN.mean(axis=(0, 1)))
    top = floats_of(view.part_of("0 1 mean"), 1, 6)[0]
    np.testing.assert_array_equal(top, GIVEN[1].mean(axis=0).max(axis=1).astype("f4"))


def test_rollout_is_the_product_of_half_attention_and_half_itself_of_the_floats():
    view, T = shown(), 6
    for layer in (2, 0, 1, 2):
        want = np.eye(T)
        for heads in GIVEN[: layer + 1]:
            want = (heads.mean(axis=0) + np.eye(T)) / 2 @ want
        rows = view.parts.rollups[0].rollout(layer)
        np.testing.assert_allclose(rows, want, atol=1e-12)
        close(read(view, 0, layer, "rollout")[0], want)
        top = floats_of(view.part_of(f"0 {layer} rollout"), 1, 6)[0]
        np.testing.assert_array_equal(top, rows.max(axis=1).astype("f4"))
