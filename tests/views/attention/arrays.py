"""Attention weights to try things on."""

import numpy as np

from seqviz.views.attention import packing
from seqviz.views.attention.shown import Screen


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def weights(*shape, seed=0):
    return softmax(2 * np.random.default_rng(seed).normal(size=shape))


def uniform(*shape):
    return np.full(shape, 1 / max(1, shape[-1]))


def words(n):
    return [f"w{k}" for k in range(n)]


def read(view, g, layer, head):
    """One map as the page decodes it, and what its rows lost."""
    return packing.decoded(view.part(f"{g} {layer} {head}"), view.parts.layouts[g])


def decoded(view, kind=0):
    """All heads of a kind as the page decodes them, (layers, heads, query, key)."""
    facts = view.facts["kinds"][kind]
    return np.array(
        [
            [read(view, kind, layer, head)[0] for head in range(facts["heads"])]
            for layer in range(facts["layers"])
        ]
    )


def read_back(view):
    """The map in focus on screen as the page has it: from its bytes and what these lost."""
    weights, lost = read(view, 0, view.layer, view.head)
    hidden = "hidden" if view.specials == "renormalised" else view.specials
    screen = Screen(view.here, view.words, hidden)
    got = screen.shown(weights).weights
    if view.specials != "renormalised":
        return got
    return got / (got.sum(axis=1) + lost[screen.queries.starts])[:, None]


def equal(view, want, kind=0):
    """Check that a kind holds these weights (layers, heads, query, key) within a byte's error."""
    got, want = decoded(view, kind), np.asarray(want, float)
    assert got.shape == want.shape
    assert (np.abs(got - want).max(axis=-1) <= 4e-3 * want.max(axis=-1)).all()


def floats_of(part, rows, queries):
    """The float32 numbers at the start of a map (rows, queries)."""
    return np.frombuffer(part, "<f4", rows * queries).reshape(rows, queries)
