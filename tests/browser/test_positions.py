"""The table of positions in a browser: what it says, its cursor, its controls."""

import numpy as np
import pytest

from tests.views.test_positions import both

pytestmark = pytest.mark.browser


def test_it_says_what_a_shift_misses_and_holds_the_pair(show_grid):
    view = both()
    shown = show_grid(view)
    for label, shift, missed in (("sines", 1, "0"), ("sines", 12, "0"), ("random", 5, None)):
        missed = missed or f"{100 * view.tables[label].wholes[shift - 1]:.0f}"
        shown.root.get_by_role("radio", name=label).check()
        shown.root.get_by_role("slider", name="shift").fill(str(shift - 1))
        assert shown.sentence == (
            f"{label}: the matrix for “{shift} later” misses the half it was not fitted on by "
            f"{missed} %."
        )
    shown.root.get_by_role("radio", name="sines").check()
    shown.root.get_by_role("slider", name="pair").fill("0")
    header, *rows = (line.split(",") for line in shown.csv.splitlines())
    assert header == [
        "table",
        "position",
        *(f"dimension {k}{end}" for end in ("", " from 5 before") for k in (0, 1)),
        "similarity to position 12",
    ]
    assert rows[4][4:6] == ["", ""]
    assert [float(v) for v in rows[10][2:6]] == pytest.approx(
        [np.sin(10), np.cos(10)] * 2, abs=1e-4
    )
    assert rows[12][6] == "1.000000"


def test_keys_and_pointer_choose_position_and_pair(show_grid):
    shown = show_grid(both(), width=833)
    shown.press("Home", "ArrowRight", *["ArrowUp"] * 4, "ArrowDown", "ArrowDown", "ArrowUp")
    assert (shown["step"], shown["pair"]) == ("2", "1")
    assert "Similarity of position 1 to each (cosine)" in shown.drawn
    assert "Dimensions 2 and 3 as a hand" in shown.drawn
    shown.press("End")
    assert "no position 48 in the table" in shown.drawn
    box = shown.root.locator("svg image").last.bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] * 0.5 / 48, box["y"] + box["height"] * 0.9)
    assert (shown["step"], shown["pair"]) == ("1", "3")
    assert shown.height <= 640
    for width in shown.at_widths(420):
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
