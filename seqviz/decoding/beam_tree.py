"""What a beam search looked at, kept whole."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from seqviz.arguments import checked_integer


class Hypothesis(NamedTuple):
    """A sequence that a beam search ended with.

    Parameters
    ----------
    ids : list of int
        Its tokens, without the prompt.
    score : float
        What it is ranked by: the sum of its log-probabilities over length**length_penalty.
    node : int
        Its last node in the tree.
    """

    ids: list[int]
    score: float
    node: int


@dataclass(frozen=True, eq=False, repr=False)
class BeamTree:
    """Every token that a beam search considered; each array has one number for each node.

    Nodes stand in the order of their steps; of one step, in that of their parents, the more
    probable child first. The prompt is no node.

    Parameters
    ----------
    step : array of int
        Tokens from the prompt to this one, counted from 1.
    parent : array of int
        The node of the token before; -1 right after the prompt.
    token : array of int
    log_probability : array of float
        Natural logarithm of the token's probability after those before it.
    score : array of float
        Sum of the log-probabilities from the prompt to this node.
    kept : array of bool
        Whether the node was among the best of its step; the others were pruned.
    finished : array of bool
        Whether the node was kept and its token ends the sequence.
    width : int
        Hypotheses that the search kept at a step, as far as there were so many.
    length_penalty : float
        The exponent of the length in the ranking.
    """

    step: np.ndarray
    parent: np.ndarray
    token: np.ndarray
    log_probability: np.ndarray
    score: np.ndarray
    kept: np.ndarray
    finished: np.ndarray
    width: int
    length_penalty: float

    def __len__(self) -> int:
        return len(self.token)

    def __repr__(self) -> str:
        end = "complete" if self.complete else "cut at its length"
        return f"BeamTree of {len(self)} nodes in {self.step.max()} steps, {end}"

    def path(self, node: int) -> list[int]:
        """Return the tokens from the prompt to a node, by backtracking (deck 002).

        Raises
        ------
        TypeError, ValueError
            If there is no such node.
        """
        node = checked_integer("node", node, 0, len(self) - 1)
        ids = []
        while node >= 0:
            ids.append(int(self.token[node]))
            node = self.parent[node]
        return ids[::-1]

    @property
    def complete(self) -> bool:
        """Whether a hypothesis ended with stop; else the search was cut at its length."""
        return bool(self.finished.any())

    @cached_property
    def hypotheses(self) -> list[Hypothesis]:
        """The finished sequences, the best first; if there are none, those at the last step."""
        last = self.finished if self.complete else self.kept & (self.step == self.step.max())
        nodes = np.flatnonzero(last)
        scores = self.score[nodes] / self.step[nodes] ** self.length_penalty
        ranked = np.argsort(-scores, kind="stable")
        return [Hypothesis(self.path(nodes[k]), float(scores[k]), int(nodes[k])) for k in ranked]

    @property
    def best(self) -> list[int]:
        """The tokens of the hypothesis with the highest score."""
        return self.hypotheses[0].ids
