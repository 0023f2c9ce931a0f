import pytest

from seqviz.view import gates
from tests.browser.shown import TWO_FRAMES, Page
from tests.views.test_gates import read_out, recorded, words

pytestmark = pytest.mark.browser


def answered(cell="LSTM", units=5, steps=7, **more):
    """A view with a read-out and targets, of which one is wrong and one is not asked."""
    traces, out = recorded(cell, units, steps), read_out(units)
    said = (traces["h"] @ out["W"].T + out["b"]).argmax(1)
    targets = [out["labels"][k] for k in said]
    targets[1], targets[2] = None, next(x for x in out["labels"] if x != targets[2])
    return gates(traces, words(steps), read_out=out, targets=targets, **more)


def pair(**more):
    return gates({"first": recorded("LSTM"), "second": recorded("GRU", 3)}, words(), **more)


def stored():
    view = gates(recorded("LSTM"), words())
    view.order = "stored"
    return view


def hold(view, **controls):
    for name, value in {**controls, "hold": True}.items():
        setattr(view, name, value)
    return view


def held():
    return hold(answered(), since=3)


def rnn():
    return gates(recorded("RNN relu"), words())


def curves():
    view = gates({"cell": "RNN tanh", "h": [[-1.0, 1.0], [0.0, 0.5], [1.0, -1.0]]}, "abc")
    view.order = "stored"
    return view


def lone_gru():
    """One that cannot run again."""
    return gates({"cell": "GRU", "r": [[1]], "z": [[0.5]], "n": [[0.8]], "h": [[0.4]]}, ["hi"])


def steps_200():
    return gates(recorded("LSTM", 6, 200), words(200))


class Shown(Page):
    """This view, and what is its own."""

    @property
    def reading(self):
        return self.root.locator(".foot output").inner_text().replace("\u00a0", " ")

    def choose(self, name):
        self.root.get_by_label(name, exact=True).check(force=True)

    def hold(self):
        self.root.get_by_role("button", name="Hold", exact=True).click()

    @property
    def picture(self):
        """The block of all units, as an address."""
        return self.root.locator(".map image").first.get_attribute("href")

    def cell(self, step, unit, of=(7, 5)):
        """Where a cell of the block stands on the page, if units stand as stored."""
        box = self.root.locator(".map image").first.bounding_box()
        x = box["x"] + (step - 0.5) * box["width"] / of[0]
        return x, box["y"] + (unit - 0.5) * box["height"] / of[1]


@pytest.fixture
def show(once):
    return lambda make: once(Shown, make).again()


def test_keys_move_step_and_unit(show):
    view, shown = stored(), show(stored)
    unit = view.unit

    def reading(step, unit):
        values = view.layer.curves[:, step - 1, unit - 1]
        rows = [f"{name} {value:.2f}" for name, value in zip("ifgoch", values, strict=True)]
        return "  ".join(rows).replace("-0.00", "0.00").replace("-", "−")

    for key, step in [("Home", 1), ("ArrowLeft", 1), ("ArrowRight", 2), ("End", 7)]:
        shown.press(key)
        assert shown["step"] == str(step)
        assert shown.reading == f"{step} w{step}: unit {unit}: {reading(step, unit)}"
    for key, change in [("ArrowDown", 1), ("ArrowUp", -1), ("ArrowUp", -1)]:
        shown.press(key)
        unit = (unit - 1 + change) % 5 + 1
        assert shown["unit"] == str(unit)
        assert f"Unit {unit} at 7" in shown.drawn
        assert shown.reading.endswith(reading(7, unit))
    shown.press("Enter")
    assert shown["locked"] == "true"
    assert ", locked" in shown.reading
    shown.press("Escape")
    assert shown["locked"] == "false"


def test_keys_hold_and_let_go(show):
    shown = show(answered)
    shown.press("Home", "ArrowRight", "h")
    assert shown.sentence.startswith("f held at 0 from “w2” on: ")
    shown.press("1")
    assert shown.sentence.startswith("f held at 1 from “w2” on: ")
    seen = shown.picture
    shown.press("d")
    assert shown.root.get_by_label("change", exact=True).is_checked()
    assert shown.picture != seen
    shown.press("d", "n", "n")
    assert "i input" in shown.drawn  # two rows after c
    shown.press("p", "p", " ")
    assert ("c cell" in shown.drawn, shown["hold"]) == (True, "false")


def test_clicks_under_the_block_and_on_a_name(show):
    shown = show(answered)
    x, *_ = shown.cell(3, 1)
    box = shown.root.locator(".map").bounding_box()
    unit = shown["unit"]
    shown.page.mouse.click(x, box["y"] + box["height"] - 20)
    assert (shown["step"], shown["unit"], shown["locked"]) == ("3", unit, "true")
    shown.press("Escape")
    name = shown.root.locator(".map text", has_text="forget").bounding_box()
    shown.page.mouse.click(name["x"] + 5, name["y"] + 5)
    assert "f forget" in shown.drawn
    assert any(text.startswith("f = σ(from input") for text in shown.drawn)


