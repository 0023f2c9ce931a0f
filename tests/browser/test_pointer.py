"""A pointer over what is in focus: it previews, a click locks, the same again or Escape frees."""

import numpy as np
import pytest

from seqviz.view import attention, gates, piano_roll, regions
from tests.browser.shown import Page, settled
from tests.browser.test_gates import stored
from tests.browser.test_gradients import spectra
from tests.browser.test_machine import whole
from tests.browser.test_unroll import hello
from tests.views.region_films import two_shapes
from tests.views.test_beam import pie
from tests.views.test_gates import recorded
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


WORDS = [f"word{k}-{'abcdefghij'[k % 4 :]}" for k in range(16)]
# The middle of the last letter of each slanted name over a picture, and its column.
LAST_LETTERS = """stage => [...stage.querySelectorAll('text[transform*="rotate(-"]')]
    .filter(text => text.getAttribute('text-anchor') !== 'end')
    .map((text, place) => {
        const {x, y, width, height} = text.getExtentOfChar(text.getNumberOfChars() - 1);
        const middle = new DOMPoint(x + width / 2, y + 0.55 * height);
        const at = middle.matrixTransform(text.getScreenCTM());
        return [at.x, at.y, Number(text.dataset.column ?? place)];
    })"""


def heard():
    return gates(recorded("LSTM", 4, 16), WORDS)


def attended(count):
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(count), (1, 2, count))
    return attention(weights, [WORDS[k % 16] for k in range(count)])


def why():
    view = whole()
    view.depth = 2
    return view


SLANTED = {  # what the pointer brings into focus; whether it must click
    "gates": (heard, "step", False),
    "attention": (lambda: attended(16), "key", False),
    "attention of small cells": (lambda: attended(34), "key", False),
    "machine": (whole, "token", True),
    "why": (why, "say", False),
}


@pytest.mark.parametrize("name", SLANTED)
def test_the_last_letters_of_a_slanted_name_belong_to_its_column(open_page, name):
    make, focus, clicks = SLANTED[name]
    shown = Page(open_page(make().to_html(), width=833))
    ends = shown.stage.evaluate(LAST_LETTERS)
    assert len(ends) >= 12
    found = []
    for x, y, _ in ends:
        shown.page.mouse.move(x, y)
        if clicks:
            shown.page.mouse.click(x, y)
        settled(shown.page)
        found.append(shown.sentence if focus == "say" else int(shown[focus]))
        if clicks:
            shown.press("Escape")
    if focus == "say":
        assert len({*found}) == len(ends), found
    else:
        first = found[0] - ends[0][2]  # some count from 1
        assert found == [column + first for _, _, column in ends]
