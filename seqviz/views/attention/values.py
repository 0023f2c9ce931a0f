"""Checked attention weights of one kind: layers of heads over queries and keys."""

from dataclasses import dataclass

import numpy as np

from seqviz.telling import count
from seqviz.views.attention.input import Layers, Unfit
from seqviz.views.attention.packing import row_sums
from seqviz.views.attention.words import ALL, Tokens, pairings
from seqviz.views.shared.checking import few_bits

State = tuple[bool, str, str]  # words, specials, between
SCORES_FROM = 2.5  # dropout of one half doubles a row; a row beyond this was never a softmax
TRAINING = "dropout in train mode does this, call model.eval() first"
SINK = (
    "an attention sink, or keys that were cut off, take the rest; dropout in train mode may do so "
    "too: call model.eval() first"
)
BEFORE = "these are scores before the softmax: take the softmax over the keys first"
DROPPED = (
    "zeros are scattered among them, so this looks like dropout in train mode: call model.eval() "
    "first; if nothing was dropped, take the softmax over the keys first"
)


@dataclass(frozen=True, eq=False)
class Attention:
    """One kind of attention, checked.

    Parameters
    ----------
    name : str
        "self", "encoder", "cross", "decoder" or the paths of a record's modules.
    layers : list of numpy.ndarray
        Each (heads, query, key): the caller's own arrays where that can be.
    queries, keys : Tokens
    same : bool
        Whether queries and keys are the same tokens.
    causal : bool
        Whether no query attends to a later key.
    sums : bool
        Whether every row sums to 1.
    numbers : tuple of int
        The number of each layer as the model counts them, rising.
    gold : tuple of sets of (query, key), optional
        Sure and possible links, from 0; the possible ones hold the sure ones.
    family : str
        Of a record the paths of the modules, ``*`` for the layer's number; else as `name`.
    sides : tuple of str
        Which arguments the tokens of queries and keys came as.
    """

    name: str
    layers: list[np.ndarray]
    queries: Tokens
    keys: Tokens
    same: bool
    causal: bool
    sums: bool
    numbers: tuple[int, ...]
    gold: tuple[frozenset, frozenset] | None = None
    family: str = ""
    sides: tuple[str, str] = ("tokens", "tokens")

    @property
    def depth(self) -> int:
        """Number of layers."""
        return len(self.layers)

    def place(self, number: int) -> int:
        """Where the layer with this number stands, from 0."""
        return self.numbers.index(number)

    @property
    def heads(self) -> int:
        """Number of heads."""
        return len(self.layers[0])

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of queries and keys."""
        return self.layers[0].shape[1:]

    @property
    def pairings(self) -> list[str]:
        """What may be shown alone, "A to B", where the tokens are of several texts."""
        return pairings(self.queries.segments, self.keys.segments)

    def state(self, words: bool, specials: str, between: str = ALL) -> State:
        """What these controls change here: there may be no pieces, no special tokens, one text."""
        sides = self.queries, self.keys
        pieces = any(side.words for side in sides)
        leave = any(side.can_leave for side in sides)
        apart = between in self.pairings
        return words and pieces, specials if leave else "shown", between if apart else ALL


def check_shapes(where: str, layers: Layers) -> tuple[int, int, int]:
    """Check that the layers have one shape and return it: heads, queries, keys."""
    arrays = layers.arrays
    if not arrays:
        raise ValueError(f"{where}: no layers: expected at least one")
    for number, array in zip(layers.numbers, arrays, strict=True):
        if array.shape != arrays[0].shape:
            raise Unfit(
                f"{where}: layer {number} has shape {array.shape}, layer {layers.numbers[0]} "
                f"{arrays[0].shape} (heads, query, key): expected equal; show layers that differ "
                "in views of their own"
            )
    if 0 in arrays[0].shape:
        axis = ("heads", "queries", "keys")[arrays[0].shape.index(0)]
        raise ValueError(f"{where}: shape {arrays[0].shape} has no {axis}: expected at least one")
    return arrays[0].shape


def is_causal(layers: Layers) -> bool:
    """Whether no query attends to a later key."""
    return not any(np.triu(head, 1).any() for weights in layers.arrays for head in weights)


def check_weights(where: str, layers: Layers) -> tuple[bool, str | None]:
    """Check every row of every layer: whether rows sum to 1, and a warning if some do not."""
    sums, off, above = True, None, False
    for layer, weights in zip(layers.numbers, layers.arrays, strict=True):
        with np.errstate(invalid="ignore", over="ignore"):
            totals = row_sums(weights)
            fine = weights.min() >= 0 and weights.max() < np.inf
        if not fine:
            raise ValueError(_wrong(where, layer, weights))
        distance = np.where(totals != 0, np.abs(totals - 1), 0)
        allowed = 1e-2 if layers.half or (distance.max() > 1e-3 and few_bits(weights)) else 1e-3
        sums = sums and bool(totals.all()) and bool(distance.max() <= allowed)
        before = totals.max() > SCORES_FROM
        above = above or totals.max() > 1 + allowed
        if distance.max() > allowed and (off is None or before):
            at = totals.argmax() if before else (distance > allowed).argmax()
            head, query = np.unravel_index(at, totals.shape)
            off = f"{where}: layer {layer}, head {head}, query {query} sums to "
            off += f"{totals[head, query]:.4g}, expected 1"
            if before:
                dropped = f"{BEFORE}; after dropout in train mode, call model.eval() instead"
                raise ValueError(f"{off}: {DROPPED if _scattered(weights) else dropped}")
    return sums, off and f"{off}: {TRAINING if above else SINK}"


def _scattered(weights: np.ndarray) -> bool:
    """Whether a zero has weights to its right and below, as no mask of keys, past or window has."""
    some = weights != 0
    right, below = (np.flip(np.logical_or.accumulate(np.flip(some, k), k), k) for k in (-1, -2))
    return bool((right & below & ~some).any())


def _wrong(where: str, layer: int, weights: np.ndarray) -> str:
    """What is wrong with the first weight of a layer that is none."""
    head, query, key = map(int, np.argwhere(~(np.isfinite(weights) & (weights >= 0)))[0])
    value = weights[head, query, key]
    place = f"{where}: layer {layer}, head {head}, query {query}, key {key} is {value:.4g}"
    if np.isfinite(value):
        return f"{place}, expected weights from 0: {BEFORE}"
    return (
        f"{place}, expected finite weights: a row whose keys are all masked with -inf becomes NaN "
        "in the softmax, as does an overflow in half precision; mask with a large negative number"
    )


def sizes(kind: Attention) -> str:
    """6 layers with 12 heads over 15 tokens."""
    over = count(len(kind.queries), "token")
    if not kind.same:
        over = f"{count(len(kind.queries), 'query', 'queries')} and {count(len(kind.keys), 'key')}"
    return f"{count(kind.depth, 'layer')} with {count(kind.heads, 'head')} over {over}"
