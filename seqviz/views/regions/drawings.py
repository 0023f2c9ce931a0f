"""A drawing that grows: the canvas after each window, and how much of it is there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from seqviz.views.regions.checks import classes, fields, picture, stack, windows
from seqviz.views.regions.films import Windows, shades
from seqviz.views.regions.geometry import gathered, regions_of

NEEDED = ("canvases", "windows")
OPTIONAL = ("target", "probabilities", "classes", "label")


@dataclass(frozen=True)
class Drawing(Windows):
    """T canvases, each the one before and what was written through a window.

    Without a classifier there are no classes.

    Attributes
    ----------
    canvases : array, (T, h, w)
    target : array, (h, w)
        What was to be drawn; the last canvas if nothing else was handed in.
    goal : str
        What the target is called.
    done : array, (T,)
        1 - sum |target - canvas| / sum target: an empty canvas has 0, the target 1.
    """

    canvases: np.ndarray
    target: np.ndarray
    goal: str
    done: np.ndarray

    kind = "drawing"
    quantity = "share written"

    def values(self) -> dict:
        """Arrays and words by name; pictures as bytes."""
        pictures = {"canvases": shades(self.canvases), "target": shades(self.target)}
        return {**super().values(), **pictures, "goal": self.goal, "done": self.done}

    def said(self, k: int) -> Iterator[tuple]:
        """What else is known of a step: item, quantity, value."""
        yield self.goal, "share there", self.done[k]
        yield from super().said(k)


def drawing_of(where: str, given: Mapping, title: str) -> Drawing:
    """Check one film of canvases."""
    fields(where, given, NEEDED, OPTIONAL)
    canvases = stack(f"{where}['canvases']", given["canvases"], None)
    steps, *size = canvases.shape
    frames = windows(f"{where}['windows']", given["windows"], steps)
    target, goal = target_of(where, given.get("target"), canvases)
    names, p, label = [], np.zeros((steps, 0), np.float32), None
    if (given.get("classes") is None) != (given.get("probabilities") is None):
        raise ValueError(f"{where}: expected 'classes' with 'probabilities', came one of both")
    if given.get("classes") is not None:
        names, p, label = classes(where, given, steps)
    wide = canvases.astype(float)
    written = np.abs(np.diff(wide, axis=0, prepend=0))
    whole = target.astype(float).sum()
    grid = regions_of(size)
    return Drawing(
        title,
        tuple(size),
        grid,
        (gathered(written, grid) / whole).reshape(steps, -1).astype(np.float32),
        frames,
        names,
        p,
        label,
        canvases,
        target,
        goal,
        (1 - np.abs(target - wide).sum(axis=(1, 2)) / whole).astype(np.float32),
    )


def target_of(where: str, given, canvases: np.ndarray) -> tuple[np.ndarray, str]:
    """What is to be drawn, and what it is called."""
    name, goal, target = f"{where}['target']", "target", given
    if given is None:
        name, goal, target = f"{where}['canvases'][-1]", "last canvas", canvases[-1]
    target = picture(name, target)
    if target.shape != canvases.shape[1:]:
        raise ValueError(f"{name}: expected shape {canvases.shape[1:]}, came {target.shape}")
    if not target.any():
        raise ValueError(f"{name}: expected something that is drawn, came an empty picture")
    return target, goal
