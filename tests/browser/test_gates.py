import base64
import re

import numpy as np
import pytest

from seqviz.view import gates
from seqviz.views.gates.sentence import headline
from seqviz.views.shared.page import fragment
from tests.browser.shown import Page
from tests.browser.slowness import slowness
from tests.views.test_gates import GATED, KINDS, read_out, recorded, words

pytestmark = pytest.mark.browser
HOSTILE = [
    "<script>window.hit=1</script>",
    "<img/src=x/onerror=hit=1>",
    "שלום",
    "👍🏽",
    "=1",
    'a,"',
    "\n",
]


def answered(cell="LSTM", units=5, steps=7, **more):
    """A view with a read-out and targets, of which one is wrong and one is not asked."""
    traces, out = recorded(cell, units, steps), read_out(units)
    said = (traces["h"] @ out["W"].T + out["b"]).argmax(1)
    targets = [out["labels"][k] for k in said]
    targets[1], targets[2] = None, next(x for x in out["labels"] if x != targets[2])
    return gates(traces, words(steps), read_out=out, targets=targets, **more)


def pair(**more):
    return gates({"first": recorded("LSTM"), "second": recorded("GRU", 3)}, words(), **more)


class Shown(Page):
    """This view, and what is its own."""

    @property
    def reading(self):
        return self.root.locator(".foot output").inner_text().replace("\u00a0", " ")

    @property
    def csv(self):
        return self.root.evaluate("root => root.exported.csv()")

    def press(self, *keys):
        self.stage.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def slide(self, label, value):
        self.root.get_by_label(label, exact=True).fill(str(value))

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


def stored(view):
    view.order = "stored"
    return view


@pytest.fixture
def show(open_page):
    def show(view, **options):
        return Shown(open_page(view.to_html(), **options))

    return show


def hold(view, **controls):
    for name, value in {**controls, "hold": True}.items():
        setattr(view, name, value)
    return view


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("cell", GATED)
def test_the_page_computes_what_torch_computes(show, cell, reverse):
    view = gates(recorded(cell, reverse=reverse), words())
    shown = show(view)
    shown.hold()
    for gate in KINDS[cell].holds:
        for everywhere in (True, False):
            value = -0.35 if gate in "gn" else 0.65
            shown.choose(gate)
            shown.choose("all units" if everywhere else f"unit {view.unit}")
            shown.slide("held at", value)
            shown.slide("from step", 4)

            def held(t, name, values, gate=gate, everywhere=everywhere, value=value):
                if name == gate and (t <= 3 if reverse else t >= 3):
                    values = values.clone()
                    values[slice(None) if everywhere else view.unit - 1] = value
                return values

            want = recorded(cell, reverse=reverse, held=held)
            (got,) = shown.root.evaluate(
                "root => root.run().map(rows => Object.fromEntries("
                "Object.entries(rows).map(([name, values]) => [name, [...values]])))"
            )
            for name in KINDS[cell].rows:
                assert np.abs(np.reshape(got[name], (7, 5)) - want[name]).max() < 1e-5
            view.gate, view.value, view.since, view.hold = gate, value, 4, True
            view.units = "all units" if everywhere else "this unit"
            assert shown.csv == view.to_csv()
            assert shown.sentence == headline(view)


