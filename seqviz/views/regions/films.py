"""What the three kinds of film have in common, and how one travels to the page."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Film:
    """T steps over a picture of h x w pixels, with a grid of R = rows x columns regions.

    Attributes
    ----------
    title : str
        What it is called in the list.
    size, grid : tuple of int
        Pixels (h, w) of the picture; rows and columns of its regions.
    regions : array, (T, R)
        What each step has to do with each region: weight, share seen, share of what is written.
    """

    title: str
    size: tuple[int, int]
    grid: tuple[int, int]
    regions: np.ndarray

    kind = ""
    nouns = ("step", "steps")

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.regions)

    @property
    def opening(self) -> int:
        """The step, from 0, that shows the lesson."""
        return self.steps - 1

    def facts(self) -> dict:
        """What the page is told of it beside the numbers."""
        return {
            "kind": self.kind,
            "title": self.title,
            "size": list(self.size),
            "grid": list(self.grid),
            "steps": self.steps,
            "opening": self.opening,
        }

    def numbers(self) -> list[np.ndarray]:
        """The numbers of the page, one array after another."""
        return [self.regions]

    def pictures(self) -> list[np.ndarray]:
        """The pictures of the page, from 0 to 1; they travel as bytes."""
        raise NotImplementedError

    def packed(self) -> bytes:
        """The count of the numbers, the numbers as float32, then the pictures, a byte a value."""
        row = np.concatenate([np.ravel(part) for part in self.numbers()]).astype("<f4")
        shades = [np.round(255 * np.ravel(part)).astype(np.uint8) for part in self.pictures()]
        return struct.pack("<I", row.size) + row.tobytes() + np.concatenate(shades).tobytes()


def fewest_for_half(weights: Sequence[float]) -> int:
    """How many regions, the heaviest first, hold half of all weight."""
    held, count = 0.0, 0
    half = sum(weights) / 2
    for weight in sorted(weights, reverse=True):
        if held >= half:
            break
        held += weight
        count += 1
    return count
