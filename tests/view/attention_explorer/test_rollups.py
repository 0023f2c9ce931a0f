import numpy as np
import pytest

from seqviz.view import attention
from seqviz.view.attention_explorer.packing import short, unpacked
from seqviz.view.attention_explorer.rollups import near_rollout, product, rollout
from tests.view.attention_explorer.arrays import floats_of, restored, weights, words

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
        close(view.parts.decoded(0, layer, "mean"), given[layer].mean(axis=0))
    for head in range(4):
        close(view.parts.decoded(0, "mean", head), given[:, head].mean(axis=0))
    close(view.parts.decoded(0, "mean", "mean"), given.mean(axis=(0, 1)))
    assert np.abs(given[0].mean(axis=0) - given[1].mean(axis=0)).max() > 0.05
    top = floats_of(view.part("0 1 mean"), 1, 6)[0]
    np.testing.assert_array_equal(top, short(given[1].mean(axis=0).max(axis=1)))


def test_a_maximum_is_of_merged_words():
    a = np.tile([0.1, 0.9, 0, 0], (4, 1))
    b = np.tile([0.1, 0, 0.9, 0], (4, 1))
    view = attention(np.stack([a, b])[None], ["a", "un", "##able", "b"], head="max")
    view.words = True
    np.testing.assert_allclose(view.shown.weights, np.tile([0.1, 0.9, 0], (3, 1)))
    assert view.alt.endswith("looks hardest at “unable”, token 2, 0.90.")


@pytest.mark.parametrize("causal", [False, True])
def test_what_a_page_expects_of_a_rollout_is_near_it(causal):
    given = weights(60, 60)
    before = rollout(weights(60, 60, seed=1), None)
    if causal:
        given, before = np.tril(given), np.tril(before)
    want = rollout(given, before)
    got = near_rollout(given, before)
    np.testing.assert_allclose(got.sum(axis=1), want.sum(axis=1), rtol=0.2)
    np.testing.assert_allclose(got.diagonal(), want.diagonal(), rtol=0.1)
    assert np.abs(got - want).mean() < 0.3 * want.mean()
    np.testing.assert_array_equal(near_rollout(given, None), rollout(given, None))
    one = np.ones((1, 1))
    np.testing.assert_array_equal(near_rollout(one, one), one)


def test_a_page_gives_rollouts_back_byte_for_byte():
    view = shown()
    (kind,), layout = view.kinds.values(), view.parts.layouts[0]
    before = None
    for layer in range(kind.depth):
        mean, _ = unpacked(view.part(f"0 {layer} mean"), layout)
        short = view.part(f"0 {layer} rollout rest")
        known = coded_like(near_rollout(mean, before), short, layout)
        values = bytes(restored(short[layout.start :], known).tolist())
        whole = view.part(f"0 {layer} rollout")
        assert short[: layout.start] + values == whole
        before, _ = unpacked(whole, layout)


def coded_like(expected, part, layout):
    """An expected map as bytes, with the maxima of a part."""
    most = floats_of(part, layout.rows, layout.shape[0])[0].astype(float)[:, None]
    share = np.sqrt(expected / np.where(most > 0, most, 1))
    return np.minimum(255, np.floor(255 * share + 0.5)).astype(np.uint8).ravel()


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


@pytest.mark.parametrize("T", [1, 2, 127, 128, 255, 257])
def test_a_product_in_slabs_is_the_product(T):
    a, b = np.random.default_rng(0).random((2, T, T))
    np.testing.assert_allclose(product(a, b), np.einsum("qm,mk->qk", a, b), rtol=1e-12)


def test_rollout_is_computed_from_the_floats_and_not_from_bytes():
    given = weights(5, 1, 6, 6)
    exact = np.eye(6)
    for layer in given:
        exact = (0.5 * layer[0] + 0.5 * np.eye(6)) @ exact
    top = floats_of(shown(given).part("0 4 rollout"), 1, 6)[0]
    np.testing.assert_array_equal(top, short(exact.max(axis=1)))
