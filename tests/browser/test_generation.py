"""How a language model writes: on a page of its own, and with a kernel that answers when told."""

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Error

from seqviz.view import generation
from seqviz.views.generation.sentence import headline
from seqviz.views.shared.page import fragment
from tests.browser.shown import Page
from tests.browser.test_beam import OVERLAPS, TINY_OR_CUT
from tests.browser.test_curves import other_kernel
from tests.browser.test_gradients import HOSTILE
from tests.views.test_generation import LETTERS, Model, everything, letters, view_of

pytestmark = pytest.mark.browser


def hostile():
    bad = ["", *HOSTILE, "\u202eabc", "x" * 500, "\n", "<!--", " ", "🙂", "  two"]
    p = np.linspace(1, 2, len(bad))
    more = {"steps": 9, "title": "<b>b</b>"}
    return generation(lambda ids: np.roll(p / p.sum(), ids[-1]), bad, [1], **more)


def stopping():
    return view_of(Model(positions=4), depth=2)


def tiny():
    return generation(lambda ids: [0.3, 0.7], ["he", "sat"], [0], steps=6)


VIEWS = {
    "everything": everything,
    "letters": letters,
    "hostile": hostile,
    "stopping": stopping,
    "tiny": tiny,
}
SELDOM = [pytest.param(name, marks=pytest.mark.slow) for name in ("letters", "stopping", "tiny")]
MOST = ["everything", "hostile", *SELDOM]


class Shown(Page):
    """This view, and what is its own."""

    @property
    def csv(self):
        return self.root.evaluate("root => root.exported.csv()")

    @property
    def written(self):
        return [int(k) for k in self["written"].split()]

    def press(self, *keys):
        self.stage.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def set(self, **controls):
        """As Python does, over the model of `other_kernel`."""
        for name, value in controls.items():
            self.page.evaluate("([name, value]) => fromPython(name, value)", [name, value])

    def go(self, end, **controls):
        """Set controls by the address of the page, and wait for a sentence."""
        texts = {k: ",".join(map(str, v)) if k == "written" else v for k, v in controls.items()}
        self.page.evaluate("hash => { location.hash = hash; }", urlencode(texts))
        said = "text => document.querySelector('.say').textContent === text"
        try:
            self.page.wait_for_function(said, arg=end, timeout=3000)
        except Error:
            assert self.sentence == end, controls

    def row(self, rank):
        """The middle of a row of bars, from 1."""
        return self.root.locator(".dist").evaluate(
            """(node, rank) => {
                const texts = [...node.querySelectorAll('text')];
                const box = texts.find(t => t.textContent === String(rank)).getBoundingClientRect();
                return [box.right + 60, box.y + box.height / 2];
            }""",
            rank,
        )

    def text_at(self, where, text):
        """The middle of a text in a part of the stage."""
        return self.root.locator(where).evaluate(
            """(node, text) => {
                const texts = [...node.querySelectorAll('text')];
                const box = texts.find(t => t.textContent === text).getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }""",
            text,
        )

    def wait_for(self, **data):
        for name, value in data.items():
            self.page.wait_for_selector(f'.seqviz[data-{name}="{value}"]', timeout=5000)

    @property
    def sent(self):
        return self.page.evaluate("window.sent")

    def answer(self, name):
        self.page.evaluate("name => answer(name)", name)

    @property
    def height(self):
        return self.root.evaluate("root => root.getBoundingClientRect().height")


@pytest.fixture
def show(open_page):
    def show(view, **options):
        page = open_page(view.to_html(), **options)
        page.wait_for_selector('.seqviz[data-ready="true"]')
        page.emulate_media(reduced_motion="reduce")
        return Shown(page)

    return show


# ---- what it says and holds


SETTINGS = [
    {"method": "greedy"},
    {"method": "sample"},
    {"method": "top-k", "k": 1},
    {"method": "top-k", "k": 7},
    {"method": "nucleus", "p": 0.5},
    {"method": "nucleus", "p": 0.98},
    {"method": "nucleus", "p": 1},
    {"method": "temperature", "temperature": 0.3},
    {"method": "temperature", "temperature": 1},
    {"method": "temperature", "temperature": 2},
]


@pytest.mark.parametrize("name", MOST)
def test_page_and_python_say_the_same(show, name):
    view = VIEWS[name]()
    shown = show(view)
    paths = [[], [int(view.place.ids[0])], list(view.starting["sample"].ids[:2])]
    for path in paths:
        for setting in SETTINGS:
            setting = {**setting, "k": min(setting.get("k", 3), view.writer.keep)}
            controls = {"focus": 2, "written": path, **setting}
            for control, value in controls.items():
                setattr(view, control, value)
            shown.go(**controls, end=headline(view))
            assert shown.csv == view.to_csv(), controls


