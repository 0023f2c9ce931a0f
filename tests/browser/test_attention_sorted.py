"""Sorted heads: a picture has whole rows of them and no gap, and the best are in sight."""

from xml.etree import ElementTree

import pytest

from seqviz.view import attention
from tests.browser.attention_shown import softmax, words

pytestmark = pytest.mark.browser
SVG = "{http://www.w3.org/2000/svg}"
TILE, UNDER = 63, 2  # from a label's base line to the top of its tile, and to its own end
PLACES = """root => {
    const box = root.querySelector('.fall'), end = box.getBoundingClientRect();
    return [...box.querySelectorAll('text.strong')].map(t => [t.textContent,
        t.getBoundingClientRect()]).filter(([, at]) => at.bottom > end.top + 6
        && at.top - 46 < end.bottom - 6).map(([name]) => name);
}"""
STATE = """root => {
    const box = root.querySelector('.fall'), from = box.scrollTop;
    return [from, scrollY, document.activeElement.ariaLabel, root.className,
        root.style.cssText, box.style.cssText, root.offsetHeight];
}"""


def many(**more):
    view = attention(softmax(12, 12, 10, 10), words(10), **more)
    view.sort = "entropy"
    return view


def scroll(shown, top):
    shown.root.locator(".fall").evaluate("(box, top) => { box.scrollTop = top; }", top)
    return shown.root.evaluate(PLACES)


def pictured(shown):
    """The grid of a picture, with its labels."""
    page = ElementTree.fromstring(shown.root.evaluate("root => root.exported.svg()"))
    return next(p for p in page.findall(f"{SVG}svg") if p.find(f"{SVG}svg/{SVG}text") is not None)


def number(part, name):
    return float(part.get(name))


def tiles(grid):
    """Top and end of each tile with its label in a picture's grid."""
    drawn = grid.find(f"{SVG}svg")
    lines = {
        text.text: number(drawn, "y") + number(text, "y")
        for text in drawn.findall(f"{SVG}text")
        if text.get("font-weight") == "700"
    }
    return {name: (line - TILE, line + UNDER) for name, line in lines.items()}


@pytest.mark.parametrize("width", [420, 1200])
def test_a_picture_has_whole_rows_of_sorted_heads_and_changes_nothing(explore, width):
    shown = explore(many(layer=5, head=3), width=width)
    for top in (0, 35, 60, 70, 1000, 9999):
        seen = scroll(shown, top)
        grid = pictured(shown)
        high = number(grid, "height")
        drawn = {name: at for name, at in tiles(grid).items() if at[1] > 0 and at[0] < high}
        assert set(seen) <= set(drawn)
        starts, ends = zip(*drawn.values(), strict=True)
        assert 0 <= min(starts) < 10
        assert 0 <= high - max(ends) < 10
    scroll(shown, 123)
    shown.control("Order by").focus()
    shown.page.evaluate("scrollTo(0, 9999)")
    before = shown.root.evaluate(STATE)
    pictured(shown)
    shown.settle()
    assert shown.root.evaluate(STATE) == before
    assert before[0] == 123
    down = shown.page.evaluate("() => { scrollTo(0, 50); return scrollY; }")
    for sort in ("first", "entropy", "previous", "cell"):  # a new one begins at the best head
        shown.choose("Order by", sort)
        shown.settle()
        assert shown.root.evaluate(PLACES)[0] == shown.order[0], sort
        scroll(shown, 9999)
    assert shown.page.evaluate("scrollY") == down


def test_while_an_order_stands_the_head_in_focus_stays_in_sight(explore):
    shown = explore(attention(softmax(12, 12, 10, 10), words(10), layer=5, head=3), width=420)
    shown.choose("Order by", "cell")
    for key in ("ArrowDown", "ArrowDown"):
        scroll(shown, 9999)
        shown.press("stage", key, "Enter")
        assert "5.3" in shown.root.evaluate(PLACES)


def test_a_persons_own_scrolling_is_left_alone(explore):
    shown = explore(many(layer=5, head=3))
    scroll(shown, 0)
    shown.press("stage", "ArrowDown", "Enter")
    shown.hover(shown.head(2, 9))
    shown.click(shown.head(2, 9))
    shown.check("Log")
    assert shown.root.locator(".fall").evaluate("box => box.scrollTop") == 0
