"""A masked language model as graphs: what it expects where tokens are hidden, and its maps."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from seqviz.graphs import Graph, Packed
from seqviz.running.id_graphs import IdGraph, travelling
from seqviz.running.spelling import told_of
from seqviz.running.tokenizing import Reader

LABEL = re.compile(r"layer (\d+), (?:mean|head (\d+))")
SIDES = "both", "left"
Map = tuple[str, int | None]  # which of a graph's values, and which head; None for the mean


@dataclass(frozen=True)
class MaskedModel:
    """Graphs of a masked language model, and perhaps of one that reads the left side only.

    Attributes
    ----------
    graphs : one or two graphs
        From ids, perhaps with a mask and segments, to logits. Those of the second at a position
        are of the token behind it.
    reader : Reader or None
        Reads a text as the model does.
    """

    graphs: Sequence[Graph]
    reader: Reader | None

    def fitted(self, vocabulary: Sequence[str], labels: Sequence[str], mask: str) -> "Guesser":
        """Return what guesses tokens of a vocabulary, and reads maps off by their labels.

        Raises
        ------
        ValueError
            If a graph does not fit the vocabulary, a label is of no map, there is no token that
            hides others, or the reader has other tokens.
        """
        if not mask:
            raise ValueError("vocabulary: has no [MASK], by which the graph hides a token")
        names = ("run",) if len(self.graphs) == 1 else ("run[0]", "run[1]")
        models = {
            side: IdGraph(name, graph, len(vocabulary))
            for side, name, graph in zip(SIDES, names, self.graphs, strict=False)
        }
        maps = {label: _map_of(self.graphs[0], label) for label in labels}
        if self.reader is not None:
            _check_tokens(self.reader, vocabulary)
        numbers = {token: k for k, token in enumerate(vocabulary)}
        return Guesser(models, numbers, numbers[mask], maps, self.reader)


@dataclass(frozen=True)
class Guesser:
    """What `sv.view.masking` asks: tokens, and places that are hidden at once."""

    models: Mapping[str, IdGraph]
    numbers: Mapping[str, int]
    mask: int
    maps: Mapping[str, Map]
    reader: Reader | None

    def __call__(self, tokens: Sequence[str], positions: Sequence[int]) -> dict:
        """Return probabilities, (positions, vocabulary), and weights, (positions, tokens)."""
        ids, places = torch.tensor(self._ids(tokens)), list(positions)
        hidden = ids.index_fill(0, torch.tensor(places), self.mask)
        logits, kept = self.models["both"](hidden, {name for name, _ in self.maps.values()})
        found = {"both": logits[places].softmax(-1)}
        if self.maps:
            found["attention"] = {
                label: _weights(kept[name], head)[places]
                for label, (name, head) in self.maps.items()
            }
        if "left" in self.models:  # before the first token is nothing, all are alike
            logits, _ = self.models["left"](ids)
            before = torch.cat([torch.zeros_like(logits[:1]), logits[:-1]])
            found["left"] = before[places].softmax(-1)
        return found

    def _ids(self, tokens: Sequence[str]) -> list[int]:
        for k, token in enumerate(tokens, 1):
            if token not in self.numbers:
                raise ValueError(
                    f"token {k} is {token!r}, which is none of the {len(self.numbers):,} tokens of "
                    "the vocabulary: split it as the model's tokenizer does"
                )
        return [self.numbers[token] for token in tokens]

    def travels(self, precision: str) -> tuple[dict, dict[str, Packed], str]:
        """Return what a page needs to ask the same, the graphs, and a line that tells of them.

        Raises
        ------
        ValueError
            If texts are split by a function, or by what a page does not know.
        """
        if self.reader is None:
            raise ValueError(
                "answers: tokenize is a function of Python, which a page cannot run: hand in the "
                "tokenizer itself, tokenize=pieces, a sv.data.WordPiece or another that sv.explore "
                "takes"
            )
        facts = {
            "reader": told_of(self.reader),
            "mask": self.mask,
            "models": {side: one.told() for side, one in self.models.items()},
            "maps": [{"weights": name, "head": head} for name, head in self.maps.values()],
        }
        graphs = {side: one.graph for side, one in self.models.items()}
        return facts, *travelling(graphs, precision)


def _weights(weights: Tensor, head: int | None) -> Tensor:
    """The map (query, key) of a head, or the mean of all."""
    heads = weights.reshape(-1, *weights.shape[-2:])
    return heads.mean(0) if head is None else heads[head]


def _map_of(graph: Graph, label: str) -> Map:
    found, attentions = LABEL.fullmatch(label), graph.roles.attentions
    if found and int(found[1]) < len(attentions):
        attention = attentions[int(found[1])]
        head = None if found[2] is None else int(found[2])
        if head is None or head < attention.count:
            return attention.weights, head
    layers, heads = len(attentions), max((one.count for one in attentions), default=0)
    raise ValueError(
        f"sentences: their attention {label!r} is no map of the graph of {graph.model}: expected "
        f"'layer K, mean' or 'layer K, head H', counted from 0, of {layers} layers with {heads} "
        "heads: call it so, leave it out, or hand in a function as run"
    )


def _check_tokens(reader: Reader, vocabulary: Sequence[str]) -> None:
    pairs = zip(reader.names(range(len(vocabulary))), vocabulary, strict=True)
    for k, (own, token) in enumerate(pairs):
        if own != token:
            raise ValueError(
                f"tokenize: its token {k} is {own!r}, that of the vocabulary {token!r}: hand in "
                "the tokenizer and the vocabulary of one model"
            )
