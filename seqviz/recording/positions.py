"""Which positions of a text, or else which places, the queries and keys of its blocks are."""

from collections.abc import Collection, Mapping

import numpy as np


def labels_of_blocks(
    weights: np.ndarray, values: np.ndarray, times: Collection[int]
) -> dict[str, tuple[tuple[str, ...], ...]]:
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
    starts, length = np.arange(blocks)[:, None] * queries, None
    query, key = starts + np.arange(queries), starts - side + np.arange(keys)
    if side > 0 and not odd and len(values) == blocks and _slide(values, queries, side):
        length = _length(weights, query, key, side, times)

    def label(block: int, place: int, position: int) -> str:
        if length is None:
            return f"{place} of block {block}"
        return str(position) if 0 <= position < length else ""

    return {
        dim: tuple(
            tuple(label(b, k, position) for k, position in enumerate(block))
            for b, block in enumerate(of.tolist())
        )
        for dim, of in {"query": query, "key": key}.items()
    }


def labels_of_rows(
    rows: np.ndarray, values: np.ndarray, in_blocks: Mapping[str, tuple[tuple[str, ...], ...]]
) -> tuple[str, ...] | None:
    """The positions of some of what blocks weigh; None if one is at none of them, or at several.

    Parameters
    ----------
    rows : array (key, unit)
    values : array (block, key, unit)
    in_blocks : dict
        The labels of the blocks' keys, as `labels_of_blocks` gives them.
    """
    at: dict[bytes, set[str]] = {}
    for block, labels in zip(values, in_blocks["key"], strict=True):
        for row, label in zip(block, labels, strict=True):
            if label:
                at.setdefault(row.tobytes(), set()).add(label)
    found = [at.get(row.tobytes(), set()) for row in rows]
    return tuple(label for (label,) in found) if all(len(of) == 1 for of in found) else None


def _length(
    weights: np.ndarray, query: np.ndarray, key: np.ndarray, side: int, times: Collection[int]
) -> int | None:
    """The length of a text in which no query attends outside it or further than to either side."""
    masked, attends = weights.max(-1) == weights.min(-1), weights != 0
    far = abs(key[:, None] - query[..., None]) > side
    for length in sorted(time for time in times if time <= query.size and not masked.all()):
        outside = far | ((key < 0) | (key >= length))[:, None]
        if masked[:, query >= length].all() and not (attends & outside)[~masked].any():
            return length
    return None


def _slide(values: np.ndarray, step: int, side: int) -> bool:
    """Whether each block has the keys of the one before, a step on, with padding at both ends."""
    padding = (values == values[..., :1]).all(-1)
    ends = padding[0, :side].all() and not padding[0, side] and padding[-1, -side:].all()
    return bool(ends and np.array_equal(values[1:, :-step], values[:-1, step:]))