VIEWS = {
    "plain": lambda: gates(recorded("LSTM"), words()),
    "rnn": lambda: gates(recorded("RNN relu"), words()),
    "reverse": lambda: gates(recorded("GRU", reverse=True), words()),
    "answers": answered,
    "held": lambda: hold(answered(), since=3),
    "change": lambda: hold(answered("GRU"), since=2, show="change"),
    "before": lambda: hold(answered("GRU"), since=2, show="before", units="this unit"),
    "pair": pair,
    "pair held": lambda: hold(pair(), model="second", gate="r", value=0.25, units="this unit"),
    "long": lambda: hold(gates(recorded("LSTM", 30, 120), words(120)), value=1, since=60),
    "curves": lambda: gates({"cell": "RNN tanh", "h": [[0.125], [-0.125], [1e-9]]}, "abc"),
    "hostile": lambda: gates(
        {"=cell": recorded("GRU")}, HOSTILE, read_out={"=cell": read_out(labels=HOSTILE)}
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_csv_and_sentence_are_the_same_in_python_and_in_the_page(show, name):
    view = VIEWS[name]()
    shown = show(view)
    assert shown.csv == view.to_csv()
    if name != "hostile":
        for key in ("Home", "End", "ArrowLeft"):
            shown.press(key)
            view.step = int(shown["step"])
            assert shown.sentence == headline(view)


def test_keys_move_step_and_unit(show):
    view = stored(gates(recorded("LSTM"), words()))
    shown, unit = show(view), view.unit

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
    view = answered()
    shown = show(view)
    shown.press("Home", "ArrowRight", "h")
    assert shown.sentence.startswith("f held at 0 from “w2” on: ")
    shown.press("1")
    assert shown.sentence.startswith("f held at 1 from “w2” on: ")
    seen = shown.picture
    shown.press("d")
    assert shown.root.get_by_label("change", exact=True).is_checked()
    assert shown.picture != seen
    shown.press("d", "n")
    assert "h hidden" in shown.drawn  # the row after c
    shown.press("n")
    assert "i input" in shown.drawn
    shown.press("p", "p", " ")
    assert "c cell" in shown.drawn
    assert shown["hold"] == "false"
    view.step = 2
    assert shown.sentence == headline(view)


def test_hover_previews_and_click_locks(show):
    view = stored(gates(recorded("LSTM"), words()))
    shown = show(view)
    mouse, unit = shown.page.mouse, str(view.unit)
    other = view.unit % 5 + 1
    mouse.move(*shown.cell(2, other))
    assert (shown["step"], shown["unit"]) == ("2", str(other))
    mouse.move(2, 2)
    assert (shown["step"], shown["unit"]) == ("7", unit)
    mouse.click(*shown.cell(2, other))
    assert (shown["step"], shown["unit"], shown["locked"]) == ("2", str(other), "true")
    mouse.move(*shown.cell(5, view.unit))
    assert (shown["step"], shown["unit"]) == ("2", str(other))
    mouse.click(*shown.cell(2, other))
    assert shown["locked"] == "false"
    mouse.move(2, 2)
    assert (shown["step"], shown["unit"]) == ("2", str(other))


def test_a_step_is_chosen_under_the_block_too(show):
    shown = show(answered())
    x, *_ = shown.cell(3, 1)
    box = shown.root.locator(".map").bounding_box()
    unit = shown["unit"]
    shown.page.mouse.click(x, box["y"] + box["height"] - 20)
    assert (shown["step"], shown["unit"], shown["locked"]) == ("3", unit, "true")


def test_a_click_on_the_name_of_a_row_opens_it(show):
    shown = show(answered())
    assert "c cell" in shown.drawn
    seen = shown.picture
    name = shown.root.locator(".map text", has_text="forget").bounding_box()
    shown.page.mouse.click(name["x"] + 5, name["y"] + 5)
    assert "f forget" in shown.drawn
    assert shown.picture != seen
    assert any(text.startswith("f = σ(from input") for text in shown.drawn)


def test_the_other_model_takes_the_focus_along(show):
    view = pair()
    shown = show(view)
    assert (shown["model"], shown["unit"]) == ("first", str(view.unit))
    shown.choose("second")
    assert (shown["model"], shown["unit"]) == ("second", str(view.second_unit))
    assert shown.root.get_by_label("z", exact=True).is_checked()
    assert "h hidden" in shown.drawn
    shown.hold()
    assert shown.sentence.startswith("second: z held at 0 from “w3” on: ")
    shown.press("m")
    assert (shown["model"], shown["unit"], shown["hold"]) == ("first", str(view.unit), "true")
    assert shown.sentence.startswith("first: f held at 0 from “w3” on: ")


def test_the_bar_of_the_hold(show):
    view = answered()
    shown = show(view)
    assert shown["hold"] == "false"
    assert shown.root.get_by_label("change").is_disabled()
    before = shown.picture
    shown.hold()
    shown.slide("held at", 0.5)
    after = shown.picture
    assert after != before
    assert "held" in shown.drawn
    assert shown.sentence.startswith("f held at 0.5 from “w3” on: ")
    shown.choose("before")
    assert shown.picture == before
    shown.choose("change")
    assert shown.picture not in (before, after)
    shown.choose("g")
    shown.slide("held at", -0.5)
    assert shown.sentence.startswith("g held at −0.5 from")
    shown.choose("o")  # not below zero: the value comes along
    assert shown.sentence.startswith("o held at 0 from")
    shown.root.get_by_role("button", name="Let go").click()
    assert (shown["hold"], shown.picture) == ("false", before)


def test_the_hold_is_dragged_along_the_words(show):
    shown = show(hold(answered(), since=3))
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
    shown = show(gates(recorded("RNN tanh"), words()))
    button = shown.root.get_by_role("button", name="Hold", exact=True)
    assert not button.is_visible()
    assert "an RNN has no gate" in shown.root.locator(".hold").inner_text()
    shown.press(" ", "h", "1")
    assert shown["hold"] == "false"
    curves = {"cell": "GRU", "r": [[1]], "z": [[0.5]], "n": [[0.8]], "h": [[0.4]]}
    shown = show(gates(curves, ["hi"]))
    assert not shown.root.get_by_role("button", name="Hold", exact=True).is_visible()
    assert "Hand in from_input, W_hh, b_hh" in shown.root.locator(".hold").inner_text()


def test_keys_in_the_panel_belong_to_the_panel(show):
    shown = show(hold(gates(recorded("LSTM"), words()), since=4))
    slider = shown.root.get_by_label("from step", exact=True)
    slider.focus()
    slider.press("ArrowRight")
    assert (shown["step"], slider.input_value()) == ("7", "5")


def test_what_is_wrong_has_a_cross(show):
    shown = show(answered())
    assert shown.root.locator(".map .cross").count() == 1  # of seven steps one is not asked
    assert "5 of 6 right" in shown.sentence
    shown.press("Home", "ArrowRight", "ArrowRight")
    assert sum(text.startswith(("✓ ", "✗ ")) for text in shown.drawn) == 2


def test_the_heat_map_has_a_pixel_for_each_value(show):
    traces = {"cell": "RNN tanh", "h": [[-1.0, 1.0], [0.0, 0.5], [1.0, -1.0]]}
    shown = show(stored(gates(traces, "abc")))
    pixels = shown.stage.evaluate(
        """async s => {
            const image = new Image();
            image.src = s.querySelector('image').getAttribute('href');
            await image.decode();
            const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');
            pen.drawImage(image, 0, 0);
            return [image.width, image.height, ...pen.getImageData(0, 0, 3, 1).data];
        }"""
    )
    violet, paper, rust = (74, 44, 131, 255), (245, 245, 242, 255), (143, 61, 12, 255)
    assert pixels == [3, 2, *violet, *paper, *rust]


def test_two_hundred_steps_in_a_window(show):
    shown = show(gates(recorded("LSTM", 6, 200), words(200)))
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
    at = shown["from"]
    shown.press("ArrowRight")
    assert abs(int(shown["from"]) - int(at)) <= 1


CUT_OR_TINY = """s => {
    const wrong = [];
    for (const t of s.querySelectorAll('text')) {
        const {left, right} = t.getBoundingClientRect(), svg = t.ownerSVGElement;
        const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
        if (parseFloat(getComputedStyle(t).fontSize) * scale < 11.9)
            wrong.push('tiny: ' + t.textContent);
        if (left < box.left - 2 || right > box.right + 4) wrong.push('cut: ' + t.textContent);
    }
    return wrong;
}"""


@pytest.mark.parametrize("name", [*VIEWS])
def test_no_text_is_cut_or_tiny(show, name):
    shown = show(VIEWS[name]())
    for width in shown.at_widths(400, 480, 800, 1000, 1400):
        assert shown.root.evaluate(CUT_OR_TINY) == [], width
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_tokens_are_text(show):
    shown = show(VIEWS["hostile"]())
    shown.press("Home")
    for _ in HOSTILE:
        shown.press("ArrowRight")
    assert shown.page.evaluate("window.hit") is None
    assert shown.root.locator("script, img").count() == 0
    drawn = shown.root.evaluate("root => root.exported.svg()")
    assert "<script" not in drawn
    assert shown.page.evaluate(
        """async text => { const image = new Image();
            image.src = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
            await image.decode(); return image.width > 900; }""",
        drawn,
    )


def test_a_long_token_is_cut_in_the_label_and_whole_in_the_reading(show):
    long = "Donaudampfschifffahrtsgesellschaftskapitän"
    shown = show(gates(recorded("GRU"), [*words(6), long]))
    assert long not in shown.drawn
    assert any(re.fullmatch(r"Dona\w+…", text) for text in shown.drawn)
    assert long in shown.reading


def test_dark_and_light_differ_and_follow_jupyter(show):
    shown = show(gates(recorded("LSTM"), words()), dark=True)
    assert shown["theme"] == "dark"
    picture = "s => s.querySelector('image').getAttribute('href')"
    dark = shown.stage.evaluate(picture)
    shown.page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    shown.page.wait_for_selector('.seqviz[data-theme="light"]')
    shown.page.wait_for_function(
        "old => document.querySelector('.stage image').getAttribute('href') !== old", arg=dark
    )
    assert base64.b64decode(shown.stage.evaluate(picture).split(",")[1]).startswith(b"\x89PNG")


def test_two_on_a_page_know_nothing_of_each_other(open_page):
    view = gates(recorded("LSTM"), words())
    page = open_page(fragment(view) + fragment(pair()))
    page.wait_for_function("document.querySelectorAll('.seqviz[data-ready]').length === 2")
    page.locator(".stage").first.focus()
    page.keyboard.press("Home")
    steps = page.locator(".seqviz").evaluate_all("all => all.map(root => root.dataset.step)")
    assert steps == ["1", "7"]


def test_a_hidden_view_is_drawn_when_it_is_shown(open_page):
    view = gates(recorded("LSTM"), words())
    page = open_page(f'<div id="tab" style="display:none">{fragment(view)}</div>')
    page.wait_for_selector(".seqviz", state="attached")
    assert page.locator('.seqviz[data-ready="true"]').count() == 0
    page.evaluate("document.getElementById('tab').style.display = 'block'")
    page.wait_for_selector('.seqviz[data-ready="true"]')


def test_a_closed_view_leaves_no_listener(show):
    shown = show(gates(recorded("LSTM"), words()))
    left = shown.page.evaluate(
        """async () => {
            const script = document.querySelector('script[type="application/json"]');
            const page = JSON.parse(script.textContent), heard = [], watching = new Set();
            const host = document.querySelector('.seqviz-page'), {content} = host;
            const code = await host.getText(content.script);
            const module = new Blob([code], {type: 'text/javascript'});
            const view = await import(URL.createObjectURL(module));
            const parts = {}, first = {};
            for (const name of Object.keys(content.parts)) parts[name] = await host.getPart(name);
            for (const name of page.first) first[name] = parts[name];
            const state = {facts: content.facts, choices: content.choices, ...page.controls, first};
            const model = {
                get: name => state[name], save_changes() {}, send() {},
                set(name, value) {
                    state[name] = value;
                    heard.filter(h => h[0] === 'change:' + name).forEach(h => h[1]());
                },
                on: (event, f) => heard.push([event, f]),
                off: (event, f) => heard.splice(heard.findIndex(h => h[1] === f), 1),
            };
            for (const kind of [MutationObserver, ResizeObserver]) {
                const {observe, disconnect} = kind.prototype;
                kind.prototype.observe = function (...given) {
                    watching.add(this);
                    return observe.apply(this, given);
                };
                kind.prototype.disconnect = function () {
                    watching.delete(this);
                    return disconnect.apply(this);
                };
            }
            const el = document.body.appendChild(document.createElement('div'));
            const end = view.default.render({model, el});
            await new Promise(r => setTimeout(r, 100));
            model.set('step', 2);       // as Python does
            const step = el.firstChild.dataset.step, listening = heard.length > 5;
            end();
            return [step, listening, heard.length, el.childElementCount, watching.size];
        }"""
    )
    assert left == ["2", True, 0, 0, 0]


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize("slider", ["held at", "from step"])
@pytest.mark.parametrize("view", [lambda: answered("LSTM", 12, 24), pair], ids=["one", "two"])
def test_a_slider_is_drawn_within_a_frame(browser, show, view, slider):
    p95, pictures, places = show(hold(view(), since=3)).slide_through(slider)
    assert pictures == places
    assert p95 <= 16 * slowness(browser)


def test_a_theme_that_changes_while_the_view_is_hidden(show):
    shown = show(answered())
    page = shown.page
    fill = "rect => rect.getAttribute('fill')"
    fills = f"() => [...document.querySelectorAll('.stage rect')].map({fill}).join()"
    light = page.evaluate(fills)
    hidden = "display => { document.querySelector('.seqviz').parentNode.style.display = display; }"
    page.evaluate(hidden, "none")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector('.seqviz[data-theme="dark"]', state="attached")
    page.evaluate(hidden, "")
    page.wait_for_function(f"old => ({fills})() !== old", arg=light)
    dark = page.evaluate(fills)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"old => ({fills})() === old", arg=light)
    assert dark != light


def test_letters_from_right_to_left_are_isolated(show):
    tokens = ["a", "\u202egnp", "שלום", "b", "c", "d", "e"]
    shown = show(gates(recorded("LSTM"), tokens))
    reading = shown.root.locator(".foot output")
    for k in (1, 2):
        shown.stage.focus()
        for key in ("Home", *["ArrowRight"] * k):
            shown.page.keyboard.press(key)
        assert f"\u2068{tokens[k]}\u2069" in reading.inner_text()