def test_side_by_side_is_what_python_wrote(show):
    view = everything()
    view.compare = True
    shown = show(view)
    assert shown.csv == view.to_csv()
    view.written, view.k = [30], 4
    assert show(view).csv == view.to_csv()  # from the prompt, as nobody ran the model from there
    view.write()
    shown = show(view)
    assert shown.csv == view.to_csv()
    assert "Top-k 4" in shown.drawn
    view.written, view.k = [], 10
    shown = show(view)
    text = " ".join(shown.drawn)
    for title in ("Greedy", "Sample", "Temperature 1.5", "Top-k 10", "Nucleus 0.90"):
        assert title in text


# ---- by hand


def test_enter_takes_and_backspace_takes_back(show):
    view = everything()
    shown = show(view)
    first = int(view.place.ids[0])
    shown.press("Enter")
    assert shown.written == [first]
    shown.press("ArrowDown", "Enter")
    view.written = [first]
    assert shown.written == [first, int(view.place.ids[1])]
    shown.press("Backspace", "ArrowLeft")
    assert shown.written == []
    shown.press("ArrowRight", "ArrowRight")  # to where one was
    assert shown.written == [first, int(view.place.ids[1])]
    shown.press("Backspace", "ArrowDown", "ArrowDown")
    assert shown["focus"] == "3"
    shown.press("Escape")
    assert shown["focus"] == "1"


def test_the_pointer_previews_and_a_click_takes(show):
    view = everything()
    shown = show(view)
    before = shown.sentence
    shown.page.mouse.move(*shown.row(2))
    assert shown["at"] == "2"
    assert shown["focus"] == "1"
    assert shown.sentence != before
    assert "previewing" in shown.root.get_attribute("class")
    shown.page.mouse.move(5, 5)
    assert shown["at"] == "1"
    assert shown.sentence == before
    shown.page.mouse.click(*shown.row(2))
    assert shown.written == [int(view.place.ids[1])]


def test_a_press_that_shakes_is_a_click(show):
    view = everything()
    shown = show(view)
    x, y = shown.row(1)
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x + 1, y)
    shown.page.mouse.up()
    assert len(shown.written) == 1


def test_a_token_of_the_text_and_a_node_of_the_tree_go_there(show):
    view = everything()
    shown = show(view)
    shown.press("Enter", "Enter", "Enter")
    third = shown.written
    word = LETTERS[third[0]]
    shown.page.mouse.click(*shown.text_at(".text", word))
    assert shown.written == third[:1]
    node = LETTERS[int(view.writer.places[()].ids[1])]
    shown.page.mouse.click(*shown.text_at(".tree", node))
    assert shown.written == [LETTERS.index(node)]
    shown.page.mouse.click(*shown.text_at(".tree", word))  # opens where it was left
    assert shown.written == third[:1] or shown.written == third


@pytest.mark.parametrize("method", ["greedy", "sample", "top-k", "nucleus", "temperature"])
def test_s_walks_along_what_the_method_wrote(show, method):
    view = everything()
    view.method = method
    shown = show(view)
    run = view.starting[method].ids
    for k in range(4):
        shown.press("s")
        assert shown["rolls"] == "true"
        shown.press("s")  # lands it at once
        assert shown.written == list(run[: k + 1])


def test_a_second_draw_at_a_place_has_another_number(show):
    shown = show(everything())
    numbers = []
    for _ in range(4):
        shown.press("s")
        numbers.append(shown.root.locator(".fell").inner_text().split()[0])
        shown.press("s", "Backspace")
    assert len(set(numbers)) == 4
    shown.page.keyboard.press("r")
    shown.press("s")
    assert shown.root.locator(".fell").inner_text().split()[0] == numbers[0]


def test_a_number_runs_and_then_its_token_is_taken(show):
    view = everything()
    shown = show(view)
    shown.page.emulate_media(reduced_motion="no-preference")
    before = shown.sentence
    shown.press("s")
    assert shown.sentence == before  # nothing is told before it lies still
    shown.page.wait_for_function("document.querySelector('.fell').innerText.includes('falls on')")
    shown.wait_for(written=view.starting["nucleus"].ids[0])


def test_a_card_is_method_and_knob(show):
    shown = show(everything())
    for label, method in (("k", "top-k"), ("temperature", "temperature"), ("p", "nucleus")):
        slider = shown.root.locator(f'input[type="range"][aria-label="{label}"]')
        slider.focus()
        shown.page.keyboard.press("ArrowLeft")
        assert shown["method"] == method
    shown.root.get_by_role("radio", name="Greedy").check(force=True)
    assert shown["method"] == "greedy"
    assert shown["kept"] == "1"


