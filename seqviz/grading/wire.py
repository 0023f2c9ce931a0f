"""Plain values as bytes and back, in a format that runs nothing: JSON, and arrays as safetensors.

None, truth values, numbers, texts, lists, tuples, sets, dicts, tensors and numpy's arrays go
through; all else is refused. What reads them needs no trust in what wrote them.
"""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import BinaryIO

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

LARGEST = 64 * 2**20  # bytes of one value
TREE = 4 * 2**20  # of them its structure
LONGEST = 10_000  # values that are taken from an iterator
PLAIN = (bool, int, float, str)
BROKEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    SafetensorError,
    TypeError,
    ValueError,
)
KINDS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


class Unfit(TypeError):
    """A value that is not plain, or bytes that hold none; its text completes "it gives ..."."""


def encode(value, keep: Callable | None = None) -> bytes:
    """Write a value.

    Parameters
    ----------
    value : any
        A plain value; subclasses are written as what they derive from.
    keep : callable, optional
        Takes what is not plain and gives a number that stands for it.

    Returns
    -------
    bytes
        Eight bytes with the size of the structure, the structure, the arrays.

    Raises
    ------
    Unfit
        If a part is not plain and `keep` is not given, or all is too large.
    """
    arrays: dict[str, torch.Tensor] = {}

    def placed(kind: str, array) -> dict:
        name = str(len(arrays))
        try:
            arrays[name] = torch.as_tensor(array).detach().cpu().contiguous().clone()
        except TypeError:  # a type of numpy's that torch does not know
            raise Unfit(_told(array)) from None
        return {kind: name}

    def tree(part):
        if part is None:
            return None
        if part is ...:
            return {"ellipsis": True}
        for kind in PLAIN:
            if isinstance(part, kind) and not isinstance(part, np.generic):
                return kind(part)
        if isinstance(part, torch.Tensor) and part.layout is torch.strided:
            order = sorted(range(part.dim()), key=lambda k: -part.stride(k))
            if order == list(range(part.dim())):
                return placed("tensor", part)
            return {"turned": [order, placed("tensor", part.permute(order))]}
        if isinstance(part, np.ndarray) and part.dtype.kind in "biuf":
            return placed("array", np.array(part, order="C"))
        if isinstance(part, np.generic) and part.dtype.kind in "biuf":
            return placed("scalar", np.asarray(part))
        if isinstance(part, dict):
            return {"dict": [[tree(key), tree(one)] for key, one in part.items()]}
        for name, kind in KINDS.items():
            if isinstance(part, kind):
                return {name: [tree(one) for one in part]}
        if isinstance(part, Iterator):
            return {"list": [tree(one) for one in islice(part, LONGEST)]}
        if keep is not None:
            return {"kept": keep(part)}
        raise Unfit(_told(part))

    try:
        structure = json.dumps(tree(value)).encode()
    except RecursionError:
        raise Unfit("a value that holds itself, or is nested too deeply") from None
    whole = len(structure).to_bytes(8) + structure + (save(arrays) if arrays else b"")
    if len(structure) > TREE or len(whole) > LARGEST:
        raise Unfit(f"{len(whole) / 2**20:.0f} MB, more than the grader takes")
    return whole


def decode(data: bytes, kept: Callable | None = None):
    """Read a value that `encode` wrote, or whoever else.

    Parameters
    ----------
    data : bytes
        The value.
    kept : callable, optional
        Takes the number of something that is not plain and gives it.

    Returns
    -------
    any
        Plain values alone, but for what `kept` gives.

    Raises
    ------
    Unfit
        If the bytes hold no such value.
    """
    try:
        size = int.from_bytes(data[:8])
        if size > TREE or len(data) > LARGEST:
            raise Unfit("more than the grader takes")
        arrays = load(data[8 + size :]) if len(data) > 8 + size else {}
        return _grown(json.loads(data[8 : 8 + size]), arrays, kept)
    except Unfit:
        raise
    except BROKEN:
        raise Unfit("something that is no plain value") from None


def _grown(node, arrays: dict, kept: Callable | None):
    """The value of a node of the structure."""
    if not isinstance(node, dict):
        return node
    ((kind, body),) = node.items()
    if kind in KINDS:
        return KINDS[kind](_grown(part, arrays, kept) for part in body)
    if kind == "dict":
        return {_grown(key, arrays, kept): _grown(one, arrays, kept) for key, one in body}
    if kind == "ellipsis":
        return ...
    if kind == "kept" and kept is not None:
        return kept(body)
    array = arrays[body] if kind in ("tensor", "array", "scalar") else None
    if kind == "tensor":
        return array
    if kind == "turned":  # a transpose stays one
        order, body = body
        return _grown(body, arrays, kept).permute([order.index(k) for k in range(len(order))])
    if kind == "array":
        return array.numpy()
    if kind == "scalar":
        return array.numpy()[()]
    raise Unfit("something that is no plain value")


def _told(part) -> str:
    """What a value is, that is not plain."""
    if isinstance(part, torch.Tensor):
        return f"a tensor with the layout {part.layout}"
    if isinstance(part, np.ndarray | np.generic):
        return f"numpy values of the type {part.dtype}"
    return f"a {type(part).__name__}"


# ---- messages: eight bytes with the size, the message
def put(file: BinaryIO, message: bytes) -> None:
    """Write a message."""
    file.write(len(message).to_bytes(8) + message)
    file.flush()


def get(file: BinaryIO) -> bytes | None:
    """Read a message; None where the other side has ended or writes what is none."""
    size = int.from_bytes(file.read(8))
    if not 0 < size <= LARGEST:
        return None
    message = file.read(size)
    return message if len(message) == size else None
