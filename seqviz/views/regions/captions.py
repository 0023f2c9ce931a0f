"""Words over a picture: a weight on each region for each word, and the true boxes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqviz.views.regions.checks import fields, picture, steps_of, whole_shares
from seqviz.views.regions.films import Film, shades
from seqviz.views.regions.geometry import covers, union
from seqviz.views.shared.checking import line, line_or, numbers, strings, within

NEEDED = ("picture", "words", "weights")
OPTIONAL = ("boxes", "gold", "wrong", "alternatives", "question", "note")
MOST_GRID, MOST_BOXES, MOST_ALTERNATIVES = 32, 12, 12
HERE = 0.3  # of a region, from which on a box is said to be there


@dataclass(frozen=True)
class Caption(Film):
    """T words that attend to the regions of a picture.

    Attributes
    ----------
    picture : array, (h, w) or (h, w, 3)
    words : list of str
    boxes : dict of str to array, (4,)
        True objects: x0, y0, x1, y1 in pixels.
    gold : list of tuple of int
        For each word the boxes that it speaks of.
    wrong : dict of int to str
        Words that are wrong, and what would be right.
    judged : bool
        Whether it is known which words are wrong.
    alternatives : list of list of (str, float)
        For each word the likeliest words, the likeliest first.
    question, note : str
        What was asked; what is to be said of a wrong word. Empty if there is none.
    """

    picture: np.ndarray
    words: list[str]
    boxes: dict[str, np.ndarray]
    gold: list[tuple[int, ...]]
    wrong: dict[int, str]
    judged: bool
    alternatives: list[list[tuple[str, float]]]
    question: str
    note: str

    quantity = "weight"

    @property
    def kind(self) -> str:
        """A caption, or the answer to a question."""
        return "question" if self.question else "caption"

    @cached_property
    def corners(self) -> np.ndarray:
        """The boxes in one array, (B, 4)."""
        return np.array([*self.boxes.values()], float).reshape(-1, 4)

    @cached_property
    def covered(self) -> np.ndarray:
        """Share of each region that each box covers, then what is outside of all, (B + 1, R)."""
        inside = covers(self.corners, self.size, self.grid)
        rest = 1 - union(self.corners, self.size, self.grid)
        return np.vstack([inside, rest[None]]).reshape(len(self.boxes) + 1, -1)

    @cached_property
    def inside(self) -> np.ndarray:
        """Weight of each word inside each box, then outside of all of them, (T, B + 1)."""
        return (self.regions.astype(float) @ self.covered.T).astype(np.float32)

    @property
    def opening(self) -> int:
        """The first wrong word; else that with the most weight in its object, or in one place."""
        if self.wrong:
            return min(self.wrong)
        if any(self.gold):
            pairs = zip(self.inside, self.gold, strict=True)
            return int(np.argmax([row[own[0]] if len(own) == 1 else 0 for row, own in pairs]))
        held = np.cumsum(-np.sort(-self.regions.astype(float)), axis=1)
        return int(np.argmin((held < held[:, -1:] / 2).sum(axis=1)))

    def values(self) -> dict:
        """Arrays and words by name; the picture as bytes."""
        enough = np.full((1, self.regions.shape[1]), HERE)
        names = ("inside", "corners", "words", "gold", "wrong", "judged", "question", "note")
        return {name: getattr(self, name) for name in names} | {
            "areas": self.covered.mean(axis=1),
            "places": np.vstack([self.covered[:-1], enough]).argmax(axis=0),
            "base": shades(self.picture),
            "coloured": self.picture.ndim == 3,
            "boxes": list(self.boxes),
            "alternatives": [[word for word, _ in row] for row in self.alternatives],
            "chances": np.array([p for row in self.alternatives for _, p in row]),
        }

    def said(self, k: int) -> Iterator[tuple]:
        """What else is known of a word: item, quantity, value."""
        for word, p in self.alternatives[k]:
            yield word, "probability", p
        if self.boxes:
            names = [*(f"in {name}" for name in self.boxes), "elsewhere"]
            for name, weight in zip(names, self.inside[k], strict=True):
                yield name, "weight", weight


def caption_of(where: str, given: Mapping, title: str) -> Caption:
    """Check one picture with its words."""
    fields(where, given, NEEDED, OPTIONAL)
    shown = picture(f"{where}['picture']", given["picture"])
    words = strings(f"{where}['words']", given["words"])
    if not words:
        raise ValueError(f"{where}['words']: expected at least one word, came an empty caption")
    steps_of(f"{where}['words']", len(words))
    weights = weights_of(f"{where}['weights']", given["weights"], len(words), shown.shape[:2])
    boxes = boxes_of(f"{where}['boxes']", given.get("boxes"), shown.shape[:2])
    return Caption(
        title,
        shown.shape[:2],
        weights.shape[1:],
        weights.reshape(len(words), -1).astype(np.float32),
        shown,
        words,
        boxes,
        gold_of(f"{where}['gold']", given.get("gold"), len(words), list(boxes)),
        wrong_of(f"{where}['wrong']", given.get("wrong"), words),
        given.get("wrong") is not None,
        alternatives_of(f"{where}['alternatives']", given.get("alternatives"), len(words)),
        line_or(f"{where}['question']", given.get("question")),
        line_or(f"{where}['note']", given.get("note")),
    )


def weights_of(name: str, given, words: int, size: Sequence[int]) -> np.ndarray:
    """Weights of each word over rows x columns of regions."""
    weights = whole_shares(name, given, (None, None, None), "the weights after the softmax")
    if len(weights) != words:
        raise ValueError(
            f"{name}: expected a grid of weights for each of {words} words, came {len(weights)}"
        )
    for regions, pixels, side in zip(weights.shape[1:], size, ("rows", "columns"), strict=True):
        if not 1 <= regions <= min(MOST_GRID, pixels):
            raise ValueError(
                f"{name}: expected 1 to {min(MOST_GRID, pixels)} {side} of regions over "
                f"{pixels} pixels, came {regions}"
            )
    return weights


def boxes_of(name: str, given, size: Sequence[int]) -> dict[str, np.ndarray]:
    """The true objects by their names."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or len(given) > MOST_BOXES:
        raise TypeError(
            f"{name}: expected a mapping of at most {MOST_BOXES} names to (x0, y0, x1, y1), "
            f"came {given!r:.80}"
        )
    return {line(f"{name}, a name", key): box_of(f"{name}[{key!r}]", box, size)
            for key, box in given.items()}  # fmt: skip