def test_the_buttons_do_what_the_keys_do(show):
    shown = show(everything())
    shown.root.get_by_role("button", name="Take").click()
    assert len(shown.written) == 1
    back = shown.root.get_by_role("button", name="Back")
    back.press("Enter")
    assert shown.written == []
    assert back.is_disabled()


def test_the_address_of_a_page_sets_controls(open_page):
    view = everything()
    page = open_page(view.to_html())
    first = int(view.place.ids[0])
    page.evaluate(f"location.hash = 'written={first}&method=top-k&k=3&compare=true'")
    page.wait_for_selector(f'.seqviz[data-written="{first}"][data-method="top-k"][data-kept="3"]')
    page.evaluate("location.hash = 'written=1,2,3'")
    page.wait_for_function("document.querySelector('.problem').textContent.includes('no written')")


# ---- places that are not there


def test_a_place_that_is_not_computed_says_so_and_offers_others(show):
    view = everything()
    shown = show(view)
    assert shown.drawn.count("›") == 4
    shown.press(*["ArrowDown"] * 8, "Enter")
    assert shown["place"] == "absent"
    assert "not in this page" in shown.sentence
    assert any("nothing is computed" in text for text in shown.drawn)
    offers = shown.root.locator(".offers button")
    names = [LETTERS[int(k)] for k in view.place.ids[:4]]
    assert set(names) <= set(offers.all_inner_texts())
    assert shown.csv.count("next") == 0
    offers.first.click()
    assert shown["place"] == "here"
    assert shown.written == [int(view.place.ids[0])]


def test_a_model_that_stops_is_told_and_the_rest_works(show):
    view = stopping()
    shown = show(view)
    ids = list(view.starting["nucleus"].ids)
    for _ in range(len(ids)):
        shown.press("s", "s")
    assert shown.written == ids
    assert shown["place"] == "absent"
    assert shown.sentence == "Here the model stops: IndexError: 5 tokens, 4 positions"
    shown.press("Backspace")
    assert shown["place"] == "here"
    shown.root.get_by_role("radio", name="Side by side").check(force=True)
    assert sum(text.startswith("✗ stops after 3: IndexError") for text in shown.drawn) == 5


def test_a_number_that_falls_below_the_named_ones_needs_a_kernel(show):
    names = [f"v{k}" for k in range(3000)]
    view = generation(lambda ids: np.full(3000, 1 / 3000), names, [0], steps=3, keep=12, depth=1)
    shown = show(view)
    shown.press("s", "s")  # along the run: it is named
    assert shown.written == [view.starting["nucleus"].ids[0]]
    shown.press("Backspace", "s")
    assert "needs a kernel" in shown.root.locator(".fell").inner_text()
    assert shown.written == []


def test_a_token_below_the_named_ones_stands_in_the_tree_and_is_gone_after_reset(show):
    names = [f"v{k}" for k in range(300)]
    p = np.linspace(2, 1, 300) / np.linspace(2, 1, 300).sum()
    view = generation(lambda ids: p, names, [0], steps=5, keep=12, depth=1)
    view.method = "sample"
    shown = show(view)
    shown.press("s", "s", "s", "s")
    assert shown.written == list(view.starting["sample"].ids[:2])
    assert min(shown.written) > 12
    drawn = shown.root.locator(".tree text").all_text_contents()
    assert {names[k] for k in shown.written} <= set(drawn)
    assert names[shown.written[1]] in shown.root.locator(".fell").inner_text()
    shown.root.get_by_role("button", name="Reset").click()
    assert shown.written == []
    assert shown.root.locator(".fell").inner_text() == ""


# ---- with a kernel


def test_one_run_at_a_time_is_asked_for_and_the_picture_is_grey_only_while_it_waits(show):
    shown = show(everything())
    shown.page.emulate_media(reduced_motion="no-preference")
    other_kernel(shown.page)
    shown = Shown(shown.page)
    shown.set(compare=True)
    shown.set(k=7, p=0.5, temperature=1.2)
    written = "sent.filter(name => /^run (top-k 7|nucleus 0.5|temperature 1.2)/.test(name)).length"
    shown.page.wait_for_function(f"{written} > 0")
    shown.page.wait_for_timeout(400)
    assert shown.page.evaluate(written) == 1
    delay = "node => getComputedStyle(node).transitionDelay"
    assert shown.stage.evaluate(delay) == "0s"
    shown.set(written=[33])
    assert (shown.root.get_attribute("aria-busy"), shown.stage.evaluate(delay)) == ("true", "0.3s")


