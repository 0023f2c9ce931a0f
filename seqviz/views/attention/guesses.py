"""What a model says at each token: the likeliest guesses of its head, or its last state."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from seqviz.pieces import readable
from seqviz.views.shared.checking import array_of, strings

MOST = 5
ROUNDED = 1e-12  # of a shift, where nothing moved
SLACK = 1e-6  # by which a rounded probability may pass 1, or the one before it

Guesses = list[list[tuple[str, float]]]


def checked_guesses(given, tokens: int) -> Guesses:
    """Check a list of at most five (token, probability) for each token, the likeliest first."""
    name = "guesses"
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise TypeError(
            f"{name}: expected a list of (token, probability) pairs for each token, "
            f"came {type(given).__name__}"
        )
    if len(given) != tokens:
        raise ValueError(f"{name}: expected {tokens} lists, one for each token, came {len(given)}")
    return readable([_checked_at(f"{name}[{k}]", one) for k, one in enumerate(given)])


def _checked_at(where: str, given) -> list[tuple[str, float]]:
    """Check what is said at one token."""
    pairs = list(given)
    if not 1 <= len(pairs) <= MOST:
        raise ValueError(
            f"{where}: expected 1 to {MOST} pairs, came {len(pairs)}: give the likeliest"
        )
    found = [_pair(f"{where}[{k}]", pair) for k, pair in enumerate(pairs)]
    chances = [chance for _, chance in found]
    if any(later > before + SLACK for before, later in pairwise(chances)):
        raise ValueError(f"{where}: expected the likeliest first, came probabilities {chances}")
    return found


def _pair(where: str, given) -> tuple[str, float]:
    try:
        token, chance = given
        chance = float(chance)
    except (TypeError, ValueError):
        raise TypeError(f"{where}: expected a (token, probability) pair, came {given!r}") from None
    strings(where, [token])
    if not -SLACK <= chance <= 1 + SLACK:
        raise ValueError(
            f"{where}: expected a probability from 0 to 1, came {chance:.4g}: take the softmax "
            "over the vocabulary first"
        )
    return token, min(1.0, max(0.0, chance))


def checked_states(given, tokens: int) -> np.ndarray:
    """Check the states of the last layer, (tokens, width)."""
    states = array_of("states", given).astype(float)
    if states.ndim != 2 or len(states) != tokens or not states.shape[1]:
        raise ValueError(
            f"states: expected an array ({tokens}, width), one row for each token, came "
            f"{states.shape}"
        )
    if not np.isfinite(states).all():
        at = tuple(map(int, np.argwhere(~np.isfinite(states))[0]))
        raise ValueError(f"states: expected finite numbers, came {states[at]} at {at}")
    return states


def shifts(before: np.ndarray, after: np.ndarray) -> list[float]:
    """How far the state of each token turned: 1 - cosine, 0 where both are 0.

    Examples
    --------
    >>> import numpy as np
    >>> shifts(np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]]))
    [1.0]
    """
    lengths = np.array([np.linalg.norm(states, axis=1) for states in (before, after)])
    safe = np.where(lengths > 0, lengths, 1)
    turned = 1 - np.einsum("tw,tw->t", before / safe[0][:, None], after / safe[1][:, None])
    same = (lengths == 0).all(axis=0) | (turned < ROUNDED)
    return np.where(same, 0, turned).tolist()
