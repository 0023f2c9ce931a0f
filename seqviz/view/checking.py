"""Checks that every view makes of what it is given."""

from collections.abc import Iterable
from operator import index
from unicodedata import category

import numpy as np


def numbers(name: str, given) -> np.ndarray:
    """Return an array of finite float32, from NumPy, torch or anything that NumPy takes."""
    if hasattr(given, "detach"):
        given = given.detach().cpu()
        given = given.float() if given.is_floating_point() else given
    try:
        array = np.asarray(given)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected an array of numbers: {error}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: expected floats or whole numbers, came dtype {array.dtype}")
    with np.errstate(over="ignore"):
        array = array.astype(np.float32)
    if not np.isfinite(array).all():
        at = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        raise ValueError(
            f"{name}[{', '.join(map(str, at))}] is {array[at]}, expected numbers that are finite "
            "in float32: look for the step of the model where the first one arises"
        )
    return array


def strings(name: str, given) -> list[str]:
    """Return the list of strings."""
    if not isinstance(given, Iterable):
        raise TypeError(f"{name}: expected a string or a sequence of strings, came {given!r}")
    given = list(given)
    for k, token in enumerate(given):
        if not isinstance(token, str):
            raise TypeError(
                f"{name}[{k}]: expected a string, came {type(token).__name__} {token!r}: "
                "turn ids into strings with the vocabulary first"
            )
        if not token.isprintable() and any("\ud800" <= c <= "\udfff" for c in token):
            raise ValueError(
                f"{name}[{k}] is {token!r}, half a character: decode bytes with errors='replace'"
            )
    return given


def line(name: str, given) -> str:
    """Return a string that fits on one line: a title, a label."""
    if not isinstance(given, str):
        raise TypeError(f"{name}: expected a string, came {type(given).__name__} {given!r}")
    if any(category(c) in ("Cc", "Zl", "Zp") or c in "\ufffe\uffff" for c in strings(name, given)):
        raise ValueError(f"{name}: expected one line without control characters, came {given!r}")
    return given


def within(name: str, value, low: int, high: int) -> int:
    """Return a whole number between two bounds."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected a whole number from {low} to {high}, came {value!r}")
    if not low <= index(value) <= high:
        raise ValueError(f"{name}: expected {low} to {high}, came {value}")
    return index(value)
