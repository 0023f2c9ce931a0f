import numpy as np

from seqviz.view import attention
from tests.views.attention.arrays import floats_of, read, weights, words

GIVEN = weights(3, 4, 6, 6)


def shown(given=None, **options):
    given = GIVEN if given is None else given
    return attention(given, words(given.shape[-2]), **options)


def close(got, want):
    """Equal within the error of a byte."""
    assert got.shape == want.shape
    np.testing.assert_array_less(np.abs(got - want).max(axis=-1), 4e-3 * want.max(axis=-1) + 1e-12)


def test_means_are_of_the_floats():
    view, given = shown(), GIVEN
    for layer in range(3):
        close(read(view, 0, layer, "mean")[0], given[layer].mean(axis=0))
    for head in range(4):
        close(read(view, 0, "mean", head)[0], given[:, head].mean(axis=0))
    close(read(view, 0, "mean", "mean")[0], given.mean(axis=(0, 1)))
    assert np.abs(given[0].mean(axis=0) - given[1].mean(axis=0)).max() > 0.05
    top = floats_of(view.part("0 1 mean"), 1, 6)[0]
    np.testing.assert_array_equal(top, given[1].mean(axis=0).max(axis=1).astype("f4"))


def test_a_maximum_is_of_merged_words():
    a = np.tile([0.1, 0.9, 0, 0], (4, 1))
    b = np.tile([0.1, 0, 0.9, 0], (4, 1))
    view = attention(np.stack([a, b])[None], ["a", "un", "##able", "b"], head="max")
    view.words = True
    np.testing.assert_allclose(view.shown.weights, np.tile([0.1, 0.9, 0], (3, 1)))
    assert view.alt.endswith("attends most to “unable”, token 2, 0.90.")


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
        close(read(view, 0, layer, "rollout")[0], np.array(want))
        rows = view.parts.rollups[0].rollout(layer)
        np.testing.assert_allclose(rows, want, atol=1e-12)
        np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_rollout_is_computed_from_the_floats_and_not_from_bytes():
    given = weights(5, 1, 6, 6)
    exact = np.eye(6)
    for layer in given:
        exact = (0.5 * layer[0] + 0.5 * np.eye(6)) @ exact
    top = floats_of(shown(given).part("0 4 rollout"), 1, 6)[0]
    np.testing.assert_array_equal(top, exact.max(axis=1).astype("f4"))
