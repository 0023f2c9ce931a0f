"""Which positions of a text, or else which places, the queries and keys of its blocks are."""

from collections.abc import Collection

import numpy as np

Labels = dict[str, tuple[tuple[str, ...], ...]]


def labels_of_blocks(weights: np.ndarray, values: np.ndarray, times: Collection[int]) -> Labels:
    """Return for "query" and "key" the labels of each block's places.

    They are the positions in the text, "" outside it, where what was weighed shows that the blocks
    slide over it. Else nothing tells how a text, or a picture, was cut: "3 of block 0".

    Parameters
    ----------
    weights : array (item, block, query, key)
    values : array (block, key, unit)
    times : collection of int
        The numbers of positions that the running modules were given.
    """
    _, blocks, queries, keys = weights.shape
    side, odd = divmod(keys - queries, 2)
    starts = np.arange(blocks)[:, None] * queries
    query, key = starts + np.arange(queries), starts - side + np.arange(keys)
    if side > 0 and not odd and len(values) == blocks and _slide(values, queries, side):
        far = abs(key[:, None] - query[..., None]) > side
        masked, attends = weights.max(-1) == weights.min(-1), weights != 0
        for length in sorted(time for time in times if time <= blocks * queries):
            outside = far | ((key < 0) | (key >= length))[:, None]
            if masked[:, query >= length].all() and not (attends & outside)[~masked].any():
                text = dict(zip(range(length), map(str, range(length)), strict=True))
                return {dim: _labels(text, of) for dim, of in {"query": query, "key": key}.items()}
    sizes = {"query": queries, "key": keys}
    return {
        dim: tuple(tuple(f"{k} of block {b}" for k in range(size)) for b in range(blocks))
        for dim, size in sizes.items()
    }


def _labels(text: dict[int, str], places: np.ndarray) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text.get(place, "") for place in block) for block in places.tolist())


def _slide(values: np.ndarray, step: int, side: int) -> bool:
    """Whether each block has the keys of the one before, a step on, with padding at both ends."""
    padding = (values == values[..., :1]).all(-1)
    ends = padding[0, :side].all() and not padding[0, side] and padding[-1, -side:].all()
    return bool(ends and np.array_equal(values[1:, :-step], values[:-1, step:]))
