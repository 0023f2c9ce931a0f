from functools import partial

import numpy as np
import pytest
import torch

from seqviz import decoding
from seqviz.view import beam
from seqviz.views.beam.values import FIELDS
from seqviz.views.shared.codec import packed
from tests.refusing import refused

# log P of the next word after each path. The deck prints the first two; the others are ours.
TABLE = {
    (): {"he": -0.7, "I": -0.9},
    ("he",): {"hit": -1.0, "struck": -2.2},
    ("I",): {"was": -0.7, "got": -0.9},
    ("he", "hit"): {"me": -0.8, "a": -1.1},
    ("I", "was"): {"hit": -1.3, "struck": -2.2},
    ("he", "hit", "me"): {"with": -0.8, "<END>": -1.6},
    ("he", "hit", "a"): {"pie": -0.6, "tart": -1.2},
    ("he", "hit", "me", "with"): {"a": -0.4, "one": -1.0},
    ("he", "hit", "a", "pie"): {"<END>": -0.3, "with": -1.9},
    ("he", "hit", "me", "with", "a"): {"pie": -0.6, "tart": -0.9},
    ("he", "hit", "me", "with", "a", "pie"): {"<END>": -0.2, "in": -2.0},
}
WORDS = sorted({word for row in TABLE.values() for word in row})


def search(after, width, steps, stop):
    """Return the whole tree of a beam search over a function from path to {token id: log P}."""
    nodes, live, places = [], [((), -1, 0.0)], width
    for step in range(1, steps + 1):
        found = [
            (path, parent, token, log_p, score + log_p)
            for path, parent, score in live
            for token, log_p in after(path).items()
        ]
        best = sorted(range(len(found)), key=lambda k: -found[k][-1])[:places]
        live = []
        for k, (path, parent, token, log_p, score) in enumerate(found):
            ends = k in best and token == stop
            nodes.append((step, parent, token, log_p, score, k in best, ends))
            places -= ends
            if k in best and not ends:
                live.append(((*path, token), len(nodes) - 1, score))
        if not live:
            break
    columns = map(np.array, zip(*nodes, strict=True))
    return dict(zip(FIELDS, columns, strict=True))


def table_tree(width):
    """The table's tree, in word ids."""
    ids = {word: k for k, word in enumerate(WORDS)}

    def after(path):
        row = TABLE.get(tuple(WORDS[k] for k in path), {"<END>": -0.5})
        return {ids[word]: log_p for word, log_p in row.items()}

    return search(after, width, 7, ids["<END>"])


def pie(widths=(1, 2, 3), **options):
    return beam({k: table_tree(k) for k in widths}, WORDS, prompt="<START>", **options)


def random_tree(seed, width=3, steps=6, children=4, vocabulary=8, ends=1.0):
    """A search over a random language model; token 0 stops, the more likely the longer."""

    def after(path):
        logits = np.random.default_rng([seed, *path]).normal(size=vocabulary) * 2
        logits[0] += ends * len(path) - 3
        log_p = logits - np.log(np.exp(logits).sum())
        return {int(k): float(log_p[k]) for k in np.argsort(-log_p)[:children]}

    return search(after, width, steps, 0)


def letters(n):
    return ["<END>", *"abcdefghijklmnopqrstuvwxyz"[: n - 1]]


def test_the_plain_line_and_the_table_of_all_widths():
    view = pie()
    line = "Beam search of width 2 with 22 nodes; step 7 of 7, length penalty 0"
    assert view.alt == line
    view.node, view.length_penalty, view.step = 5, 0.6, 2
    assert view.alt == (
        "Beam search of width 2 with 22 nodes; step 2 of 7, length penalty 0.6, node 5 'got'"
    )
    header, *rows = view.table()
    assert header == ["width", "node", *FIELDS]
    assert len(rows) == sum(tree.step.size for tree in view.trees.values())
    second = [row for row in rows if row[0] == "2"]
    low = [float(np.float32(v)) for v in (-0.9, -1.8)]
    assert second[0][:5] == ["2", "0", "1", "", "he"]
    assert second[5] == ["2", "5", "2", "1", "got", *low, "no", "no"]
    assert second[16][6:] == [float(view.tree.score[16]), "yes", "yes"]


def test_a_tree_tells_its_width_and_its_penalty():
    def step(ids, state):
        return torch.zeros(len(ids), 3), state

    half, one = (decoding.beam(step, [2], 2, width=2, length_penalty=p) for p in (0.5, 1))
    assert beam(half, "abc").length_penalty == 0.5
    assert beam({2: half, 3: half}, "abc").length_penalty == 0.5
    assert beam({2: half, 3: one}, "abc").length_penalty == 0
    assert beam(half, "abc", length_penalty=0).length_penalty == 0
    view = beam(decoding.beam(step, [2], 2, width=50, length_penalty=9), "abc")
    assert view.width == 50  # of three tokens no more than three can be kept at a step
    assert view.length_penalty == view.facts["most_penalty"] == 9
    with pytest.raises(ValueError, match="expected 0 to 10, came 11"):
        beam(decoding.beam(step, [2], 2, length_penalty=11), "abc")
    assert beam(table_tree(3), WORDS).width == 3
    assert pie([1]).width == 1
    assert pie([5, 4]).width == 4


