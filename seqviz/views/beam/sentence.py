"""The one sentence over the beam-search tree, made from the numbers on screen."""

import math

import numpy as np

from seqviz.pieces import together
from seqviz.views.beam.values import Tree, normalised
from seqviz.views.shared.wording import readable, runs_left, share, two

LETTERS = 40  # of a path; the start of a longer one is left out


def joint_of(words: dict[int, str], ends: set[int]) -> str:
    """What stands between two tokens: nothing if they are letters or carry their spaces."""
    letters = all(len(word) == 1 for token, word in words.items() if token not in ends)
    return "" if letters or any(word.strip() not in ("", word) for word in words.values()) else " "


def path_text(view, node: int) -> str:
    """The tokens of a path as one text, from the left as many as fit."""
    tree, text = view.tree, ""
    alone = [view.words[int(tree.token[n])] for n in tree.path(node)]
    _, letters = together(alone)
    both = zip(letters, alone, strict=True)
    words = [readable(word, 24) for word, token in both if word or not token]
    start, end = ("\u2067", "\u2069") if runs_left(words) else ("", "")
    for word in reversed(words):
        longer = word + view.joint + text if text else word
        if text and len(longer) > LETTERS:
            return f"… {start}{text.strip(' ')}{end}"
        text = longer
    return f"{start}{text.strip(' ')}{end}"


def cut_of(tree: Tree, step: int) -> float:
    """The lowest score that was kept at a step."""
    return float(tree.score[tree.kept & (tree.step == step)].min())


def too_low(tree: Tree, node: int) -> str:
    """By how much a pruned node lost to the last one that was kept."""
    gap = cut_of(tree, int(tree.step[node])) - float(tree.score[node])
    if gap == 0:
        return ", level with the last that stays"
    return f", {'<0.01' if gap < 0.005 else two(gap)} too low" if gap > 0 else ""


def headline(view) -> str:
    """The sentence for a view of `beam`, as the page writes it."""
    if view.node >= 0:
        return _of_node(view, view.node)
    if view.step == 0:
        return f"Step 0 of width {view.width}: nothing is chosen yet."
    return _end(view) if view.step == view.tree.steps else _lead(view)


def _of_node(view, node: int) -> str:
    """A node in focus: its path, its score, what became of it."""
    tree, path = view.tree, f"“{path_text(view, node)}”"
    word = readable(view.words[int(tree.token[node])], 24)
    p = f"probability of “{word}” {share(math.exp(tree.log_probability[node]))}"
    score = two(tree.score[node])
    if not tree.kept[node]:
        return f"{path} is pruned at {score}{too_low(tree, node)}; {p}."
    if not tree.finished[node]:
        return f"{path} stays with {score}; {p}."
    ranked = tree.ranked(view.step, view.length_penalty)
    rank = 1 + [n for n, _ in ranked].index(node)
    return f"{path} is finished with {_ranked_by(view, node)}, rank {rank} of {len(ranked)}; {p}."


def _ranked_by(view, node: int) -> str:
    """What a hypothesis is ranked by, and how that comes about."""
    score, length, penalty = two(view.tree.score[node]), view.tree.step[node], view.length_penalty
    if penalty == 0:
        return score
    return f"{two(normalised(view.tree, node, penalty))} ({score} over {length}^{two(penalty)})"


def _lead(view) -> str:
    """Who leads at a step, and who just missed it: greedy's choice if that is pruned here."""
    tree, step = view.tree, view.step
    here = tree.step == step
    leader = tree.best(np.flatnonzero(here & tree.kept))
    text = (
        f"Step {step} of width {view.width}: “{path_text(view, leader)}” leads with "
        f"{two(tree.score[leader])}"
    )
    pruned = np.flatnonzero(here & ~tree.kept)
    if not pruned.size:
        return f"{text}; nothing is pruned."
    greedy = [node for node in tree.greedy if node in pruned]
    loser = greedy[0] if greedy else tree.best(pruned)
    whose = "greedy’s " if greedy else ""
    return (
        f"{text}; {whose}“{path_text(view, loser)}” pruned at {two(tree.score[loser])}"
        f"{too_low(tree, loser)}."
    )


def _end(view) -> str:
    """What wins, and what follows: greedy's path if it is there and does not win."""
    tree, ranked = view.tree, view.tree.ranked(view.step, view.length_penalty)
    nodes = [node for node, _ in ranked]
    done = "" if tree.finished[nodes[0]] else " nothing is finished;"
    text = (
        f"After {view.step} step{'s' * (view.step > 1)} of width {view.width}{done} "
        f"“{path_text(view, nodes[0])}” is best with {_ranked_by(view, nodes[0])}"
    )
    if len(nodes) == 1:
        return f"{text}."
    if nodes[0] == tree.greedy[-1]:
        return f"{text}, as greedy finds too."
    k = nodes.index(tree.greedy[-1]) if tree.greedy[-1] in nodes else 1
    whose = "greedy’s " if nodes[k] == tree.greedy[-1] else ""
    return (
        f"{text}; {whose}“{path_text(view, nodes[k])}” is number {k + 1} with {two(ranked[k][1])}."
    )
