"""The control of what is learned from contexts: the same words, their contexts chance."""

import random
from collections.abc import Sequence

from seqviz.arguments import checked_integer, checked_words


def shuffle_words(sentences: Sequence[str], seed: int = 0) -> list[str]:
    """Put the words of all sentences in a random order; the sentences keep their lengths.

    Each word comes as often as before, and what stands near it is chance.

    Parameters
    ----------
    sentences : sequence of str
        Words with spaces between them.
    seed : int
        0 or more. Seed of the order.

    Returns
    -------
    list of str

    Raises
    ------
    TypeError
        If `sentences` is no list of strings, or `seed` no integer.
    ValueError
        If `seed` is negative.
    """
    rows = [sentence.split() for sentence in checked_words("sentences", sentences)]
    words = [word for row in rows for word in row]
    random.Random(checked_integer("seed", seed, 0)).shuffle(words)
    rest = iter(words)
    return [" ".join(next(rest) for _ in row) for row in rows]
