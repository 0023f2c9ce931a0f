"""What is not there yet: the page asks its kernel, keeps the last picture, and draws what comes."""

import numpy as np
import pytest

from seqviz.view import curves
from tests.browser.kernel import other_kernel
from tests.browser.shown import Page
from tests.browser.test_text import lines
from tests.browser.test_unroll import stages
from tests.views.region_films import every_kind
from tests.views.test_beam import pie
from tests.views.test_piano_roll import everything as played

pytestmark = pytest.mark.browser


def sheets():
    return curves(
        lambda at: {"a": np.full(2000, at["x"] / 7), "b": np.ones(2000)},
        over={"x": list(range(60)), "y": list(range(5))},
    )


CASES = {  # a control that Python moves, what it becomes, and what the page says then
    "beam": (pie, "width", 1, "After 7 steps of width 1 “he hit me with a pie <END>”"),
    "curves": (sheets, "at", {"x": 59, "y": 0}, "At step 2000: a 8.43, b 1.00."),
    "piano roll": (played, "head", 2, "In head 2, "),
    "regions": (every_kind, "film", 7, "After 7 of 8 windows "),
    "text": (lines, "unit", 6, "Unit 6 is "),
    "unroll": (stages, "stage", "0 updates", "Step 2: reads e, says "),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_asked_for_once_and_drawn_when_it_comes_and_a_dead_kernel_is_told(open_page, name):
    make, control, value, said = CASES[name]
    shown = Page(open_page(make().to_html()))
    other_kernel(shown.page)
    shown.page.clock.install()
    before, problem = shown.sentence, shown.root.locator(".problem")
    for _ in range(2):
        shown.set(**{control: value})
    (part,) = shown.page.evaluate("sent")
    assert (shown.root.get_attribute("aria-busy"), shown.sentence) == ("true", before)
    assert problem.inner_text() == ""
    shown.page.clock.fast_forward(11_000)
    assert "needs a running kernel" in problem.inner_text()
    shown.page.evaluate("part => answer(part)", part)  # late, and drawn
    shown.page.wait_for_selector('.seqviz[aria-busy="false"]')
    assert shown.sentence.startswith(said)
    assert problem.inner_text() == ""
