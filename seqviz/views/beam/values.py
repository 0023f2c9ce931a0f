"""Checked values of a beam search: its trees, and the words of their tokens."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seqviz.pieces import alone, running
from seqviz.views.shared.checking import numbers, strings, truths, within
from seqviz.views.shared.codec import packed

FIELDS = ("step", "parent", "token", "log_probability", "score", "kept", "finished")
MOST_NODES, MOST_STEPS, MOST_WIDTH = 20_000, 200, 100


@dataclass(frozen=True)
class Tree:
    """A checked beam search: one entry for each node, in the order of their steps."""

    step: np.ndarray  # from 1
    parent: np.ndarray  # -1 right after the prompt
    token: np.ndarray
    log_probability: np.ndarray
    score: np.ndarray
    kept: np.ndarray
    finished: np.ndarray

    @classmethod
    def of(cls, given, where: str) -> "Tree":
        """Check one tree."""
        found = fields_of(given, where)
        whole = {name: integers(f"{where}.{name}", found[name]) for name in FIELDS[:3]}
        real = {name: numbers(f"{where}.{name}", found[name]) for name in FIELDS[3:5]}
        flags = {name: truths(f"{where}.{name}", found[name]) for name in FIELDS[5:]}
        arrays = {**whole, **real, **flags}
        shapes = {name: array.shape for name, array in arrays.items()}
        if len(set(shapes.values())) > 1 or whole["step"].ndim != 1:
            raise ValueError(
                f"{where}: expected arrays of one length, a number for each node; came {shapes}"
            )
        if not 1 <= whole["step"].size <= MOST_NODES:
            raise ValueError(
                f"{where}: expected 1 to {MOST_NODES:,} nodes, came {whole['step'].size:,}: "
                "search fewer steps or with a smaller width"
            )
        tree = cls(**arrays)
        tree._check_order(where)
        tree._check_scores(where)
        tree._check_kept(where)
        return tree

    def _check_order(self, where: str) -> None:
        """Parents come before their children, one step earlier."""
        late = (self.parent < -1) | (self.parent >= np.arange(self.step.size))
        for node in np.flatnonzero(late):
            raise ValueError(
                f"{where}.parent[{node}] is {self.parent[node]}, expected an earlier node, "
                f"-1 to {node - 1}: -1 is the prompt, which is no node itself"
            )
        for node in np.flatnonzero(self.step != self._of_parent(self.step) + 1):
            raise ValueError(
                f"{where}.step[{node}] is {self.step[node]}, expected "
                f"{self._of_parent(self.step)[node] + 1}, one more than that of its parent: "
                "steps count from 1 after the prompt"
            )
        for node in np.flatnonzero(np.diff(self.step) < 0) + 1:
            raise ValueError(
                f"{where}.step[{node}] is {self.step[node]} after {self.step[node - 1]}: "
                "expected the nodes in the order of their steps"
            )
        if self.steps > MOST_STEPS:
            raise ValueError(f"{where}: expected at most {MOST_STEPS} steps, came {self.steps}")

    def _check_scores(self, where: str) -> None:
        """A score is the sum of the log-probabilities from the prompt on."""
        for node in np.flatnonzero(self.log_probability > 1e-5):
            raise ValueError(
                f"{where}.log_probability[{node}] is {self.log_probability[node]:.4g}, expected a "
                "logarithm of a probability, at most 0: take log_softmax of the logits"
            )
        total = self._of_parent(self.score) + self.log_probability
        for node in np.flatnonzero(np.abs(self.score - total) > 1e-3 * (1 + np.abs(total))):
            raise ValueError(
                f"{where}.score[{node}] is {self.score[node]:.4g}, expected {total[node]:.4g}, the "
                "sum of the log-probabilities on its path: hand in sums without a length penalty"
            )

    def _check_kept(self, where: str) -> None:
        """Only what was kept and goes on has children, and something is kept at every step."""
        parents = np.unique(self.parent[self.parent >= 0])
        for node in parents[~self.kept[parents] | self.finished[parents]]:
            state = "finished" if self.kept[node] else "pruned"
            raise ValueError(f"{where}: node {node} is {state}, expected no children, came some")
        for t in np.flatnonzero(self.count(self.kept)[1:] == 0) + 1:
            raise ValueError(f"{where}.kept: no node of step {t} is kept, expected at least one")

    def _of_parent(self, values: np.ndarray) -> np.ndarray:
        """The value at each node's parent; 0 at the prompt."""
        return np.where(self.parent < 0, 0, values[self.parent])

    @property
    def steps(self) -> int:
        """Number of steps."""
        return int(self.step.max())

    def count(self, which: np.ndarray) -> np.ndarray:
        """Nodes at each step, from step 0, of which `which` is true."""
        return np.bincount(self.step[which], minlength=self.steps + 1)

    def packed(self, words: Mapping[int, int]) -> bytes:
        """All fields by name; tokens as places in the list of words."""
        tokens = np.array([words[token] for token in self.token.tolist()])
        return packed(**vars(self) | {"token": tokens})


