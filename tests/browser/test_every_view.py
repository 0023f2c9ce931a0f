"""What every view must be: each is opened once in the light, and asked many things."""

import csv
import io
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from seqviz.view import gradients
from tests.browser.attention_shown import translation
from tests.browser.conftest import cut_off
from tests.browser.kernel import other_kernel
from tests.browser.shown import CONTRAST, LOOK, save_as, settled
from tests.browser.test_curves import forcing as sheet
from tests.browser.test_gates import answered, hold
from tests.browser.test_machine import whole
from tests.browser.test_text import lines as sentence
from tests.browser.test_unroll import hello as net
from tests.views.region_films import every_kind
from tests.views.test_atlas import everything as all_heads
from tests.views.test_beam import pie
from tests.views.test_embedding import everything as word_map
from tests.views.test_generation import closed
from tests.views.test_masking import everything
from tests.views.test_piano_roll import everything as piano
from tests.views.test_positions import both
from tests.views.test_race import four_lanes

pytestmark = pytest.mark.browser


def lstm():
    return hold(answered("LSTM", 5, 12))


def flow():
    W = np.random.default_rng(0).normal(size=(8, 8)) / 3
    return gradients({"a": np.geomspace(1e-6, 1, 20), "b": {"norms": np.ones(20), "W": W}})


VIEWS = {
    "unroll": net,
    "text": sentence,
    "gates": lstm,
    "gradients": flow,
    "curves": sheet,
    "attention": translation,
    "machine": whole,
    "atlas": all_heads,
    "beam": pie,
    "race": four_lanes,
    "masking": everything,
    "generation": closed,
    "positions": both,
    "piano_roll": piano,
    "regions": every_kind,
    "embedding": word_map,
}


@pytest.fixture(scope="module", params=VIEWS)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def opened(browser, name):
    """A view's page, opened once for all tests of it."""
    with cut_off(browser) as open_page:
        yield open_page(VIEWS[name]().to_html())


@pytest.fixture
def page(opened):
    """The same as it was at the start."""
    opened.set_viewport_size({"width": 1000, "height": 900})
    opened.locator(".stage").first.press("Escape")
    opened.keyboard.press("r")
    settled(opened)
    return opened


def look(page):
    settled(page)
    return page.locator(".seqviz").evaluate(LOOK)


def seen(page):
    root = page.locator(".seqviz")
    return root.evaluate("root => root.exported.csv()"), root.locator(".say").inner_text()


CONTRASTS = f"""() => {{
    {CONTRAST}
    const fill = node => numbers(getComputedStyle(node).fill);
    const texts = document.querySelectorAll('.stage rect + text:is([style*="fill"], .value)');
    return [...texts].map(text => contrast(fill(text), fill(text.previousElementSibling)));
}}"""


def test_what_stands_on_a_colour_can_be_read(page, name):
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_selector(f'.seqviz[data-theme="{theme}"]')
        if name in ("unroll", "text", "gates"):
            ratios = page.evaluate(CONTRASTS)
            assert len(ratios) > 30
            assert min(ratios) >= 4.5


def test_the_menu_saves_files(page, name, tmp_path):
    files = {}
    for kind in ("PNG", "SVG", "CSV"):
        with page.expect_download() as download:
            save_as(page, kind)
        assert download.value.suggested_filename == f"{name}.{kind.lower()}"
        download.value.save_as(tmp_path / kind)
        files[kind] = (tmp_path / kind).read_bytes()
    assert files["PNG"].startswith(b"\x89PNG\r\n")
    assert len(Image.open(tmp_path / "PNG").convert("RGB").getcolors(1 << 24)) > 50
    drawn = ElementTree.fromstring(files["SVG"])
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(" ".join(drawn.itertext()).split())
    for heading in page.locator(".seqviz h2").all_inner_texts():
        assert " ".join(heading.split()) in words
    rows = list(csv.reader(io.StringIO(files["CSV"].decode(), newline="")))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}


def test_keys_with_a_modifier_belong_to_the_browser(page):
    page.locator(".stage").press("Home")
    page.evaluate(
        """() => {
            const taken = event => { window.taken = event.defaultPrevented; };
            addEventListener('keydown', taken);
            window.forget = () => removeEventListener('keydown', taken);
        }"""
    )
    before = page.locator(".seqviz").evaluate("root => ({...root.dataset})")
    refused = "document.activeElement.closest('[data-lm-suppress-shortcuts]') !== null"
    assert page.evaluate(refused), "a plain key is no command of Jupyter's"
    for key in ("Control+ArrowRight", "Alt+ArrowDown", "Meta+End", "Control+s"):
        page.evaluate("window.taken = null")
        page.keyboard.press(key)
        assert page.evaluate("window.taken") is False, key
        assert not page.evaluate(refused), key
    assert page.locator(".seqviz").evaluate("root => ({...root.dataset})") == before
    page.evaluate("forget()")


