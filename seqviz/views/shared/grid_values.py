"""A grid of settings: what was computed at each of its points, checked and packed for the page."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Real

import numpy as np

from seqviz.pieces import pieces_of
from seqviz.views.shared.checking import array_of, holds_several, line, strings, whole, whole_of

MOST_MODELS, MOST_CHOICES, MOST_POINTS, MOST_STEPS = 6, 60, 5000, 2000
MOST_NUMBERS = 10_000_000  # 40 MB as float32
BLOCK = 1 << 16  # numbers in one part, about


@dataclass(frozen=True)
class Point:
    """One point of the grid: each model's arrays (the first has a row a step), tokens, marks."""

    models: list[tuple[np.ndarray, ...]]
    tokens: tuple[str, ...] | None
    marks: dict[int, str]

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.models[0][0])


@dataclass(frozen=True)
class Grid:
    """Choices by name of the setting, labels of the models, all points (last name fastest)."""

    choices: dict[str, list]
    labels: list[str]
    points: list[Point]

    def settings(self, given: Mapping, before: Mapping) -> dict:
        """Settings after a change of some of them; a ValueError names the choices."""
        settings = dict(before)
        for name, value in given.items():
            if name not in self.choices:
                raise ValueError(f"at has {name!r}; its settings are {list(self.choices)}")
            same = [choice for choice in self.choices[name] if alike(choice, value)]
            if not same:
                raise ValueError(f"at[{name!r}] must be one of {self.choices[name]}; got {value!r}")
            settings[name] = same[0]
        return settings

    def index(self, settings: Mapping) -> int:
        """Number of the point with these settings."""
        k = 0
        for name, choices in self.choices.items():
            k = k * len(choices) + choices.index(settings[name])
        return k

    def packed(self) -> tuple[dict[str, np.ndarray], dict]:
        """Parts of about 256 kB, and the facts that tell where each point lies in them.

        A point is a row of numbers: its own size, how many steps it has, the numbers of its tokens
        and of its marks in the facts, the length of each array, then the arrays.
        """
        tokens, marks, starts, blocks, room = {None: 0}, {}, [], [], 0
        for k, point in enumerate(self.points):
            arrays = [np.ravel(array) for model in point.models for array in model]
            head = [
                point.steps,
                tokens.setdefault(point.tokens, len(tokens)),
                marks.setdefault(tuple(point.marks.items()), len(marks)),
                *map(len, arrays),
            ]
            row = np.concatenate([[1 + len(head) + sum(map(len, arrays))], head, *arrays])
            if row.size > room:
                starts.append(k)
                blocks.append([])
                room = BLOCK
            blocks[-1].append(row)
            room -= row.size
        facts = {
            "choices": [
                {"name": name, "values": values, "texts": [choice_text(value) for value in values]}
                for name, values in self.choices.items()
            ],
            "models": self.labels,
            "arrays": len(self.points[0].models[0]),
            "starts": starts,
            "tokens": [list(t) if t else None for t in tokens],
            "marks": [[[step, text] for step, text in m] for m in marks],
        }
        return {f"block {k}": np.concatenate(rows) for k, rows in enumerate(blocks)}, facts


def evaluate(name: str, runs, over, labels, marks, read: Callable) -> Grid:
    """Check what a view was given, and call a function of the settings for every point of the grid.

    `read(name, run)` turns one model's run into its arrays; the first has a row for each step.
    """
    if over is None:
        if not isinstance(runs, Mapping):
            raise TypeError(
                f"{name}: expected a mapping of label to run, came {type(runs).__name__}; "
                "a function of the settings needs over={name: choices}"
            )
    elif not callable(runs):
        raise TypeError(
            f"{name}: with over=, expected a function of the settings that returns label to run, "
            f"came {type(runs).__name__}"
        )
    choices = {} if over is None else choices_of(over)
    known, points, size = None, [], 0
    for settings in combinations(choices):
        call = f"({settings})" if choices else ""
        found = _ask(f"{name}{call}", runs, settings)
        models = _models(f"{name}{call}", found, read)
        if known is not None and list(models) != known:
            raise ValueError(
                f"{name}{call} has the labels {list(models)}, expected {known} as before"
            )
        known = list(models)
        steps = len(next(iter(models.values()))[0])
        tokens = _tokens(f"labels{call if callable(labels) else ''}", labels, settings, steps)
        points.append(Point(list(models.values()), tokens, _marks(marks, call, settings, steps)))
        size += sum(np.size(array) for arrays in models.values() for array in arrays)
        if size > MOST_NUMBERS:
            raise ValueError(
                f"{name}: the grid holds more than 40 MB at point {len(points)} of "
                f"{math.prod(map(len, choices.values()))}; choose fewer settings or steps"
            )
    _marks_somewhere(marks, points)
    return Grid(choices, known, points)


