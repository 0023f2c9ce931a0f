import re

import pytest

from seqviz.view import unroll
from tests.browser.shown import TWO_FRAMES, Grid
from tests.views.test_unroll import weights

pytestmark = pytest.mark.browser


def hello():
    return unroll(weights(), "helo", "hello", step=4)


def opened():
    """With its equation."""
    view = hello()
    view.equation = True
    return view


def stages():
    nets = {"0 updates": weights(seed=1), "60 updates": weights(seed=2)}
    return unroll(nets, "helo", "hello", step=2)


def words():
    names = ["the", "students", "opened", "closed", "their", "books", "laptops", "kitchens"]
    return unroll(weights(24, 8), names, "the students opened their books")


def long():
    return unroll(weights(), "helo", "hello" * 400, step=1000)


class Shown(Grid):
    """This view, and what is its own."""

    def read(self, text):
        self.root.get_by_label("text that the net reads").fill(text)


@pytest.fixture
def show(once):
    return lambda make: once(Shown, make).again()


def test_keys_move_step_and_unit(show):
    shown = show(opened)
    states = [[float(v) for v in line.split(",")[5:]] for line in shown.csv.splitlines()[1:]]

    def value(step, unit, more=""):
        number = f"{states[step - 1][unit - 1]:.2f}".replace("-", "−").replace("−0.00", "0.00")
        return f"unit {unit} = {number}{more}"

    unit = hello().unit
    assert shown["compare"] == "3"
    assert (shown["step"], shown.value) == ("4", value(4, unit))
    for key, step in [("ArrowLeft", 3), ("Home", 1), ("ArrowLeft", 1), ("ArrowRight", 2)]:
        shown.press(key)
        assert (shown["step"], shown.value) == (str(step), value(step, unit))
        assert f"t = {step}" in shown.drawn
    shown.press("End", "ArrowRight")
    assert (shown["step"], shown.value) == ("4", value(4, unit))
    for key, change in [("ArrowDown", 1), ("ArrowUp", -1), ("ArrowUp", -1)]:
        shown.press(key)
        unit = (unit - 1 + change) % 8 + 1
        assert (shown["unit"], shown.value) == (str(unit), value(4, unit))
        assert f"unit {unit} through time" in shown.drawn
    shown.press("Enter")
    assert (shown["locked"], shown.value) == ("true", value(4, unit, ", locked"))
    shown.press("Escape")
    assert (shown["locked"], shown.value) == ("false", value(4, unit))


