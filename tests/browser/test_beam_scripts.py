"""What the beam tree decides before it draws, as plain functions."""

import numpy as np
import pytest
import torch

from seqviz import decoding
from seqviz.view import beam
from tests.views.test_beam import letters, pie, random_tree, search

ROOM = "beam/"
# Width 2 over two steps: nodes 0, 1, 2 of the first (2 is pruned), 3, 4 of the second.
TREE = """beamTreeOf({
    step: [1, 1, 1, 2, 2], parent: [-1, -1, -1, 0, 1], token: [5, 6, 7, 8, 8],
    log_probability: [-0.5, -1, -2, -3, -0.5], score: [-0.5, -1, -2, -3.5, -1.5],
    kept: [1, 1, 0, 1, 1], finished: [0, 0, 0, 1, 1]})"""
SAID = """(facts, values, {length_penalty: penalty, ...controls}) => {
    const tree = beamTreeOf(values);
    const short = facts.words.map(word => readable(word, 24));
    return spoken(headline({facts, tree, short, penalty, ...controls}));
}"""


def of_tree(script, file, function, *given):
    call = f"(...given) => {{ {function} }}".replace("TREE", TREE)
    return script(ROOM + file, call, *given)


def values_of(view):
    """The fields of the tree on show, as they come to the page."""
    places = [view.facts["words"].index(view.words[token]) for token in view.tree.token]
    return {name: array.tolist() for name, array in vars(view.tree).items()} | {"token": places}


def said(script, view, **controls):
    """The sentence over a view, as its page makes it."""
    return script(
        ROOM + "sentence.js", SAID, view.facts, values_of(view), view.controls() | controls
    )


# ---- what is said


def test_the_sentence_of_a_step_a_node_and_a_way_back(script):
    for step, sentence in [
        (0, "Step 0 of width 2: nothing is chosen yet."),
        (1, "Step 1 of width 2: “he” leads with −0.70; nothing is pruned."),
        (
            2,
            "Step 2 of width 2: “I was” leads with −1.60; “I got” pruned at −1.80, 0.10 too low.",
        ),
        (
            7,
            "After 7 steps of width 2 “he hit a pie <END>” is best with −3.70; greedy’s “he hit "
            "me with a pie <END>” is number 2 with −4.50.",
        ),
    ]:
        assert said(script, pie(), step=step) == sentence
    assert said(script, pie(), length_penalty=1) == (
        "After 7 steps of width 2 “he hit me with a pie <END>” is best with −0.64 (−4.50 over "
        "7^1.00), as greedy finds too."
    )
    view = pie()
    view.width = 3
    third = "greedy’s “he hit me with a pie <END>” is number 3 with −4.50."
    assert said(script, view).endswith(third)
    cut = beam(random_tree(0, steps=2, vocabulary=4), letters(9))
    start = "After 2 steps of width 3 nothing is finished; “"
    assert said(script, cut).startswith(start)
    late = {(): {1: -0.6, 2: -0.8}, (1,): {1: -3, 2: -3.5}, (2,): {1: -0.3, 2: -1.5}}
    greedy = beam(search(lambda path: late.get(path, {0: -0.1}), 2, 3, 0), "abc")
    assert said(script, greedy, step=2) == (
        "Step 2 of width 2: “cb” leads with −1.10; greedy’s “bb” pruned at −3.60, 1.30 too low."
    )
    finished = "“he hit a pie <END>” is finished with"
    for node, penalty, sentence in [
        (3, 0, "“he struck” is pruned at −2.90, 1.20 too low; probability of “struck” .11."),
        (4, 0, "“I was” stays with −1.60; probability of “was” .50."),
        (16, 0, f"{finished} −3.70, rank 1 of 2; probability of “<END>” .74."),
        (
            16,
            0.5,
            f"{finished} −1.65 (−3.70 over 5^0.50), rank 1 of 2; probability of “<END>” .74.",
        ),
    ]:
        assert said(script, pie(), node=node, length_penalty=penalty) == sentence
    near, level = (
        beam(search(lambda _, low=low: {0: -0.7, 1: low}, 1, 1, 0), "ab") for low in (-0.701, -0.7)
    )
    lost = "“b” is pruned at −0.70, <0.01 too low; probability of “b” .50."
    assert said(script, near, node=1) == lost
    assert "pruned at −0.70, level with the last that stays" in said(script, level, node=1)
    for at, sentence in [
        (16, "Backtracking, 1 of 5: “… <END>”; its parent is “pie”."),
        (2, "Backtracking, 4 of 5: “… hit a pie <END>”; its parent is “he”."),
        (0, "Backtracking, 5 of 5: “he hit a pie <END>”; the whole path is found."),
    ]:
        assert said(script, pie(), back={"from": 16, "at": at}) == sentence


