"""A whole model as it computes a text: every value of its graph, and what its output says."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from seqviz.graphs import Graph, Packed
from seqviz.graphs.anatomy import anatomy_of
from seqviz.graphs.writing import no_logits
from seqviz.pieces import readable
from seqviz.running.id_graphs import travelling
from seqviz.running.limits import beyond
from seqviz.running.machine_calls import Asked, OfFunction, OfReaders
from seqviz.running.machine_values import filled, first_nodes, rows_of, silenced, span_of
from seqviz.telling import shown

MOST = 5  # answers at a token
WITH_FIRST = 1_000_000  # numbers that go along with the first picture
NO_NUMBER = ("NaN", 0.0)
SPAN = ("start", "end")
Change = Callable[[Tensor], Tensor]
Head = tuple[int, int]  # which of the graph's attentions, and which of its heads
Guesses = list[list[tuple[str, float]]]  # words and their probabilities, for each token


@dataclass(frozen=True)
class Run:
    """What came of a text: the values of all nodes and inputs, by name."""

    text: str
    asked: Asked
    values: dict


class MachineModel:
    """Runs a graph on texts.

    Parameters
    ----------
    graph : Graph
    reads : OfReaders or OfFunction
    labels : sequence of str, optional
        Names of what the output distinguishes, where these are no tokens.

    Raises
    ------
    ValueError
        If it never attends, or has another number of labels.
    """

    def __init__(
        self, graph: Graph, reads: OfReaders | OfFunction, labels: Sequence[str] | None = None
    ):
        self.graph, self.reads = graph, reads
        if not graph.roles.attentions:
            raise ValueError(
                f"model: {graph.model} never attends, expected attention by a softmax: look into "
                "it with sv.record, or draw a recurrent net with sv.view.unroll"
            )
        self.anatomy = anatomy_of(graph).told()
        self.labels = self._checked_labels(labels)

    def _checked_labels(self, labels: Sequence[str] | None) -> Sequence[str] | None:
        """Names of the output's classes; None where it is over the tokens of the vocabulary."""
        logits, model = self.anatomy["logits"], self.graph.model
        if logits is None:
            if labels is not None:
                raise ValueError(f"labels: {no_logits(self.graph)}, or leave them out")
            return None
        (shape,) = [node.shape for node in self.graph.nodes if node.name == logits["node"]]
        many = shape[logits["number"]]
        if labels is None:
            if self.anatomy["probabilities"] == "span":
                return list(SPAN)
            few = isinstance(many, int) and many < self.reads.size
            return [f"class {k}" for k in range(many)] if few else None
        if not all(isinstance(one, str) for one in labels):
            raise TypeError(
                f"labels: expected a list of strings, came {shown(labels)}: write ['bad', 'good']"
            )
        if len(labels) != many:
            raise ValueError(
                f"labels: expected {many}, one for each number of the output of {model}, came "
                f"{len(labels)}"
            )
        return labels

    @property
    def stream(self) -> dict:
        """The stream that the output layer reads."""
        return self.anatomy["streams"][-1]

    # ---- a run
    def run(self, text: str, silent: Sequence[Head] = (), before: Run | None = None) -> Run:
        """Run a text without the heads that are silent; what is written stays that of `before`."""
        asked = before.asked if before else self.reads(self.graph, text)
        return self.changed(text, asked, self.silencing(silent))

    def changed(self, text: str, asked: Asked, changes: Mapping[str, Change]) -> Run:
        """Run what was read, with changes of the values of nodes."""
        names = [node.name for node in self.graph.nodes]
        try:
            _, kept = self.graph.run(asked.given, names, changes=changes)
        except IndexError as error:
            raise beyond(self.graph.model, max(map(len, asked.tokens.values()))) from error
        except RuntimeError as error:  # it was exported on one side of an if
            raise ValueError(
                f"text: the graph of {self.graph.model} does not run on it ({error}): write a text "
                "like that of the export, or choose with torch.where in the model"
            ) from error
        return Run(text, asked, dict(zip(self.graph.inputs, asked.given, strict=True)) | kept)

    def silencing(self, silent: Sequence[Head]) -> dict[str, Change]:
        """What makes the heads of attentions zero, by the names of nodes."""
        heads: dict[str, list[int]] = {}
        for attention, head in silent:
            heads.setdefault(self.graph.roles.attentions[attention].context, []).append(head)
        return {name: silenced(of) for name, of in heads.items()}

    # ---- what it says
    def answers(self, run: Run) -> Guesses | None:
        """The likeliest words at each token, or of the whole text; None without logits.

        Of a span each token has both: how likely it starts there, and how likely it ends there.
        """
        logits = self.anatomy["logits"]
        if logits is None:
            return None
        return self._guesses(rows_of(logits, run.values[logits["node"]]))

    def lens(self, run: Run) -> list[list[tuple[str, float]]] | None:
        """What the output layer would say to the stream at its start and after each block."""
        if self.anatomy["logits"] is None:
            return None
        return [[best for best, *_ in self._guesses(said)] for said in self.stage_logits(run)]

    def spans(self, run: Run) -> list[tuple[int, int, float] | None] | None:
        """First token, last token and probability of the span that would be said at each stage."""
        if self.anatomy["probabilities"] != "span":
            return None
        return [span_of(rows) for rows in self.stage_logits(run)]

    def stage_logits(self, run: Run) -> Iterator[Tensor]:
        """The logits (token, word), or one row of them, of the stream at each of its stages."""
        logits, end = self.anatomy["logits"], self.stream["end"]
        shape = run.values[end["node"]].shape
        for stage in [self.stream["start"], *(block["end"] for block in self.stream["blocks"])]:
            x = rows_of(stage, run.values[stage["node"]]).reshape(shape)
            said = self.graph.behind(end["node"], x, run.values, logits["node"])
            yield rows_of(logits, said)

    def _guesses(self, logits: Tensor) -> Guesses:
        over = 0 if self.anatomy["probabilities"] == "span" else -1  # tokens, or words
        return [[(name, p) for _, name, p in of] for of in self.likeliest(logits, over)]

    def likeliest(self, logits: Tensor, over: int = -1) -> list[list[tuple[int, str, float]]]:
        """The likeliest of each row, id, name, probability; of equals the first comes first."""
        chances, ids = logits.double().softmax(over).topk(min(MOST, logits.shape[-1]))
        found = []
        for row, of in zip(chances.tolist(), ids.tolist(), strict=True):
            found.append(sorted(zip(of, row, strict=True), key=lambda one: (-one[1], one[0])))
        named = [self._named(of) for of in found]
        told = named if self.labels else readable(named)
        numbered = [
            [(k, *one) for (k, _), one in zip(row, of, strict=True)]
            for row, of in zip(found, told, strict=True)
        ]
        return [[(-1, *NO_NUMBER)] if math.isnan(row[0][2]) else row for row in numbered]

    def _named(self, found: Sequence[tuple[int, float]]) -> list[tuple[str, float]]:
        names = self._names([k for k, _ in found])
        return [(name, p) for name, (_, p) in zip(names, found, strict=True)]

    def _names(self, ids: Sequence[int]) -> list[str]:
        return [self.labels[k] for k in ids] if self.labels else self.reads.names(ids)

    # ---- what a view is told
    def facts(self, run: Run) -> dict:
        """What a view is told of a run; beside it stand a title, and what is silent."""
        return {
            "text": run.text,
            "pair": self.reads.pair,
            "model": self.graph.model,
            "sizes": self.sizes(run),
            "anatomy": self.anatomy,
            "graph": self._told(run),
            "shapes": {
                name: list(one.shape) for name, one in run.values.items() if isinstance(one, Tensor)
            },
            "tokens": run.asked.tokens,
            "special": run.asked.special,
            "answers": self.answers(run),
            "lens": self.lens(run),
            "spans": self.spans(run),
            "classes": self.labels and list(self.labels),
            "kind": self.kind(run),
            "mask": self.reads.mask,
            "python": "model",
            "nan": self._nan(run),
        }

    def first(self, run: Run) -> list[str]:
        """The nodes that the picture of the whole needs, as many as go along with it."""
        names, room = [], WITH_FIRST
        for name in first_nodes(self.anatomy):
            room -= run.values[name].numel()
            if room < 0:
                break
            names.append(name)
        return names

    def can_travel(self) -> bool:
        """Whether a page can read texts as this does."""
        try:
            return bool(self.reads.told(self.graph))
        except ValueError:
            return False

    def travels(self, precision: str) -> tuple[dict, dict[str, Packed], str]:
        """Return what a page needs to run the same, the graph, and a line that tells of it."""
        facts = self.reads.told(self.graph) | {
            "contexts": [one.context for one in self.graph.roles.attentions],
            "labels": self.labels and list(self.labels),
            "outputs": list(self.graph.outputs),
            "logits": self.graph.roles.logits,
            "first": first_nodes(self.anatomy),
            "most": {"answers": MOST, "first": WITH_FIRST},
            "exact": precision == "full",
        }
        return facts, *travelling({"model": self.graph}, precision)

    def sizes(self, run: Run) -> dict[str, int]:
        """Numbers of a token, heads of an attention, blocks of the last stream."""
        start = self.stream["start"]
        parts = [part for block in self.stream["blocks"] for part in block["parts"]]
        return {
            "width": run.values[start["node"]].shape[start["number"]],
            "heads": next((part["heads"] for part in parts if part["is"] == "attention"), 0),
            "blocks": len(self.stream["blocks"]),
        }

    def kind(self, run: Run) -> str:
        """Whether tokens are predicted that are hidden, or that come next, or something else."""
        if self.labels is not None or self.anatomy["probabilities"] != "tokens":
            return "other"
        parts = [part for block in self.stream["blocks"] for part in block["parts"]]
        own = [part for part in parts if part["is"] == "attention" and not part["cross"]]
        maps = [run.values[part["weights"]].nan_to_num() for part in own]
        # of one token the map says nothing: whether there is a mask at all
        hides = maps and (maps[0].shape[-1] > 1 or all(part["mask"] for part in own))
        if not hides or any(one.triu(1).any() for one in maps):
            return "masked" if self.reads.mask else "other"
        return "next"

    def _told(self, run: Run) -> dict:
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

    def _nan(self, run: Run) -> dict | None:
        """The first operation that made a NaN, of those that lead to a NaN of the output."""
        leading, first = {*self.graph.outputs}, None
        if not any(_has_nan(run.values[name]) for name in leading):
            return None
        for node in reversed(self.graph.nodes):
            if node.name in leading and _has_nan(run.values[node.name]):
                first = node
                leading.update(node.reads)
        return first and {"node": first.name, "op": first.op, "module": first.module}


def _has_nan(value) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_nan, value))
    return isinstance(value, Tensor) and bool(value.isnan().any())
