"""A language model as graphs: the distribution of the next token, here and in a page."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor, tensor

from seqviz.graphs import Graph, Packed, Steps
from seqviz.running.id_graphs import IdGraph
from seqviz.running.spelling import told_of
from seqviz.running.tokenizing import Reader
from seqviz.running.travelling import travelling

KEPT = 3_000_000  # numbers of states
MOST = 1000  # tokens of a text
UNKNOWN = re.compile("; the vocabulary has .*", re.DOTALL)
Ids = tuple[int, ...]
Known = tuple[Tensor, list[Tensor]]  # logits (V,), and the state behind


@dataclass(frozen=True)
class WritingModel:
    """A model that writes: a graph of whole texts, or its steps."""

    given: Graph | Steps

    def fitted(self, vocabulary: Sequence[str]) -> "WholeTexts | TokenByToken":
        """Return what expects tokens of a vocabulary.

        Raises
        ------
        ValueError
            If the model reads anything but ids, or its logits are not over the vocabulary.
        """
        if isinstance(self.given, Graph):
            return WholeTexts(IdGraph("probabilities", self.given, len(vocabulary)))
        return TokenByToken(_checked(self.given, len(vocabulary)))


@dataclass(frozen=True)
class WholeTexts:
    """Reads all of a text for each next token."""

    reads: IdGraph

    @property
    def longest(self) -> int | None:
        """Tokens of the longest text, None if the model does not say."""
        return self.reads.graph.longest

    def __call__(self, ids: Sequence[int]) -> np.ndarray:
        """Return the distribution of the next token, (V,)."""
        logits, _ = self.reads(tensor(ids))
        return chances(logits[-1])

    def travels(self, precision: str) -> tuple[dict, dict[str, Packed], str]:
        """Return what a page must know beside the graph, the graph, and a line on it."""
        return {"reads": self.reads.told()}, *travelling({"model": self.reads.graph}, precision)


class TokenByToken:
    """Reads a token at a step; the states behind the beginnings that were read last are kept."""

    def __init__(self, steps: Steps):
        self.steps = steps
        self._known: OrderedDict[Ids, Known] = OrderedDict()
        self._size = 0

    @property
    def longest(self) -> int | None:
        """Tokens of the longest text, None if the model does not say."""
        return self.steps.step.longest

    def __call__(self, ids: Sequence[int]) -> np.ndarray:
        """Return the distribution of the next token, (V,)."""
        ids = tuple(ids)
        read = next((k for k in range(len(ids), 0, -1) if ids[:k] in self._known), 0)
        if read:
            self._known.move_to_end(ids[:read])
            logits, state = self._known[ids[:read]]
        else:
            logits, state = None, self.steps.begin()
        for k in range(read, len(ids)):
            logits, state = self.steps(ids[k], state)
            self._keep(ids[: k + 1], logits, state)
        return chances(logits)

    def _keep(self, ids: Ids, logits: Tensor, state: list[Tensor]) -> None:
        """Keep what was read as the last; of more than is kept the oldest goes."""
        self._known[ids] = logits, state
        self._size += _numbers(self._known[ids])
        while self._size > KEPT and len(self._known) > 1:
            _, oldest = self._known.popitem(last=False)
            self._size -= _numbers(oldest)

    def travels(self, precision: str) -> tuple[dict, dict[str, Packed], str]:
        """Return what a page must know beside the graph, the graph, and a line on it."""
        return {"starts": list(self.steps.starts)}, *travelling(
            {"model": self.steps.step}, precision
        )


@dataclass(frozen=True)
class Prompts:
    """Reads the text that a model writes on from."""

    reader: Reader

    def ids(self, text: str, size: int) -> list[int]:
        """Return the ids of a text, below `size`; special tokens that end it are left out.

        Raises
        ------
        ValueError
            If it has no token, or too many, or one that is not in the vocabulary.
        """
        if not text.strip():
            raise ValueError("text: is empty: write at least one word")
        try:
            reading = self.reader.read(text)
        except ValueError as problem:  # which tokens there are nobody can change there
            raise ValueError(UNKNOWN.sub(": leave them out", str(problem))) from None
        ids, tokens = list(reading.ids), reading.tokens
        while len(ids) > 1 and tokens[len(ids) - 1] in self.reader.special:
            ids.pop()
        if not ids:
            raise ValueError("text: has no token: write at least one word")
        if len(ids) > MOST:
            raise ValueError(
                f"text: has {len(ids):,} tokens, at most {MOST:,} are read: shorten it"
            )
        if max(ids) >= size:
            token = tokens[ids.index(max(ids))]
            raise ValueError(f"text: the model has no token {token!r}: leave it out")
        return ids

    def told(self) -> dict:
        """Return what a page needs to read the same."""
        return {"reader": told_of(self.reader), "most": MOST}


def chances(logits: Tensor) -> np.ndarray:
    """Return the softmax of logits (V,), in float64: equal ones stay equal, others differ."""
    return logits.double().softmax(-1).numpy()


def _checked(steps: Steps, size: int) -> Steps:
    """Refuse a model that cannot go on from a prompt."""
    model = steps.step.model
    if steps.encode is not None:
        raise ValueError(
            f"probabilities: {model} reads a source before it writes, and there is none here: hand "
            "in a function of the ids that has one"
        )
    shapes = {node.name: node.shape for node in steps.step.nodes}
    found = shapes[steps.step.outputs[0]][-1]
    if found != size:
        raise ValueError(
            f"vocabulary: has {size:,} tokens, and {model} gives logits of {found:,}: hand in the "
            "vocabulary of this model, a name for each logit"
        )
    return steps


def _numbers(known: Known) -> int:
    logits, state = known
    return logits.numel() + sum(one.numel() for one in state)