def test_the_same_cursor_runs_through_equation_and_trace(show):
    shown = show(opened)
    box = shown.stage.locator("svg").nth(1).bounding_box()
    shown.page.mouse.move(box["x"] + 30, box["y"] + 36 + 16 * 5.5)
    assert (shown["unit"], "unit 6 through time" in shown.drawn) == ("6", True)
    dot = shown.stage.locator("svg").nth(1).locator("circle").nth(1).bounding_box()
    shown.page.mouse.click(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    assert (shown["unit"], shown["locked"], shown["step"]) == ("6", "true", "4")


def test_another_word_without_a_kernel(show):
    shown = show(hello)
    shown.read("olehole")
    assert shown["step"] == "6"
    assert [line[:5] for line in shown.csv.splitlines()[1:]] == [
        *["1,o,l", "2,l,e", "3,e,h", "4,h,o", "5,o,l", "6,l,e"]
    ]
    shown.read("h")
    assert shown.sentence.startswith("Step 1: reads h, says")
    shown.read("hello")
    before = shown.drawn
    shown.read("help")  # keeps the last good picture
    problem = shown.root.locator(".problem")
    assert "is not in the vocabulary: h e l o" in problem.inner_text()
    assert shown.drawn == before
    shown.read("hole")
    assert problem.is_hidden()
    assert shown["step"] == "3"


def test_stages_come_when_asked_for_and_buttons_step(show):
    shown = show(stages)
    assert shown["stage"] == "60 updates"
    before = shown.csv
    shown.choose("0 updates")
    shown.page.wait_for_selector('.seqviz[data-stage="0 updates"]')
    assert shown.csv != before
    shown.root.get_by_label("one step on").click()
    assert shown["step"] == "3"
    shown.root.get_by_label("one step back").click()
    assert shown["step"] == "2"
    shown.root.locator("input[type=range]").fill("4")
    assert shown["step"] == "4"


CHAIN = """s => {
    const {top, bottom} = s.querySelector('svg').getBoundingClientRect();
    return [top, bottom];
}"""


def test_no_step_moves_the_chain_and_the_equation_opens_and_folds_under_it(open_page):
    shown = Shown(open_page(words().to_html(), width=833))
    chain = shown.stage.evaluate(CHAIN)
    assert 100 < chain[0] < chain[1] <= 640
    for key in ("Home", *["ArrowRight"] * 5):
        shown.press(key)
        assert shown.stage.evaluate(CHAIN) == chain
    opener = shown.root.get_by_role("button", name="Equation")
    for act, is_open in [
        (lambda: shown.press("e"), True),
        (opener.click, False),
        (lambda: shown.press("E"), True),
        (lambda: shown.press("r"), False),
    ]:
        act()
        assert opener.get_attribute("aria-expanded") == str(is_open).lower()
        assert ("= tanh(" in shown.drawn) == is_open
        assert shown.stage.evaluate(CHAIN) == chain
    shown.root.get_by_label("text that the net reads").press("e")  # a letter there is no key
    assert "= tanh(" not in shown.drawn


def test_two_thousand_tokens_in_a_window(show):
    shown = show(long)
    headers = [text for text in shown.drawn if text.startswith("t = ")]
    assert len(headers) <= 9
    assert "t = 1000" in headers
    shown.press("Home")
    assert "t = 1" in shown.drawn
    shown.press("End")
    assert (shown["step"], "t = 1999" in shown.drawn) == ("1999", True)
    box = shown.stage.bounding_box()
    shown.page.mouse.click(box["x"] + 130, box["y"] + 20)  # the strip of all steps, at its left
    assert int(shown["step"]) < 20
    shown.page.mouse.click(box["x"] + box["width"] - 47, box["y"] + 20)
    assert int(shown["step"]) > 1980
    shown.press("Home", *["ArrowRight"] * 20)
    start = shown["from"]
    shown.press("ArrowLeft", "ArrowLeft")  # the window stands
    assert shown["from"] == start


def test_the_pointer_hits_what_it_sees_in_a_narrow_window(show):
    shown = show(opened)
    shown.page.set_viewport_size({"width": 360, "height": 1600})
    shown.page.evaluate(TWO_FRAMES)
    texts = shown.stage.evaluate(
        """s => [...s.querySelectorAll('rect + text[style]')].map(t => {
            const r = t.previousElementSibling.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2, r.width];
        })"""
    )
    for width in (46, 42):  # of a state's cell, and of the equation's
        cells = [(x, y) for x, y, w in texts if abs(w - width * 328 / 356) < 0.5][:8]
        assert len(cells) == 8
        for unit, place in enumerate(cells, 1):
            shown.page.mouse.move(*place)
            assert shown["unit"] == str(unit)


def test_a_large_net_is_light(show):
    words = [f"w{k}" for k in range(200)]
    shown = show(lambda: unroll(weights(64, 200), words, words))
    assert shown.stage.evaluate("s => s.innerHTML.length") < 1_000_000
    assert shown.stage.locator("image").count() >= 6
    drawn = shown.root.evaluate("root => root.exported.svg()")
    assert 'image-rendering="pixelated"' in drawn
    assert set(re.findall(r'href="([^"]{11})', drawn)) == {"data:image/"}


def test_a_probability_is_never_rounded_to_one(show):
    net = {"W_xh": [[1, -1]], "W_hh": [[0]], "b": [0], "W_hy": [[4], [-4]], "b_y": [0, 0]}
    shown = show(lambda: unroll(net, "ab", "abb"))
    assert {">.99", "<.01"} <= set(shown.drawn)
    assert "(p > .99)" in shown.sentence
