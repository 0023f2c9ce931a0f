"""Which words stand near which: pairs for skip-gram, counts for GloVe, and chance as a control."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from seqviz.arguments import checked_integer, checked_type, checked_words


class Cooccurrences(NamedTuple):
    """How often words stand near each other.

    Attributes
    ----------
    i, j : Tensor
        (pairs,), int64: a word, and one near it; each pair once, in order.
    x : Tensor
        (pairs,), float32: how often, a neighbour at distance d counting 1 / d.
    """

    i: Tensor
    j: Tensor
    x: Tensor


def context_pairs(sentences: Sequence[Tensor], window: int) -> Tensor:
    """Return each word of each sentence with each word at most `window` places away.

    Parameters
    ----------
    sentences : sequence of Tensor
        Ids (time,), int64. A window does not reach over the end of a sentence.
    window : int
        Places to each side.

    Returns
    -------
    Tensor
        (pairs, 2), int64: the centre, and the word near it (Mikolov et al. 2013).

    Raises
    ------
    TypeError
        If `sentences` is no sequence of int64 tensors, or `window` no integer.
    ValueError
        If `window` is below one, or no sentence has two words.
    """
    pairs, _ = _neighbours(sentences, window)
    return pairs


def cooccurrences(sentences: Sequence[Tensor], window: int) -> Cooccurrences:
    """Count which words stand at most `window` places apart, near ones more.

    Parameters
    ----------
    sentences, window
        As in :func:`context_pairs`.

    Returns
    -------
    Cooccurrences
        What is symmetric: (i, j) and (j, i) are both there (Pennington et al. 2014, 4.2).

    Raises
    ------
    TypeError, ValueError
        As from :func:`context_pairs`.
    """
    pairs, distance = _neighbours(sentences, window)
    size = int(pairs.max()) + 1
    kinds, which = (pairs[:, 0] * size + pairs[:, 1]).unique(return_inverse=True)
    x = torch.zeros(len(kinds), dtype=torch.float64).index_add_(0, which, 1 / distance.double())
    return Cooccurrences(kinds // size, kinds % size, x.float())


def shuffle_words(sentences: Sequence[str], seed: int = 0) -> list[str]:
    """Put the words of all sentences in a random order; the sentences keep their lengths.

    Each word comes as often as before, and what stands near it is chance: the control of what is
    learned from contexts.

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


def _neighbours(sentences: Sequence[Tensor], window: int) -> tuple[Tensor, Tensor]:
    """All pairs, and how far apart each is."""
    window = checked_integer("window", window, 1)
    checked_type("sentences", sentences, Sequence, "a list of int64 tensors (time,)")
    for ids in sentences:
        if not isinstance(ids, Tensor) or ids.dtype != torch.long or ids.dim() != 1:
            got = (
                f"{ids.dtype} {tuple(ids.shape)}" if isinstance(ids, Tensor) else type(ids).__name__
            )
            raise TypeError(f"each of sentences must be an int64 tensor (time,), got {got}")
    lengths = [len(ids) for ids in sentences]
    if max(lengths, default=0) < 2:
        raise ValueError(f"sentences must hold one of two words or more, got {len(sentences)}")
    words = torch.cat(list(sentences))
    sentence = torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths))
    pairs, distances, owners = [], [], []
    for far in range(1, min(window, max(lengths) - 1) + 1):
        together = sentence[:-far] == sentence[far:]
        both = torch.stack([words[:-far][together], words[far:][together]], dim=1)
        pairs += [both, both.flip(1)]
        distances.append(torch.full((2 * len(both),), far))
        owners += [sentence[far:][together]] * 2
    order = torch.cat(owners).argsort(stable=True)  # sentence by sentence
    return torch.cat(pairs)[order], torch.cat(distances)[order]
