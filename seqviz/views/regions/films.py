"""What the kinds of film have in common, and how one travels to the page."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from seqviz.views.shared.codec import packed


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
    quantity = ""  # what `regions` holds
    asks = 0  # the place in focus when it opens, from 1; 0 for none

    @property
    def places(self) -> int:
        """How many places can be in focus."""
        return self.regions.shape[1]

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.regions)

    @property
    def opening(self) -> int:
        """The step, from 0, that shows the lesson."""
        return self.steps - 1

    def goes_on(self, before: "Film") -> bool:
        """Whether step and place stay in focus when it follows another film."""
        return False

    def facts(self) -> dict:
        """What the page is told of it before it is shown."""
        names = ("kind", "title", "size", "grid", "steps", "opening")
        return {name: getattr(self, name) for name in names}

    def packed(self) -> bytes:
        """What the page asks for when it is shown."""
        return packed(regions=self.regions, **self.values())

    def values(self) -> dict:
        """Arrays and words by name; pictures as bytes."""
        raise NotImplementedError

    def rows(self, asked: int = 0) -> Iterator[list]:
        """Rows of a table: step, item, quantity, value; what is asked at a place, some know."""
        for k, shares in enumerate(self.regions.astype(float)):
            for r, share in enumerate(shares):
                yield [str(k + 1), self.place(r), self.quantity, float(share)]
            for item, quantity, value in self.said(k):
                yield [str(k + 1), item, quantity, float(value)]

    def said(self, k: int) -> Iterator[tuple]:
        """What else is known of a step: item, quantity, value."""
        raise NotImplementedError

    def place(self, r: int) -> str:
        """A region by its row and column."""
        row, column = divmod(r, self.grid[1])
        return f"row {row + 1}, column {column + 1}"


@dataclass(frozen=True)
class Windows(Film):
    """A film of windows, and of what is said after each.

    Attributes
    ----------
    windows : array, (T, 4)
        Centre x, centre y, width, height in pixels.
    classes : list of str
    p : array, (T, C)
        Their probabilities after each step.
    label : int or None
        The true class.
    """

    windows: np.ndarray
    classes: list[str]
    p: np.ndarray
    label: int | None

    def values(self) -> dict:
        """Arrays and words by name; pictures as bytes."""
        return {name: getattr(self, name) for name in ("windows", "classes", "p", "label")}

    def said(self, k: int) -> Iterator[tuple]:
        """What else is known of a step: item, quantity, value."""
        for name, p in zip(self.classes, self.p[k], strict=True):
            yield name, "probability", p
        for side, pixels in zip(("x", "y", "width", "height"), self.windows[k], strict=True):
            yield "window", side, pixels


def shades(picture: np.ndarray) -> np.ndarray:
    """A picture from 0 to 1 as bytes."""
    return np.round(255 * picture).astype(np.uint8)
