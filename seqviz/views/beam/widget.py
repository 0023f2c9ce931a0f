"""The tree of a beam search: it grows step by step, and what was pruned stays in sight."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import traitlets

from seqviz.telling import count, shown
from seqviz.views.beam.values import FIELDS, Tree, joint_of, trees_of, words_of
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import line, line_or, real, within
from seqviz.views.shared.traits import Number, Whole, checks, control
from seqviz.views.shared.widget import View, style

SLIDER, MOST_PENALTY = 1.5, 10  # how far the slider goes at least, and a ranking at most


class BeamView(View):
    """What `beam` returns. Its controls are `width`, `step`, `length_penalty` and `node`."""

    _esm = module("beam/view.js")
    _css = style("beam/style.css")

    width = control(Whole(1, help="width of the search on show"))
    step = control(Whole(0, help="steps that are shown, from 0"))
    length_penalty = control(Number(0.0, help="exponent of the length in the ranking"))
    node = control(Whole(-1, help="the node in focus, -1 for none"))

    def __init__(self, trees: dict[int, Tree], words: dict[int, str], facts: dict, **controls):
        self.trees, self.words = trees, words
        self.most_penalty = max(SLIDER, controls["length_penalty"])
        facts |= {"widths": list(trees), "words": list(words.values())}
        facts |= {"joint": joint_of(words, trees.values()), "most_penalty": self.most_penalty}
        places = {token: k for k, token in enumerate(words)}
        parts = {f"width {width}": tree.packed(places) for width, tree in trees.items()}
        super().__init__(facts, parts, [f"width {controls['width']}"], **controls)

    @checks("width", "step", "length_penalty", "node")
    def _checked(self, name: str, value: float) -> float:
        if name == "width" and value not in self.trees:
            raise ValueError(f"width: expected one of {list(self.trees)}, came {value}")
        if name == "length_penalty":
            penalty(value, self.most_penalty)
        if name == "step":
            within(name, value, 0, self.tree.steps)
        if name == "node":
            within(name, value, -1, self.tree.step.size - 1)
        return value

    @traitlets.observe("width")
    def _stay_inside(self, change) -> None:
        before = self.trees.get(change.old)  # there is none while the view is made
        at_the_end = before is not None and self.step == before.steps
        last = self.tree.steps
        self.begin(node=-1, step=last if at_the_end else min(self.step, last))

    @traitlets.observe("node")
    def _show_the_node(self, _) -> None:
        if self.node >= 0:
            self.step = max(self.step, int(self.tree.step[self.node]))

    @traitlets.observe("step")
    def _leave_what_is_not_shown(self, _) -> None:
        if self.node >= 0 and self.tree.step[self.node] > self.step:
            self.node = -1

    @property
    def tree(self) -> Tree:
        """The tree on show."""
        return self.trees[self.width]

    def needs(self) -> list[str]:
        """The tree on show."""
        return [f"width {self.width}"]

    def _plain(self) -> str:
        """One plain line: which search it is, and where the controls stand."""
        tree, node = self.tree, self.node
        size = tree.step.size
        chosen = f", node {node} {shown(self.words[int(tree.token[node])])}" if node >= 0 else ""
        return (
            f"Beam search of width {self.width} with {count(size, 'node')}; step "
            f"{self.step} of {tree.steps}, length penalty {self.length_penalty:g}{chosen}"
        )

    def table(self) -> list[list]:
        """A row for each node of each tree."""
        rows = [["width", "node", *FIELDS]]
        for width, tree in self.trees.items():
            columns = [
                map(str, tree.step),
                ["" if parent < 0 else str(parent) for parent in tree.parent],
                [self.words[token] for token in tree.token.tolist()],
                tree.log_probability.tolist(),
                tree.score.tolist(),
                ["yes" if kept else "no" for kept in tree.kept],
                ["yes" if finished else "no" for finished in tree.finished],
            ]
            rows += [[str(width), str(n), *row] for n, row in enumerate(zip(*columns, strict=True))]
        return rows


def penalty(value: float, most: float = MOST_PENALTY) -> float:
    """Return a checked length penalty."""
    value = real("length_penalty", value)
    if not 0 <= value <= most:
        raise ValueError(f"length_penalty: expected 0 to {most:g}, came {value:g}")
    return value


def penalty_of(trees: Any) -> float:
    """Return the length penalty that trees were searched with, 0 if they have none or differ."""
    one = not isinstance(trees, Mapping) or FIELDS[0] in trees
    found = {getattr(tree, "length_penalty", 0.0) for tree in ([trees] if one else trees.values())}
    return found.pop() if len(found) == 1 else 0.0


def beam(
    trees: Any,
    tokens: Sequence[str] | Callable[[int], str],
    *,
    length_penalty: float | None = None,
    prompt: str = "start",
    title: str | None = None,
) -> BeamView:
    """Show a beam search as a tree that grows step by step; what was pruned stays in sight.

    A score is the sum of log P(y_i | y_1 ... y_{i-1}, x) along the path (deck 002). The finished
    hypotheses are ranked by score / length**length_penalty, where the length counts the tokens
    of the path with the one that stops; the page ranks them again for another penalty. Greedy's
    path, which takes the most probable token each time, is marked as far as the search has it.

    Parameters
    ----------
    trees : tree, or mapping of width to tree
        What `sv.decoding.beam` returns, or anything with these attributes or keys, N numbers each,
        one for each node in the order of the steps; the prompt is no node. N is 1 to 20,000, in
        at most 200 steps.

        - ``step``: tokens from the prompt to this one, from 1;
        - ``parent``: the node before, -1 right after the prompt;
        - ``token``: its id;
        - ``log_probability``: natural logarithm of the token's probability after those before it;
        - ``score``: their sum from the prompt on;
        - ``kept``: whether it survived the pruning of its step;
        - ``finished``: whether its token ends the sequence.

        With widths, such as ``{1: ..., 2: ...}``, the view opens at the narrowest above 1.
        The width of a single tree is its attribute ``width``; without one, the most that it kept
        at a step.
    tokens : sequence of str, or function from id to str
        What the ids are called.
    length_penalty : float, optional
        Where the ranking opens, 0 to 10. Without it: at the penalty of the search, if the trees
        tell and agree, else at 0. The slider goes to 1.5, or to where it opens if that is more.
    prompt : str
        What the tree starts from, one line.
    title : str, optional
        The heading, one line.

    Returns
    -------
    BeamView
        The view, opened at the last step; its controls are `width`, `step`, `length_penalty`
        and `node`.

    Raises
    ------
    TypeError
        If a tree lacks a field, or an argument is of another kind than above.
    ValueError
        If arrays differ in length or hold something that is not finite; if a parent does not come
        one step before its child, a score is no sum along its path, or a pruned or finished node
        has children; if more is kept than the width; if an id has no string.

    Examples
    --------
    >>> tree = {"step": [1, 1], "parent": [-1, -1], "token": [0, 1], "kept": [True, False]}
    >>> tree |= {"log_probability": [-0.7, -0.9], "score": [-0.7, -0.9], "finished": [True, False]}
    >>> beam(tree, ["he", "I"]).alt
    'Beam search of width 1 with 2 nodes; step 1 of 1, length penalty 0'
    """
    checked = trees_of(trees)
    width = next((width for width in checked if width > 1), 1)
    heading = line_or("title", title)
    return BeamView(
        checked,
        words_of(tokens, checked.values()),
        {"prompt": line("prompt", prompt), "title": heading},
        width=width,
        step=checked[width].steps,
        length_penalty=penalty(penalty_of(trees) if length_penalty is None else length_penalty),
    )
