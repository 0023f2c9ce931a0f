"""What a model says of a text when states of another are carried into it, or parts are silent."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from seqviz.graphs import anatomy_of
from seqviz.graphs.writing import written
from seqviz.running.machine_values import rows_of
from seqviz.running.machines import Change, MachineModel, Run

REACHED = 1e-6  # of a state's largest number: less is rounding
MOST_HELD = 4  # runs with states carried: one job after another asks of the same


@dataclass
class Texts:
    """Two texts that were run, and what a page asks of them again and again.

    Attributes
    ----------
    runs : list of Run
        Of this text and the other.
    chances : list of Tensor or None
        Of this text, by stage: the distributions (token, word) that the output layer gives.
    shuffled : dict
        Runs of the other text in another order, by the order.
    carried : dict
        The last runs with states carried into a text, by the text and the states.
    """

    runs: list[Run]
    chances: list[Tensor] | None
    shuffled: dict[tuple[int, ...], Run] = field(default_factory=dict)
    carried: dict[str, Run] = field(default_factory=dict)


class CauseModel:
    """Runs jobs on two texts: what changes, and what is asked; see `Job` in views/cause/jobs.js.

    Parameters
    ----------
    model : MachineModel
    """

    def __init__(self, model: MachineModel):
        self.model, self.anatomy = model, model.anatomy

    def can_travel(self) -> bool:
        """Whether a page can read texts as this does."""
        return self.model.can_travel()

    def travels(self, precision: str) -> tuple:
        """Return what a page needs to run the same, the graph, and a line that tells of it."""
        facts, *rest = self.model.travels(precision)
        return facts | {"anatomy": self.anatomy}, *rest

    # ---- texts
    def read(self, texts: Sequence[str]) -> Texts:
        """Run both texts as they are."""
        runs = [self._run(*named) for named in zip(("text", "other"), texts, strict=True)]
        return Texts(runs, self._chances(runs[0]))

    def _run(self, name: str, text: str) -> Run:
        try:
            return self.model.run(text)
        except ValueError as error:
            raise ValueError(str(error).replace("text:", f"{name}:", 1)) from error

    def _chances(self, run: Run) -> list[Tensor] | None:
        if self.anatomy["probabilities"] != "tokens":
            return None
        return [said.softmax(-1) for said in self.model.stage_logits(run)]

    def facts(self, texts: Texts) -> dict:
        """What a view is told of two texts."""
        model, streams = self.model, self.anatomy["streams"]
        last = len(streams) - 1
        return {
            "texts": [run.text for run in texts.runs],
            "pair": model.reads.pair,
            "model": model.graph.model,
            "sizes": model.sizes(texts.runs[0]),
            "streams": [_stream_told(stream) for stream in streams],
            "tokens": [run.asked.tokens for run in texts.runs],
            "special": [run.asked.special for run in texts.runs],
            "says": self.anatomy["probabilities"],
            "kind": model.kind(texts.runs[0]),
            "mask": model.reads.mask,
            "python": "model",
            "grids": [self.grid(texts, run, last) for run in texts.runs],
        }

    # ---- jobs
    def __call__(self, texts: Texts, job: Mapping) -> dict:
        """Run a job, and return what it wants."""
        run = self.changed(texts, job)
        weigh, want = job["weigh"], job["want"]
        if want == "wrote":
            return self.wrote(run, job)
        told = {"difference": self.difference(texts, run, weigh)}
        if want == "grid":
            return told | self.grid(texts, run, job["stream"])
        if self.anatomy["logits"]:
            plus, less = (self._logit(run, weigh, weigh[name]) for name in ("plus", "less"))
            row = self._answers(run)[weigh["token"] if self._by_token else 0]
            told |= {"plus": plus, "less": less, "says": row[0][:3], "ids": self._asked(run, weigh)}
        return told

    def changed(self, texts: Texts, job: Mapping) -> Run:
        """Run a text with states carried into it, and then parts silent."""
        key = json.dumps([job["of"], job["states"]])
        states = [self._carry(texts, state) for state in job["states"]]
        if job["silent"]:
            silent = [self._silence(part) for part in job["silent"]]
            return self._again(texts.runs[job["of"]], [*states, *silent])
        run = texts.carried.pop(key, None) or self._again(texts.runs[job["of"]], states)
        texts.carried[key] = run
        if len(texts.carried) > MOST_HELD:
            del texts.carried[next(iter(texts.carried))]
        return run

    def _again(self, base: Run, changed: Sequence[tuple[str, Change]]) -> Run:
        if not changed:
            return base
        changes: dict[str, list[Change]] = {}
        for node, change in changed:
            changes.setdefault(node, []).append(change)
        in_order = {name: _one_after_the_other(of) for name, of in changes.items()}
        return self.model.changed(base.text, base.asked, in_order)

    def _silence(self, part: Sequence) -> tuple[str, Change]:
        if part[0] != "part":
            attention, head = part
            (found,) = self.model.silencing([(attention, head)]).items()
            return found
        _, stream, block, k = part
        update = self.anatomy["streams"][stream]["blocks"][block]["parts"][k]["update"]
        return update["node"], torch.zeros_like

    def _carry(self, texts: Texts, state: Mapping) -> tuple[str, Change]:
        """A row of a value, put in place of the model's: of the stream, or of a head's sum."""
        place, head = self._place(state), (state.get("head") or (None, None))[1]
        origin = state["from"]
        run = self._origin(texts, origin, self.anatomy["streams"][state["stream"]])
        there = self._place(state | {"stage": origin["stage"]})
        row = _at(there, run.values[there["node"]], origin["token"], head).clone()

        def change(value: Tensor) -> Tensor:
            value = value.clone()
            _at(place, value, state["token"], head).copy_(row)
            return value

        return place["node"], change

    def _place(self, state: Mapping) -> dict:
        stream = self.anatomy["streams"][state["stream"]]
        if state.get("head"):
            attention, _ = state["head"]
            parts = (part for block in stream["blocks"] for part in block["parts"])
            return next(p["context"] for p in parts if p.get("attention") == attention)
        return stages_of(stream)[state["stage"]]

    def _origin(self, texts: Texts, origin: Mapping, stream: Mapping) -> Run:
        """The run that a state comes from: of a text as it is, or in another order."""
        if not origin.get("order"):
            return texts.runs[origin["text"]]
        order = tuple(origin["order"])
        if order not in texts.shuffled:
            run = texts.runs[origin["text"]]
            asked = self.model.reads.in_order(self.model.graph, run.asked, order, stream["tokens"])
            texts.shuffled[order] = self.model.changed(run.text, asked, {})
        return texts.shuffled[order]

    # ---- what came
    @property
    def _by_token(self) -> bool:
        return self.anatomy["probabilities"] == "tokens"

    def _answers(self, run: Run) -> list[list[tuple]]:
        """The likeliest of each row: id, name, probability, logit."""
        logits = self._logits(run)
        return [
            [(k, name, p, rows[k].item()) for k, name, p in of]
            for rows, of in zip(logits, self.model.likeliest(logits), strict=True)
        ]

    def _logits(self, run: Run) -> Tensor:
        place = self.anatomy["logits"]
        return rows_of(place, run.values[place["node"]])

    def _logit(self, run: Run, weigh: Mapping, k: int) -> float:
        return self._logits(run)[weigh["token"] if self._by_token else 0, k].item()

    def _asked(self, run: Run, weigh: Mapping) -> list[list]:
        """Of the ids that are asked for: id, probability, logit."""
        row = self._logits(run)[weigh["token"] if self._by_token else 0]
        chances = row.double().softmax(-1)
        return [[k, chances[k].item(), row[k].item()] for k in weigh.get("ids", ())]

    def difference(self, texts: Texts, run: Run, weigh: Mapping) -> float:
        """How much larger one logit is; without logits how far the last state is on its way."""
        if self.anatomy["logits"]:
            return self._logit(run, weigh, weigh["plus"]) - self._logit(run, weigh, weigh["less"])
        last = self.anatomy["streams"][-1]["last"]
        x, this, other = (
            rows_of(last, one.values[last["node"]])[weigh[name]].double()
            for one, name in ((run, "token"), (texts.runs[0], "token"), (texts.runs[1], "other"))
        )
        way = other - this
        return ((x - this) @ way / way.square().sum().clamp(min=1e-12)).item()

    def grid(self, texts: Texts, run: Run, stream: int) -> dict:
        """What is said at each stage and token, what moved, and what was reached at all."""
        last = stream == len(self.anatomy["streams"]) - 1
        says = last and self._by_token
        said = list(self.model.stage_logits(run)) if says else []
        words = [[of[0][1:] for of in self.model.likeliest(rows)] for rows in said]
        told = {
            "words": words or None,
            "answers": self._answers(run) if self.anatomy["logits"] else None,
        }
        if run.asked is texts.runs[0].asked:
            told |= self._moved(texts, run, stream, said)
        return told

    def _moved(self, texts: Texts, run: Run, stream: int, said: Sequence[Tensor]) -> dict:
        places = stages_of(self.anatomy["streams"][stream])
        before, after = (
            [rows_of(place, one.values[place["node"]]) for place in places]
            for one in (texts.runs[0], run)
        )
        both = list(zip(before, after, strict=True))
        shift = [(new - old).norm(dim=-1) / old.norm(dim=-1).clamp(min=1e-12) for old, new in both]
        if said:
            shift = [
                (rows.softmax(-1) - old).abs().sum(-1) / 2
                for rows, old in zip(said, texts.chances, strict=True)
            ]
        reach = [(new - old).abs().amax(-1) > REACHED * old.abs().amax(-1) for old, new in both]
        return {
            "moved": [one.clamp(max=1).tolist() for one in shift],
            "reach": [one.tolist() for one in reach],
        }

    def wrote(self, run: Run, job: Mapping) -> dict:
        """Who wrote the answer, or the difference of two."""
        anatomy, weigh = anatomy_of(self.model.graph), job["weigh"]
        last = len(anatomy.streams) - 1
        carried: dict[str, list[int]] = {}
        for state in job["states"]:
            if state["stream"] == last and not state.get("head"):
                carried.setdefault(self._place(state)["node"], []).append(state["token"])
        parts = written(
            self.model.graph, anatomy, run.values, weigh["token"], weigh["plus"], weigh["less"],
            carried,
        )  # fmt: skip
        return {"whole": sum(one.value for one in parts), "parts": [vars(one) for one in parts]}


def stages_of(stream: Mapping) -> list[dict]:
    """Where a stream lies at each of its stages: at its start, and after each block."""
    return [stream["start"], *(block["end"] for block in stream["blocks"])]


def _stream_told(stream: Mapping) -> dict:
    names = ("is", "attention", "heads", "name", "cross")
    return {
        "side": stream["side"],
        "tokens": stream["tokens"],
        "embedded": [one["name"] for one in stream["embedded"]],
        "blocks": [
            {"parts": [{k: part[k] for k in names if k in part} for part in block["parts"]]}
            for block in stream["blocks"]
        ],
    }


def _at(place: Mapping, value: Tensor, token: int, head: int | None) -> Tensor:
    """A token's vector in a value, or that of one of its heads."""
    index = [0] * value.dim()
    index[place["number"]] = slice(None)
    if place["token"] is not None:
        index[place["token"]] = token
    if head is not None and place["head"] is not None:
        index[place["head"]] = head
    return value[tuple(index)]


def _one_after_the_other(changes: Sequence[Change]) -> Change:
    def change(value: Tensor) -> Tensor:
        for one in changes:
            value = one(value)
        return value

    return change
