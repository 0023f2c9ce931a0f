"""Labels of heads fit at every width."""

import pytest

from seqviz.view import attention
from tests.browser.attention_shown import sentence, softmax, translation, words

pytestmark = pytest.mark.browser
APART = """(tiles, least) => {
    const texts = [...tiles.querySelectorAll('text')].map(t => t.getBoundingClientRect());
    return texts.every((a, i) => texts.every((b, k) => k <= i || a.right + least <= b.left
        || b.right + least <= a.left || a.bottom <= b.top || b.bottom <= a.top));
}"""


@pytest.mark.parametrize("width", [320, 400, 640, 800, 1000, 1100, 1400, 1600])
def test_names_of_sorted_heads_stand_clear_of_values(explore, width):
    view = attention(softmax(12, 12, 24, 24, sharp=5), words(24))
    view.sort, view.query, view.key = "cell", 3, 4
    shown = explore(view, width=width)
    assert len(shown.order) == 144
    still = shown.root.locator(".layers svg").first
    assert still.evaluate(APART, 4)
    assert still.evaluate("s => s.getBBox().x + s.getBBox().width <= s.clientWidth")


def test_roll_up_rests_while_heads_are_sorted(explore):
    shown = explore(sentence())
    assert shown.control("Roll up").is_enabled()
    shown.choose("Order by", "entropy")
    assert shown.control("Roll up").is_disabled()
    shown.choose("Order by", "place")
    assert shown.control("Roll up").is_enabled()


@pytest.mark.parametrize("gold", [False, True])
def test_the_title_fits_a_narrow_page(explore, gold):
    view = translation() if gold else sentence()
    view.layer, view.head, view.scale = (0, 1, "log") if gold else (0, "mean", "log")
    shown = explore(view, width=320)
    assert shown.root.locator(".main > svg").first.evaluate(APART, 4)
