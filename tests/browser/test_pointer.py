"""A pointer over what is in focus: it previews, a click locks, the same again or Escape frees."""

import pytest

from seqviz.view import piano_roll, regions
from tests.browser.shown import Page
from tests.browser.test_gates import stored
from tests.browser.test_gradients import spectra
from tests.browser.test_unroll import hello
from tests.views.region_films import two_shapes
from tests.views.test_beam import pie
from tests.views.test_piano_roll import tune

pytestmark = pytest.mark.browser


def rolled():
    view = piano_roll(tune())
    view.note = 0
    return view


def film():
    return regions([two_shapes()])


def named(text, up=0):
    """What is at a text of the drawing, or so many pixels above it."""

    def place(shown):
        x, y = shown.middle(text)
        return x, y - up

    return place


def in_box(selector, k=0, x=0.5, y=0.5):
    """A place in the box of a node, in shares of its sides."""

    def place(shown):
        box = shown.root.locator(selector).nth(k).bounding_box()
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    return place


BAR, BLOCK, CELL = "svg rect[fill-opacity]", ".map image", ".stage rect[width='46']"
CASES = {  # what is in focus, and two places with what they bring into it
    "beam": (pie, "node", (named("struck"), "3"), (named("got"), "5")),
    "gates": (stored, "step", (in_box(BLOCK, x=0.2), "2"), (in_box(BLOCK, x=0.65), "5")),
    "gradients": (spectra, "step", (named("30", up=200), "30"), (named("10", up=200), "10")),
    "piano roll": (rolled, "note", (in_box(BAR, 20), "21"), (in_box(BAR, 29), "30")),
    "regions": (film, "step", (in_box("li", 1), "2"), (in_box("li", 0), "1")),
    "unroll": (hello, "unit", (in_box(CELL, 1), "2"), (in_box(CELL, 4), "5")),
}


@pytest.mark.parametrize("name", CASES)
def test_it_previews_a_click_locks_and_the_same_again_or_escape_frees(open_page, name):
    make, focus, (place, value), (aside, other) = CASES[name]
    shown = Page(open_page(make().to_html()))
    mouse, said = shown.page.mouse, shown.root.locator(".say")
    start, sentence = shown[focus], shown.sentence
    mouse.move(*place(shown))
    assert (shown[focus], shown["locked"]) == (value, "false")
    assert sentence == shown.sentence or said.get_attribute("aria-live") == "off"
    mouse.move(2, 2)
    assert (shown[focus], shown.sentence) == (start, sentence)
    assert said.get_attribute("aria-live") == "polite"
    shown.tremble(*place(shown))
    assert (shown[focus], shown["locked"]) == (value, "true")
    mouse.move(*aside(shown))
    assert shown[focus] == value, "a lock takes no previews"
    mouse.click(*place(shown))
    assert shown["locked"] == "false"
    mouse.move(2, 2)
    mouse.move(*aside(shown))
    assert shown[focus] == other
    mouse.click(*aside(shown))
    assert shown["locked"] == "true"
    mouse.move(2, 2)
    shown.press("Escape")
    assert shown["locked"] == "false"
