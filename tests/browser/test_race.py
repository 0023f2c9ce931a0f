"""The race in a browser: its clock, its cursor, its words."""

import pytest

from seqviz.view import race
from tests.views.test_race import causal, four_lanes

pytestmark = pytest.mark.browser


def test_page_and_python_say_the_same(show_grid):
    view = four_lanes()
    shown = show_grid(view)
    for tick in range(10):
        view.tick = tick
        shown.root.get_by_role("slider", name="tick").fill(str(tick))
        assert shown["tick"] == str(tick)
        assert shown.root.locator(".say").inner_text() == view.headline


def test_keys_turn_the_clock_and_move_the_output(show_grid):
    shown = show_grid(four_lanes())
    shown.press("ArrowUp", "ArrowUp", "Home", "ArrowRight")
    assert (shown["tick"], shown["step"]) == ("3", "2")
    assert "output 2 reads 2 of 9" in shown.drawn
    shown.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    assert shown["tick"] == "0"


def test_the_clock_runs_to_the_end_and_begins_again(show_grid):
    shown = show_grid(four_lanes())
    run = shown.root.get_by_role("button", name="Run")
    shown.root.get_by_role("slider", name="tick").fill("8")
    run.click()
    shown.root.and_(shown.page.locator('[data-tick="9"]')).wait_for()
    run.click()
    assert shown["tick"] == "0"
    shown.root.get_by_role("button", name="Stop").click()
    assert run.is_visible()


def test_a_setting_changes_the_lanes(show_grid):
    view = race(lambda at: {"c": {"layers": [causal(8, 2)] * at["depth"]}}, over={"depth": [6, 2]})
    shown = show_grid(view)
    shown.root.get_by_role("slider", name="tick").fill("5")
    shown.slide("depth", 1)
    assert shown.root.get_by_role("slider", name="tick").input_value() == "2"
    assert "done at tick 2" in shown.drawn


def test_it_fits_a_lecturers_screen(show_grid):
    shown = show_grid(four_lanes(), width=833)
    assert shown.root.bounding_box()["height"] <= 640