def box_of(name: str, given, size: Sequence[int]) -> np.ndarray:
    """One box inside the picture."""
    box = numbers(name, given)
    if box.shape != (4,):
        raise ValueError(f"{name}: expected four numbers x0, y0, x1, y1, came shape {box.shape}")
    x0, y0, x1, y1 = box
    h, w = size
    if not (0 <= x0 < x1 <= w and 0 <= y0 < y1 <= h):
        raise ValueError(
            f"{name}: expected 0 <= x0 < x1 <= {w} and 0 <= y0 < y1 <= {h} in pixels, came "
            f"{', '.join(f'{v:g}' for v in box)}: clip it to the picture"
        )
    return box


def gold_of(name: str, given, words: int, boxes: Sequence[str]) -> list[tuple[int, ...]]:
    """For each word the places of the boxes that it speaks of."""
    if given is None:
        return [()] * words
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence) or len(given) != words:
        raise ValueError(
            f"{name}: expected for each of {words} words the name of its box, a tuple of names, "
            f"or None, came {given!r:.80}"
        )
    found = []
    for k, one in enumerate(given):
        names = () if one is None else (one,) if isinstance(one, str) else tuple(one)
        if unknown := [box for box in names if box not in boxes]:
            raise ValueError(
                f"{name}[{k}]: expected a name of boxes, {', '.join(boxes) or 'which has none'}, "
                f"came {unknown[0]!r}"
            )
        found.append(tuple(dict.fromkeys(boxes.index(box) for box in names)))
    return found


def wrong_of(name: str, given, words: Sequence[str]) -> dict[int, str]:
    """The words that are wrong, with what would be right."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{name}: expected a mapping of a word's place to the right word, such as {{1: 'red'}}"
            f", came {given!r:.80}"
        )
    found = {}
    for k, right in given.items():
        place = within(f"{name}, a place", k, 0, len(words) - 1)
        found[place] = line(f"{name}[{k}]", right)
        if found[place] == words[place]:
            raise ValueError(f"{name}[{k}]: {right!r} is the word that stands there: leave it out")
    return found


def alternatives_of(name: str, given, words: int) -> list[list[tuple[str, float]]]:
    """For each word the likeliest words with their probabilities."""
    if given is None:
        return [[] for _ in range(words)]
    if not isinstance(given, Sequence) or len(given) != words:
        raise ValueError(
            f"{name}: expected for each of {words} words a list of (word, probability), came "
            f"{given!r:.80}"
        )
    return [_alternatives(f"{name}[{k}]", row or ()) for k, row in enumerate(given)]


def _alternatives(name: str, row) -> list[tuple[str, float]]:
    try:
        words, p = [word for word, _ in row], numbers(name, [p for _, p in row])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected pairs (word, probability): {error}") from None
    strings(name, words)
    if len(words) > MOST_ALTERNATIVES or len({*words}) < len(words):
        raise ValueError(f"{name}: expected at most {MOST_ALTERNATIVES} different words: {words}")
    if words and (p.min() < 0 or p.astype(float).sum() > 1.001):
        raise ValueError(
            f"{name}: expected probabilities that sum to at most 1, came {p.tolist()}: take the "
            "softmax of the logits"
        )
    order = np.argsort(-p, kind="stable")
    return [(words[k], float(p[k])) for k in order]
