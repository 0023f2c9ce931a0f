import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from seqviz.view.attention_explorer.packing import (
    packed,
    rest,
    short,
    thumb_shape,
    thumbnail,
    unpacked,
)
from tests.view.attention_explorer.arrays import softmax

BYTE, HALF = 4e-3, 5e-4


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


def there_and_back(weights, half=False, sums=False):
    return unpacked(packed(weights, sums, half), weights.shape, sums, half)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ">f4"])
@pytest.mark.parametrize(("half", "bound"), [(False, BYTE), (True, HALF)])
@pytest.mark.parametrize(
    "kind", ["random", "peaky", "near-uniform", "one-hot", "tiny", "zero", "mixed"]
)
def test_the_error_is_within_a_share_of_the_rows_maximum(kind, half, bound, dtype):
    weights = made(kind).astype(dtype)
    error = np.abs(there_and_back(weights, half) - weights).max(axis=1)
    assert (error <= bound * weights.max(axis=1)).all()
    if kind in ("one-hot", "zero"):
        assert error.max() == 0


def test_the_bounds_are_needed():
    weights = np.random.default_rng(0).random((40, 3000))
    for half, bound in ((False, BYTE), (True, HALF)):
        error = np.abs(there_and_back(weights, half) - weights).max() / weights.max()
        assert 0.4 * bound < error <= bound


@given(
    arrays(
        np.float32,
        array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9),
        elements=st.floats(0, 1, width=32, allow_subnormal=False),
    ),
    st.booleans(),
    st.booleans(),
)
@example(np.float32([[1.17549435e-38, 1]]), False, False)
def test_any_map_comes_back(weights, half, sums):
    back = there_and_back(weights, half, sums)
    bound = (HALF if half else BYTE) * weights.max(axis=1, keepdims=True)
    assert (np.abs(back - weights) <= bound + 1e-38).all()
    assert ((back == 0) | (weights > 0)).all()
    most = weights.max(axis=1)
    assert (np.abs(back.max(axis=1) - most) <= 2**-12 * most + 1e-38).all()


def test_a_byte_is_decoded_as_the_page_does_it():
    weights = np.float32([[0.0625, 0.5625], [0.375, 0.25]])
    back = there_and_back(weights)
    assert back[0, 1] == 0.5625
    assert back[1, 0] == 0.375
    assert back[0, 0] == 0.5625 * ((85 / 255) * (85 / 255))


def test_maxima_are_rounded_up_to_12_bits():
    values = np.random.default_rng(0).random(5000).astype(np.float32)
    rounded = short(values)
    assert rounded.dtype == np.float32
    assert (rounded >= values).all()
    assert (rounded < values * (1 + 2**-12)).all()
    assert not (rounded.view(np.uint32) & 0x7FF).any()
    exact = np.float32([0, 1, 0.5, 0.375, 1e-30, 2**-140])
    np.testing.assert_array_equal(short(exact)[:4], exact[:4])
    assert short(exact)[4] > 0


def test_the_layout_is_maxima_then_totals_then_bytes():
    weights = np.float32([[0.25, 1], [0, 0]])
    part = packed(weights, sums=False)
    np.testing.assert_array_equal(np.frombuffer(part, "<f4", 4), [1, 0, 1.25, 0])
    assert part[16:] == bytes([128, 255, 0, 0])
    short = packed(weights, sums=True)
    assert short == part[:8] + part[16:]
    half = packed(weights, sums=True, half=True)
    np.testing.assert_array_equal(np.frombuffer(half, "<f2", offset=8), [0.25, 1, 0, 0])


def test_half_precision_is_taken():
    weights = made("random").astype(np.float16)
    error = np.abs(there_and_back(weights) - weights).max(axis=1)
    assert (error <= BYTE * weights.max(axis=1)).all()


def test_weights_are_left_alone():
    weights = made("random")
    before = weights.copy()
    packed(weights, sums=False)
    thumbnail(weights)
    np.testing.assert_array_equal(weights, before)


@pytest.mark.parametrize("shape", [(1, 1), (5, 9), (48, 48), (49, 200), (128, 3), (97, 512)])
def test_a_thumbnail_holds_the_largest_of_each_block(shape):
    weights = np.random.default_rng(1).random(shape) ** 4
    rows, columns = thumb_shape(shape)
    assert (rows, columns) == (min(48, shape[0]), min(48, shape[1]))
    want = np.zeros((rows, columns))
    for q in range(shape[0]):
        for k in range(shape[1]):
            at = q * rows // shape[0], k * columns // shape[1]
            want[at] = max(want[at], weights[q, k])
    want = np.rint(255 * np.sqrt(want / weights.max()))
    got = np.frombuffer(thumbnail(weights), np.uint8).reshape(rows, columns)
    np.testing.assert_array_equal(got, want)
    assert got.max() == 255


def test_a_thumbnail_of_nothing_is_black():
    assert thumbnail(np.zeros((3, 60))) == bytes(3 * 48)


@pytest.mark.parametrize("sums", [True, False])
@pytest.mark.parametrize("kind", ["random", "peaky", "near-uniform", "one-hot", "zero"])
def test_the_rest_of_a_mean_and_the_heads_give_it_back(kind, sums):
    heads = np.stack([made(kind, seed=seed) for seed in range(12)])
    part = packed(heads.mean(axis=0), sums)
    expected = sum(there_and_back(head) for head in heads) / len(heads)
    short = rest(part, expected, sums)
    start = 4 * 40 * (1 if sums else 2)
    assert short[:start] == part[:start]
    most = np.frombuffer(part, "<f4", 40).astype(float)
    plain = np.frombuffer(short, np.uint8, offset=start).reshape(40, 30).copy()
    for q in range(40):
        for k in range(30):
            if most[q] > 0:
                share = 255 * np.sqrt(expected[q, k] / most[q])
                plain[q, k] = (int(plain[q, k]) + min(255, int(share + 0.5))) % 256
    assert plain.tobytes() == part[start:]
    if kind == "random":
        assert np.mean(np.frombuffer(short, np.uint8, offset=start) == 0) > 0.7
