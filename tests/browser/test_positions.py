"""The table of positions in a browser: its cursor, its controls, its words."""

import pytest

from tests.views.test_positions import both

pytestmark = pytest.mark.browser


def test_page_and_python_say_the_same(show_grid):
    view = both()
    shown = show_grid(view)
    for label, shift in (("sines", 1), ("sines", 12), ("random", 5)):
        view.label, view.shift = label, shift
        shown.root.get_by_role("radio", name=label).check()
        shown.root.get_by_role("slider", name="shift").fill(str(shift - 1))
        assert shown.root.locator(".say").inner_text() == view.headline


def test_keys_move_position_and_pair(show_grid):
    shown = show_grid(both())
    shown.press("Home", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp")
    assert (shown["step"], shown["pair"]) == ("2", "2")
    assert "Similarity of position 1 to each (cosine)" in shown.drawn
    assert "Dimensions 4 and 5 as a hand" in shown.drawn
    shown.press("End")
    assert "no position 48 in the table" in shown.drawn


def test_pointing_at_the_map_chooses_column_and_pair(show_grid):
    shown = show_grid(both(), width=833)
    box = shown.root.locator("svg image").last.bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] * 0.5 / 48, box["y"] + box["height"] * 0.9)
    assert (shown["step"], shown["pair"]) == ("1", "3")


@pytest.mark.parametrize("width", [420, 833])
def test_it_fits_its_screen(show_grid, width):
    shown = show_grid(both(), width=width)
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 833:
        assert shown.root.bounding_box()["height"] <= 640
