"""Gates in a hall: cause and effect on one screen."""

import pytest

from seqviz.view import gates
from tests.browser.shown import TWO_FRAMES
from tests.browser.test_gates import Shown, answered, hold, pair
from tests.views.test_gates import read_out, recorded, words

pytestmark = pytest.mark.browser
LAB = 833  # pixels of a view in JupyterLab at 1280 x 800 with its sidebar open
CASES = {
    "talk": lambda: hold(answered("LSTM", 12, 26), since=9),
    "long": lambda: hold(answered("LSTM", 12, 200), since=9),
    "large": lambda: gates(recorded("LSTM", 256, 26), words(26)),
    "small": lambda: gates(recorded("RNN tanh", 3, 5), "hello"),
}
PLACES = """root => Object.fromEntries(
    ['.holder', '.map', '.map image', '.cell'].map(name => {
        const {top, bottom, height} = root.querySelector(name).getBoundingClientRect();
        return [name, [top, bottom, height]];
    }))"""


def at(shown, width):
    shown.page.set_viewport_size({"width": width, "height": 720})
    for _ in range(3):
        shown.page.evaluate(TWO_FRAMES)
    return shown


@pytest.fixture
def show(open_page):
    return lambda view: at(Shown(open_page(view.to_html(), width=LAB)), LAB)


@pytest.mark.parametrize("name", CASES)
def test_cause_and_effect_stand_on_one_screen(show, name):
    shown = show(CASES[name]())
    assert shown.root.evaluate("root => root.offsetHeight") <= 640
    places = shown.root.evaluate(PLACES)
    assert places[".holder"][0] >= 0
    assert places[".cell"][1] <= 640
    assert places[".map image"][2] >= 50
    for width in (560, LAB, 1500):  # numbers stand in all cells or in none
        at(shown, width)
        cells, numbers = (shown.root.locator(f".map .{kind}").count() for kind in ("cell", "value"))
        assert cells > 0
        assert numbers in (0, cells)
        assert bool(numbers) == (name == "small" or (width == 1500 and name != "long"))
    at(shown, 1280).stage.press("f")
    shown.page.wait_for_selector(".seqviz.full")
    height = "root => [root.scrollHeight, root.clientHeight, root.currentCSSZoom]"
    scrolled, seen, zoom = at(shown, 1280).root.evaluate(height)
    assert scrolled <= seen
    assert zoom > 1.5


def test_a_hold_moves_nothing_and_26_words_stand_beside_each_other(show):
    shown = show(answered("LSTM", 12, 26))
    before = shown.root.evaluate(PLACES)
    assert shown["count"] == "26"
    box = shown.root.locator(".map image").first.bounding_box()
    assert box["width"] / 26 > 13.9
    shown.hold()
    shown.press("d", "Home", "ArrowDown")
    assert shown.root.evaluate(PLACES) == before


def test_two_models_answer_in_a_strip_each(show):
    out = {"first": read_out(5), "second": read_out(3)}
    shown = show(pair(read_out=out, targets=["yes"] * 7))
    assert "it answers" not in shown.drawn
    assert shown.drawn.count("p(right)") == 2
    before = shown.root.evaluate(PLACES)
    shown.press("m")
    assert shown.root.evaluate(PLACES)[".holder"] == before[".holder"]
    assert ", first " in shown.sentence
