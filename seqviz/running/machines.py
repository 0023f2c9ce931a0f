"""A whole model as it computes a text: every value of its graph, and what its output says."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

import torch
from torch import Tensor

from seqviz.graphs import Graph
from seqviz.graphs.anatomy import anatomy_of
from seqviz.graphs.programs import inputs_of
from seqviz.running.tokenizing import Reader

MASKS = ("[MASK]", "<mask>")
MOST = 5  # answers at a token
LONGEST = 128  # tokens that can be drawn
Head = tuple[int, int]  # of the graph's attentions which, and which of its heads
Guesses = list[list[tuple[str, float]]]  # words and their probabilities, for each token


@dataclass(frozen=True)
class Reads:
    """How a text becomes the inputs of a graph.

    Attributes
    ----------
    inputs : mapping of str to str
        Of each input whether it gets the source's "ids", "mask" or "segments", or the "target".
    readers : pair of Reader
        Of source and target; the last one names what is predicted.
    pair : str or None
        The second text, which stays.
    target : list of int or None
        The ids that a decoder reads, where they are given.
    writing : dict or None
        Else how it writes them: the ids that it starts with, those that stop it, at most how many.
    """

    inputs: Mapping[str, str]
    readers: tuple[Reader, Reader]
    pair: str | None = None
    target: list[int] | None = None
    writing: dict | None = None


@dataclass(frozen=True)
class Run:
    """What came of a text: values by name, lengths as numbers, and the texts' tokens and ids."""

    text: str
    values: dict
    ids: dict[str, list[int]]
    tokens: dict[str, list[str]]


