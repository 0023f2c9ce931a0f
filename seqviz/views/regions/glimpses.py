"""Glimpses of a picture: where each one lies, what has been seen, and what is said of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from seqviz.views.regions.checks import classes, fields, picture, stack, windows
from seqviz.views.regions.films import Windows, shades
from seqviz.views.regions.geometry import corners, covers, gathered, regions_of

NEEDED = ("picture", "windows", "probabilities", "classes")
OPTIONAL = ("seen", "label")


@dataclass(frozen=True)
class Glimpses(Windows):
    """T glimpses of a picture, and after each what it is taken for.

    Attributes
    ----------
    picture : array, (h, w) or (h, w, 3)
    light : array, (T, h, w)
        How much of each pixel has been seen up to this glimpse.
    shares : array, (T,)
        How much of the picture that is.
    """

    picture: np.ndarray
    light: np.ndarray
    shares: np.ndarray

    kind = "glimpses"
    quantity = "share seen"

    @property
    def opening(self) -> int:
        """The change of mind to the last answer; the end, if there was none or it is wrong."""
        best, last = self.p.argmax(axis=1).tolist(), self.steps - 1
        if self.label not in (None, best[last]) or best == best[:1] * self.steps:
            return last
        return 1 + max(t for t in range(last) if best[t] != best[last])

    def values(self) -> dict:
        """Arrays and words by name; pictures as bytes."""
        pictures = {"base": shades(self.picture), "light": shades(self.light)}
        coloured = self.picture.ndim == 3
        return {**super().values(), **pictures, "coloured": coloured, "shares": self.shares}

    def said(self, k: int) -> Iterator[tuple]:
        """What else is known of a step: item, quantity, value."""
        yield "picture", "share seen up to here", self.shares[k]
        yield from super().said(k)


def glimpses_of(where: str, given: Mapping, title: str) -> Glimpses:
    """Check one picture with its glimpses."""
    fields(where, given, NEEDED, OPTIONAL)
    shown = picture(f"{where}['picture']", given["picture"])
    size = shown.shape[:2]
    frames = windows(f"{where}['windows']", given["windows"])
    names, p, label = classes(where, given, len(frames))
    seen = given.get("seen")
    each = (
        covers(corners(frames), size, size)
        if seen is None
        else stack(f"{where}['seen']", seen, size, len(frames)).astype(float)
    )
    each = stack(f"{where}['windows']", each, size, len(frames)).astype(float)
    light = 1 - np.cumprod(1 - each, axis=0)
    grid = regions_of(size)
    counts = gathered(np.ones((1, *size)), grid)
    return Glimpses(
        title,
        size,
        grid,
        (gathered(each, grid) / counts).reshape(len(frames), -1).astype(np.float32),
        frames,
        names,
        p,
        label,
        shown,
        light,
        light.mean(axis=(1, 2)).astype(np.float32),
    )
