"""Pictures of coloured shapes with every true caption, and questions that need the picture.

The pictures of decks 000 and 002 (captions, attention over regions, visual question answering) in
small: two to four things, each with a colour, a shape, a size and a place.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

import torch
from torch import Tensor

from seqviz.arguments import MANY, checked_flag, checked_integer, checked_type

SIDE = 64  # pixels of a picture
COLOURS = {
    "red": (0.85, 0.15, 0.15),
    "green": (0.15, 0.6, 0.2),
    "blue": (0.15, 0.3, 0.85),
    "yellow": (0.95, 0.85, 0.15),
    "purple": (0.55, 0.2, 0.65),
}
SHAPES = ("circle", "square", "triangle", "cross")
SIZES = {"small": (5, 6), "large": (9, 10)}  # pixels from the middle to the edge
UNSEEN = {("red", "triangle"), ("blue", "circle"), ("green", "cross")}  # kept from training
CLEAR = 1.5  # how many times as far across as along, to be called "left of"


@dataclass(frozen=True)
class Thing:
    """One coloured shape.

    Parameters
    ----------
    colour, shape, size : str
        Keys of `COLOURS` and `SIZES`, one of `SHAPES`.
    x, y : int
        Pixels from the left and from the top to its middle.
    radius : int
        Pixels from its middle to its edge.
    """

    colour: str
    shape: str
    size: str
    x: int
    y: int
    radius: int

    @property
    def name(self) -> str:
        """Its colour and shape, which no other thing of its picture has."""
        return f"{self.colour} {self.shape}"

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Pixels: left, top, right, bottom."""
        return (
            self.x - self.radius,
            self.y - self.radius,
            self.x + self.radius,
            self.y + self.radius,
        )

    def covers(self) -> Tensor:
        """How much of each pixel of its box it covers, of sixteen points in a pixel."""
        side = 2 * self.radius
        at = (torch.arange(4 * side) + 0.5) / (2 * side) - 1  # in radii from the middle
        inside = DRAWN[self.shape](at[None], at[:, None]).float()
        return inside.view(side, 4, side, 4).mean(dim=(1, 3))


@dataclass(frozen=True)
class Scene:
    """A picture before it is drawn, and all that can be said of it.

    Parameters
    ----------
    things : tuple of Thing
        Two to four; none touches another.
    light : float
        Grey of the background, from 0 to 1.
    """

    things: tuple[Thing, ...]
    light: float

    @property
    def captions(self) -> list[tuple[str, ...]]:
        """Every true caption, such as "a red circle above a blue square", split into words."""
        return [
            ("a", a.colour, a.shape, *where, "a", b.colour, b.shape)
            for a, b in permutations(self.things, 2)
            if (where := relation(a, b))
        ]

    def picture(self) -> Tensor:
        """Return it drawn, (3, 64, 64), from 0 to 1."""
        picture = torch.full((3, SIDE, SIDE), self.light)
        for thing in self.things:
            left, top, right, bottom = thing.box
            part = picture[:, top:bottom, left:right]
            part.lerp_(torch.tensor(COLOURS[thing.colour])[:, None, None], thing.covers())
        return picture


@dataclass(frozen=True)
class Asked:
    """A question about a picture.

    Parameters
    ----------
    scene : Scene
    words : tuple of str
        The question, split.
    answer : str
        One word.
    """

    scene: Scene
    words: tuple[str, ...]
    answer: str


def relation(a: Thing, b: Thing) -> tuple[str, ...]:
    """Where a is, seen from b; nothing where it is neither clearly beside nor clearly above."""
    across, down = a.x - b.x, a.y - b.y
    if abs(across) >= CLEAR * abs(down):
        return ("left", "of") if across < 0 else ("right", "of")
    if abs(down) >= CLEAR * abs(across):
        return ("above",) if down < 0 else ("below",)
    return ()


def shapes(count: int, seed: int = 0, unseen: bool = False) -> list[Scene]:
    """Draw scenes of two to four things.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        0 or more. The same seed gives the same scenes.
    unseen : bool
        Whether each has a pair of colour and shape that others never have: a red triangle, a blue
        circle or a green cross.

    Returns
    -------
    list of Scene
        Each has one true caption at least.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If `count` is below one or `seed` below zero.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    unseen = checked_flag("unseen", unseen)
    return [_scene(draw, unseen) for _ in range(checked_integer("count", count, 1, MANY))]


def shape_questions(count: int, seed: int = 0) -> list[Asked]:
    """Draw questions with scenes, balanced: no question has an answer that is the likelier one.

    Four kinds: "what colour is the circle ?", "what shape is the red one ?", "is there a red
    circle ?", "how many things are there ?". Question and answer are drawn first, each answer of a
    question alike; then scenes are drawn until one fits.

    Parameters
    ----------
    count, seed
        As in :func:`shapes`.

    Returns
    -------
    list of Asked

    Raises
    ------
    TypeError, ValueError
        As from :func:`shapes`.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    return [_asked(draw) for _ in range(checked_integer("count", count, 1, MANY))]


