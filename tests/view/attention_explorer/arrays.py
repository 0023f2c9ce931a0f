"""Attention weights to try things on."""

import numpy as np

from seqviz.view.attention_explorer.shown import Screen


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def weights(*shape, seed=0):
    return softmax(2 * np.random.default_rng(seed).normal(size=shape))


def uniform(*shape):
    return np.full(shape, 1 / max(1, shape[-1]))


def words(n):
    return [f"w{k}" for k in range(n)]


def decoded(view, kind=0):
    """All heads of a kind as the page decodes them, (layers, heads, query, key)."""
    facts = view.facts["kinds"][kind]
    return np.array(
        [
            [view.parts.decoded(kind, layer, head) for head in range(facts["heads"])]
            for layer in range(facts["layers"])
        ]
    )


def read_back(view):
    """The map in focus on screen as the page has it: from its bytes and what these lost."""
    weights, lost = view.parts.read(0, view.layer, view.head)
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
    """The float32 numbers at the start of a map (rows, queries); their lowest bytes come first."""
    planes = np.frombuffer(part, np.uint8, 4 * rows * queries).reshape(rows, 4, queries)
    return planes.transpose(0, 2, 1).copy().view("<f4")[..., 0]


def restored(short, known):
    """The bytes of a map from the rest of it after its floats and from what a page expects."""
    others = iter(short[-(-known.size // 4) :])
    bits = [byte >> shift & 3 for byte in short[: -(-known.size // 4)] for shift in (0, 2, 4, 6)]
    assert not any(bits[known.size :])
    changes = [next(others) if two == 2 else (0, 1, None, -1)[two] for two in bits[: known.size]]
    assert next(others, None) is None
    return (known.ravel() + np.array(changes)) % 256
