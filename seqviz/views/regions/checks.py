"""Checks of what films of steps are made of: pictures, windows, boxes, shares that sum to 1."""

from collections.abc import Mapping, Sequence

import numpy as np

from seqviz.views.shared.checking import numbers, shares, strings

LEAST_SIDE, MOST_PIXELS, MOST_STEPS, MOST_FILM = 2, 400_000, 60, 4_000_000
MOST_CLASSES = 100


def fields(where: str, given: Mapping, needed: Sequence[str], optional: Sequence[str]) -> None:
    """Refuse a mapping that lacks a key or has an unknown one."""
    if lacking := [name for name in needed if given.get(name) is None]:
        raise ValueError(
            f"{where} has no {lacking[0]!r}; expected {', '.join(needed)} and perhaps "
            f"{', '.join(optional)}"
        )
    known = {*needed, *optional, "title"}
    if unknown := sorted(str(name) for name in given if name not in known):
        raise ValueError(
            f"{where} has {unknown[0]!r}, expected {', '.join((*needed, *optional, 'title'))}"
        )


def in_unit_range(name: str, array: np.ndarray) -> np.ndarray:
    """Refuse a picture whose values do not lie in 0 to 1."""
    low, high = float(array.min()), float(array.max())
    if low < 0 or high > 1:
        fix = "divide by 255" if low >= 0 and high > 16 else "undo the normalization or clip"
        raise ValueError(
            f"{name}: expected values from 0 to 1, came {low:.4g} to {high:.4g}: {fix}"
        )
    return array


def picture(name: str, given) -> np.ndarray:
    """Return a picture (h, w) of greys or (h, w, 3) of red, green and blue, from 0 to 1."""
    array = numbers(name, given)
    if array.ndim == 3 and array.shape[2] != 3 and array.shape[0] in (1, 3):
        raise ValueError(
            f"{name}: expected shape (h, w) or (h, w, 3), came {array.shape}: the channels come "
            "last: permute(1, 2, 0), or [0] for a single one"
        )
    if array.ndim == 3 and array.shape[2] != 3:
        raise ValueError(
            f"{name}: expected no channel or 3, came {array.shape[2]} in {array.shape}: take "
            f"{'[..., :3]' if array.shape[2] == 4 else '[..., 0]'}"
        )
    if array.ndim not in (2, 3):
        raise ValueError(
            f"{name}: expected shape (h, w) or (h, w, 3), came {array.shape}; hand in one picture"
        )
    size_of(name, array.shape[:2])
    return in_unit_range(name, array)


def size_of(name: str, size: Sequence[int]) -> None:
    """Refuse a picture that is too small to see, or too large to send."""
    h, w = size
    if min(h, w) < LEAST_SIDE or h * w > MOST_PIXELS:
        raise ValueError(
            f"{name}: expected {LEAST_SIDE} to {MOST_PIXELS:,} pixels, at least {LEAST_SIDE} each "
            f"way, came {h} x {w}: a large one is smaller as picture[::2, ::2]"
        )


def stack(name: str, given, size: Sequence[int] | None, steps: int | None = None) -> np.ndarray:
    """Return a grey picture for each step, (steps, h, w), from 0 to 1."""
    array = numbers(name, given)
    if array.ndim != 3 or not len(array):
        raise ValueError(f"{name}: expected shape (steps, h, w), came {array.shape}")
    wanted = (steps or len(array), *(size or array.shape[1:]))
    if array.shape != wanted:
        raise ValueError(f"{name}: expected shape {wanted}, came {array.shape}")
    size_of(name, wanted[1:])
    steps_of(name, len(array))
    if array.size > MOST_FILM:
        raise ValueError(
            f"{name}: expected at most {MOST_FILM:,} pixels in all steps together, came "
            f"{array.size:,}: take fewer steps, or [:, ::2, ::2]"
        )
    return in_unit_range(name, array)


def steps_of(name: str, count: int) -> None:
    """Refuse a film without steps, or of more than the strip holds."""
    if not 1 <= count <= MOST_STEPS:
        raise ValueError(f"{name}: expected 1 to {MOST_STEPS} steps, came {count}")


def windows(name: str, given, steps: int | None = None) -> np.ndarray:
    """Return a window for each step, (steps, 4): centre x, centre y, width, height in pixels."""
    array = numbers(name, given)
    if array.ndim != 2 or array.shape[1] not in (3, 4):
        raise ValueError(
            f"{name}: expected shape (steps, 3) or (steps, 4): x and y of the middle, the width, "
            f"and the height where it is another, in pixels; came {array.shape}"
        )
    if array.shape[1] == 3:
        array = array[:, [0, 1, 2, 2]]
    if steps is not None and len(array) != steps:
        raise ValueError(f"{name}: expected {steps}, one for each step, came {len(array)}")
    steps_of(name, len(array))
    for k in np.flatnonzero((array[:, 2:] <= 0).any(axis=1)):
        raise ValueError(
            f"{name}[{k}] is {array[k, 2]:g} wide and {array[k, 3]:g} high, expected more than 0: "
            "let the network put out its logarithm, and take exp"
        )
    return array


def whole_shares(name: str, given, shape: tuple[int | None, ...], fix: str) -> np.ndarray:
    """Return rows of weights or probabilities, each with the sum 1 exactly; None is any length."""
    rows = shares(name, given, shape, fix).astype(float)
    return rows / rows.sum(axis=tuple(range(1, rows.ndim)), keepdims=True)


def classes(where: str, given: Mapping, steps: int) -> tuple[list[str], np.ndarray, int | None]:
    """Return the classes' names, their probabilities at each step, and which is true."""
    names = strings(f"{where}['classes']", given["classes"])
    if not 2 <= len(names) <= MOST_CLASSES or len({*names}) < len(names):
        raise ValueError(
            f"{where}['classes']: expected 2 to {MOST_CLASSES} different names, came {len(names)}: "
            f"{names!r:.60}"
        )
    name = f"{where}['probabilities']"
    p = whole_shares(name, given["probabilities"], (None, len(names)), "the softmax of the logits")
    if len(p) != steps:
        raise ValueError(f"{name}: expected a row for each of {steps} steps, came {len(p)}")
    return names, p.astype(np.float32), truth(f"{where}['label']", given.get("label"), names)


def truth(name: str, given, names: Sequence[str]) -> int | None:
    """Return the place of the true class."""
    if given is None:
        return None
    if isinstance(given, str) and given in names:
        return list(names).index(given)
    if isinstance(given, (bool, str)) or not hasattr(given, "__index__"):
        raise TypeError(f"{name}: expected a whole number or a class's name, came {given!r}")
    if not 0 <= int(given) < len(names):
        raise ValueError(f"{name}: expected 0 to {len(names) - 1}, came {int(given)}")
    return int(given)
