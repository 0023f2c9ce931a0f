"""Sorted heads: the best are in sight, and a person's own scrolling is left alone."""

import pytest

from seqviz.view import attention
from tests.browser.attention_shown import softmax, words

pytestmark = pytest.mark.browser
PLACES = """root => {
    const box = root.querySelector('.fall'), end = box.getBoundingClientRect();
    return [...box.querySelectorAll('text.strong')].map(t => [t.textContent,
        t.getBoundingClientRect()]).filter(([, at]) => at.bottom > end.top + 6
        && at.top - 46 < end.bottom - 6).map(([name]) => name);
}"""


def many(**more):
    view = attention(softmax(12, 12, 10, 10), words(10), **more)
    view.sort = "entropy"
    return view


def scroll(shown, top):
    shown.root.locator(".fall").evaluate("(box, top) => { box.scrollTop = top; }", top)
    return shown.root.evaluate(PLACES)


def test_a_picture_scrolls_nothing_and_a_new_order_begins_at_the_best_head(explore):
    shown = explore(many(layer=5, head=3), width=420)
    scroll(shown, 123)
    shown.root.evaluate("root => root.exported.svg()")
    shown.settle()
    assert shown.root.locator(".fall").evaluate("box => box.scrollTop") == 123
    down = shown.page.evaluate("() => { scrollTo(0, 50); return scrollY; }")
    for sort in ("first", "cell"):
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
