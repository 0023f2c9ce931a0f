"""What the page asks of the model: places, runs, a text of its reader's own; what asks nobody."""

from seqviz.views.generation.stops import checked_method, checked_share, checked_temperature
from seqviz.views.generation.writing import Draw, Stopped, Writer
from seqviz.views.shared.answering import Answering
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import unicode, within
from seqviz.views.shared.widget import View, plain, told

NO_GRAPH = (
    "answers: this view asks a function of Python, which a page cannot run: hand in the model as "
    "sv.graphs.stepped(model), or as sv.graphs.exported(model, (ids,))"
)
NO_TEXT = "text: this view has no tokenizer to read one: generation(..., tokenizer=...)"


class Live(View):
    """The part of `NextWords` that reads a text, and lets a page do so.

    A `tokenizer` gives the ``ids(text, size)`` of a text, all below a size, and has ``told()``, by
    which a page reads the same. A model that a page can run has ``travels(precision)``: what
    `next_token.js` must know, the graphs, and a line for the reader.
    """

    writer: Writer
    tokenizer = None

    @property
    def text(self) -> str:
        """The text that the model writes on from; set it, or write in the page."""
        if self.tokenizer is None:
            raise AttributeError(NO_TEXT)
        return self.facts["text"]

    @text.setter
    def text(self, text: str) -> None:
        if self.tokenizer is None:
            raise AttributeError(NO_TEXT)
        if not isinstance(text, str):
            raise TypeError(f"text: expected a string, came {type(text).__name__}")
        ids = self.tokenizer.ids(unicode("text", text), len(self.writer.vocabulary))
        try:
            self._go_on_from(text, ids)
        except Stopped as problem:
            raise ValueError(f"text: {problem}") from None

    def _read(self, message: dict) -> None:
        """Go on from the text of a page, and tell it what is wrong with it."""
        problem = ""
        try:
            self.text = message["text"]
        except Exception as error:  # the page says it, and the picture stays
            problem = plain(error, "text")
        self.send({**message, "problem": problem})

    def _answer(self, view, message: dict, buffers: list) -> None:
        """Run the model where the page wants to know more, and tell it what failed."""
        if "text" in message:
            return self._read(message)
        name = message.get("want")
        if isinstance(name, str) and name not in self.parts:
            try:
                self._make(name.split(" "))
            except Exception as error:  # the page says it, and the picture stays
                problem = str(error) if isinstance(error, Stopped) else told(error)
                return self.send({"part": name, "problem": problem})
        return super()._answer(view, message, buffers)

    def _make(self, words: list[str]) -> None:
        """Hold the part of a name: "after 3 5", or "run METHOD KNOB SEED LENGTH after 3 5"."""
        start, path = words[: words.index("after")], words[words.index("after") + 1 :]
        ids = self.writer.vocabulary.ids("written", [int(k) for k in path])
        if not start:
            self.writer.stopped.pop(ids, None)  # asked again, the model runs again
            self.writer.place(ids)
            self._hold(ids, last=True)
            return
        _, method, knob, seed, length = start
        draw = Draw(checked_method(method), self._knob_of(method, float(knob)), int(seed))
        steps = within("length", int(length), 1, self.steps)
        run = self.writer.write(draw, ids, steps)
        self.parts[" ".join([*start, "after", *path])] = run.packed(self.writer.vocabulary.shown)

    def _knob_of(self, method: str, knob: float) -> float:
        if method == "top-k":
            return within("k", int(knob), 1, self.writer.keep)
        if method == "nucleus":
            return checked_share(knob)
        return checked_temperature(knob) if method == "temperature" else 0

    def _answering(self, precision: str) -> Answering:
        """What a page needs to write on without Python."""
        model, words = self.writer.probabilities, self.writer.vocabulary.shown
        if not hasattr(model, "travels"):
            raise ValueError(NO_GRAPH)
        facts, graphs, says = model.travels(precision)
        facts |= {"words": list(words), "longest": model.longest}
        if self.tokenizer is not None:
            facts |= self.tokenizer.told()
        return Answering(module("generation/answers.js"), facts, graphs, says)
