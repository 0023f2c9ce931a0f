"""Next words: a language model writes, and the reader or a method chooses each token."""

from collections.abc import Sequence
from functools import wraps

import traitlets

from seqviz.pieces import letters_of
from seqviz.views.generation.live import Live
from seqviz.views.generation.stops import (
    LUCKS,
    METHODS,
    NUCLEUS,
    ROWS,
    TEMPERATURES,
    checked_share,
    checked_temperature,
    ranks_of_tail,
)
from seqviz.views.generation.values import Place
from seqviz.views.generation.writing import Draw, Path, Stopped, Writer, place_name
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.codec import packed
from seqviz.views.shared.traits import Choice, Number, Whole, checks, control
from seqviz.views.shared.widget import style

STARTS = {"top-k": 10, "nucleus": 0.9, "temperature": 1.5}
BACK = 24  # tokens of the prompt of which rank and doubt are shown


class Ids(traitlets.TraitType):
    """Ids, or tokens, which become ids; the view checks them."""


class NextWords(Live):
    """What a model expects next, and what decoding makes of it; `generation` builds it.

    Attributes
    ----------
    method : str
        "greedy", "sample", "top-k", "nucleus" or "temperature".
    k, p, temperature : int, float, float
        The knob of each method; p in steps of 0.01, the temperature in steps of 0.1.
    written : list of int
        The ids that were taken behind the prompt; set them as ids or as tokens.
    focus : int
        The rank of the token in focus, from 1.
    compare : bool
        Whether what the methods write stands side by side, in place of the tree.
    luck : int
        The seed of the random numbers; each step has one, the same under every method.
    text : str
        With a tokenizer the text that it writes on from; set another one, and all is anew.
    """

    _esm = module("generation/view.js")
    _css = style("generation/style.css")

    method = control(Choice(METHODS, "nucleus"))
    k = control(Whole(1))
    p = control(Number(STARTS["nucleus"]))
    temperature = control(Number(STARTS["temperature"]))
    written = control(Ids([]))
    focus = control(Whole(1))
    compare = control(traitlets.Bool(False))
    luck = control(Whole(0))

    def __init__(
        self,
        writer: Writer,
        tokenizer,
        text: str | None,
        steps: int,
        depth: int,
        branch: int,
        seed: int,
        title: str,
    ):
        self.writer, self.tokenizer, self.vocabulary = writer, tokenizer, writer.vocabulary
        self.steps, self.depth, self.branch = steps, depth, branch
        self.parts = {}
        self.draws = self._draws({**STARTS, "top-k": min(STARTS["top-k"], writer.keep)}, seed)
        try:
            back = self._opened(writer)
        except Stopped as problem:
            raise ValueError(f"probabilities: does not answer to the prompt: {problem}") from None
        self._explore()
        start = {"method": "nucleus", "k": self.draws["top-k"].knob, "luck": seed}
        super().__init__(self._told(title) | self._told_of_prompt(text), {}, [], **start)
        self.parts = back | self._packed()
        self.first = {name: self.part_of(name) for name in self.needs()}

    def _opened(self, writer: Writer) -> dict[str, bytes]:
        """Run the model where the first picture is of, and return how it ranked the prompt."""
        writer.reach(())
        back = writer.look_back(BACK)
        writer.write(self.draws["greedy"], (), self.steps, hold=True)
        return {"prompt": packed(back=back)}

    def _explore(self) -> None:
        """Run the model on all ways that a page without it holds."""
        self.writer.grow((), self.depth, self.branch)
        for draw in self.draws.values():
            self.writer.write(draw, (), self.steps, hold=True)

    def _go_on_from(self, text: str, ids: Sequence[int]) -> None:
        writer = Writer(self.writer.probabilities, self.vocabulary, tuple(ids), self.writer.keep)
        back = self._opened(writer)
        with self.hold_sync():
            self.writer = writer
            self.parts = back | self._packed()
            self.written, self.focus = [], 1
            self.facts = {**self.facts, **self._told_of_prompt(text)}
            self.first = {name: self.part_of(name) for name in self.needs()}
            self.start = self.controls()

    def _draws(self, knobs: dict, seed: int) -> dict[str, Draw]:
        return {method: Draw(method, knobs.get(method, 0), seed) for method in METHODS}

    def _told(self, title: str) -> dict:
        V, keep = len(self.vocabulary), self.writer.keep
        return {
            "title": title,
            "vocabulary": V,
            "keep": keep,
            "joiner": self.vocabulary.joiner,
            "span": self.vocabulary.span,
            "steps": self.steps,
            "methods": list(METHODS),
            "knobs": {draw.method: draw.knob for draw in self.draws.values()},
            "lucks": LUCKS,
            "seed": self.draws["greedy"].seed,
            "nucleus": NUCLEUS.tolist(),
            "temperatures": TEMPERATURES.tolist(),
            "tail": ranks_of_tail(V, keep).tolist(),
        }

    def _told_of_prompt(self, text: str | None) -> dict:
        ids = self.writer.prompt
        words = [self.vocabulary.shown[k] for k in ids]
        return {"text": text, "ids": list(ids), "prompt": words, **self._known()}

    def _known(self) -> dict:
        """Where the model was, and where it stopped: what a page without a kernel can show."""
        return {
            "places": list(map(place_name, self.writer.places)),
            "runs": list(self.writer.runs),
            "stopped": {place_name(path): text for path, text in self.writer.stopped.items()},
        }

    def _packed(self) -> dict[str, bytes]:
        tokens = self.vocabulary.shown
        parts = {place_name(path): self._place_part(path) for path in self.writer.places}
        return parts | {name: run.packed(tokens) for name, run in self.writer.runs.items()}

    def _place_part(self, path: Path) -> bytes:
        tokens = self.vocabulary.shown
        last = (self.writer.prompt + path)[-1]
        return self.writer.places[path].packed(tokens, tokens[last])

    @property
    def path(self) -> Path:
        """What is written behind the prompt."""
        return tuple(self.written)

    @property
    def place(self) -> Place | None:
        """What the model expects here, None where it stopped."""
        return self.writer.places.get(self.path)

    @property
    def _knobs(self) -> dict[str, float]:
        return {"top-k": self.k, "nucleus": self.p, "temperature": self.temperature}

    def _wanted(self) -> list[Draw]:
        return list(self._draws(self._knobs, self.luck).values())

    def _beside(self) -> list[str]:
        """The runs that stand side by side, by name.

        From here and with the knobs as they stand, where the model has run so (a page with a kernel
        asks for it, `write` does it from code); else from the prompt, with the first knobs.
        """
        here = [draw.name(self.path, self.steps) for draw in self._wanted()]
        start = [draw.name((), self.steps) for draw in self.draws.values()]
        return [a if a in self.writer.runs else b for a, b in zip(here, start, strict=True)]

    def write(self) -> None:
        """Let every method write from here, with the knobs as they stand; the view holds it."""
        for draw in self._wanted():
            run = self.writer.write(draw, self.path, self.steps)
            name = draw.name(self.path, self.steps)
            self.parts.setdefault(name, run.packed(self.vocabulary.shown))

    def needs(self) -> list[str]:
        """The text's places, the one after the token in focus, greedy's run, those side by side."""
        names = ["prompt", self.draws["greedy"].name((), self.steps)]
        names += [place_name(self.path[:k]) for k in range(len(self.path) + 1)]
        if self.place is not None:
            names.append(place_name((*self.path, int(self.place.ids[self.focus - 1]))))
        if self.compare:
            names += self._beside()
        return [name for name in dict.fromkeys(names) if name in self.parts]

    def _plain(self) -> str:
        """One plain line: of what the picture is, and where its controls stand."""
        text = " ".join(self.vocabulary.text_of((*self.writer.prompt, *self.path)).split())
        text = text if len(text) < 80 else "…" + "".join(letters_of(text)[-79:])
        knob = f" {self._knobs[self.method]:g}" if self.method in self._knobs else ""
        return f"Next word after {text!r}; {self.method}{knob}"

    def table(self) -> list[list]:
        """What the model expects at each place where it was, and what each method wrote."""
        shown, rows = self.vocabulary.shown, [["after", "item", "token", "probability"]]
        for path, place in self.writer.places.items():
            text = self.vocabulary.text_of((*self.writer.prompt, *path))
            for rank, (k, p) in enumerate(zip(place.ids, place.p.tolist(), strict=True), 1):
                rows.append([text, f"rank {rank}", shown[k], p])
        for name, run in self.writer.runs.items():
            for step, (k, rank, p) in enumerate(zip(run.ids, run.ranks, run.p, strict=True), 1):
                rows.append([name, f"token {step}, rank {rank}", shown[k], p])
        return rows

    # ---- the controls

    @checks("k", "p", "temperature", "written", "focus", "luck")
    def _checked(self, name: str, value):
        if name == "k":
            within("k", value, 1, self.writer.keep)
        if name == "p":
            return checked_share(value)
        if name == "temperature":
            return checked_temperature(value)
        if name == "written":
            return self._reached(value)
        if name == "focus":
            within("focus", value, 1, min(ROWS, len(self.vocabulary)))
        if name == "luck":
            within("luck", value, 0, LUCKS - 1)
        return value

    def _reached(self, value) -> list[int]:
        """Run the model along a path, and hold what it says on the way."""
        path = self.vocabulary.ids("written", value)
        for k in range(len(path) + 1):
            self._hold(path[:k], last=k == len(path))
        return list(path)

    def _hold(self, path: Path, *, last: bool) -> None:
        try:
            self.writer.place(path)
        except Stopped as problem:
            if last:  # the view says it there
                return
            raise ValueError(f"written: the model stops after {list(path)}: {problem}") from None
        if place_name(path) not in self.parts:
            self.parts[place_name(path)] = self._place_part(path)

    @wraps(Live.to_html)
    def to_html(self, *given, **more) -> str:
        """Write a page with all places where the model was."""
        self._explore()
        self.parts = self._packed() | self.parts
        self.facts = {**self.facts, **self._known()}
        return super().to_html(*given, **more)