def test_the_text_of_a_path(script):
    log_p = {(): {1: -0.1}, (1,): {2: -0.1}, (1, 2): {0: -0.1}}
    path = "(facts, values) => pathText({facts, tree: beamTreeOf(values)}, [0, 1, 2])"
    for tokens, text in [
        (["<END>", "he", "hit"], "he hit <END>"),
        (["<END>", " he", " hit"], "he hit<END>"),
        (["<END>", "h", " "], "h␣<END>"),
        (["", "a b", "שלום"], "\u2067a b שלום ∅\u2069"),
        (["<END>", "x" * 30, "y" * 24], f"… {'y' * 24} <END>"),
    ]:
        view = beam(search(log_p.get, 1, 3, 0), tokens)
        found = script(ROOM + "sentence.js", path, view.facts, values_of(view))
        assert found == text, tokens


# ---- what is ranked, and which way greedy goes


@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0, 4.0])
@pytest.mark.parametrize("width", [1, 2, 5])
def test_the_page_ranks_as_the_search_does(script, width, penalty):
    """A page that opened at a penalty of 1.5 at most had another hypothesis first."""

    def step(ids, state):
        logits = torch.tensor([[1.0, 0, 2, 0.5, 1.2], [0, 1, 0.3, 2, 1], [1.5, 0, 1, 1, 0.2]])
        return logits[ids % 3], state

    tree = decoding.beam(step, [2], 5, width=width, stop=0, length_penalty=penalty)
    rank = """(values, penalty) => {
        const tree = beamTreeOf(values);
        const ranked = rankedNodes(tree, tree.T, penalty);
        return [ranked, ranked.map(node => normalised(tree, node, penalty)), tree.greedy];
    }"""
    view = beam(tree, "abcde")
    assert view.length_penalty == penalty
    ranked, scores, greedy = script(ROOM + "search.js", rank, values_of(view), penalty)
    assert ranked == [hypothesis.node for hypothesis in tree.hypotheses]
    np.testing.assert_allclose(scores, [one.score for one in tree.hypotheses], 1e-6)
    likeliest = decoding.greedy(step, [2], 5, stop=0)
    taken = view.tree.token[greedy].tolist()
    assert taken == likeliest[: len(taken)]
    assert len(taken) == len(likeliest) or not view.tree.kept[greedy[-1]]


def test_the_list_says_whom_the_penalty_moves(script):
    rank = """const tree = TREE, [penalty] = given;
        const ranked = rankedNodes(tree, 2, penalty);
        const path = {nodes: new Set([0, 3]), end: 3};
        const scene = {W: 700, tree, step: 2, penalty, ranked, path, greedy: new Set([4])};
        const {title, lines} = rankingOf(scene);
        return [title, lines.map(line => [line.node, line.value, line.focus, line.greedy])];"""
    title, lines = of_tree(script, "ranking.js", rank, 1)
    assert title == "Finished, ranked by score / length^1.00"
    assert lines == [[4, "−0.75", False, True], [3, "−1.75", True, False]]


# ---- what is in focus


def test_the_chosen_node_leads_else_the_highest(script):
    for step, node, penalty, lead in [(0, -1, 0, -1), (1, -1, 0, 0), (1, 2, 0, 2), (2, -1, 1, 4)]:
        state = {"step": step, "node": node, "penalty": penalty}
        found = of_tree(script, "scene.js", "return leadingNode(TREE, ...given);", state)
        assert found == lead, state


def test_what_is_saved_has_the_nodes_on_screen(script):
    table = "return treeTable({facts: {words: given[0]}, tree: TREE, step: 1, width: 2});"
    header, *rows = of_tree(script, "scene.js", table, [*"abcdefghi"])
    assert header == [
        *["step", "node", "parent", "token", "log_probability", "score", "kept", "finished"],
        "width",
    ]
    assert rows[0] == ["1", "0", "", "f", -0.5, -0.5, "yes", "no", "2"]
    assert [row[6] for row in rows] == ["yes", "yes", "no"]
