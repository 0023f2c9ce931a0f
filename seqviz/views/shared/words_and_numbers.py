"""What travels as one part: numbers as float32, and the words that stand beside them."""

import json
import struct
from collections.abc import Sequence

import numpy as np


def packed(words: Sequence[str], *numbers) -> bytes:
    """The count of the numbers, the numbers, then the words as JSON."""
    row = np.concatenate([np.ravel(part) for part in numbers]).astype("<f4")
    return struct.pack("<I", row.size) + row.tobytes() + json.dumps(list(words)).encode()
