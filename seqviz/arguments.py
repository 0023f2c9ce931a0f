"""The checks that every function makes of its arguments: each error names one, and the fix."""

import math
import operator
import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import chain
from numbers import Real
from pathlib import Path
from types import UnionType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

LARGEST = 2**63 - 1  # of torch's and NumPy's integers


def as_integer(value: Any) -> int | None:
    """Python's int of an integer of Python, NumPy or torch, or None: truth values are none."""
    if isinstance(value, bool) or getattr(value, "ndim", 0) or getattr(value, "is_meta", False):
        return None
    if isinstance(value, Tensor) and value.dtype == torch.bool:
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def checked_integer(name: str, value: Any, least: int | None = None, most: int = LARGEST) -> int:
    """Return an argument as Python's int; NumPy's and torch's are taken, truth values are not.

    Parameters
    ----------
    name : str
        The argument, for the message.
    value : int
    least, most : int, optional
        The smallest and the largest value that are allowed.

    Raises
    ------
    TypeError
        If `value` is no integer.
    ValueError
        If it lies outside.
    """
    number = as_integer(value)
    if number is None:
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, got {number}")
    if number > most:
        bits = most.bit_length()
        limit = f"2**{bits} - 1, the largest that torch takes" if bits >= 63 else most
        raise ValueError(f"{name} must be at most {limit}, got {number}")
    return number


def checked_number(
    name: str, value: Any, least: float | None = None, most: float = math.inf
) -> float:
    """Return an argument as Python's float, from `least` to `most` if they are given.

    Raises
    ------
    TypeError
        If `value` is no number; a truth value is none.
    ValueError
        If it lies outside, or is NaN where there are limits.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if least is not None and not least <= value <= most:
        raise ValueError(f"{name} must lie between {least} and {most}, got {value!r}")
    return float(value)


def checked_flag(name: str, value: Any) -> bool:
    """Return an argument that is True or False, and nothing that only counts as one of them.

    Raises
    ------
    TypeError
        If it is another thing, such as "False", which counts as true, or a number that stands in
        the place of another argument.
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise TypeError(
        f"{name} must be True or False, got {value!r}: write {name}=True or {name}=False, and "
        "another argument with its name"
    )


def checked_name(name: str, value: Any, known: Iterable[str]) -> str:
    """Return an argument that is one of some names.

    Raises
    ------
    TypeError
        If it is no string.
    ValueError
        If it is another string; the message has the closest name.
    """
    known = list(known)
    wanted = f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}"
    if not isinstance(value, str):
        raise TypeError(f"{wanted}: give one name, as a string")
    if value not in known:
        close = get_close_matches(value.lower(), known, n=1, cutoff=0.5)
        raise ValueError(f"{wanted}; did you mean {close[0]!r}?" if close else wanted)
    return value


def checked_dtype(name: str, value: Any) -> torch.dtype | None:
    """Return a float type of torch, or None."""
    if value is not None and not (isinstance(value, torch.dtype) and value.is_floating_point):
        raise TypeError(f"{name} must be a float type such as torch.float64, got {value!r}")
    return value


def checked_type(name: str, value: Any, kind: type | UnionType, wanted: str) -> Any:
    """Return an argument of some type; `wanted` says in words what it must be."""
    if not isinstance(value, kind):
        got = value if isinstance(value, str | Real) or value is None else type(value).__name__
        raise TypeError(f"{name} must be {wanted}, got {got!r}")
    return value


def checked_words(name: str, words: Any) -> list[str]:
    """Return an argument that is a line of words; a text is none, for it must be split first."""
    if isinstance(words, str):
        raise TypeError(f"{name} must be a list of words, got the text {words!r}: use text.split()")
    checked_type(name, words, Sequence, "a list of words")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} must be a list of words, got {word!r} among them")
    return list(words)


def checked_path(name: str, value: Any) -> Path:
    """Return an argument that is the path of a file."""
    return Path(checked_type(name, value, str | os.PathLike, "the path of a file"))


def refuse_meta(name: str, tensor: Tensor) -> None:
    """Refuse a tensor of the meta device where its numbers are needed."""
    if tensor.is_meta:
        raise ValueError(
            f"{name} must hold numbers, got a tensor on the meta device, which has only a shape: "
            "make it on another device, such as 'cpu'"
        )


def refuse_meta_model(model: nn.Module) -> None:
    """Refuse a model whose weights are on the meta device where their numbers are needed."""
    for path, tensor in chain(model.named_parameters(), model.named_buffers()):
        if tensor.is_meta:
            raise ValueError(
                f"model must hold numbers, but {path} is on the meta device, which has only "
                "shapes: use model.to_empty(device='cpu') and load its weights"
            )


def checked_device(name: str, tensor: Tensor, other: Tensor, what: str = "the weights") -> None:
    """Refuse a tensor on another device than the one it meets."""
    here, there = str(tensor.device), str(other.device)
    if here != there:
        raise ValueError(
            f"{name} must be on {there!r} like {what}, got {here!r}: use {name}.to({there!r})"
        )
