"""A sound as a small WAV file, which every browser plays."""

import struct
from collections.abc import Sequence

import numpy as np

from seqviz.views.shared.checking import numbers, within

RATES = 3000, 96_000
MOST_SAMPLES = 4_000_000
BYTES = 2  # a sample
TICKS = 100  # a second


def waveform(name: str, given, last_start: int) -> bytes:
    """Return samples from -1 to 1 as a mono WAV file of 16 bits, or nothing for None.

    Parameters
    ----------
    name : str
        Of the argument.
    given : (array, int) or None
        Samples (N,), and how many make a second.
    last_start : int
        The tick at which the last note begins, which the sound must reach.
    """
    if given is None:
        return b""
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise TypeError(f"{name}: expected (samples, rate), came {type(given).__name__}")
    rate = within(f"{name}, rate", given[1], *RATES)
    samples = numbers(f"{name}, samples", given[0])
    if samples.ndim != 1 or not 1 <= len(samples) <= MOST_SAMPLES:
        raise ValueError(
            f"{name}, samples: expected shape (N,) with N from 1 to {MOST_SAMPLES:,}, came "
            f"{samples.shape}: one channel, and a lower rate for a long piece"
        )
    if (loudest := float(np.abs(samples).max())) > 1:
        raise ValueError(
            f"{name}, samples: expected -1 to 1, came {loudest:.4g}: divide by the largest"
        )
    if len(samples) * TICKS < last_start * rate:
        raise ValueError(
            f"{name} lasts {len(samples) / rate:.2f} s, but the last note begins at "
            f"{last_start / TICKS:.2f} s: hand in the rate that the samples were made with"
        )
    data = np.round(samples * 32767).astype("<i2").tobytes()
    shape = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, rate, rate * BYTES, BYTES, 8 * BYTES)
    chunks = b"WAVE" + shape + struct.pack("<4sI", b"data", len(data)) + data
    return struct.pack("<4sI", b"RIFF", len(chunks)) + chunks
