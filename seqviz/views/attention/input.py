"""Attention weights in every shape that models hand them out, as arrays (heads, query, key)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seqviz.views.attention.packing import TINY
from seqviz.views.attention.positions import at_positions, dims_of
from seqviz.views.shared.checking import whole, whole_of

NO_WEIGHTS = (
    "this model gave no weights: load it with attn_implementation='eager' and pass "
    "output_attentions=True"
)
FORMS = (
    "weights (query, key), (heads, query, key) or (layers, heads, query, key), a tuple of layers, "
    "the steps of generate, or the attention of a record"
)
SOURCES = ("encoder_tokens", "key_tokens")  # texts that a model reads but never writes
IN_BLOCKS = (
    "it attends inside blocks (windows, parts of the text), so there is no map from position to "
    "position: look at one block, part = calls[-1].at(block=0) of its calls in rec.attention, with "
    "attention(part.values[0], part.labels['query'], key_tokens=part.labels['key']), where [0] is "
    "the item and calls[-1].labels.get('block') names windows of a picture; or load the model with "
    "its full attention, if it has one "
    "(attention_type='original_full')"
)
BEAMS = (
    "in a beam search the rows change places between the steps: run the model once over what it "
    "found, model(output.sequences, output_attentions=True).attentions, with an encoder "
    "model(input_ids=..., decoder_input_ids=output.sequences, output_attentions=True)"
)


@dataclass(frozen=True)
class Layers:
    """The layers of one kind of attention, each (heads, query, key); the caller's arrays if can be.

    `half` says that they were computed with few digits; `own` are the model's numbers of the
    layers, if these are not their places.
    """

    arrays: list[np.ndarray]
    half: bool
    own: tuple[int, ...] | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of each layer."""
        return tuple(range(len(self.arrays))) if self.own is None else self.own


class Stack(NamedTuple):
    """Layers, what they are called and where they were given; the arguments with their tokens.

    `family` is that of a record, None for arrays.
    """

    name: str
    where: str
    layers: Layers
    queries: str
    keys: str
    family: str | None = None


class Unfit(ValueError):
    """Weights that are no layers over the tokens of this text; others of their record may be."""


def layers_of(name: str, given, item: int | None) -> Layers:
    """Return the layers of an array, a tuple of layers, or the steps of generate."""
    depth, leaf = _leaf(name, given)
    if depth == 0:
        return _of_array(name, given, item)
    if np.ndim(leaf) < 3:  # lists of numbers or of maps
        return _of_array(name, _stacked(name, given), item)
    if depth == 1:
        return joined([layer_of(f"{name}[{k}]", one, item) for k, one in enumerate(given)])
    if depth > 2:
        raise ValueError(f"{name}: expected {FORMS}; came a {depth}-fold nested sequence")
    steps = [
        [layer_of(f"{name}[{t}][{k}]", one, item) for k, one in enumerate(step)]
        for t, step in enumerate(given)
    ]
    if len({len(step) for step in steps}) > 1:
        raise ValueError(f"{name}: the steps have {[len(s) for s in steps]} layers, expected equal")
    fix = f"hand in one of them; if generate ran without its cache, the last holds all: {name}[-1]"
    fix = f"{fix}; but {BEAMS}" if rows_may_change(name, given) else fix
    return joined([assembled(name, list(layer), fix) for layer in zip(*steps, strict=True)])


def batch_of(name: str, given) -> int | None:
    """How large the batch of a tuple of layers or of steps is; None if axes tell of none."""
    depth, leaf = _leaf(name, given)
    bare = depth and np.ndim(leaf) == 4 and not hasattr(leaf, "dims")
    return leaf.shape[0] if bare else None


def rows_may_change(name: str, given) -> bool:
    """Whether these are steps of a batch, whose rows change places in a beam search."""
    depth, _ = _leaf(name, given)
    return depth == 2 and len(given) > 1 and (batch_of(name, given) or 1) > 1


def _leaf(name: str, given) -> tuple[int, object]:
    """How many tuples are around the first array or number, and that one."""
    depth = 0
    while isinstance(given, (list, tuple)):
        if not given:
            raise ValueError(f"{name}: expected {FORMS}; came an empty sequence: {NO_WEIGHTS}")
        if any(one is None for one in given):
            raise ValueError(f"{name}: came None for weights: {NO_WEIGHTS}")
        given, depth = given[0], depth + 1
    if given is None:
        raise ValueError(f"{name}: came None for weights: {NO_WEIGHTS}")
    return depth, given


def _stacked(name: str, given) -> np.ndarray:
    if not isinstance(given, (list, tuple)):
        return floats(name, given)[0]
    parts = [_stacked(name, one) for one in given]
    try:
        return np.stack(parts)
    except ValueError as problem:
        raise ValueError(
            f"{name}: expected {FORMS}; came lists that are uneven: {problem}"
        ) from None


def floats(name: str, given) -> tuple[np.ndarray, bool]:
    """Return an array of floats without a copy where NumPy can, and whether it has few digits."""
    if given is None:
        raise ValueError(f"{name}: came None for weights: {NO_WEIGHTS}")
    given = given.values if hasattr(given, "dims") else given
    given = whole_of(name, given)
    few = "bfloat16" in str(getattr(given, "dtype", ""))
    if few and hasattr(given, "float"):
        given = given.float()
    try:
        array = np.asarray(given, np.float32 if few else None)
    except (TypeError, ValueError) as problem:
        raise TypeError(f"{name}: expected {FORMS}: {problem}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: expected {FORMS}; came dtype {array.dtype}")
    if array.dtype not in (np.float16, np.float32, np.float64):
        array = array.astype(np.float64 if array.dtype.itemsize > 8 else np.float32)
    if array.dtype == np.float64:
        array = without_tiny(array)
    return array, few or array.dtype == np.float16


