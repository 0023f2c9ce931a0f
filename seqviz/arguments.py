"""The checks that every function makes of its arguments: each error names one, and the fix."""

import math
import operator
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from numbers import Real
from pathlib import Path
from types import UnionType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from seqviz.telling import shown

LARGEST = 2**63 - 1  # of torch's and NumPy's integers
NUMBERS = 2**30  # of one tensor: 4 GB in float32
DEPTH = 1000  # layers of a model: none that is known has more
MANY = 1_000_000  # that a loop takes in one call


def as_integer(value: Any) -> int | None:
    """Python's int of an integer of Python, NumPy or torch, or None: truth values are none.

    A length that is left free while torch exports a model stays as it is.
    """
    if isinstance(value, torch.SymInt):
        return value
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

    Raises
    ------
    TypeError, ValueError
        If it is no integer, or lies outside.
    """
    number = as_integer(value)
    if number is None:
        raise TypeError(f"{name} must be an integer, got {shown(value)}")
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, got {shown(number)}")
    if number > most:
        bits = most.bit_length()
        limit = f"2**{bits} - 1, the largest that torch takes" if bits >= 63 else most
        raise ValueError(f"{name} must be at most {limit}, got {shown(number)}")
    return number


def checked_size(name: str, value: Any, each: int = 1, square: bool = False) -> int:
    """Return a size from one on: of a tensor with `each` numbers for each one, or each pair.

    Raises
    ------
    TypeError
        If `value` is no integer.
    ValueError
        If it is below one, or the tensor would hold more than 2**30 numbers: none is made.
    """
    number = checked_integer(name, value, 1)
    most = math.isqrt(NUMBERS // each) if square else NUMBERS // max(each, 64)
    if number > most:
        raise ValueError(
            f"{name} must be at most {most}, or one tensor holds over 2**30 numbers, 4 GB, got "
            f"{shown(number)}: take a smaller one"
        )
    return number


def checked_number(
    name: str,
    value: Any,
    least: float = -math.inf,
    most: float = math.inf,
    *,
    above: float = -math.inf,
    infinite: bool = False,
    fix: str = "",
) -> float:
    """Return an argument as Python's float: finite unless it may not be, within its limits.

    Raises
    ------
    TypeError
        If `value` is no number; a truth value is none.
    ValueError
        If it lies outside or not `above`, is NaN, infinite, or an integer beyond any float.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be a float, got an integer beyond any float") from None
    fits = math.isfinite(number) or (infinite and math.isinf(number))
    if not (fits and least <= number <= most and (number > above or above == -math.inf)):
        if most < math.inf:
            low = f"be above {above}" if above > -math.inf else f"lie between {least}"
            wanted = f"{low} and {'at most ' * (above > -math.inf)}{most}"
        else:
            low = f" and above {above}" if above > -math.inf else f" and at least {least}"
            wanted = f"be finite{low * (max(least, above) > -math.inf)}"
        raise ValueError(f"{name} must {wanted}, got {number}{fix}")
    return number


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
        f"{name} must be True or False, got {shown(value)}: write {name}=True or {name}=False, and "
        "another argument with its name"
    )


def checked_name(
    name: str, value: Any, known: Iterable[str], called: Mapping[str, str] | None = None
) -> str:
    """Return an argument that is one of some names; `called` maps what else they are called.

    Raises
    ------
    TypeError
        If it is no string.
    ValueError
        If it is another string; the message has the closest name.
    """
    known = list(known)
    wanted = f"{name} must be one of {', '.join(map(repr, known))}, got {shown(value)}"
    if not isinstance(value, str):
        raise TypeError(f"{wanted}: give one name, as a string")
    if value not in known:
        close = (called or {}).get(value.lower()) or closest(value, known)
        raise ValueError(f"{wanted}; did you mean {close!r}?" if close else wanted)
    return value


def closest(value: str, known: Iterable[str]) -> str | None:
    """Return the name that is nearest in spelling, if one is near."""
    return next(iter(get_close_matches(value.lower(), list(known), n=1, cutoff=0.5)), None)


def checked_type(name: str, value: Any, kind: type | UnionType, wanted: str) -> Any:
    """Return an argument of some type; `wanted` says in words what it must be."""
    if not isinstance(value, kind) or (kind is Iterable and getattr(value, "ndim", 1) == 0):
        plain = isinstance(value, str | Real) or value is None
        got = shown(value if plain else type(value).__name__)
        raise TypeError(f"{name} must be {wanted}, got {got}")
    return value


def checked_floats(name: str, x: Any, layout: str = "", fix: str = "") -> Tensor:
    """Return an argument that is a float tensor."""
    if not isinstance(x, Tensor) or not x.is_floating_point():
        raise TypeError(f"{name} must be a float tensor{layout}, got {_kind(x)}{fix}")
    return x


def checked_tensor(name: str, x: Any, dtypes: Collection[torch.dtype], wanted: str) -> Tensor:
    """Return an argument that is a tensor of one of these types; `wanted` says it in words."""
    if not isinstance(x, Tensor) or x.dtype not in dtypes:
        what, _, fix = wanted.partition(": ")
        raise TypeError(f"{name} must be {what}, got {_kind(x)}{fix and f': {fix}'}")
    return x


def _kind(x: Any) -> str:
    return str(x.dtype) if isinstance(x, Tensor) else type(x).__name__


def renamed(error: Exception, **names: str) -> Exception:
    """Return an error that calls arguments what the caller wrote: ours=theirs."""
    if type(error) not in (TypeError, ValueError):
        return error
    pattern = rf"(?<!\w)({'|'.join(names)})(?!\w)"
    return type(error)(re.sub(pattern, lambda found: names[found[0]], str(error)))


def checked_words(name: str, words: Any) -> list[str]:
    """Return an argument that is a line of words; a text is none, for it must be split first."""
    if isinstance(words, str):
        raise TypeError(
            f"{name} must be a list of words, got the text {shown(words)}: use text.split()"
        )
    checked_type(name, words, Sequence, "a list of words")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} must be a list of words, got {shown(word)} among them")
    return list(words)


def checked_text(name: str, text: Any) -> str:
    """Return a text without half characters, which libraries in other languages refuse."""
    if any("\ud800" <= letter <= "\udfff" for letter in checked_type(name, text, str, "a text")):
        got = f"got half of a surrogate pair: {shown(text)}"
        raise ValueError(f"{name} must be valid Unicode, {got}")
    return text


def checked_path(name: str, value: Any, wanted: str = "the path of a file") -> Path:
    """Return an argument that is a path which a disk can have, be something there or not."""
    checked_type(name, value, str | os.PathLike, wanted)
    try:
        if not os.fspath(value):
            raise ValueError("nothing")
        Path(value).lstat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as error:  # too long, half a character, a null
        why = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{name} must be {wanted}, got {shown(value)}: {why}") from None
    return Path(value)


def read_text(name: str, value: Any, wanted: str) -> str:
    """Return what stands in a file of text; `wanted` says which one it must be."""
    path = checked_path(name, value, wanted)
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, IsADirectoryError) as error:
        raise ValueError(f"{name} must be {wanted}, got {shown(str(path))} ({error})") from None


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
