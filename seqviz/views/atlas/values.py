"""What an atlas is made of, checked: scores of heads, and sentences that show them."""

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seqviz.views.shared.checking import strings

WANTED = "expected what sv.atlas(...).save(path) wrote, its path or its arrays by name"
FORMAT = 1
# The axes of each array: heads, scores, kinds, places, examples; other sizes stand as numbers.
AXES = {
    "values": "HS",
    "even": "S",
    "held": "HK",
    "most": "HP",
    "profile": "HO",
    "reach": "HD",
    "sentence": "HE",
    "does": "HE",
    "link": "HE",
    "begins": "HE",
}
LISTS = ("heads", "scores", "places", "kinds", "ranks", "texts", "special", "queries", "keys")
NUMBERS = ("sentences", "given", "run", "cut", "words", "ranked")
NONE = 255  # no key


@dataclass(frozen=True)
class Found:
    """What was found: arrays by name as `AXES` has them, and `told`, what JSON holds."""

    arrays: dict[str, np.ndarray]
    told: dict

    @property
    def heads(self) -> list[str]:
        """What the heads are called, such as 2.1: layer and head."""
        return [f"{layer}.{head}" for layer, head in self.told["heads"]]

    def kinds(self, head: int) -> list[str]:
        """The kinds that a head is of."""
        held = self.arrays["held"][head]
        return [name for (name, *_), is_one in zip(self.told["kinds"], held, strict=True) if is_one]


def found_of(given) -> Found:
    """Check what is to be shown."""
    arrays = _loaded(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(arrays, Mapping):
        raise TypeError(f"found: {WANTED}; came {type(given).__name__}")
    if missing := [name for name in (*AXES, "rows", "told") if name not in arrays]:
        raise ValueError(f"found: has no {missing[0]!r}; {WANTED}")
    told = _told(arrays["told"])
    sizes = {
        "H": len(told["heads"]),
        "S": len(told["scores"]),
        "K": len(told["kinds"]),
        "P": len(told["places"]),
        "E": len(told["ranks"]),
    }
    kept = {name: np.asarray(arrays[name]) for name in (*AXES, "rows")}
    for name, axes in AXES.items():
        _check_shape(name, kept[name], axes, sizes)
    _check_examples(kept, told)
    return Found(kept, told)


def _loaded(path) -> dict[str, np.ndarray]:
    if not Path(path).is_file():
        raise ValueError(f"found: {os.fspath(path)!r} is no file: give what view.save(path) wrote")
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"found: {os.fspath(path)!r} is damaged ({error}); {WANTED}") from None


def _told(given) -> dict:
    """The names and texts."""
    try:
        told = json.loads(np.asarray(given).tobytes())
        again = told["format"] == FORMAT
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"found: 'told' is no JSON of an atlas ({error}); {WANTED}") from None
    if not again:
        raise ValueError(f"found: is of format {told['format']}, expected {FORMAT}: run it again")
    for name in LISTS:
        if not isinstance(told.get(name), list):
            raise ValueError(f"found: 'told' has no list {name!r}; {WANTED}")
    for name in NUMBERS:
        if not isinstance(told.get(name), int):
            raise ValueError(f"found: 'told' has no number {name!r}; {WANTED}")
    for k, words in enumerate(told["texts"]):
        strings(f"found: texts[{k}]", words)
    if not told["heads"]:
        raise ValueError(f"found: has no heads; {WANTED}")
    return told


def _check_shape(name: str, array: np.ndarray, axes: str, sizes: dict[str, int]) -> None:
    wanted = [sizes.get(axis) for axis in axes]
    fits = array.ndim == len(axes) and array.dtype.kind in "fiu"
    if not fits or any(n not in (None, m) for n, m in zip(wanted, array.shape, strict=True)):
        shape = ", ".join("any" if n is None else str(n) for n in wanted)
        raise ValueError(f"found: {name} is {array.dtype} {array.shape}, expected ({shape})")
    if np.isinf(array).any():
        raise ValueError(f"found: {name} is infinite at {tuple(np.argwhere(np.isinf(array))[0])}")


def _check_examples(arrays: Mapping[str, np.ndarray], told: dict) -> None:
    """That each example is of a sentence, and has a row for each of its words."""
    sentence, begins, rows = arrays["sentence"], arrays["begins"], arrays["rows"]
    if rows.ndim != 3 or len(rows) != 2 or rows.dtype != np.uint8:
        raise ValueError(f"found: rows is {rows.dtype} {rows.shape}, expected bytes (2, rows, 8)")
    lengths = np.array([len(words) for words in told["texts"]])
    if not len(lengths) or sentence.min() < 0 or sentence.max() >= len(lengths):
        raise ValueError(f"found: sentence names one beyond the {len(lengths)} that texts has")
    each = lengths[sentence]
    if begins.min() < 0 or (begins + each).max() > rows.shape[1]:
        raise ValueError("found: begins is beyond the end of rows")
    if arrays["does"].min() < 0 or arrays["does"].max() >= len(told["places"]):
        raise ValueError(f"found: does is beyond the {len(told['places'])} places")
    ends = np.zeros(rows.shape[1], int)
    for begin, length in zip(begins.ravel(), each.ravel(), strict=True):
        ends[begin : begin + length] = length
    keys = rows[0][ends > 0]
    if ((keys != NONE) & (keys >= ends[ends > 0, None])).any():
        raise ValueError("found: rows names a key beyond the end of its sentence")