def test_the_kernel_is_asked_for_a_place_once_and_the_last_picture_stays(show):
    view = everything()
    view.written = [30, 31]  # held by the page, but not sent with the first
    view.written = []
    shown = show(view)
    other_kernel(shown.page)
    shown = Shown(shown.page)
    before = shown.drawn
    shown.set(written=[30])
    assert "after 30" in shown.sent
    assert shown.root.get_attribute("aria-busy") == "true"
    assert shown.drawn == before
    shown.set(focus=2)
    assert shown.sent.count("after 30") == 1
    shown.set(focus=1)
    shown.answer("after 30")
    shown.wait_for(written=30)
    assert shown.root.get_attribute("aria-busy") == "false"


def test_what_is_only_pointed_at_is_asked_for_when_the_pointer_rests(show):
    view = everything()
    shown = show(view)
    other_kernel(shown.page)
    shown = Shown(shown.page)
    for rank in (8, 9, 10, 11):
        shown.page.mouse.move(*shown.row(rank))
    wanted = [f"after {int(view.place.ids[rank - 1])}" for rank in (8, 9, 10, 11)]
    shown.page.wait_for_function("name => sent.includes(name)", arg=wanted[-1])
    assert not set(wanted[:-1]) & set(shown.sent)


def test_an_error_of_the_model_is_told_and_can_be_tried_again(show):
    shown = show(everything())
    other_kernel(shown.page)
    shown = Shown(shown.page)
    shown.set(written=[33])
    tell = """() => heard.filter(h => h[0] === 'msg:custom').forEach(h =>
        h[1]({part: 'after 33', problem: 'OSError: no weights'}, []))"""
    shown.page.evaluate(tell)
    shown.wait_for(place="absent")
    assert shown.sentence == "Here the model stops: OSError: no weights"
    count = shown.sent.count("after 33")
    shown.root.get_by_role("button", name="Try again").click()
    assert shown.sent.count("after 33") == count + 1


def test_a_closed_view_is_silent(show):
    shown = show(everything())
    other_kernel(shown.page)
    shown.page.evaluate("window.end()")
    assert shown.page.evaluate("window.heard.length") == 0


# ---- how it looks


@pytest.mark.parametrize("name", MOST)
def test_no_text_is_tiny_or_cut_or_overlaps(show, name):
    view = VIEWS[name]()
    shown = show(view)
    for width in shown.at_widths(480, 600, 833, 1200):
        for keys in (("Enter",), ("s", "s"), ("ArrowDown", "ArrowDown")):
            shown.press(*keys)
            assert shown.stage.evaluate(TINY_OR_CUT) == [], width
            assert shown.stage.evaluate(OVERLAPS) == [], width
        shown.root.get_by_role("radio", name="Side by side").check(force=True)
        assert shown.stage.evaluate(TINY_OR_CUT) == [], width
        shown.root.get_by_role("radio", name="Tree").check(force=True)
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
        shown.root.get_by_role("slider", name="temperature").fill(
            "0.1"
        )  # "<0.001" beside each share of the model
        assert shown.stage.evaluate(OVERLAPS) == [], width
        shown.press("Backspace", "Backspace", "r")


@pytest.mark.parametrize("compare", [False, True])
def test_all_is_on_one_screen_and_stays_where_it_is(show, compare):
    view = everything()
    view.compare = compare
    shown = show(view, width=833)
    heights = {shown.height}
    for key in ("Enter", "ArrowDown", "s", "s", "Backspace"):
        shown.press(key)
        heights.add(shown.height)
    assert max(heights) <= 640
    assert max(heights) - min(heights) < 2


def test_hostile_tokens_are_text(show):
    shown = show(hostile())
    shown.press("Enter", "ArrowDown", "Enter", "s", "s")
    assert shown.page.evaluate("window.hit") is None
    assert shown.root.locator("script, img, h2 b").count() == 0
    assert "<script" not in shown.root.evaluate("root => root.exported.svg()")


def test_a_picture_has_all_panes_and_no_buttons(show):
    shown = show(everything())
    shown.press("Enter")
    svg = shown.root.evaluate("root => root.exported.svg()")
    for text in ("Next token", "doubt, bits", "together", "cumulated"):
        assert text in svg
    assert "Side by side" not in svg


def test_two_views_know_nothing_of_each_other(open_page):
    page = open_page(fragment(everything()) + fragment(tiny()), dark=True)
    page.wait_for_function("document.querySelectorAll('.seqviz[data-ready=true]').length === 2")
    first, second = page.locator(".seqviz").all()
    first.locator(".stage").focus()
    page.keyboard.press("Enter")
    assert first.get_attribute("data-written") != ""
    assert second.get_attribute("data-written") == ""


@pytest.mark.slow
def test_a_slider_is_drawn_at_once(show):
    shown = show(everything())
    p95, pictures, places = shown.slide_through("p")
    assert p95 < 60
    assert pictures > places / 3