def fields_of(given, where: str) -> dict:
    """The arrays of a tree by name, from attributes or from a mapping."""
    try:
        if isinstance(given, Mapping):
            return {name: given[name] for name in FIELDS}
        return {name: getattr(given, name) for name in FIELDS}
    except (KeyError, AttributeError) as problem:
        raise TypeError(
            f"{where}: expected a tree with {', '.join(FIELDS)}, as sv.decoding.beam returns; "
            f"came {type(given).__name__} ({problem})"
        ) from None


def integers(name: str, given) -> np.ndarray:
    """Whole numbers."""
    array = numbers(name, given)
    if (array % 1).any():
        raise ValueError(f"{name}: expected whole numbers, came {array[array % 1 != 0][0]}")
    return array.astype(np.int64)


def trees_of(trees) -> dict[int, Tree]:
    """The checked trees by width, the narrowest first; one that does not tell gets what it kept."""
    if not isinstance(trees, Mapping) or FIELDS[0] in trees:
        tree = Tree.of(trees, "trees")
        return {getattr(trees, "width", int(tree.count(tree.kept).max())): tree}
    if not trees:
        raise ValueError("trees: expected at least one tree, came an empty mapping")
    widths = sorted(within("trees, a width", width, 1, MOST_WIDTH) for width in trees)
    found = {width: Tree.of(trees[width], f"trees[{width}]") for width in widths}
    for width, tree in found.items():
        most = int(tree.count(tree.kept).max())
        if most > width:
            raise ValueError(
                f"trees[{width}]: {most} nodes of one step are kept, expected at most the {width} "
                "of its width: the key is the width that the tree was searched with"
            )
    return found


def words_of(tokens: Sequence[str] | Callable[[int], str], trees: Iterable[Tree]) -> dict[int, str]:
    """What each token id of the trees is called."""
    used = np.unique(np.concatenate([tree.token for tree in trees])).tolist()
    if callable(tokens):
        found = strings("tokens", [tokens(token) for token in used])
        return dict(zip(used, running(alone(found)), strict=True))
    words = strings("tokens", tokens)
    if used[0] < 0 or used[-1] >= len(words):
        wrong = used[0] if used[0] < 0 else used[-1]
        raise ValueError(
            f"tokens: expected a string for each id of the trees, came {len(words)} strings and "
            f"the id {wrong}: hand in the whole vocabulary, or a function from id to string"
        )
    return dict(zip(used, running(alone([words[token] for token in used])), strict=True))


def joint_of(words: Mapping[int, str], trees: Iterable[Tree]) -> str:
    """What stands between two tokens: nothing if they are letters or carry their spaces."""
    ends = {int(token) for tree in trees for token in tree.token[tree.finished]}
    letters = all(len(word) == 1 for token, word in words.items() if token not in ends)
    return "" if letters or any(word.strip() not in ("", word) for word in words.values()) else " "