def pictures_of(scenes: Sequence[Scene]) -> Tensor:
    """Return scenes drawn, (scenes, 3, 64, 64).

    Raises
    ------
    TypeError
        If `scenes` is no sequence of `Scene`.
    """
    if not checked_type("scenes", scenes, Sequence, "a list of Scene"):
        raise ValueError("scenes must hold at least one, got none")
    return torch.stack(
        [checked_type("scenes", scene, Scene, "a list of Scene").picture() for scene in scenes]
    )


def _scene(draw: random.Random, unseen: bool) -> Scene:
    while True:
        pairs = [(c, s) for c in COLOURS for s in SHAPES if (c, s) not in UNSEEN]
        chosen = draw.sample(pairs, draw.randint(2, 4))
        if unseen:
            chosen[draw.randrange(len(chosen))] = draw.choice(sorted(UNSEEN))
        scene = Scene(_placed(draw, chosen), draw.uniform(0.8, 1.0))
        if len(scene.things) == len(chosen) and scene.captions:
            return scene


def _placed(draw: random.Random, chosen: list[tuple[str, str]]) -> tuple[Thing, ...]:
    """The things at random places where none touches another; fewer if one finds no place."""
    things: list[Thing] = []
    for colour, shape in chosen:
        size = draw.choice(sorted(SIZES))
        radius = draw.randint(*SIZES[size])
        for _ in range(20):
            x, y = (draw.randint(radius + 1, SIDE - radius - 1) for _ in range(2))
            if all(max(abs(x - t.x), abs(y - t.y)) > radius + t.radius + 1 for t in things):
                things.append(Thing(colour, shape, size, x, y, radius))
                break
    return tuple(things)


def _asked(draw: random.Random) -> Asked:
    kind = draw.choice(("colour", "shape", "there", "many"))
    colour, shape = draw.choice(sorted(COLOURS)), draw.choice(SHAPES)
    if kind == "colour":
        words = ("what", "colour", "is", "the", shape, "?")
        answer = draw.choice([c for c in COLOURS if (c, shape) not in UNSEEN])
        fits = _only(lambda thing: thing.shape == shape, lambda thing: thing.colour == answer)
    elif kind == "shape":
        words = ("what", "shape", "is", "the", colour, "one", "?")
        answer = draw.choice([s for s in SHAPES if (colour, s) not in UNSEEN])
        fits = _only(lambda thing: thing.colour == colour, lambda thing: thing.shape == answer)
    elif kind == "there":
        colour, shape = draw.choice(
            [(c, s) for c in COLOURS for s in SHAPES if (c, s) not in UNSEEN]
        )
        words, answer = ("is", "there", "a", colour, shape, "?"), draw.choice(("yes", "no"))
        name = f"{colour} {shape}"

        def fits(things: tuple[Thing, ...]) -> bool:
            return (name in [thing.name for thing in things]) == (answer == "yes")
    else:
        words = ("how", "many", "things", "are", "there", "?")
        answer = draw.choice(("two", "three", "four"))

        def fits(things: tuple[Thing, ...]) -> bool:
            return len(things) == ("two", "three", "four").index(answer) + 2

    while not fits((scene := _scene(draw, False)).things):
        pass
    return Asked(scene, words, answer)


def _only(
    meant: Callable[[Thing], bool], right: Callable[[Thing], bool]
) -> Callable[[tuple[Thing, ...]], bool]:
    """Whether one thing alone is meant, and it is right."""

    def fits(things: tuple[Thing, ...]) -> bool:
        found = [thing for thing in things if meant(thing)]
        return len(found) == 1 and right(found[0])

    return fits


DRAWN = {  # whether a point, in radii from the middle, lies inside
    "circle": lambda x, y: x**2 + y**2 <= 1,
    "square": lambda x, y: (x.abs() <= 0.9) & (y.abs() <= 0.9),
    "triangle": lambda x, y: (y <= 0.9) & (y >= 2 * x.abs() - 1),
    "cross": lambda x, y: (
        ((x.abs() <= 0.33) & (y.abs() <= 1)) | ((y.abs() <= 0.33) & (x.abs() <= 1))
    ),
}
