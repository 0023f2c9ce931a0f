"""A small function of a text that can run without some heads, for tests: NumPy and no model."""

import numpy as np

from tests.views.attention.arrays import softmax

VOCABULARY = ["animal", "street", "tired", "wide", "it", "the", "was"]
LAYERS, HEADS, WIDTH = 4, 3, 12


def run(tokens, silent=(), layers=LAYERS, heads=HEADS):
    """Weights (layers, heads, n, n) and states (n, WIDTH): a head writes what it reads."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(64, WIDTH))[: len(tokens)]
    weights = []
    for layer in range(layers):
        maps = rng.normal(size=(heads, WIDTH, WIDTH)) / WIDTH**0.5
        writes = rng.normal(size=(heads, WIDTH, WIDTH)) / WIDTH**0.5
        attends = softmax(np.einsum("qw,hwv,kv->hqk", x, maps, x))
        speaks = np.array([(layer, head) not in set(silent) for head in range(heads)])
        x = x + np.einsum("hqk,kw,hwv,h->qv", attends, x, writes, speaks)
        x = x / np.linalg.norm(x, axis=1, keepdims=True) * WIDTH**0.5
        weights.append(attends)
    return np.array(weights), x


def guesses(states):
    """The five likeliest tokens and their probabilities at each position."""
    head = np.random.default_rng(3).normal(size=(WIDTH, len(VOCABULARY))) / WIDTH**0.5
    chances = softmax(1.5 * states @ head)
    return [
        [(VOCABULARY[k], float(p[k])) for k in np.argsort(-p, kind="stable")[:5]] for p in chances
    ]


def speaker(says="guesses", calls=None):
    """Return a function of a text; `says` is "guesses", "states" or "" for neither."""

    def read(text, silent=()):
        if calls is not None:
            calls.append((text, list(silent)))
        if "boom" in text:
            raise RuntimeError("out of memory")
        tokens = text.split()
        if any(kind != "self" for kind, _, _ in silent):
            raise AssertionError(f"unknown family in {silent}")
        weights, states = run(tokens, [(layer, head) for _, layer, head in silent])
        said = {"guesses": guesses(states), "states": states}
        return {"weights": weights, "tokens": tokens, **({says: said[says]} if says else {})}

    return read


TEXT = "the animal did not cross the street because it was too tired"
WIDE = TEXT.replace("tired", "wide")
