"""Checks that every view makes of what it is given."""

from collections.abc import Iterable
from numbers import Real
from operator import index
from unicodedata import category

import numpy as np

from seqviz.telling import shown


def whole_of(name: str, given):
    """Return what NumPy reads as it stands there: on the CPU, all of it numbers to be shown."""
    if isinstance(given, (list, tuple)):
        return [
            whole_of(f"{name}[{k}]", part) if hasattr(part, "shape") else part
            for k, part in enumerate(given)
        ]
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(
            f"{name}: expected numbers without a mask, came a masked array {given.shape}: "
            "hand in array.filled(0), or only the part that is not masked"
        )
    if getattr(given, "is_meta", False):
        raise ValueError(
            f"{name}: expected numbers, came a tensor {tuple(given.shape)} on the device 'meta', "
            "which holds none: make the model on 'cpu', load its weights, and run it again"
        )
    return given.detach().cpu() if hasattr(given, "detach") else given


def array_of(name: str, given) -> np.ndarray:
    """Return an array of floats or whole numbers, from NumPy, torch or what NumPy takes."""
    array = _array(name, given, "numbers")
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: expected floats or whole numbers, came dtype {array.dtype}")
    return array


def truths(name: str, given, wanted: str = "True and False") -> np.ndarray:
    """Return an array of True and False."""
    array = _array(name, given, wanted)
    if array.dtype != bool:
        raise TypeError(f"{name}: expected {wanted}, came dtype {array.dtype}: .astype(bool)")
    return array


def _array(name: str, given, wanted: str) -> np.ndarray:
    given = whole_of(name, given)
    if hasattr(given, "detach") and given.is_floating_point() and given.element_size() < 4:
        given = given.float()  # NumPy has no bfloat16
    try:
        return np.asarray(given)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected an array of {wanted}: {error}") from None


def numbers(name: str, given) -> np.ndarray:
    """Return an array of finite float32."""
    with np.errstate(over="ignore"):
        array = array_of(name, given).astype(np.float32)
    if not np.isfinite(array).all():
        at = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        raise ValueError(
            f"{name}[{', '.join(map(str, at))}] is {array[at]}, expected numbers that are finite "
            "in float32: look for the step of the model where the first one arises"
        )
    return array


def few_bits(values: np.ndarray) -> bool:
    """Whether all are bfloat16 numbers, which NumPy can only hold as float32."""
    if values.dtype != np.float32:
        return False
    return not (np.ascontiguousarray(values).view(np.uint32) & 0xFFFF).any()


def spare_of(given) -> float:
    """By how much a sum of these may miss 1: more of half precision, bfloat16 too."""
    return 1e-2 if "float16" in str(getattr(given, "dtype", "")) else 1e-3


def shares(name: str, given, shape: tuple[int | None, ...], fix: str, what: str = "") -> np.ndarray:
    """Return weights or probabilities, each row of which sums to 1, as float32.

    None in the shape is any length; `what` says in words what its axes are.
    """
    array = numbers(name, given)
    alike = len(shape) == array.ndim
    if not alike or any(n not in (m, None) for n, m in zip(shape, array.shape, strict=True)):
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"{name}: expected shape ({wanted}){what}, came {array.shape}")
    rows = array.reshape(len(array), -1)
    for k in np.flatnonzero((rows < 0).any(axis=1)):
        raise ValueError(f"{name}[{k}] has {rows[k].min():.4g}, expected 0 or more: take {fix}")
    sums = rows.sum(axis=1, dtype=float)
    for k in np.flatnonzero(np.abs(sums - 1) > spare_of(given)):
        raise ValueError(f"{name}[{k}] sums to {sums[k]:.4g}, expected 1: take {fix}")
    return array


def strings(name: str, given) -> list[str]:
    """Return the list of strings."""
    if not isinstance(given, Iterable):
        raise TypeError(f"{name}: expected a string or a sequence of strings, came {shown(given)}")
    try:
        given = list(given)
    except TypeError:  # such as an array of no axis
        raise TypeError(f"{name}: expected strings, came {shown(given)}") from None
    for k, token in enumerate(given):
        if not isinstance(token, str):
            raise TypeError(
                f"{name}[{k}]: expected a string, came {type(token).__name__} {shown(token)}: "
                "turn ids into strings with the vocabulary first"
            )
        unicode(f"{name}[{k}]", token)
    return given


def unicode(name: str, text: str) -> str:
    """Return a text without half characters."""
    if not text.isprintable() and any("\ud800" <= c <= "\udfff" for c in text):
        raise ValueError(
            f"{name} is {shown(text)}, half a character: decode bytes with errors='replace'"
        )
    return text


def different(name: str, given: list[str], fix: str) -> dict[str, int]:
    """Return where each of these strings stands; no two are the same."""
    places: dict[str, int] = {}
    for k, one in enumerate(given):
        if places.setdefault(one, k) != k:
            raise ValueError(
                f"{name}: expected different strings, came {shown(one)} at {places[one]} and at "
                f"{k}: {fix}"
            )
    return places


def each(name: str, given, wanted: str) -> list:
    """Return the members of what is a list, or otherwise holds several."""
    if not holds_several(given):
        raise TypeError(f"{name}: expected {wanted}, came {shown(given)}")
    return list(given)


def holds_several(given) -> bool:
    """Whether this has members; an array without an axis has none."""
    return isinstance(given, Iterable) and getattr(given, "ndim", 1) != 0


def line(name: str, given) -> str:
    """Return a string that fits on one line: a title, a label."""
    if not isinstance(given, str):
        raise TypeError(f"{name}: expected a string, came {type(given).__name__} {shown(given)}")
    if any(category(c) in ("Cc", "Zl", "Zp") or c in "\ufffe\uffff" for c in unicode(name, given)):
        raise ValueError(
            f"{name}: expected one line without control characters, came {shown(given)}"
        )
    return given


def line_or(name: str, given, otherwise: str = "") -> str:
    """Return a line, or where nothing is given (None or no text) another one."""
    return (
        otherwise if given is None or (isinstance(given, str) and not given) else line(name, given)
    )


def whole(name: str, value, expected: str = "a whole number") -> int:
    """Return a whole number; True and False are none."""
    flag = isinstance(value, bool) or "bool" in str(getattr(value, "dtype", ""))
    try:
        number = None if flag else index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name}: expected {expected}, came {shown(value)}")
    return number


def real(name: str, value) -> float:
    """Return a number as a float; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}: expected a number, came {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name}: expected a float, came an integer beyond any float") from None


def within(name: str, value, low: int, high: int) -> int:
    """Return a whole number between two bounds."""
    number = whole(name, value, f"a whole number from {low} to {high}")
    if not low <= number <= high:
        raise ValueError(f"{name}: expected {low} to {high}, came {shown(number)}")
    return number
