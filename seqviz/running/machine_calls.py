"""How a text becomes the inputs of a whole graph, and what its tokens are called."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from seqviz.graphs import Graph
from seqviz.graphs.programs import inputs_of, kind_of
from seqviz.pieces import pieces_of
from seqviz.running.calling import Call
from seqviz.running.spelling import told_of
from seqviz.running.tokenizing import Reader

MASKS = ("[MASK]", "<mask>")
MOST = 128  # tokens that can be drawn
SIDES = ("source", "target")
NO_FUNCTION = (
    "answers: the text goes through inputs=, a function of Python, which a page cannot run: give a "
    "tokenizer instead, sv.data.Vocabulary is one, and a model whose forward takes ids alone and "
    "makes all else itself; or write the page without answers"
)
NO_ORDER = (
    "order: the text goes through inputs=, a function of Python, whose tokens cannot be put in "
    "another order: give the tokenizer instead"
)
NO_TARGET = (
    "target: missing: {model} reads what its decoder has written, and its graph does not say how "
    "that begins: give target=, the decoder's text with its start token"
)


@dataclass(frozen=True)
class Asked:
    """A graph's inputs for a text.

    Attributes
    ----------
    given : list of Tensor
    tokens, special : mapping of str to list
        Of "source", and of "target" where there are two texts: the tokens as they are read by
        people, and which of them are of no text.
    target : list of int or None
        The ids that the decoder reads.
    """

    given: list[Tensor]
    tokens: dict[str, list[str]]
    special: dict[str, list[int]]
    target: list[int] | None = None


@dataclass(frozen=True)
class OfReaders:
    """Reads texts by tokenizers.

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
        Else how it writes: the ids that it "start"s with, those that "stop" it, at "most" how many.
    """

    inputs: Mapping[str, str]
    readers: tuple[Reader, Reader]
    pair: str | None = None
    target: list[int] | None = None
    writing: dict | None = field(default=None)

    def __call__(self, graph: Graph, text: str, target: list[int] | None = None) -> Asked:
        """Return a graph's inputs for a text; the `target` that is known is not written anew."""
        source = self.readers[0].read(text, self.pair)
        least, most = span_of(graph)
        check_length(text, len(source.ids), least, most, graph.model)
        kinds = {name: one.dtype for name, one in inputs_of(graph.program).items()}
        count = len(source.ids)
        gives = {
            "ids": source.ids,
            "mask": [1] * count,
            "segments": source.segments or [0] * count,
        }

        def given(target: list[int] | None) -> list[Tensor]:
            of = gives | {"target": target}
            return [
                torch.tensor([of[self.inputs[name]]], dtype=kinds[name]) for name in graph.inputs
            ]

        if "target" in self.inputs.values():
            target = self.target or target or self._written(graph, given)
        sides = [source.tokens] if target is None else [source.tokens, self.names(target)]
        return Asked(
            given(target), *told_of_sides(sides, [r.special for r in self.readers]), target
        )

    def _written(self, graph: Graph, given: Callable) -> list[int]:
        """What a decoder writes greedily and reads: the start in front, without the end."""
        if self.writing is None:
            raise ValueError(NO_TARGET.format(model=graph.model))
        ids, place = list(self.writing["start"]), graph.outputs.index(graph.roles.logits)
        while len(ids) < self.writing["most"]:
            best = int(graph(*given(ids))[place][0, -1].argmax())
            if best in self.writing["stop"]:
                break
            ids.append(best)
        return ids

    def in_order(self, graph: Graph, asked: Asked, order: Sequence[int], side: str) -> Asked:
        """Return what was read with the tokens of a side in another order."""
        moved = {"source": "ids", "target": "target"}[side]
        given = [
            one[:, list(order)] if self.inputs[name] == moved else one
            for name, one in zip(graph.inputs, asked.given, strict=True)
        ]
        tokens = asked.tokens | {side: [asked.tokens[side][k] for k in order]}
        return replace(asked, given=given, tokens=tokens)

    def names(self, ids: Sequence[int]) -> list[str]:
        """Return the tokens of ids that are predicted."""
        return self.readers[1].names(ids)

    @property
    def size(self) -> int:
        """How many tokens can be predicted at least."""
        return self.readers[1].size

    @property
    def mask(self) -> str:
        """The token that hides others, "" if there is none."""
        for mask in MASKS:
            with suppress(ValueError):
                if mask in self.readers[0].read(mask).tokens:
                    return mask
        return ""

    def told(self, graph: Graph) -> dict:
        """Return what a page needs to read the same.

        Raises
        ------
        ValueError
            If it cannot split a text as the tokenizer does.
        """
        return {
            "readers": [told_of(one) for one in dict.fromkeys(self.readers)],
            "inputs": dict(self.inputs),
            "kinds": {name: kind_of(v.dtype) for name, v in inputs_of(graph.program).items()},
            "pair": self.pair,
            "target": self.target,
            "writing": self.writing,
            "span": list(span_of(graph)),
        }


