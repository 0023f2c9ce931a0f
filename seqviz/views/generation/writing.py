"""The model that writes: what it expects at a place, and what a method makes of that."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from seqviz.views.generation.stops import kept_by_mass, luck
from seqviz.views.generation.values import Place, Vocabulary, bits_of, chances_of, place_of, rank_of
from seqviz.views.shared.codec import packed

REMEMBERED = 4_000_000  # probabilities
Path = tuple[int, ...]  # ids that were written behind the prompt


class Stopped(Exception):
    """The model does not go on: its own function raised, or the text is too long for it."""


@dataclass(frozen=True)
class Draw:
    """How tokens are drawn: a method, its knob (0 if it has none), and the luck."""

    method: str
    knob: float
    seed: int

    def name(self, path: Path, length: int) -> str:
        """What a run of so many tokens behind a path is called."""
        return f"run {self.method} {self.knob:g} {self.seed} {length} {place_name(path)}"


@dataclass(frozen=True)
class Run:
    """L tokens that a method wrote: ids, the model's ranks and probabilities, (L,), why it ended.

    `problem` is empty where it did not end early.
    """

    ids: tuple[int, ...]
    ranks: tuple[int, ...]
    p: tuple[float, ...]
    problem: str

    def packed(self, tokens) -> bytes:
        """All of it with the words."""
        words = [tokens[k] for k in self.ids]
        rows = {"p": np.array(self.p), "ids": np.array(self.ids, int)}
        ranks = np.array(self.ranks, int)
        return packed(exact=True, **rows, ranks=ranks, words=words, problem=self.problem)


def fallen(ranked: np.ndarray, draw: Draw, step: int) -> int:
    """On which rank, from 0, the number of a step falls, of what a method keeps."""
    if draw.method == "temperature":
        with np.errstate(under="ignore"):
            ranked = ranked ** (1 / draw.knob)
    cumulated = np.cumsum(ranked)
    n = {"greedy": 1, "top-k": int(draw.knob)}.get(draw.method, len(ranked))
    if draw.method == "nucleus":
        n = kept_by_mass(cumulated, draw.knob)
    return int((cumulated > luck(draw.seed, step) * cumulated[n - 1]).argmax())


def place_name(path: Path) -> str:
    """What a place is called as a part."""
    return " ".join(["after", *map(str, path)])


@dataclass
class Writer:
    """Runs the model at any place behind a prompt and holds what came.

    Parameters
    ----------
    probabilities : function
        From a list of ids to the distribution of the next token.
    vocabulary : Vocabulary
        What the ids stand for.
    prompt : tuple of int
        The ids that all begins with.
    keep : int
        Tokens by name at each place.
    """

    probabilities: Callable
    vocabulary: Vocabulary
    prompt: Path
    keep: int
    places: dict[Path, Place] = field(default_factory=dict)
    stopped: dict[Path, str] = field(default_factory=dict)
    runs: dict[str, Run] = field(default_factory=dict)
    _recent: dict[Path, np.ndarray] = field(default_factory=dict)

    def chances(self, ids: Path) -> np.ndarray:
        """What the model expects after these ids, checked, (V,); the last ones are remembered."""
        if ids in self._recent:
            return self._recent[ids]
        if len(self._recent) >= max(1, REMEMBERED // len(self.vocabulary)):
            del self._recent[next(iter(self._recent))]
        self._recent[ids] = self._asked(ids)
        return self._recent[ids]

    def _asked(self, ids: Path) -> np.ndarray:
        longest = getattr(self.probabilities, "longest", None)
        if longest is not None and len(ids) > longest:
            raise Stopped(f"the text has {len(ids)} tokens, the model reads at most {longest}")
        try:
            given = self.probabilities(list(ids))
        except Exception as error:  # the reader's function: a view tells it and goes on
            raise Stopped(f"{type(error).__name__}: {error}") from error
        return chances_of(f"probabilities({_listed(ids)})", given, len(self.vocabulary))

    def reach(self, path: Path, before: np.ndarray | None = None) -> np.ndarray:
        """Run the model at a place and hold it; `before` is what it expected one token earlier."""
        if path in self.stopped:
            raise Stopped(self.stopped[path])
        try:
            p = self.chances(self.prompt + path)
        except Stopped as problem:
            self.stopped[path] = str(problem)
            raise
        if path not in self.places:
            rank, chance = 0, 0.0
            if path:
                rank, chance = self._ranked(path, before)
            self.places[path] = place_of(p, self.keep, rank, chance)
        return p

    def _ranked(self, path: Path, before: np.ndarray | None) -> tuple[int, float]:
        """Rank and probability of the last token of a path."""
        parent, token = self.places.get(path[:-1]), path[-1]
        if parent is not None and token in parent.ids:
            r = int(np.flatnonzero(parent.ids == token)[0])
            return r + 1, float(parent.p[r])
        before = self.chances(self.prompt + path[:-1]) if before is None else before
        return rank_of(before, token), float(before[token])

    def place(self, path: Path) -> Place:
        """What is held of a place; the model runs if nothing is yet."""
        if path not in self.places:
            self.reach(path)
        return self.places[path]

    def grow(self, path: Path, depth: int, branch: int) -> None:
        """Hold the places up to `depth` tokens on along the `branch` likeliest."""
        level = [path]
        for _ in range(depth):
            level = [(*p, int(k)) for p in level for k in self.places[p].ids[:branch]]
            level = [p for p in level if self._can_be_reached(p)]

    def _can_be_reached(self, path: Path) -> bool:
        try:
            self.place(path)
        except Stopped:
            return False
        return True

    def write(self, draw: Draw, path: Path, length: int, *, hold: bool = False) -> Run:
        """Let a method write; the same luck gives the same random number at the same step.

        With `hold` each place on the way is held, so that a reader can walk it.
        """
        name = draw.name(path, length)
        if name in self.runs:
            return self.runs[name]
        start, ids, ranks, chances, problem = len(path), [], [], [], ""
        before = None
        for step in range(start, start + length):
            here = (*path, *ids)
            try:
                p = self.reach(here, before) if hold else self.chances(self.prompt + here)
            except Stopped as error:
                problem = str(error)
                break
            order = np.argsort(-p, kind="stable")
            rank = fallen(p[order], draw, step)
            ids.append(int(order[rank]))
            ranks.append(rank + 1)
            chances.append(float(p[order[rank]]))
            before = p
        self.runs[name] = Run(tuple(ids), tuple(ranks), tuple(chances), problem)
        return self.runs[name]

    def look_back(self, most: int) -> list[dict]:
        """Doubt, rank and probability of the last tokens of the prompt, but its first."""
        found = []
        for k in range(max(1, len(self.prompt) - most), len(self.prompt)):
            p, token = self.chances(self.prompt[:k]), self.prompt[k]
            rank, chance = rank_of(p, token), float(p[token])
            found.append({"doubt": bits_of(p), "rank": rank, "chance": chance})
        return found


def _listed(ids: Path) -> str:
    shown = ", ".join(map(str, ids[-4:]))
    return f"[..., {shown}]" if len(ids) > 4 else f"[{shown}]"
