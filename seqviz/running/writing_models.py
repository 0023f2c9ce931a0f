"""A language model as graphs: the distribution of the next token, here and in a page."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor, tensor

from seqviz.graphs import Graph, Packed, Steps
from seqviz.running.id_graphs import IdGraph, checked_logits, travelling
from seqviz.running.spelling import told_of
from seqviz.running.tokenizing import Reader

KEPT = 1_000_000  # numbers of states, 4 MB
MOST = 1000  # tokens of a text
Ids = tuple[int, ...]
Known = tuple[Tensor, list[Tensor]]  # logits (V,), and the state behind


class WritingModel:
    """Expects the next token by a graph of whole texts, or by steps.

    The states behind the beginnings that steps read last are kept, so that a token is read once.

    Parameters
    ----------
    given : Graph or Steps
    size : int
        Tokens of the vocabulary.

    Raises
    ------
    ValueError
        If the model reads anything but ids, or its logits are not over the vocabulary.
    """

    def __init__(self, given: Graph | Steps, size: int):
        self.whole = IdGraph("probabilities", given, size) if isinstance(given, Graph) else None
        self.steps = None if self.whole else _checked(given, size)
        self.graph = given if self.whole else given.step
        self._known: OrderedDict[Ids, Known] = OrderedDict()
        self._size = 0

    @property
    def longest(self) -> int | None:
        """Tokens of the longest text, None if the model does not say."""
        return self.graph.longest

    def __call__(self, ids: Sequence[int]) -> np.ndarray:
        """Return the distribution of the next token, (V,), in float64: equal ones stay equal."""
        logits = self.whole(tensor(ids))[0][-1] if self.whole else self._stepped(tuple(ids))
        return logits.double().softmax(-1).numpy()

    def _stepped(self, ids: Ids) -> Tensor:
        read = next((k for k in range(len(ids), 0, -1) if ids[:k] in self._known), 0)
        if read:
            self._known.move_to_end(ids[:read])
        logits, state = self._known.get(ids[:read]) or (None, self.steps.begin())
        for k in range(read, len(ids)):
            logits, state = self.steps(ids[k], state)
            self._keep(ids[: k + 1], (logits, state))
        return logits

    def _keep(self, ids: Ids, known: Known) -> None:
        """Keep what was read as the last; of more than is kept the oldest goes."""
        self._known[ids] = known
        self._size += _numbers(known)
        while self._size > KEPT and len(self._known) > 1:
            _, oldest = self._known.popitem(last=False)
            self._size -= _numbers(oldest)

    def travels(self, precision: str) -> tuple[dict, dict[str, Packed], str]:
        """Return what a page must know beside the graph, the graph, and a line on it."""
        how = {"reads": self.whole.told()} if self.whole else {"starts": list(self.steps.starts)}
        return how, *travelling({"model": self.graph}, precision)


def _checked(steps: Steps, size: int) -> Steps:
    """Refuse a model that cannot go on from a prompt."""
    if steps.encode is not None:
        raise ValueError(
            f"probabilities: {steps.step.model} reads a source before it writes, and there is none "
            "here: hand in a function of the ids that has one"
        )
    checked_logits("probabilities", steps.step, size)
    return steps


def _numbers(known: Known) -> int:
    logits, state = known
    return logits.numel() + sum(one.numel() for one in state)


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
        reading = self.reader.read(text)
        ids, tokens = list(reading.ids), reading.tokens
        while len(ids) > 1 and tokens[len(ids) - 1] in self.reader.special:
            ids.pop()
        if not ids or not text.strip():
            raise ValueError("text: is empty: write at least one word")
        if len(ids) > MOST:
            raise ValueError(
                f"text: has {len(ids):,} tokens, at most {MOST:,} are read: shorten it"
            )
        for id, token in zip(ids, tokens, strict=False):
            if id >= size:
                raise ValueError(f"text: the model has no token {token!r}: leave it out")
        return ids

    def told(self) -> dict:
        """Return what a page needs to read the same."""
        return {"reader": told_of(self.reader), "most": MOST}
