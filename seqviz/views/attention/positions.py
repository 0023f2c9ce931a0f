"""A window of keys, or blocks of queries and keys, laid at the positions that their labels say."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np


def dims_of(given) -> tuple[str, ...]:
    """The axes in their order; blocks are among them if it is known where they stand."""
    of_blocks = getattr(given, "in_blocks", {}).values()
    known = of_blocks and all(_tell(labels) for of in of_blocks for labels in of)
    return ("batch", "head", *["block"] * bool(known), "query", "key")


def at_positions(name: str, array: np.ndarray, given) -> np.ndarray:
    """A map (..., query, key) as one of all positions up to its last, 0 where it has none."""
    labels, blocks = getattr(given, "labels", {}), getattr(given, "in_blocks", {})
    if not blocks and ("key" not in labels or not _tell(labels.get("query", ()))):
        return array
    if not blocks:
        own = {"query": tuple(map(str, range(array.shape[-2])))}
        blocks = {dim: [of] for dim, of in (own | labels).items()}
        array = np.expand_dims(array, -3)
    queries, keys = ([_positions(name, dim, of) for of in blocks[dim]] for dim in ("query", "key"))
    size = [max((at[-1] + 1 for at, _ in of if len(at)), default=0) for of in (queries, keys)]
    whole = np.zeros((*array.shape[:-3], *size), array.dtype)
    for k, ((rows, of_rows), (columns, of_columns)) in enumerate(zip(queries, keys, strict=True)):
        whole[..., rows[:, None], columns] = array[..., k, of_rows[:, None], of_columns]
    return whole


def are_parts(calls: Sequence) -> bool:
    """Whether calls are parts of one map: all tell their positions, some in blocks."""
    labels = [getattr(call, "labels", {}) for call in calls]
    blocks = ["block" in dims_of(call) for call in calls]
    known = (block or {"query", "key"} <= {*of} for block, of in zip(blocks, labels, strict=True))
    return len(calls) > 1 and any(blocks) and all(known)


def laid_over(maps: Sequence[np.ndarray]) -> np.ndarray:
    """One map (heads, query, key) of parts: rows that sum to 1 take the place of others."""
    size = np.max([part.shape for part in maps], 0)
    whole = np.zeros(size, np.result_type(*maps))
    for part in maps:
        wide = np.pad(part, [(0, n - m) for n, m in zip(size, part.shape, strict=True)])
        sums = wide.sum(-1, keepdims=True)
        own = bool((np.isclose(sums, 1, atol=1e-2) | (sums == 0)).all())
        whole = np.where(sums > 0, wide, whole) if own else whole + wide
    return whole


def _tell(labels: Sequence[str]) -> bool:
    """Whether these are positions, "" outside the text."""
    return all(label.isdecimal() or not label for label in labels)


def _positions(name: str, dim: str, labels: Sequence[str]) -> np.ndarray:
    """The positions, which must rise, and below each its place."""
    at = [(int(of) if of.isdecimal() else -1, k) for k, of in enumerate(labels) if of]
    if any(one >= other for (one, _), (other, _) in pairwise([(-1, 0), *at])):
        raise ValueError(
            f"{name}: expected rising positions as labels of the axis {dim}, such as ('3', '4', "
            f"'5'), came {tuple(labels)}"
        )
    return np.array(at, int).reshape(-1, 2).T
