"""Heads over a picture: the weights from each token of a vision transformer to each patch."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from seqviz.telling import shown
from seqviz.views.regions.captions import MOST_GRID
from seqviz.views.regions.checks import fields, picture, steps_of
from seqviz.views.regions.films import Film, shades
from seqviz.views.shared.checking import different, line, numbers, shares, within

NEEDED = ("picture", "attention", "grid")
OPTIONAL = ("tokens", "shuffled")
MOST_WEIGHTS = 16_000_000
SHUFFLED = ("moves with the patches", "stays in place")


@dataclass(frozen=True)
class Attention(Film):
    """T heads of a layer, each with a map from N = R + S tokens to themselves.

    Attributes
    ----------
    picture : array, (h, w) or (h, w, 3)
    special : list of str
        The S tokens that stand for no patch; the tokens come in the order patches, special ones.
    weights : array, (T, N, N)
        `regions` is the mean over the R patches that attend.
    shuffled : array, (T, N, 2), or (0,)
        Which share of a row's weight on patches is the same when the picture's patches are
        shuffled: where they are now, and where they were.
    """

    picture: np.ndarray
    special: list[str]
    weights: np.ndarray
    shuffled: np.ndarray

    kind = "attention"
    quantity = "weight"

    @property
    def opening(self) -> int:
        """The first head."""
        return 0

    @property
    def asks(self) -> int:
        """The first special token, else all patches."""
        return self.regions.shape[1] + 1 if self.special else 0

    @property
    def places(self) -> int:
        """Patches and special tokens."""
        return self.weights.shape[1]

    def goes_on(self, before: Film) -> bool:
        """Whether both are layers of one model."""
        alike = (before.kind, before.grid, before.steps) == (self.kind, self.grid, self.steps)
        return alike and before.special == self.special

    def place(self, r: int) -> str:
        """A patch by its row and column, a special token by its name."""
        inside = r < self.regions.shape[1]
        return super().place(r) if inside else self.special[r - self.regions.shape[1]]

    def facts(self) -> dict:
        """What the page is told of it before it is shown."""
        return super().facts() | {"special": self.special, "asks": self.asks}

    def values(self) -> dict:
        """Arrays by name; a weight on a patch is a byte, 255 sqrt(weight / the row's largest)."""
        patches = self.weights[..., : self.regions.shape[1]]
        tops = patches.max(axis=-1)
        of_top = patches / np.where(tops > 0, tops, 1)[..., None]
        return {
            "base": shades(self.picture),
            "coloured": self.picture.ndim == 3,
            "tops": tops,
            "bytes": np.rint(255 * np.sqrt(of_top)).astype(np.uint8),
            "onSpecial": self.weights[..., self.regions.shape[1] :],
            "shuffled": self.shuffled,
        }

    def rows(self, asked: int = 0) -> Iterator[list]:
        """Rows of a table for the token that asks, from 1, else for the mean of all patches."""
        patches = slice(self.regions.shape[1])
        here = patches if not asked else slice(asked - 1, asked)
        for k in range(self.steps):
            for r, weight in enumerate(self.weights[k, here].mean(axis=0, dtype=float)):
                yield [str(k + 1), self.place(r), self.quantity, float(weight)]
            same = self.shuffled[k, here].mean(axis=0, dtype=float) if self.shuffled.size else ()
            for item, share in zip(SHUFFLED, same, strict=False):
                yield [str(k + 1), item, "share when shuffled", float(share)]


def attention_of(where: str, given: Mapping, title: str) -> Attention:
    """Check the heads of one layer over one picture."""
    fields(where, given, NEEDED, OPTIONAL)
    shown_below = picture(f"{where}['picture']", given["picture"])
    rows, columns = grid_of(f"{where}['grid']", given["grid"], shown_below.shape[:2])
    count = rows * columns
    order, special = tokens_of(f"{where}['tokens']", given.get("tokens"), count)
    weights = weights_of(f"{where}['attention']", given["attention"], len(order))
    weights = weights[:, order][:, :, order]
    return Attention(
        title,
        shown_below.shape[:2],
        (rows, columns),
        weights[:, :count, :count].mean(axis=1),
        shown_below,
        special,
        weights,
        shuffled_of(f"{where}['shuffled']", given.get("shuffled"), weights.shape[:2], order),
    )


def grid_of(name: str, given, size: tuple[int, int]) -> tuple[int, int]:
    """Rows and columns of equal patches."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise TypeError(f"{name}: expected (rows, columns) of patches, came {shown(given)}")
    sides = [within(name, n, 1, min(MOST_GRID, most)) for n, most in zip(given, size, strict=True)]
    if any(pixels % n for n, pixels in zip(sides, size, strict=True)):
        raise ValueError(
            f"{name}: expected patches of whole pixels, came {sides[0]} x {sides[1]} patches over "
            f"{size[0]} x {size[1]} pixels: hand in the picture that the model reads, of its size"
        )
    return sides[0], sides[1]


def tokens_of(name: str, given, count: int) -> tuple[list[int], list[str]]:
    """Where the patches stand among the tokens, then the special ones, and their names."""
    given = list(range(count)) if given is None else list(given)
    names = {k: line(f"{name}[{k}]", one) for k, one in enumerate(given) if isinstance(one, str)}
    places = {one: k for k, one in enumerate(given) if k not in names}
    if sorted(places) != list(range(count)) or len(places) + len(names) != len(given):
        raise ValueError(
            f"{name}: expected each patch of 0 to {count - 1} once, row by row, and the names of "
            f"special tokens, came {len(given) - len(names)} patches: {shown(given)[:80]}"
        )
    different(name, [*names.values()], "number them")
    return [*(places[r] for r in range(count)), *names], [*names.values()]


def weights_of(name: str, given, tokens: int) -> np.ndarray:
    """Weights (heads, N, N) whose rows sum to 1."""
    given = given[0] if getattr(given, "ndim", 0) == 4 and len(given) == 1 else given
    array = numbers(name, given)
    if array.ndim != 3 or array.shape[1:] != (tokens, tokens):
        raise ValueError(
            f"{name}: expected the weights of a layer's heads, (heads, {tokens}, {tokens}) for "
            f"{tokens} tokens, came {array.shape}: take one picture; 'tokens' names special ones"
        )
    if array.size > MOST_WEIGHTS:
        raise ValueError(
            f"{name}: expected at most {MOST_WEIGHTS:,} weights, came {array.size:,}: take fewer "
            "heads, or a smaller picture"
        )
    steps_of(name, len(array))
    every = shares(name, array.reshape(-1, tokens), (None, tokens), "the weights after the softmax")
    return every.reshape(array.shape)


def shuffled_of(name: str, given, shape: tuple[int, int], order: list[int]) -> np.ndarray:
    """For each head and token the shares that follow the patches, and that stay."""
    if given is None:
        return np.zeros(0, np.float32)
    array = numbers(name, given)
    if array.shape != (*shape, 2) or array.min() < 0 or array.max() > 1.001:
        raise ValueError(
            f"{name}: expected {(*shape, 2)}, shares from 0 to 1 for each head and token, came "
            f"{array.shape}"
        )
    return array[:, order]