def without_tiny(array: np.ndarray) -> np.ndarray:
    """Float64 numbers above 0 that float32 has no full bits for become 0; a copy if there are."""
    tiny = (array > 0) & (array < TINY)
    return np.where(tiny, 0, array) if tiny.any() else array


def _of_array(name: str, given, item: int | None) -> Layers:
    """Layers of one array of two to four axes, without a batch unless its axes have names."""
    if "batch" in getattr(given, "dims", ()):
        return joined([layer_of(name, given, item)])
    array, half = floats(name, given)
    if not 2 <= array.ndim <= 4:
        hint = (
            ": pick one item of the batch, weights[:, item]"
            if array.ndim == 5
            else ": one row of weights is weights[None]"
        )
        raise ValueError(
            f"{name}: expected {FORMS}; came shape {array.shape}{hint if array.ndim else ''}"
        )
    if item is not None:
        raise ValueError(
            f"item: came {item}, but an array {array.shape} is taken for layers and heads without "
            "a batch: pick the item yourself, as in weights[:, item]"
        )
    if array.ndim == 2:
        array = array[None]
    return Layers([array] if array.ndim == 3 else list(array), half)


def layer_of(name: str, given, item: int | None) -> Layers:
    """One layer (heads, query, key), or (batch, heads, query, key) with the item picked."""
    array, half = floats(name, given)
    dims = getattr(given, "dims", None)
    if dims is not None:
        order = [dims.index(d) for d in dims_of(given) if d in dims]
        if len(order) != array.ndim or not {"query", "key"} <= set(dims):
            fix = f": {BEAMS}, or that with sv.record around" if "beam" in dims else ""
            fix = f": {IN_BLOCKS}" if "block" in dims else fix
            raise Unfit(f"{name}: expected the axes batch, head, query, key; came {dims}{fix}")
        array = array.transpose(order)
        array = at_positions(name, array, given)
        array = array if "head" in dims else np.expand_dims(array, -3)
    if array.ndim == 4:
        array = array[_item(name, item, len(array))]
    elif array.ndim != 3:
        raise Unfit(
            f"{name}: expected a layer (heads, query, key) or (batch, heads, query, key), came "
            f"shape {array.shape}"
        )
    elif item is not None:
        raise ValueError(f"item: came {item}, but {name} {array.shape} has no batch: leave it out")
    return Layers([array], half)


def _item(name: str, item: int | None, batch: int) -> int:
    """Check the place in a batch."""
    if item is None:
        if batch != 1:
            raise ValueError(
                f"item: missing: {name} has a batch of {batch}: say which one with item=0 to "
                f"item={batch - 1}"
            )
        return 0
    item = whole("item", item, f"a whole number from 0 to {batch - 1}")
    if not 0 <= item < batch:
        raise Unfit(
            f"item: expected 0 to {batch - 1}, as {name} has a batch of {batch}; came {item}"
        )
    return item


def joined(layers: Sequence[Layers]) -> Layers:
    """Layers one after another."""
    return Layers([a for one in layers for a in one.arrays], any(one.half for one in layers))


def assembled(name: str, steps: list[Layers], fix: str) -> Layers:
    """One layer of the steps of a generation: with a cache each has the rows of its own queries.

    Its keys grow, or are the same at each query. Without a cache the last step holds all.
    """
    arrays = [array for step in steps for array in step.arrays]
    half = any(step.half for step in steps)
    if _last_holds_all(arrays, 1e-2 if half else 1e-3):
        return Layers(arrays[-1:], half)
    shapes = [array.shape for array in arrays]
    heads, _, keys = shapes[-1]
    ends = np.cumsum([queries for _, queries, _ in shapes]).tolist()
    widths = [width for *_, width in shapes]
    stacks = len(set(widths)) == 1 and all(queries == 1 for _, queries, _ in shapes[1:])
    if len({h for h, _, _ in shapes}) > 1 or not (widths == ends or stacks):
        came = ", ".join(map(str, shapes[:4])) + (", ..." if len(shapes) > 4 else "")
        raise Unfit(
            f"{name}: {len(shapes)} calls of (heads, query, key) {came} are no steps of one "
            f"generation, each with one query more: {fix}"
        )
    whole = np.zeros((heads, ends[-1], keys), np.result_type(*arrays))
    for array, end in zip(arrays, ends, strict=True):
        whole[:, end - array.shape[1] : end, : array.shape[2]] = array
    return Layers([whole], half)


def _last_holds_all(arrays: list[np.ndarray], allowed: float) -> bool:
    """Whether these are steps without a cache: each computes the rows before its own once more."""
    whole = arrays[-1]
    heads, queries, keys = whole.shape
    after = range(len(arrays) - 1, -1, -1)  # how many queries are still to come
    square = [(heads, queries - k, keys - k) for k in after]
    wide = [(heads, queries - k, keys) for k in after]
    if [array.shape for array in arrays] not in (square, wide):
        return False
    rows = ((a[:, -1], whole[:, a.shape[1] - 1, : a.shape[2]]) for a in arrays)
    return all(np.allclose(*pair, rtol=0, atol=allowed, equal_nan=True) for pair in rows)
