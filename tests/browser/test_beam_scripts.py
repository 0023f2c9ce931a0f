"""What the beam tree decides before it draws, as plain functions."""

import pytest

ROOM = "beam/"
# Width 2 over two steps: nodes 0, 1, 2 of the first (2 is pruned), 3, 4 of the second.
TREE = """beamTreeOf(Float32Array.of(
    1, 1, 1, 2, 2,  -1, -1, -1, 0, 1,  5, 6, 7, 8, 8,  -0.5, -1, -2, -3, -0.5,
    -0.5, -1, -2, -3.5, -1.5,  1, 1, 0, 1, 1,  0, 0, 0, 1, 1))"""


def of_tree(script, file, function, *given):
    call = f"(...given) => {{ {function} }}".replace("TREE", TREE)
    return script(ROOM + file, call, *given)


@pytest.mark.parametrize(
    ("step", "node", "penalty", "lead"),
    [(0, -1, 0, -1), (1, -1, 0, 0), (1, 2, 0, 2), (2, -1, 1, 4)],
)
def test_the_chosen_node_leads_else_the_highest(script, step, node, penalty, lead):
    state = {"step": step, "node": node, "penalty": penalty}
    assert of_tree(script, "scene.js", "return leadingNode(TREE, ...given);", state) == lead


@pytest.mark.parametrize(
    ("end", "back", "path"),
    [(4, None, [1, 4]), (0, {"from": 4, "at": 4}, [4]), (0, {"from": 4, "at": 1}, [1, 4])],
)
def test_backtracking_finds_the_path_from_its_end(script, end, back, path):
    walk = "const {nodes, done} = pathInFocus(TREE, ...given); return [[...nodes], done];"
    assert of_tree(script, "scene.js", walk, end, back) == [path, back is None]


@pytest.mark.parametrize(
    ("start", "step", "moved", "want"),
    [(0, 3, True, 0), (0, 6, True, 2), (4, 4, True, 1), (4, 9, False, 4), (0, 9, True, 5)],
)
def test_the_window_moves_to_the_step_in_focus(script, start, step, moved, want):
    assert script(ROOM + "scene.js", "firstInSight", start, step, 5, 10, moved) == want


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
