"""Maps as bytes: how they stand there, and how exact they come back."""

from itertools import product

import numpy as np

from seqviz.views.attention.packing import Layout, coded
from tests.views.attention.arrays import decoded, floats_of, softmax

BYTE, HALF = 4e-3, 5e-4
SPECIAL = (0, 17, 29)
KINDS = ["random", "peaky", "near-uniform", "one-hot", "tiny", "zero", "mixed"]


def made(kind, rows=40, keys=30, seed=0):
    scores = np.random.default_rng(seed).normal(size=(rows, keys))
    return {
        "random": softmax(scores),
        "peaky": softmax(8 * scores),
        "near-uniform": softmax(0.01 * scores),
        "one-hot": np.eye(rows, keys),
        "tiny": 1e-30 * softmax(scores),
        "zero": np.zeros((rows, keys)),
        "mixed": softmax(scores) * np.logspace(-30, 0, rows)[:, None],
    }[kind]


def packed(weights, layout):
    return coded(weights[None], layout)[0]


def there_and_back(weights, half=False, sums=False, special=()):
    layout = Layout(weights.shape, sums, half, special)
    return decoded(packed(weights, layout), layout)[0]


def test_the_error_is_within_a_share_of_the_rows_maximum_and_no_more_is_promised():
    cases = product(KINDS, (False, True), (np.float16, np.float32, np.float64, ">f4"))
    for kind, half, dtype in cases:
        if dtype == np.float16 and kind != "random":  # its own digits are too few
            continue
        weights = made(kind).astype(dtype)
        before = weights.copy()
        back = there_and_back(weights, half)
        error = np.abs(back - weights).max(axis=1)
        assert (error <= (HALF if half else BYTE) * weights.max(axis=1)).all(), (kind, half, dtype)
        assert ((back == 0) | (weights > 0)).all()
        np.testing.assert_allclose(back.max(axis=1), weights.max(axis=1), rtol=1e-6)
        assert kind not in ("one-hot", "zero") or error.max() == 0
        np.testing.assert_array_equal(weights, before)
    smallest = np.float32([[1.17549435e-38, 1]])
    assert np.abs(there_and_back(smallest) - smallest).max() <= BYTE
    weights = np.random.default_rng(0).random((40, 3000))
    for half, bound in ((False, BYTE), (True, HALF)):
        error = np.abs(there_and_back(weights, half) - weights).max() / weights.max()
        assert 0.4 * bound < error


def test_where_keys_can_be_hidden_the_others_have_a_maximum_of_their_own():
    weights = np.float32([[0.75, 0.25, 0.0625], [0.25, 0.75, 0], [0.5, 0, 0], [0, 0, 0]])
    part = packed(weights, Layout((4, 3), sums=False, special=(0,)))
    floats = floats_of(part, 4, 4)
    np.testing.assert_array_equal(floats[0], [0.75, 0.75, 0.5, 0])
    np.testing.assert_array_equal(floats[1], [0.25, 0.75, 0, 0])
    back = [0.25 * (1 + (128 / 255) ** 2), 0.75, 0, 0]
    np.testing.assert_allclose(floats[2], [0.3125, 0.75, 0, 0] - np.array(back), atol=1e-7)
    lost = np.array([1.0625, 1, 0.5, 0]) - [0.75, 0.25, 0.5, 0] - back
    np.testing.assert_allclose(floats[3], lost, atol=1e-3)
    assert part[64:] == bytes([255, 255, 128, 147, 255, 0, 255, 0, 0, 0, 0, 0])


def test_what_is_left_is_as_exact_as_the_whole():
    left = np.setdiff1d(np.arange(30), SPECIAL)
    kinds = ["random", "peaky", "near-uniform", "mixed"]
    for kind, took, half in product(kinds, [0.1, 0.99, 1 - 1e-6], [False, True]):
        bound = HALF if half else BYTE
        weights = (1 - took) * made(kind)
        weights[:, SPECIAL] = took / len(SPECIAL)
        plain = weights[:, left]
        error = np.abs(there_and_back(weights, half)[:, left] - plain).max(axis=1)
        if took > (0.999 if half else 0.9):
            assert (error > bound * plain.max(axis=1)).mean() > 0.9  # with one maximum it is not
        back = there_and_back(weights, half, special=SPECIAL)
        assert (np.abs(back - weights).max(axis=1) <= bound * weights.max(axis=1)).all()
        assert (np.abs(back[:, left] - plain).max(axis=1) <= bound * plain.max(axis=1)).all()