def test_escape_is_heard_wherever_the_focus_is(page):
    page.evaluate(
        """() => {
            window.freed = [];
            document.querySelector('.stage').addEventListener('keydown', event => {
                if (event.key === 'Escape') window.freed.push(event.target);
            });
        }"""
    )
    controls = page.locator(
        ".seqviz :is(button, select, [type=range], [type=radio], [type=checkbox])"
        ":not([role=menuitem], :disabled)"
    )
    dead = []
    for k in range(controls.count()):
        control = controls.nth(k)
        if not control.is_visible():
            continue
        control.evaluate("node => { node.focus(); window.freed = []; }")
        page.keyboard.press("Escape")
        if page.evaluate("freed.length") != 1:
            dead.append(control.evaluate("node => node.outerHTML.slice(0, 90)"))
    assert dead == []


def test_a_reset_brings_the_start_back(page):
    assert page.get_by_role("button", name="Reset").is_visible()
    before = seen(page)
    for key in ("Home", "ArrowRight", "ArrowDown", "Enter"):
        page.locator(".stage").press(key)
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    settled(page)
    assert seen(page) == before


def test_a_view_fills_the_screen_and_comes_back(page):
    page.set_viewport_size({"width": 1280, "height": 720})
    before = look(page)
    page.locator(".stage").press("f")
    page.wait_for_selector(".seqviz.full")
    full = look(page)
    assert (full["full"], full["folded"], full["over"], full["under"]) == (True, True, 0, 0)
    assert full["box"] == [1280, 720]
    assert 1.25 < full["zoom"] <= 1280 / 840
    assert full["focus"].startswith("stage")
    assert not page.get_by_role("button", name="Save", exact=True).is_visible()
    page.keyboard.press("c")
    unfolded = look(page)
    assert not unfolded["folded"]
    assert 1 < unfolded["zoom"] < full["zoom"]
    assert page.get_by_role("button", name="Leave full screen").is_visible()
    page.keyboard.press("f")
    page.wait_for_selector(".seqviz:not(.full)")
    after = look(page)
    assert after.pop("focus") == "filler"
    before.pop("focus")
    assert after == before


def test_a_view_grows_in_the_presentation_mode_and_its_columns_stay(page):
    page.set_viewport_size({"width": 833, "height": 900})
    settled(page)
    before = page.locator(".seqviz").bounding_box()["height"]
    page.evaluate("document.body.style.setProperty('--jp-content-font-size1', '17px')")
    page.wait_for_function("document.querySelector('.seqviz').currentCSSZoom > 1")
    settled(page)
    assert before < page.locator(".seqviz").bounding_box()["height"] < 1.3 * before
    page.set_viewport_size({"width": 1240, "height": 800})
    page.wait_for_function("document.querySelector('.seqviz').currentCSSZoom > 1.2")
    assert look(page)["over"] == 0
    page.evaluate("document.body.style.removeProperty('--jp-content-font-size1')")
    page.wait_for_function("document.querySelector('.seqviz').currentCSSZoom === 1")


# Most pixels down a view as it opens at a browser's zoom of 150 % in JupyterLab, its sidebar open.
LOW = {
    **dict.fromkeys(VIEWS, 800),
    "curves": 533,
    "gates": 650,
    "generation": 740,
    "embedding": 670,
    "gradients": 555,
    "machine": 690,
    "masking": 710,
    "attention": 810,
    "regions": 850,
    "text": 840,
}
WHOLE = ("text", "unroll", "curves", "beam", "race", "piano_roll", "regions")  # nothing beneath


def test_a_narrow_view_in_a_low_window_opens_one_part_at_a_time(page, name):
    root = page.locator(".seqviz")
    page.set_viewport_size({"width": 406, "height": 900})
    settled(page)
    assert root.locator(".openers button:visible").count() == 0, "the window is high"
    page.set_viewport_size({"width": 406, "height": 533})
    settled(page)
    openers = root.locator(".openers button:visible")
    assert root.locator(".beneath:visible, .foot:visible").count() == 0
    assert root.bounding_box()["height"] <= LOW[name]
    assert openers.count() == (1 if name in WHOLE else 2)
    for n in range(openers.count()):
        openers.nth(n).press("Enter")
        settled(page)
        part = root.locator(".beneath:visible, .foot:visible").first
        assert part.bounding_box()["height"] > 10
        assert look(page)["over"] == 0
    openers.last.press("Enter")
    settled(page)
    assert root.bounding_box()["height"] <= LOW[name]


WATCH = """() => {
    window.watching = new Set();
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
}"""
LEFT = "() => [heard.length, watching.size, document.querySelectorAll('.seqviz').length]"


def test_a_view_that_ends_leaves_nothing(page, name):  # the last: it takes the page's view away
    if name == "attention":
        return  # it needs another kernel: test_saved_page.py ends that
    page.evaluate(WATCH)
    other_kernel(page, gives=True)
    play = page.get_by_role("button", name="Play")
    if play.count():
        play.first.click()
    assert min(page.evaluate(LEFT)) >= 1
    assert page.evaluate("watching.size") > 2
    page.evaluate("end()")
    assert page.evaluate(LEFT) == [0, 1, 0]  # the page waits for its own view to come back
