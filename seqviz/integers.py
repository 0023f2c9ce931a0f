"""The check that every function makes of its whole numbers."""

from numbers import Integral
from typing import Any


def checked_integer(name: str, value: Any, least: int | None = None) -> int:
    """Return an argument as Python's int; NumPy's integers are taken, truth values are not.

    Parameters
    ----------
    name : str
        The argument, for the message.
    value : int
    least : int, optional
        The smallest value that is allowed.

    Raises
    ------
    TypeError
        If `value` is no integer.
    ValueError
        If it is below `least`.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if least is not None and value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)
