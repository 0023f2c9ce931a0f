import numpy as np
import pytest

from seqviz.view import beam
from tests.browser.kernel import other_kernel
from tests.browser.shown import Grid
from tests.views.test_beam import pie, random_tree

pytestmark = pytest.mark.browser
VOCABULARY = ["<END>", *(f"word{k}" * (1 + k % 3) for k in range(300))]


def large():
    """Twenty steps with ten children each."""
    view = beam({k: random_tree(2, k, 20, 10, 300, 0.12) for k in (1, 2, 3, 4, 5)}, VOCABULARY)
    view.width = 5
    return view


@pytest.fixture
def shown(once):
    return once(Grid, pie).again()


def test_keys_step_and_walk(shown):
    shown.press("Home")
    assert (shown["step"], shown["node"], shown.drawn[:2]) == ("0", "-1", ["prompt", "step 1"])
    assert "he" not in shown.drawn
    for step in (1, 2):
        shown.press("ArrowRight")
        assert shown["step"] == str(step)
    assert shown.sentence.startswith("Step 2 of width 2: “I was” leads")
    shown.press("ArrowDown")
    assert (shown["node"], shown.sentence[:18]) == ("5", "“I got” is pruned ")
    shown.press("ArrowRight")
    assert (shown["node"], shown["step"]) == ("5", "2"), "a pruned node has no child"
    shown.press("ArrowUp", "ArrowUp", "ArrowUp")
    assert shown.sentence.startswith("“he hit” stays with −1.70")
    shown.press("ArrowRight")
    assert (shown["step"], shown.sentence[:12]) == ("3", "“he hit me” ")
    shown.press("ArrowLeft", "ArrowLeft")
    assert (shown["step"], shown.sentence[:5]) == ("3", "“he” ")
    shown.press("ArrowLeft")
    assert shown.sentence.startswith("“he” "), "the prompt is no node"
    shown.press("Enter")
    assert (shown["locked"], shown.value[:14]) == ("true", "node 0, locked")
    shown.press("Escape")
    assert (shown["locked"], shown["node"]) == ("false", "-1")
    shown.press("End", "Enter")
    assert (shown["step"], shown["node"], shown["locked"]) == ("7", "16", "true")
    shown.press("ArrowUp")
    assert shown["node"] != "16"


def test_a_step_comes_in_unless_motion_is_reduced(shown):
    running = "document.getAnimations().length"
    shown.press("Home", "ArrowRight")
    assert shown.page.evaluate(running) > 0
    shown.page.emulate_media(reduced_motion="reduce")
    shown.press("ArrowRight")
    assert shown.page.evaluate(running) == 0
    shown.page.emulate_media(reduced_motion="no-preference")


def test_the_list_has_nodes_for_the_pointer_too(shown):
    shown.page.mouse.move(*shown.middle("he hit me with a pie <END>"))
    assert shown.sentence.startswith("“he hit me with a pie <END>” is finished with −4.50, rank 2")
    shown.page.mouse.click(*shown.middle("he hit a pie <END>"))
    assert (shown["node"], shown["locked"]) == ("16", "true")


def test_a_penalty_moves_the_ranks(shown):
    shown.slide("width", 2)
    first = "s => s.querySelectorAll('svg')[1].textContent"
    assert "▲" not in shown.stage.evaluate(first)
    shown.slide("length penalty", 1)
    assert shown["penalty"] == "1"
    assert {"▲2", "▼2", "−0.64", "Finished, ranked by score / length^1.00"} <= set(shown.drawn)
    shown.slide("step", 5)
    assert "Finished, ranked by score / length^1.00" in shown.drawn
    assert "−0.64" not in shown.drawn, "it is not finished yet"
    shown.slide("step", 2)
    assert "Nothing is finished yet" in shown.drawn


EDGES = """s => [...s.querySelectorAll('path.edge')].map(path => ({
    width: Number(path.getAttribute('stroke-width')), dash: path.getAttribute('stroke-dasharray'),
    stroke: path.getAttribute('stroke')}))"""


