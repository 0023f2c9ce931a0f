"""How graphs are run for a text: one call of a whole model, or its decoder step by step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn

from seqviz.exploring.matching import Seen, seen_in, value_of
from seqviz.graphs import Graph, exported, fits, stepped
from seqviz.nn.resting import at_rest
from seqviz.running.calling import Call, parameters_of

GIVES = {
    "input_ids": "ids",
    "attention_mask": "mask",
    "token_type_ids": "segments",
    "decoder_input_ids": "target",
}
BY_PLACE = ("", "decoder_input_ids")
KNOWN: WeakKeyDictionary[nn.Module, dict] = WeakKeyDictionary()  # graphs by the arguments' names
LEAST = 4  # tokens of an example: fewer would fix the length
Weights = Mapping[str, Mapping[str, Tensor]]  # of each graph, in place of its own
Changes = Mapping[str, Mapping[str, Callable[[Tensor], Tensor]]]  # of each graph's values
Values = tuple[Mapping[str, Tensor], int]


class OneCall:
    """A model that is called once with all of its text.

    Attributes
    ----------
    graphs : dict of str to Graph
    facts : dict
        What a page must know beside them, to do the same.
    target : Tensor
        The ids that the decoder reads, (time,).
    lengths : mapping of str to int
        Where texts have one length only, this one by input.
    """

    def __init__(self, model: nn.Module, call: Call):
        given = call.arguments
        named = given if isinstance(given, dict) else dict(zip(BY_PLACE, given, strict=False))
        self.names, self.given = list(named), list(named.values())
        example = {name: _long(one) for name, one in named.items()}
        if "use_cache" in parameters_of(model) and _is_alike(model, given, use_cache=False):
            example["use_cache"] = False  # nothing that a single call needs
        graph = graph_of_call(
            model, example if isinstance(given, dict) else tuple(example.values())
        )
        self.graph, self.graphs = graph, {"model": graph}
        gives = [GIVES.get(name, "ids") for name in self.names]
        inputs = dict(zip(graph.inputs, gives, strict=True))
        self.facts, self.lengths = {"inputs": inputs}, graph.lengths
        self.target = self.given[-1][0] if "target" in gives else torch.empty(0)

    def seen(self, weights: Weights) -> list[Seen]:
        """Return the maps of all attentions."""
        return seen_in("model", self.graph, self.given, weights.get("model"))[1]

    def values_at(self, row: int, graph: str, names: list[str], changes: Changes) -> Values:
        """Return inputs and values of the graph, and in which row of these a row of its maps is."""
        kept = self.graph.run(self.given, names, changes=changes.get(graph))[1]
        return dict(zip(self.graph.inputs, self.given, strict=True)) | kept, row

    def value_of(self, rows: Tensor) -> tuple[str, str | None]:
        """Return the graph and the value that has the numbers of (token, unit)."""
        return "model", value_of(self.graph, self.given, rows)

    def follow(self, ids: list[int], _: None) -> tuple[Tensor, None]:
        """Return the logits behind what is written so far, and nothing to go on from."""
        logits = self.graph.outputs.index(self.graph.roles.logits)
        return self.graph(*self.given[:-1], torch.tensor([ids]))[logits][0, -1], None


class StepByStep:
    """A translator of `seqviz.nn`: its source is read once, its target a token at a time.

    It has the attributes of `OneCall`.
    """

    def __init__(self, model: nn.Module, call: Call):
        self.steps = stepped(model)
        self.graphs = {"encode": self.steps.encode, "step": self.steps.step}
        source, target = call.arguments
        self.source, self.target, self.lengths = source, target[0], self.steps.encode.lengths
        self.facts = {"starts": [s if isinstance(s, int) else list(s) for s in self.steps.starts]}

    def seen(self, weights: Weights) -> list[Seen]:
        """Return the maps of all attentions; those of a step are a row of the decoder's."""
        _, found = seen_in("encode", self.steps.encode, [self.source], weights.get("encode"))
        steps, state = [], self.steps.begin(self.source)
        for token in self.target:
            given = [token[None], *state]
            (_, *state), seen = seen_in("step", self.steps.step, given, weights.get("step"))
            steps.append(seen)
        of_each = zip(*steps, strict=True)
        return found + [replace(rows[0], maps=_stacked([r.maps for r in rows])) for rows in of_each]

    def values_at(self, row: int, graph: str, names: list[str], changes: Changes) -> Values:
        """Return inputs and values of a graph: the decoder's have the one row of its step."""
        encode, step = self.steps.encode, self.steps.step
        if graph == "encode":
            kept = encode.run([self.source], names, changes=changes.get(graph))[1]
            return {encode.inputs[0]: self.source} | kept, row
        state, kept = self.steps.begin(self.source, changes.get("encode")), {}
        for token in self.target[: row + 1]:
            given = [token[None], *state]
            (_, *state), kept = step.run(given, names, changes=changes.get(graph))
        return dict(zip(step.inputs, given, strict=True)) | kept, 0

    def value_of(self, rows: Tensor) -> tuple[str, str | None]:
        """Return the graph and the value that has the numbers of (token, unit)."""
        given = [self.target[:1], *self.steps.begin(self.source)]
        return "step", value_of(self.steps.step, given, rows[:1])

    def follow(self, ids: list[int], state: list[Tensor] | None) -> tuple[Tensor, list[Tensor]]:
        """Return the logits behind what is written so far, and the state behind its last token."""
        return self.steps(ids[-1], state or self.steps.begin(self.source))


def written(whole: OneCall | StepByStep, start: list[int], stop: list[int], most: int) -> list[int]:
    """Return what is written greedily, the start in front, without the end."""
    ids, state = list(start), None
    for _ in range(most):
        logits, state = whole.follow(ids, state)
        best = int(logits.argmax())
        if best in stop:
            break
        ids.append(best)
    return ids


def graph_of_call(model: nn.Module, example: tuple | dict) -> Graph:
    """A model's graph: that of before while it fits."""
    names = tuple(example) if isinstance(example, dict) else len(example)
    before = KNOWN.setdefault(model, {}).get(names)
    if before is None or not fits(before, model, example):
        KNOWN[model][names] = exported(model, example)
    return KNOWN[model][names]


def _is_alike(model: nn.Module, given: dict | tuple, **more) -> bool:
    """Whether a call gives the same with more arguments."""
    args, kwargs = ((), given) if isinstance(given, dict) else (given, {})
    with at_rest(model):
        return torch.equal(model(*args, **kwargs)[0], model(*args, **kwargs, **more)[0])


def _long(one: Tensor) -> Tensor:
    """An example of several tokens: one of a single token would fix the length."""
    return one if one.shape[-1] >= LEAST else one.repeat(1, LEAST)[:, :LEAST]


def _stacked(rows: Sequence[np.ndarray]) -> np.ndarray:
    """Rows (heads, 1, keys) as maps (heads, query, keys); later keys have 0."""
    keys = rows[-1].shape[-1]
    return np.concatenate([np.pad(r, ((0, 0), (0, 0), (0, keys - r.shape[-1]))) for r in rows], 1)
