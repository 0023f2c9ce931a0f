"""Two texts and what is carried from one into the other: the view in Python, which runs jobs."""

import json
from collections.abc import Mapping, Sequence

import traitlets

from seqviz.telling import count, shown
from seqviz.views.cause.carrying import carried_of
from seqviz.views.shared.answering import Answering
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import unicode, within
from seqviz.views.shared.page import compact
from seqviz.views.shared.traits import Choice, Whole, checks, control
from seqviz.views.shared.widget import View, plain, style

HEADER = ["text", "stage", "position", "token", "word", "probability"]
NAMES = ("this text", "other text")


class Cause(View):
    """Two texts, and what a model says when states of the other are carried into this one.

    `cause` builds it.

    Attributes
    ----------
    carried : list of dict
        What is carried: ``{"stage": 1, "token": 2}`` puts the other text's state of token 2 after
        block 0 in the same place of this text (stage 0 are the embeddings). ``from_stage`` and
        ``from_token`` name another place that it comes from, ``head`` ``(attention, head)`` what
        one head takes from the values in place of a whole state, ``stream`` an encoder (0).
    token : int
        Whose answer is looked at, from 0; -1 for the one that is hidden, or the last.
    weighed : int
        Who wrote what: 0 for this text's answer, 1 for the other's, 2 for how much larger it is.
    tone : {"says", "carries"}
        What the other grid is coloured by: its words, or how far each state alone carries.
    shown : {"after", "before"}
        Whether this text is shown with what is carried, or as it is.
    stream : int
        Whose states are shown: of an encoder 0, of its decoder 1.
    seed : int
        Of the control's other places and shuffled texts; 0 draws none.
    texts : list of str
        What the model reads; set them, or write in the page, and it runs again.
    """

    _esm = module("cause/view.js")
    _css = style("cause/style.css")

    carried = control(traitlets.List())
    token = control(Whole(-1))
    weighed = control(Whole(0))
    tone = control(Choice(["says", "carries"], "says"))
    shown = control(Choice(["after", "before"], "after"))
    stream = control(Whole(0))
    seed = control(Whole(0))

    def __init__(self, model, texts: Sequence[str], title: str, precision: str, **controls) -> None:
        self.model, self.runs = model, 0
        self._texts = model.read(texts)
        self._done: dict[str, dict] = {}  # results of jobs on these texts
        self.model_in_pages = precision if model.can_travel() else ""
        controls.setdefault("stream", len(model.anatomy["streams"]) - 1)
        super().__init__({"title": title, **self._told()}, {"done": b""}, (), **controls)

    def _told(self) -> dict:
        return {"run": str(self.runs), **self.model.facts(self._texts)}

    def _answering(self, precision: str) -> Answering:
        """What a page needs to run the model."""
        return Answering(module("cause/answers.js"), *self.model.travels(precision))

    # ---- what pages take along
    def part_of(self, name: str) -> bytes:
        """What travels under this name: "done" are all results so far, "jobs [...]" of these jobs.

        A page without the model shows what was run before it.
        """
        if name == "done":
            told = {"run": self.facts["run"], "results": self._done}
        else:
            told = self._run(json.loads(name.removeprefix("jobs ")))
        return compact(told).encode()

    def needs(self) -> list[str]:
        """Names of the parts that the picture needs: what was run."""
        return ["done"]

    def _make_ready(self) -> None:
        self.first = {}
        super()._make_ready()

    def before_kept(self) -> None:
        """Run what the first picture asks for: its page has not got Python."""
        self.to_svg()

    def _run(self, jobs: Sequence[Mapping]) -> list[dict]:
        results = []
        for job in jobs:
            key = compact(job)
            if key not in self._done:
                self._done[key] = self.model(self._texts, job)
            results.append(self._done[key])
        return results

    # ---- the controls
    @checks("carried")
    def _checked_carried(self, _, value) -> list[dict]:
        return carried_of(value, self.facts)

    @checks("token")
    def _checked_token(self, _, value: int) -> int:
        return within("token", value, -1, len(self._side(0, -1)) - 1)

    @checks("weighed")
    def _checked_weighed(self, _, value: int) -> int:
        return within("weighed", value, 0, 2)

    @checks("stream")
    def _checked_stream(self, _, value: int) -> int:
        return within("stream", value, 0, len(self.facts["streams"]) - 1)

    @checks("seed")
    def _checked_seed(self, _, value: int) -> int:
        return within("seed", value, 0, 10_000)

    def _side(self, text: int, stream: int) -> list[str]:
        """The tokens of a text that a stream carries."""
        return self.facts["tokens"][text][self.facts["streams"][stream]["tokens"]]

    # ---- the model runs again
    @property
    def texts(self) -> list[str]:
        """What the model reads."""
        return self.facts["texts"]

    @texts.setter
    def texts(self, texts: Sequence[str]) -> None:
        if not isinstance(texts, list | tuple) or [str, str] != [type(one) for one in texts]:
            raise TypeError(f"texts: expected two strings, came {texts!r}")
        self._texts = self.model.read([unicode("texts", one) for one in texts])
        self._done = {}
        self.runs += 1
        facts = {**self.facts, **self._told()}
        with self.hold_sync():
            self.facts = facts
            self.token = -1
            self.carried = [one for one in self.carried if self._stays(one)]

    def _stays(self, one: Mapping) -> bool:
        stream = one["stream"]
        places = ((0, one["token"]), (1, one["from_token"]))
        return all(token < len(self._side(text, stream)) for text, token in places)

    def _answer(self, view, message: dict, buffers: list) -> None:
        if "texts" not in message and "jobs" not in message:
            return super()._answer(view, message, buffers)
        told = {"problem": ""}
        try:
            if "jobs" in message:
                told = {"results": self._results(message)}
            else:
                self.texts = message["texts"]
        except Exception as error:  # the page says it, and the picture stays
            told = {"problem": plain(error, "texts", "text", "other")}
        same = {name: message[name] for name in ("texts", "run", "key") if name in message}
        self.send({**same, **told})

    def _results(self, message: Mapping) -> list[dict]:
        if message["run"] != self.facts["run"]:
            raise ValueError("run: is not shown any more")
        return self._run(message["jobs"])

    # ---- in words and numbers
    def _plain(self) -> str:
        this, other = self.facts["texts"]
        sizes = self.facts["sizes"]
        blocks = f"{count(sizes['blocks'], 'block')} of {count(sizes['heads'], 'head')}"
        many = count(len(self.carried), "state") + " carried" if self.carried else "nothing carried"
        return f"{self.facts['model']}, {blocks}: {shown(this)} and {shown(other)}, {many}"

    def table(self) -> list[list]:
        """What the output layer says at each stage of both texts, and the answers."""
        rows = [HEADER]
        for text, (name, grid) in enumerate(zip(NAMES, self.facts["grids"], strict=True)):
            side = self._side(text, -1)
            for stage, words in enumerate(grid["words"] or []):
                rows += [
                    [name, str(stage), str(k), token, word, p]
                    for k, (token, (word, p)) in enumerate(zip(side, words, strict=True))
                ]
            for k, answers in enumerate(grid["answers"] or []):
                token = side[k] if self.facts["says"] == "tokens" else ""
                rows += [[name, "answer", str(k), token, word, p] for _, word, p, _ in answers]
        return rows
