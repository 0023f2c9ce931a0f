"""The race in a browser: its clock, its cursor, its words."""

import pytest

from seqviz.view import race
from tests.views.test_race import causal, four_lanes

pytestmark = pytest.mark.browser


def test_it_says_who_is_done_and_keys_turn_the_clock(show_grid):
    shown = show_grid(four_lanes(), width=833)
    clock = shown.root.get_by_role("slider", name="tick")
    first = "first attention at tick 1."
    for tick, said in [
        (0, "0 of 4 done."),
        (1, f"1 of 4 done, {first}"),
        (2, f"2 of 4 done, {first}"),
        (9, f"4 of 4 done, {first}"),
    ]:
        clock.fill(str(tick))
        assert shown["tick"] == str(tick)
        assert shown.sentence == f"After tick {tick} of 9: {said}"
    clock.fill("1")
    shown.press("ArrowUp", "ArrowUp", "Home", "ArrowRight")
    assert (shown["tick"], shown["step"]) == ("3", "2")
    assert "output 2 reads 2 of 9" in shown.drawn
    assert shown.csv.splitlines()[1] == "RNN,2,2,3,3,9,9,17,0.250000"
    assert shown.csv.splitlines()[4].endswith(",")
    shown.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    assert shown["tick"] == "0"
    assert shown.root.bounding_box()["height"] <= 640, "a lecturer's screen"


def test_the_clock_runs_to_the_end_and_begins_again(show_grid):
    shown = show_grid(four_lanes())
    run = shown.root.get_by_role("button", name="Run")
    shown.root.get_by_role("slider", name="tick").fill("8")
    run.click()
    shown.root.and_(shown.page.locator('[data-tick="9"]')).wait_for()
    run.click()
    assert int(shown["tick"]) < 9
    shown.root.get_by_role("button", name="Stop").click()
    assert run.is_visible()


def test_a_setting_changes_the_lanes(show_grid):
    view = race(lambda at: {"c": {"layers": [causal(8, 2)] * at["depth"]}}, over={"depth": [6, 2]})
    shown = show_grid(view)
    shown.root.get_by_role("slider", name="tick").fill("5")
    shown.slide("depth", 1)
    assert shown.root.get_by_role("slider", name="tick").input_value() == "2"
    assert "done at tick 2" in shown.drawn