class MachineModel:
    """Runs a graph on texts.

    Parameters
    ----------
    graph : Graph
    reads : Reads
    labels : sequence of str, optional
        Names of what the output distinguishes, where these are no tokens.
    """

    def __init__(self, graph: Graph, reads: Reads, labels: Sequence[str] | None = None):
        self.graph, self.reads, self.labels = graph, reads, labels
        self.anatomy = asdict(anatomy_of(graph))
        self.kinds = {name: one.dtype for name, one in inputs_of(graph.program).items()}

    @property
    def stream(self) -> dict:
        """The stream that the output layer reads."""
        return self.anatomy["streams"][-1]

    # ---- a run
    def run(self, text: str, silent: Sequence[Head] = (), target: list[int] | None = None) -> Run:
        """Run a text, without the heads that are silent; a `target` is not written anew."""
        source = self.reads.readers[0].read(text, self.reads.pair)
        self._check(text, source.ids)
        ids = {"source": source.ids}
        if "target" in self.reads.inputs.values():
            given = self.reads.target if target is None else target
            ids["target"] = self._written(source) if given is None else given
        given = self._inputs(source, ids.get("target"))
        names = [node.name for node in self.graph.nodes]
        _, kept = self.graph.run(given, names, changes=self._silencing(silent))
        values = {**dict(zip(self.graph.inputs, given, strict=True)), **kept}
        tokens = {"source": list(source.tokens)}
        if "target" in ids:
            tokens["target"] = self.reads.readers[1].names(ids["target"])
        return Run(text, values, ids, tokens)

    def _check(self, text: str, ids: Sequence[int]) -> None:
        if not text.strip() or not ids:
            raise ValueError("text: is empty: write at least one word")
        if len(ids) > LONGEST:
            raise ValueError(
                f"text: has {len(ids)} tokens, at most {LONGEST} can be drawn: shorten it"
            )

    def _inputs(self, source, target: list[int] | None) -> list[Tensor]:
        """The tensors of a call, (1, time)."""
        count = len(source.ids)
        gives = {
            "ids": source.ids,
            "mask": [1] * count,
            "segments": source.segments or [0] * count,
            "target": target,
        }
        return [
            torch.tensor([gives[self.reads.inputs[name]]], dtype=self.kinds[name])
            for name in self.graph.inputs
        ]

    def _written(self, source) -> list[int]:
        """What a decoder writes greedily and reads: the start in front, without the end."""
        start, stop, most = (self.reads.writing[name] for name in ("start", "stop", "most"))
        ids, place = list(start), self.graph.outputs.index(self.graph.roles.logits)
        for _ in range(most - 1):
            logits = self.graph(*self._inputs(source, ids))[place]
            best = int(logits[0, -1].argmax())
            if best in stop:
                break
            ids.append(best)
        return ids

    def _silencing(self, silent: Sequence[Head]) -> dict:
        heads: dict[str, list[int]] = {}
        for attention, head in silent:
            heads.setdefault(self.graph.roles.attentions[attention].context, []).append(head)
        return {name: silenced(of) for name, of in heads.items()}

    # ---- what it says
    def answers(self, run: Run) -> Guesses | None:
        """The likeliest words at each token, or of the whole text; None without logits."""
        logits = self.anatomy["logits"]
        if logits is None:
            return None
        return self._guesses(rows_of(logits, run.values[logits["node"]]), MOST)

    def lens(self, run: Run) -> list[list[tuple[str, float]]] | None:
        """What the output layer would say to the stream at its start and after each block."""
        logits, end = self.anatomy["logits"], self.stream["end"]
        if logits is None:
            return None
        stages = [self.stream["start"], *(block["end"] for block in self.stream["blocks"])]
        shape = run.values[end["node"]].shape
        found = []
        for stage in stages:
            x = rows_of(stage, run.values[stage["node"]]).reshape(shape)
            said = self.graph.behind(end["node"], x, run.values, logits["node"])
            best = self._guesses(rows_of(logits, said), 1)
            found.append([one for row in best for one in row])
        return found

    def _guesses(self, logits: Tensor, count: int) -> Guesses:
        """The likeliest of each row; of equals the first comes first, of NaN there is none."""
        chances, ids = logits.double().softmax(-1).sort(dim=-1, descending=True, stable=True)
        return [
            []
            if row[0].isnan()
            else list(zip(self.names(of[:count].tolist()), row[:count].tolist(), strict=True))
            for row, of in zip(chances, ids, strict=True)
        ]

    def names(self, ids: Sequence[int]) -> list[str]:
        """The words that numbers of the output stand for."""
        if self.labels is None:
            return self.reads.readers[1].names(ids)
        return [self.labels[k] for k in ids]

    # ---- what a view is told
    def facts(self, run: Run) -> dict:
        """What a view is told of a run, but its title and what is silent."""
        readers = self.reads.readers
        return {
            "text": run.text,
            "pair": self.reads.pair,
            "model": self.graph.model,
            "sizes": self.sizes(run),
            "anatomy": self.anatomy,
            "graph": self.told(run),
            "shapes": {
                name: list(one.shape) for name, one in run.values.items() if isinstance(one, Tensor)
            },
            "tokens": run.tokens,
            "special": {
                side: [k for k, token in enumerate(tokens) if token in reader.special]
                for (side, tokens), reader in zip(run.tokens.items(), readers, strict=False)
            },
            "answers": self.answers(run),
            "lens": self.lens(run),
            "mask": mask_of(readers[0]),
            "nan": self.nan(run),
        }

    def sizes(self, run: Run) -> dict[str, int]:
        """Numbers of a token, heads of an attention, blocks of the last stream."""
        start = self.stream["start"]
        parts = [part for block in self.stream["blocks"] for part in block["parts"]]
        return {
            "width": run.values[start["node"]].shape[start["number"]],
            "heads": next((part["heads"] for part in parts if part["is"] == "attention"), 0),
            "blocks": len(self.stream["blocks"]),
        }

    def told(self, run: Run) -> dict:
        """The graph without its numbers; lengths are those of the run."""
        lengths = {
            name: one for name, one in run.values.items() if isinstance(one, bool | int | float)
        }
        return {
            "nodes": [
                {
                    "name": node.name,
                    "op": node.op,
                    "args": filled(node.arguments, lengths),
                    "kind": node.kind,
                    "module": node.module,
                }
                for node in self.graph.nodes
            ],
            "weights": {name: list(one.shape) for name, one in self.graph.weights.items()},
        }

    def nan(self, run: Run) -> dict | None:
        """The first operation that made a NaN, of those that lead to a NaN of the output."""
        leading, first = {*self.graph.outputs}, None
        if not any(_has_nan(run.values[name]) for name in leading):
            return None
        for node in reversed(self.graph.nodes):
            if node.name in leading and _has_nan(run.values[node.name]):
                first = node
                leading.update(node.reads)
        return first and {"node": first.name, "op": first.op, "module": first.module}


def rows_of(place: Mapping, value: Tensor) -> Tensor:
    """A value by token, (token, number): all other axes are read at 0."""
    for axis in reversed(range(value.dim())):
        if axis not in (place["token"], place["number"]):
            value = value.select(axis, 0)
    if value.dim() == 1:
        return value[None]
    return value if place["token"] < place["number"] else value.T


def silenced(heads: Sequence[int]):
    """What makes heads of a value (..., query, unit) zero, counted along all axes in front."""

    def change(value: Tensor) -> Tensor:
        flat = value.reshape(-1, *value.shape[-2:]).clone()
        flat[list(heads)] = 0
        return flat.reshape(value.shape)

    return change


def filled(argument, lengths: Mapping):
    """An argument with numbers in place of the names of lengths."""
    if isinstance(argument, list):
        return [filled(one, lengths) for one in argument]
    if isinstance(argument, dict) and argument.get("value") in lengths:
        return lengths[argument["value"]]
    return argument


def mask_of(reader: Reader) -> str:
    """The token that hides others, "" if there is none."""
    for mask in MASKS:
        with suppress(ValueError):
            if mask in reader.read(mask).tokens:
                return mask
    return ""


def _has_nan(value) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_nan, value))
    return isinstance(value, Tensor) and bool(value.isnan().any())
