"""What travels as one part: arrays by name, and beside them whatever JSON holds."""

import json
import struct

import numpy as np

KINDS = {"f": "<f4", "u": "<u1", "i": "<i4", "b": "<u1"}  # float64 travels where it is asked for


def packed(*, exact: bool = False, **values) -> bytes:
    """Arrays and other values by name; `unpacked` of codec.js gives the same back.

    Parameters
    ----------
    exact : bool
        Whether floats travel as float64, else as float32. Unsigned numbers of a byte and truths
        travel as bytes, other whole numbers as int32.
    values : arrays of any shape, which come back as one row; or what JSON holds
    """
    head, rows, at = {}, [], 0
    for name, value in values.items():
        if not isinstance(value, np.ndarray):
            head[name] = {"is": value}
            continue
        kind = "<f8" if exact and value.dtype.kind == "f" else KINDS[value.dtype.kind]
        kind = "<i4" if value.dtype.kind == "u" and value.dtype.itemsize > 1 else kind
        row = np.ascontiguousarray(value, kind).tobytes()
        head[name] = {"kind": kind[1:], "from": at, "count": value.size}
        rows.append(row + bytes(-len(row) % 8))
        at += len(rows[-1])
    told = json.dumps(head, separators=(",", ":")).encode()
    return b"".join([struct.pack("<I", len(told)), told, *rows])
