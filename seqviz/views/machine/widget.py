"""A whole model as it computes: the view in Python, which runs the model again."""

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from seqviz.telling import count, shown
from seqviz.views.machine.beginning import NUMBERS, beginning, bounded
from seqviz.views.machine.parts import Parts
from seqviz.views.machine.places import stages_of
from seqviz.views.shared.answering import Answering
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import unicode, within
from seqviz.views.shared.traits import Text, Whole, checks, control
from seqviz.views.shared.widget import View, plain, style

HEADER = ["stage", "position", "token", "quantity", "value"]
DEPTHS = ("the model", "a block", "why a weight")
WISHES = ("text", "silent", "without")  # of a page
Head = tuple[int, int]  # which attention of the model, which of its heads


class Machine(View):
    """A model as it computes a text; `machine` builds it.

    Attributes
    ----------
    depth : int
        0 for the model, 1 for a block, 2 for why a weight is what it is.
    stream : int
        Which of the model's streams, from 0; an encoder is one, its decoder the next.
    block, part : int
        Which block of the stream and which part of the block, attention or feed-forward.
    token : int
        The token in focus, from 0.
    head, key : int
        The head of the part and the token that is attended to, from 0.
    stage : str
        Where in the model the cursor stands, as "0.2.1.query": stream, block, part and role.
    number : str
        The number whose equation is held, as "NODE INDEX"; "" for none.
    sort : bool
        Whether the products of a score stand in the order of their size.
    silent : list of (attention, head)
        The heads that the model runs without, counted from 0 through all of its attentions; set
        another list, or press S, and it runs again.
    text : str
        What the model reads; set it, or write in the page, and it runs again.
    """

    _esm = module("machine/view.js")
    _css = style("machine/style.css")
    steps = len(DEPTHS) - 1

    depth = control(Whole(0))
    stream = control(Whole(0))
    block = control(Whole(0))
    part = control(Whole(0))
    token = control(Whole(0))
    head = control(Whole(0))
    key = control(Whole(0))
    stage = control(Text(""))
    number = control(Text(""))
    sort = control(traitlets.Bool(False))
    silent = control(traitlets.List())

    def __init__(self, model, text: str, title: str, precision: str, **controls) -> None:
        self.model, self.runs = model, 0
        silent = heads_of(controls.pop("silent", ()), model.graph.roles.attentions)
        self._rest = model.run(text)
        self._run = model.run(text, silent, self._rest) if silent else self._rest
        self._stages = stages_of(model.anatomy)
        self.model_in_pages = precision if model.can_travel() else ""
        facts = {"title": title, **self._told(silent)}
        cursor = beginning(facts, self._run.values, controls)
        super().__init__(facts, self.parts, self.parts.first, silent=silent, **cursor)

    # ---- what the page is told
    def _told(self, silent: Sequence[Head]) -> dict:
        """The facts of the run, whose numbers are held as parts."""
        model, run = self.model, self._run
        number = str(self.runs)
        self.parts = Parts(number, tensors_of(run.values), model.graph.weights, model.first(run))
        self.parts.whole = not self.model_in_pages  # nothing in a page could tell it the rest
        before = {"answers": model.answers(self._rest)} if silent else None
        silent = [list(head) for head in silent]
        return {"run": number, "silent": silent, "before": before, **model.facts(run)}

    def _answering(self, precision: str) -> Answering:
        """What a page needs to run the model."""
        return Answering(module("machine/answers.js"), *self.model.travels(precision))

    def to_html(self, path=None, deflate: bool = True, *, answers=None, precision=None) -> str:
        """Write one page, see `View.to_html`; without the model it holds all numbers of the run."""
        self.parts.whole = answers is False or not self.model_in_pages
        try:
            return super().to_html(path, deflate, answers=answers, precision=precision)
        finally:
            self.parts.whole = not self.model_in_pages

    # ---- where the cursor stands
    @property
    def _stream(self) -> dict:
        return self.facts["anatomy"]["streams"][self.stream]

    @property
    def _block(self) -> dict | None:
        blocks = self._stream["blocks"]
        return blocks[self.block] if self.block < len(blocks) else None

    @property
    def _part(self) -> dict | None:
        parts = self._block["parts"] if self._block else []
        return parts[self.part] if self.part < len(parts) else None

    @property
    def _sizes(self) -> dict[str, int]:
        """How many there are of what the cursor counts."""
        tokens, part = self.facts["tokens"], self._part or {}
        keys = "source" if part.get("cross") else self._stream["tokens"]
        return {
            "depth": len(DEPTHS),
            "stream": len(self.facts["anatomy"]["streams"]),
            "block": len(self._stream["blocks"]),
            "part": len(self._block["parts"]) if self._block else 1,
            "token": len(tokens[self._stream["tokens"]]),
            "head": part.get("heads", 1),
            "key": len(tokens[keys]),
        }

    @checks("depth", *NUMBERS)
    def _checked(self, name: str, value: int) -> int:
        within(name, value, 0, max(0, self._sizes[name] - 1))
        if name == "depth" and value == 2 and "heads" not in (self._part or {}):
            raise ValueError(
                f"depth: 2 shows why a weight is what it is, and part {self.part} of block "
                f"{self.block} does not attend: set another part first"
            )
        return value

    @checks("stage")
    def _checked_stage(self, _, value: str) -> str:
        if value and value not in self._stages:
            known = ", ".join(self._stages)
            raise ValueError(f"stage: expected one of {known}; came {value!r}")
        return value

    @checks("number")
    def _checked_number(self, _, value: str) -> str:
        if not value:
            return value
        node, _, index = value.partition(" ")
        shapes = self.facts["shapes"] | self.facts["graph"]["weights"]
        size = int(np.prod(shapes.get(node, [0])))
        if not (index.isdecimal() and int(index) < size):
            wanted = f"{node} 0 to {node} {size - 1}" if size else "'NODE INDEX' with a node's name"
            raise ValueError(f"number: expected {wanted}, or '' for none; came {value!r}")
        return value

    @checks("silent")
    def _checked_silent(self, _, value) -> list[Head]:
        return heads_of(value, self.model.graph.roles.attentions)

    @traitlets.observe("stream", "block", "part")
    def _stay_inside(self, _) -> None:
        for name in NUMBERS:
            setattr(self, name, bounded(getattr(self, name), self._sizes[name]))
        if self.depth == 2 and "heads" not in (self._part or {}):
            self.depth = 1

    # ---- the model runs again
    @property
    def text(self) -> str:
        """What the model reads."""
        return self.facts["text"]

    @text.setter
    def text(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"text: expected a string, came {text!r}")
        rest = self.model.run(unicode("text", text))
        self._take(rest, self.silent)

    @traitlets.observe("silent")
    def _silence(self, change) -> None:
        if change["new"] != [tuple(head) for head in self.facts["silent"]]:
            self._take(self._rest, self.silent)

    def _take(self, rest, silent: Sequence[Head]) -> None:
        """Hold a text's run, and that without the silent heads; the page is told at once."""
        self._run = self.model.run(rest.text, silent, rest) if silent else rest
        self._rest, self.runs = rest, self.runs + 1
        facts = {**self.facts, **self._told(silent)}
        with self.hold_sync():
            self.first = {name: self.part_of(name) for name in self.parts.first}
            if rest.text != self.text:
                self.number = ""  # of the text before
            self.facts = facts
            self._stay_inside(None)

    def _answer(self, view, message: dict, buffers: list) -> None:
        wish = next((name for name in WISHES if name in message), None)
        if wish is None:
            return super()._answer(view, message, buffers)
        told = {"problem": ""}
        try:
            if wish == "without":
                told = {"answers": self._said_without(message[wish], message.get("run"))}
            else:
                setattr(self, wish, message[wish])
        except Exception as error:  # the page says it, and the picture stays
            told = {"problem": plain(error, wish)}
        self.send({**message, **told})

    def _said_without(self, head: Sequence[int], run: str) -> list | None:
        """The answers without one head more, of the run that is shown."""
        if run != self.facts["run"]:
            raise ValueError("run: is not shown any more")
        silent = heads_of([*self.silent, head], self.model.graph.roles.attentions)
        return self.model.answers(self.model.run(self.text, silent, self._rest))

    # ---- in words and numbers
    def _plain(self) -> str:
        sizes, tokens = self.facts["sizes"], self.facts["tokens"]
        side = tokens[self._stream["tokens"]]
        part = self._part or {}
        where = DEPTHS[self.depth]
        if self.depth == 1:
            where = f"block {self.block}"
        elif self.depth == 2:
            keys = tokens["source"] if part.get("cross") else side
            where = f"block {self.block}, head {self.head} from {shown(side[self.token])} to "
            where += shown(keys[self.key])
        without = [f"head {head} of attention {k}" for k, head in self.facts["silent"]]
        silent = f"; without {', '.join(without)}" if without else ""
        heads = count(sizes["heads"], "head")
        blocks = f"{count(sizes['blocks'], 'block')} of {heads}"
        many = " and ".join(count(len(one), "token") for one in tokens.values())
        return f"The machine {self.facts['model']}, {blocks}, {many}; {where}{silent}"

    def table(self) -> list[list]:
        """How long each token's vector is at each stage, and the likeliest answers."""
        tokens, rows = self.facts["tokens"], [HEADER]
        for name, (side, place) in self._stages.items():
            lengths = lengths_of(self._run.values[place["node"]], place, len(tokens[side]))
            rows += [
                [name, str(k), token, "length", length]
                for k, (token, length) in enumerate(zip(tokens[side], lengths, strict=True))
            ]
        side = tokens[self.facts["anatomy"]["streams"][-1]["tokens"]]
        for k, answers in enumerate(self.facts["answers"] or []):
            token = side[k] if len(self.facts["answers"]) == len(side) else ""
            rows += [["answer", str(k), token, word, p] for word, p in answers]
        return rows


def heads_of(given, attentions: Sequence) -> list[Head]:
    """Check heads, (attention, head) each, and return each of them once."""
    found = []
    for k, one in enumerate(given):
        where = f"silent[{k}]"
        if isinstance(one, str) or not isinstance(one, Sequence) or len(one) != 2:
            raise ValueError(
                f"{where}: expected (attention, head) such as (1, 3), came {one!r}: one head goes "
                "into a list as well"
            )
        attention = within(f"{where}: attention", one[0], 0, len(attentions) - 1)
        head = within(f"{where}: head", one[1], 0, attentions[attention].count - 1)
        found.append((attention, head))
    return list(dict.fromkeys(found))


def tensors_of(values: Mapping) -> dict:
    """The values that are tensors."""
    return {name: one for name, one in values.items() if hasattr(one, "shape")}


def lengths_of(value, place: Mapping, count: int) -> list[float]:
    """How long each token's vector is, all of its heads together."""
    array = np.asarray(value, float)
    vectors = np.moveaxis(array, place["token"], 0).reshape(array.shape[place["token"]], -1)
    lengths = np.linalg.norm(vectors, axis=1)
    return np.broadcast_to(lengths, count).tolist() if len(lengths) == 1 else lengths.tolist()