def test_a_page_that_writes_width_and_step_at_once_lands_on_that_step():
    view = beam({3: random_tree(3, steps=3), 4: random_tree(3, steps=6)}, "abcdefgh")
    view.width = 3
    view.set_state({"width": 4, "step": 3})
    assert (view.width, view.step) == (4, 3)
    view.width, view.step = 3, 3
    view.width = 4  # who stood at the end stays at the end
    assert view.step == 6


def test_tokens_may_be_a_function_and_only_the_words_used_travel():
    asked, tree = [], random_tree(3, steps=3)

    def name(token):
        asked.append(token)
        return f"w{token}"

    view = beam(tree, name)
    used = np.unique(tree["token"])
    assert asked == used.tolist()
    assert view.facts["words"] == [f"w{token}" for token in used]
    vocabulary = [f"w{k}" for k in range(50_000)]
    assert beam(tree, vocabulary).facts["words"] == view.facts["words"]


def test_numbers_travel_as_binary_and_one_width_at_first():
    view = pie()
    assert list(view.first) == ["width 2"]
    assert list(view.parts) == ["width 1", "width 2", "width 3"]
    tree = table_tree(2)
    tokens = np.array([view.facts["words"].index(WORDS[k]) for k in tree["token"]])
    assert view.first["width 2"] == packed(**tree | {"token": tokens})
    view.width = 3
    view._repr_mimebundle_()
    assert list(view.first) == ["width 3"]


def test_width_step_and_node_go_together():
    view = beam({k: random_tree(1, k, 4 + k) for k in (1, 2, 3)}, letters(8))
    assert (view.width, view.step) == (2, view.trees[2].steps)
    view.node = 3
    view.width = 3
    assert (view.step, view.node) == (view.trees[3].steps, -1)
    view.step = 2
    view.width = 1
    assert view.step == 2
    view.set_state({"width": 3, "step": 4, "node": -1})
    assert (view.width, view.step) == (3, 4)
    view = pie()
    view.step = 1
    view.node = 16
    assert view.step == 5
    view.step = 4
    assert view.node == -1


def wrong(**changes):
    """The tree of width 2 with some numbers of some fields changed."""
    tree = {name: array.copy() for name, array in table_tree(2).items()}
    for name, (node, value) in changes.items():
        tree[name][node] = value
    return tree


EMPTY = {name: [] for name in FIELDS[:5]} | {name: np.zeros(0, bool) for name in FIELDS[5:]}
TWICE = {name: np.append(array, array[5]) for name, array in table_tree(2).items()}


def test_a_wrong_tree_is_named():
    wrongs = {
        r"trees.parent\[3\] is 9, expected an earlier node, -1 to 2": wrong(parent=(3, 9)),
        r"trees.step\[2\] is 3, expected 2": wrong(step=(2, 3)),
        r"step\[22\] is 2 after 7: expected the nodes in the order": TWICE,
        r"log_probability\[1\] is 0.2.*log_softmax": wrong(log_probability=(1, 0.2)),
        r"score\[6\] is -1, expected -2.5.*without a length penalty": wrong(score=(6, -1.0)),
        "node 0 is pruned, expected no children": wrong(kept=(0, False)),
        "node 0 is finished, expected no children": wrong(finished=(0, True)),
        "no node of step 7 is kept": wrong(kept=(slice(20, None), False)),
        "expected arrays of one length": table_tree(2) | {"kept": [True]},
        "expected 1 to 20,000 nodes, came 0": EMPTY,
        "at most 200 steps, came 201": search(lambda _: {0: -0.1}, 1, 201, 5),
        "whole numbers, came": wrong() | {"parent": np.linspace(-1, 0, 22)},
        "expected a tree with step, parent.*came list": [1, 2],
        "expected at least one tree": {},
        r"trees\[2\]: 3 nodes of one step are kept, .* most the 2": {2: table_tree(3)},
        "trees, a width: expected 1 to 100, came 0": {0: table_tree(3)},
    }
    refused((TypeError, ValueError), {said: partial(beam, wrongs[said], WORDS) for said in wrongs})


def test_tokens_that_do_not_name_every_id_are_refused():
    with pytest.raises(ValueError, match="came 4 strings and the id 13: hand in the whole"):
        beam(table_tree(2), WORDS[:4])