@dataclass(frozen=True)
class OfFunction:
    """Calls a graph with what a function of Python makes of a text.

    Attributes
    ----------
    call : function from a text to Call
    reader : Reader or None
        Names what is predicted.
    """

    call: Callable[[str], Call]
    reader: Reader | None
    pair: None = None
    mask: str = ""
    size: int = 0

    def __call__(self, graph: Graph, text: str, target: list[int] | None = None) -> Asked:
        """Return a graph's inputs for a text."""
        call = self.call(text)
        given = call.arguments.values() if isinstance(call.arguments, dict) else call.arguments
        tensors = [one for one in given if isinstance(one, Tensor)]
        if wrong := graph.beyond(tensors):
            raise ValueError(f"text: {wrong}")
        known = call.tokens
        first = known.get("encoder_tokens", known.get("tokens", ()))
        sides = [first, *([known["decoder_tokens"]] if "decoder_tokens" in known else [])]
        check_length(text, len(first), 1, MOST, graph.model)
        return Asked(tensors, *told_of_sides(sides, [known.get("special") or ()] * 2))

    def in_order(self, graph: Graph, asked: Asked, order: Sequence[int], side: str) -> Asked:
        """Refuse to read tokens in another order."""
        raise ValueError(NO_ORDER)

    def names(self, ids: Sequence[int]) -> list[str]:
        """Return the tokens of ids that are predicted."""
        return self.reader.names(ids) if self.reader else [f"[{k}]" for k in ids]

    def told(self, graph: Graph) -> dict:
        """Refuse to go into a page."""
        raise ValueError(NO_FUNCTION)


def gives_of(graph: Graph, anatomy: Mapping) -> dict[str, str]:
    """Return what each input of a graph gets of a text, told by where its tables are read.

    Raises
    ------
    ValueError
        If it reads no ids, or something else beside them.
    """
    given = inputs_of(graph.program)
    ids = {}
    for stream in anatomy["streams"]:
        rows = [one["place"]["node"] for one in stream["embedded"] if one["name"] == "token"]
        for node in rows[:1]:
            (name,) = inputs_behind(graph, node)
            ids[name] = "target" if stream["tokens"] == "target" else "ids"
    wide = [one for one in given.values() if one.dim() != 2 or one.shape[0] != 1]
    if not ids or wide:
        reads = ", ".join(f"{one} {tuple(value.shape)}" for one, value in given.items())
        raise ValueError(
            f"graph: expected one of ids (1, time), perhaps with a mask and segments; that of "
            f"{graph.model} reads {reads}: use sv.machine with inputs="
        )
    rest = {one: "segments" if one in graph.roles.ids else "mask" for one in graph.inputs}
    return rest | ids


def inputs_behind(graph: Graph, name: str) -> list[str]:
    """The inputs that a value is made of."""
    behind = {name}
    for node in reversed(graph.nodes):
        if node.name in behind:
            behind.update(node.reads)
    return [one for one in graph.inputs if one in behind]


def span_of(graph: Graph) -> tuple[int, int]:
    """The least and the largest number of tokens of a text."""
    name = (*graph.roles.ids, *graph.inputs)[0]
    if name in graph.lengths:
        return graph.lengths[name], graph.lengths[name]
    _, least, most = graph.limits.get(name, (0, 1, None))
    return max(1, least), min(one for one in (MOST, most, graph.longest) if one is not None)


def check_length(text: str, count: int, least: int, most: int, model: str) -> None:
    """Refuse a text that is not read or not drawn."""
    if not text.strip() or not count:
        raise ValueError("text: is empty: write at least one word")
    if least == most != count:
        raise ValueError(
            f"text: has {count} tokens, and {model} could be exported for texts of {most} only: "
            f"write one of {most} tokens, special ones among them"
        )
    if not least <= count <= most:
        fix = "shorten it" if count > most else "write more"
        raise ValueError(
            f"text: has {count} tokens, expected {least} to {most}, special ones among them: {fix}"
        )


def told_of_sides(
    sides: Sequence[Sequence[str]], special: Sequence[Sequence[str]]
) -> tuple[dict[str, list[str]], dict[str, list[int]]]:
    """The tokens of each side as people read them, and where its special ones are."""
    tokens, places = {}, {}
    for name, side, marks in zip(SIDES, sides, special, strict=False):
        places[name] = [k for k, token in enumerate(side) if token in marks]
        tokens[name] = list(pieces_of(list(side), places[name]).tokens)
    return tokens, places