def test_the_other_model_takes_the_focus_along(show):
    view, shown = pair(), show(pair)
    assert (shown["model"], shown["unit"]) == ("first", str(view.unit))
    shown.choose("second")
    assert (shown["model"], shown["unit"]) == ("second", str(view.second_unit))
    assert shown.root.get_by_label("z, update", exact=True).is_checked()
    shown.hold()
    assert shown.sentence.startswith("second: z held at 0 from “w3” on: ")
    shown.press("m")
    assert (shown["model"], shown["unit"], shown["hold"]) == ("first", str(view.unit), "true")
    assert shown.sentence.startswith("first: f held at 0 from “w3” on: ")


def test_the_bar_of_the_hold(show):
    shown = show(answered)
    assert shown.root.get_by_label("change").is_disabled()
    before = shown.picture
    shown.hold()
    shown.slide("held at", 0.5)
    after = shown.picture
    assert after != before
    assert shown.sentence.startswith("f held at 0.5 from “w3” on: ")
    shown.choose("before")
    assert shown.picture == before
    shown.choose("change")
    assert shown.picture not in (before, after)
    shown.choose("g, candidate")
    shown.slide("held at", -0.5)
    shown.choose("o, output")  # not below zero: the value comes along
    assert shown.sentence.startswith("o held at 0 from")
    shown.root.get_by_role("button", name="Let go").click()
    assert (shown["hold"], shown.picture) == ("false", before)
    shown.hold()
    slider = shown.root.get_by_label("from step", exact=True)
    slider.press("ArrowRight")  # a key in the panel belongs to the panel
    assert (shown["step"], slider.input_value()) == ("7", "4")


def test_the_hold_is_dragged_along_the_words(show):
    shown = show(held)
    handle = shown.root.locator(".handle").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + 3
    (to, _), mouse = shown.cell(6, 1), shown.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(to - 40, y, steps=3)
    shown.page.set_viewport_size({"width": 700, "height": 900})  # in the middle of it
    shown.page.wait_for_timeout(100)
    (to, _) = shown.cell(6, 1)
    mouse.move(to, y, steps=3)
    mouse.up()
    assert shown.sentence.startswith("f held at 0 from “w6” on: ")
    assert shown["locked"] == "false"


def test_why_there_is_no_hold(show):
    shown = show(rnn)
    button = shown.root.get_by_role("button", name="Hold", exact=True)
    assert "an RNN has no gate" in shown.root.locator(".hold").inner_text()
    shown.press(" ", "h", "1")
    assert (shown["hold"], button.is_visible()) == ("false", False)
    shown = show(lone_gru)
    assert "Hand in from_input, W_hh, b_hh" in shown.root.locator(".hold").inner_text()


def test_what_is_wrong_has_a_cross(show):
    shown = show(answered)
    assert shown.root.locator(".map .cross").count() == 1  # of seven steps one is not asked
    assert "5 of 6 right" in shown.sentence
    shown.press("Home", "ArrowRight", "ArrowRight")
    assert sum(text.startswith(("✓ ", "✗ ")) for text in shown.drawn) == 2


def test_the_heat_map_has_a_pixel_for_each_value(show):
    shown = show(curves)
    pixels = shown.pixels(0)
    violet, paper, rust = (74, 44, 131, 255), (245, 245, 242, 255), (143, 61, 12, 255)
    assert pixels == [3, 2, *violet, *paper, *rust]


def test_two_hundred_steps_in_a_window(show):
    shown = show(steps_200)
    count = int(shown["count"])
    assert (shown["step"], count < 40) == ("200", True)
    assert int(shown["from"]) == 201 - count
    assert "w1" not in shown.drawn
    shown.press("Home")
    assert (shown["step"], shown["from"]) == ("1", "1")
    assert "w1" in shown.drawn
    box = shown.root.locator(".map").bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 12)
    assert 80 < int(shown["step"]) < 120


# ---- in a hall: cause and effect on one screen

LAB = 833  # pixels of a view in JupyterLab at 1280 x 800 with its sidebar open
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
def fit(open_page):
    return lambda view: at(Shown(open_page(view.to_html(), width=LAB)), LAB)


def test_a_hold_moves_nothing_and_26_words_stand_beside_each_other(fit):
    shown = fit(answered("LSTM", 12, 26))
    before = shown.root.evaluate(PLACES)
    assert shown["count"] == "26"
    box = shown.root.locator(".map image").first.bounding_box()
    assert box["width"] / 26 > 13.9
    shown.hold()
    shown.press("d", "Home", "ArrowDown")
    assert shown.root.evaluate(PLACES) == before
