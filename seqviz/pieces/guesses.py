"""Tokens that are guessed, as people read them."""

from collections import Counter
from collections.abc import Sequence

from seqviz.pieces.words import alone


def readable(guesses: Sequence[Sequence[tuple[str, float]]]) -> list[list[tuple[str, float]]]:
    """Return guesses without their tokenizer's marks, which stay where two of a place differ so.

    Parameters
    ----------
    guesses : sequence of sequence of (token, probability)
        At each place.
    """
    names = list(dict.fromkeys(token for of_place in guesses for token, _ in of_place))
    found = alone(names)
    plain = dict(zip(names, found.bare, strict=True))
    marked = dict(zip(names, found.tokens, strict=True))
    told = []
    for of_place in guesses:
        twins = Counter(plain[token] for token, _ in of_place)
        told.append(
            [
                (plain[token] if twins[plain[token]] == 1 else marked[token], chance)
                for token, chance in of_place
            ]
        )
    return told