def choices_of(over) -> dict[str, list]:
    """Choices of each setting: all numbers or all strings, each once."""
    if not isinstance(over, Mapping) or not over:
        raise TypeError(f"over: expected a mapping of name to choices, came {over!r}")
    checked = {}
    for name, given in over.items():
        line("over", name)
        where = f"over[{name!r}]"
        several = isinstance(given, Sequence | np.ndarray) and holds_several(given)
        if isinstance(given, str) or not several:
            raise TypeError(f"{where}: expected a list of choices, came {given!r}")
        given = whole_of(where, given)
        values = [v.item() if isinstance(v, np.generic) else v for v in given]
        if not 1 <= len(values) <= MOST_CHOICES:
            raise ValueError(f"{where}: expected 1 to {MOST_CHOICES} choices, came {len(values)}")
        words = all(isinstance(v, str) for v in values)
        if not words and not all(isinstance(v, Real) and not isinstance(v, bool) for v in values):
            raise TypeError(
                f"{where}: expected all numbers or all strings, came {values}; "
                "for a switch write 'off' and 'on'"
            )
        for value in values:
            if words:
                line(where, value)
            elif not math.isfinite(value):
                raise ValueError(f"{where}: expected finite numbers, came {value}")
        if len({choice_text(value) for value in values}) < len(values):
            raise ValueError(f"{where}: expected each choice once, came {values}")
        checked[name] = values
    if (points := math.prod(map(len, checked.values()))) > MOST_POINTS:
        raise ValueError(
            f"over: {points:,} points are too many, at most {MOST_POINTS:,}; choose fewer settings"
        )
    return checked


def combinations(choices: Mapping) -> Iterator[dict]:
    """Yield the settings of every point, the last name fastest."""
    for values in product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


def alike(choice, value) -> bool:
    """Whether a value means this choice; 0.7 means 0.7000000000000001."""
    if isinstance(choice, str) or not isinstance(value, Real) or isinstance(value, bool):
        return isinstance(choice, str) and choice == value
    return math.isclose(choice, value, rel_tol=1e-9)


def choice_text(value) -> str:
    """A choice as people read it."""
    return value if isinstance(value, str) else f"{value:.6g}".replace("-", "−")


def reals(name: str, given, dims: int) -> np.ndarray:
    """Return an array in its own float type, whole numbers in float64; it may not be finite."""
    array = array_of(name, given)
    if array.ndim != dims or not array.size:
        shape = {1: "(T,)", 2: "(H, H)"}[dims]
        raise ValueError(f"{name}: expected shape {shape}, not empty, came {array.shape}")
    if dims == 1 and array.size > MOST_STEPS:
        raise ValueError(f"{name}: expected at most {MOST_STEPS:,} steps, came {array.size:,}")
    return array if array.dtype.kind == "f" else array.astype(float)


def _ask(name: str, function, settings: dict):
    if not callable(function):
        return function
    try:
        return function(dict(settings))
    except Exception as error:
        raise RuntimeError(f"{name} failed with {type(error).__name__}: {error}") from error


def _models(name: str, found, read: Callable) -> dict[str, tuple[np.ndarray, ...]]:
    if not isinstance(found, Mapping):
        raise TypeError(f"{name}: expected a mapping of label to run, came {type(found).__name__}")
    if not 1 <= len(found) <= MOST_MODELS:
        raise ValueError(f"{name}: expected 1 to {MOST_MODELS} labels, came {len(found)}")
    models = {}
    for label, run in found.items():
        if not line(f"the label of {name}", label):
            raise ValueError(f"{name}: a label is empty; name the model")
        models[label] = read(f"{name}[{label!r}]", run)
    steps = {label: len(arrays[0]) for label, arrays in models.items()}
    if len(set(steps.values())) > 1:
        raise ValueError(f"{name}: expected lines of one length, came {steps}")
    return models


def _tokens(name: str, labels, settings: dict, steps: int) -> tuple[str, ...] | None:
    found = _ask(name, labels, settings)
    if found is None:
        return None
    tokens = tuple(pieces_of(strings(name, found)).bare)
    if len(tokens) != steps:
        raise ValueError(
            f"{name}: expected {steps} strings, one for each step, came {len(tokens)}"
            + ("" if callable(labels) else "; if the lengths differ over the grid, give a function")
        )
    return tokens


def _marks(marks, call: str, settings: dict, steps: int) -> dict[int, str]:
    name = f"marks{call if callable(marks) else ''}"
    found = _ask(name, marks, settings)
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise TypeError(f"{name}: expected a mapping of step to text, came {found!r}")
    for step, text in found.items():
        whole(name, step, "steps as whole numbers")
        line(f"{name}[{step}]", text)
    if callable(marks) and (wrong := [s for s in found if not 1 <= s <= steps]):
        raise ValueError(f"{name}: expected steps from 1 to {steps}, came {wrong[0]}")
    return {int(s): found[s] for s in sorted(found) if 1 <= s <= steps}


def _marks_somewhere(marks, points: list[Point]) -> None:
    longest = max(point.steps for point in points)
    if isinstance(marks, Mapping) and (wrong := [s for s in marks if not 1 <= s <= longest]):
        raise ValueError(f"marks: expected steps from 1 to {longest}, came {wrong[0]}")
