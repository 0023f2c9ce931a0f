"""Attention weights to try things on, and back from what a page gets."""

import numpy as np

from seqviz.views.attention.packing import restored


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def weights(*shape, seed=0):
    return softmax(2 * np.random.default_rng(seed).normal(size=shape))


def uniform(*shape):
    return np.full(shape, 1 / max(1, shape[-1]))


def words(n):
    return [f"w{k}" for k in range(n)]


def floats_of(part, rows, queries):
    """The float32 numbers at the start of a map (rows, queries)."""
    return np.frombuffer(part, "<f4", rows * queries).reshape(rows, queries)


def decoded(part, layout):
    """A map (Q, K) and what the sums of its other keys lost (Q,), as the page reads them."""
    floats = floats_of(part, layout.rows, layout.shape[0]).astype(float)[None]
    values = np.frombuffer(part, "<f2" if layout.half else np.uint8, offset=layout.start)
    maps = restored(values.reshape(1, *layout.shape), layout.scale(floats))
    return maps[0], floats[0, 2] if layout.special else np.zeros(layout.shape[0])


def read(view, g, layer, head):
    """One map of a view as the page decodes it, and what its rows lost."""
    return decoded(view.part_of(f"{g} {layer} {head}"), view.parts.layouts[g])


def equal(view, want, kind=0):
    """Check that a kind holds these weights (layers, heads, query, key) within a byte's error."""
    facts, want = view.facts["kinds"][kind], np.asarray(want, float)
    heads = range(facts["heads"])
    got = [[read(view, kind, layer, h)[0] for h in heads] for layer in facts["numbers"]]
    assert np.shape(got) == want.shape
    assert (np.abs(got - want).max(axis=-1) <= 4e-3 * want.max(axis=-1)).all()