def test_lines_say_what_is_likely_and_what_is_pruned(shown):
    shown.slide("step", 2)
    edges = shown.stage.evaluate(EDGES)
    widths = [edge["width"] for edge in edges if not edge["dash"]]
    likely = 1 + 7 * np.exp([-0.7, -0.9, -1.0, -0.7])
    assert sorted(widths) == pytest.approx(sorted(likely))
    assert [edge["width"] for edge in edges if edge["dash"]] == [1.2, 1.2]
    assert sum(edge["stroke"] == "#c2410c" for edge in edges) == 2
    assert {"↓0.10", "↓1.20", "2 of 4 stay", "2 of 2 stay"} <= set(shown.drawn)


def test_backtracking_and_play(open_page):
    shown = Grid(open_page(pie().to_html()))
    shown.page.clock.install()
    button = shown.root.get_by_title("follow the parents")
    button.click()
    assert button.inner_text() == "Stop"
    orange = "s => s.querySelectorAll('path.edge[stroke=\"#c2410c\"]').length"
    for found in range(1, 6):
        assert shown.sentence.startswith(f"Backtracking, {found} of 5: ")
        assert shown.stage.evaluate(orange) == found
        shown.page.clock.run_for(900)
    assert shown.sentence.startswith("After 7 steps")
    assert button.inner_text() == "Backtrack"
    shown.root.get_by_role("button", name="Play").click()
    assert shown["step"] == "0"
    for step in range(1, 8):
        shown.page.clock.run_for(1200)
        assert shown["step"] == str(step)
    assert shown.root.get_by_role("button", name="Play").is_visible()
    shown.press("Home")
    assert button.is_disabled()
    shown.press(" ")
    shown.page.clock.run_for(1200)
    shown.press("ArrowRight")  # a hand on the keys stops it
    shown.page.clock.run_for(5000)
    assert shown["step"] == "2"


def test_pruned_ones_are_folded_where_they_are_many(once):
    shown = once(Grid, large).again()
    shown.page.set_viewport_size({"width": 1400, "height": 900})
    shown.slide("step", 3)
    assert "prompt" in shown.drawn
    tree = large().tree
    folded = [int(text[1:-7]) for text in shown.drawn if text.endswith(" pruned")]
    seen = sum(text.startswith("−") for text in shown.drawn)
    assert folded
    assert sum(folded) + seen == (tree.step <= 3).sum()
    names = "s => [...s.querySelectorAll('text.token')].length"
    before = shown.stage.evaluate(names)
    fold = next(text for text in shown.drawn if text.endswith(" pruned"))
    shown.page.mouse.move(*shown.middle(fold))
    assert "is pruned at" in shown.sentence
    assert shown.stage.evaluate(names) == before, "a preview moves nothing"
    shown.page.mouse.click(*shown.middle(fold))
    assert shown.stage.evaluate(names) > before
    shown.press("Escape")
    assert shown.stage.evaluate(names) == before


def test_a_window_on_many_steps(once):
    shown = once(Grid, large).again()
    count = int(shown["count"])
    assert count < 10
    shown.slide("step", 12)
    assert int(shown["from"]) <= 12 < int(shown["from"]) + count
    box = shown.stage.bounding_box()
    shown.page.mouse.click(box["x"] + 20, box["y"] + 20)
    assert (shown["from"], shown["step"], "prompt" in shown.drawn) == ("0", "12", True)
    shown.press("ArrowRight")
    assert int(shown["from"]) > 0
    shown.press("Home")
    assert shown["from"] == "0"


def test_a_width_that_comes_late_is_not_drawn_over_a_later_one(open_page):
    shown = Grid(open_page(pie().to_html()))
    other_kernel(shown.page)
    shown.slide("width", 2)
    shown.slide("width", 0)
    assert shown.page.evaluate("sent") == ["width 3", "width 1"]
    shown.page.evaluate("answer('width 1')")
    shown.page.wait_for_selector('.seqviz[data-width="1"]')
    shown.page.evaluate("answer('width 3')")
    assert shown["width"] == "1", "the slider had gone on"
    shown.page.evaluate("fromPython('width', 3)")
    slider = shown.root.get_by_label("width", exact=True)
    assert (shown["width"], slider.input_value()) == ("3", "2")
    shown.page.evaluate("fromPython('node', 5)")
    assert shown.value.startswith("node 5: log p ")
