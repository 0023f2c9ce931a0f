"""What the contract asks of every view, whatever it shows."""

from xml.etree import ElementTree

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from seqviz.view import curves, gradients, text, unroll
from tests.browser.attention_shown import same_numbers, translation
from tests.browser.shown import save_as
from tests.browser.test_gates import answered, hold
from tests.views.region_films import every_kind
from tests.views.test_beam import pie
from tests.views.test_embedding import everything as word_map
from tests.views.test_generation import closed
from tests.views.test_masking import everything
from tests.views.test_piano_roll import everything as piano
from tests.views.test_positions import both
from tests.views.test_race import four_lanes

pytestmark = pytest.mark.browser


def net():
    rng = np.random.default_rng(0)
    shapes = {"W_xh": (8, 4), "W_hh": (8, 8), "b": 8, "W_hy": (4, 8), "b_y": 4}
    weights = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return unroll(weights, "helo", "hello", step=4)


def sentence():
    letters = "To be, or not to be,\nthat is the question.\n"
    known, t = sorted(set(letters)), np.arange(len(letters))
    scores = np.exp(2 * np.cos(np.outer(t, np.arange(1, len(known) + 1)) * 0.7))
    states = np.sin(np.outer(t + 1, np.arange(1, 7)) * 0.37)
    p = scores / scores.sum(axis=1, keepdims=True)
    return text(letters, states, probabilities=p, vocabulary=known)


def lstm():
    return hold(answered("LSTM", 5, 12))


def flow():
    W = np.random.default_rng(0).normal(size=(8, 8)) / 3
    return gradients({"a": np.geomspace(1e-6, 1, 20), "b": {"norms": np.ones(20), "W": W}})


def sheet():
    t = np.arange(9.0)
    return curves(lambda at: {"a": at["size"] * t, "b": t**2}, over={"size": [1, 2, 5]})


COLOURED_CELLS = {"unroll": net, "text": sentence, "gates": lstm}
VIEWS = {
    **COLOURED_CELLS,
    "gradients": flow,
    "curves": sheet,
    "attention": translation,
    "beam": pie,
    "race": four_lanes,
    "masking": everything,
    "generation": closed,
    "positions": both,
    "piano_roll": piano,
    "regions": every_kind,
    "embedding": word_map,
}


@pytest.fixture(params=VIEWS.values(), ids=list(VIEWS))
def view(request):
    return request.param()


def test_the_menu_saves_files(open_page, view, tmp_path):
    page, files = open_page(view.to_html()), {}
    name = page.locator(".seqviz").get_attribute("data-view")
    for kind in ("PNG", "SVG", "CSV"):
        with page.expect_download() as download:
            save_as(page, kind)
        assert download.value.suggested_filename == f"{name}.{kind.lower()}"
        download.value.save_as(tmp_path / kind)
        files[kind] = (tmp_path / kind).read_bytes()
    assert files["PNG"].startswith(b"\x89PNG\r\n")
    assert len(files["PNG"]) > 5000
    assert len(Image.open(tmp_path / "PNG").convert("RGB").getcolors(1 << 24)) > 50
    drawn = ElementTree.fromstring(files["SVG"])
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(" ".join(drawn.itertext()).split())
    for heading in page.locator(".seqviz h2").all_inner_texts():
        assert " ".join(heading.split()) in words
    same_numbers(files["CSV"].decode(), view)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("make", COLOURED_CELLS.values(), ids=list(COLOURED_CELLS))
def test_what_stands_on_a_colour_can_be_read(open_page, make, dark):
    page = open_page(make().to_html(), dark=dark)
    ratios = page.evaluate(
        """() => {
            const light = hex => {
                const rgb = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
                    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                return rgb[0] * 0.2126 + rgb[1] * 0.7152 + rgb[2] * 0.0722;
            };
            const hex = rgb => '#' + rgb.match(/\\d+/g).slice(0, 3)
                .map(v => (+v).toString(16).padStart(2, '0')).join('');
            return [...document.querySelectorAll(
                '.stage rect + text:is([style*="fill"], .value)'
            )].map(text => {
                const pair = [light(hex(getComputedStyle(text).fill)),
                    light(text.previousElementSibling.getAttribute('fill'))];
                return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
            });
        }"""
    )
    assert len(ratios) > 30
    assert min(ratios) >= 4.5


def test_keys_with_a_modifier_belong_to_the_browser(open_page, view):
    page = open_page(view.to_html())
    page.locator(".stage").focus()
    page.keyboard.press("Home")
    page.evaluate(
        "addEventListener('keydown', event => { window.taken = event.defaultPrevented; })"
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


def test_escape_is_heard_wherever_the_focus_is(open_page, view):
    page = open_page(view.to_html())
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


def test_roles(open_page, view):
    root = open_page(view.to_html()).locator(".seqviz")
    assert root.locator(".problem").get_attribute("role") == "alert"
    assert root.locator(".say").get_attribute("aria-live") == "polite"
    assert root.locator(".stage").get_attribute("tabindex") == "0"


@pytest.mark.parametrize(
    "dark", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["light", "dark"]
)
def test_axe_finds_no_serious_violation(open_page, view, dark):
    page = open_page(view.to_html(), dark=dark)
    page.locator(".stage").first.focus()
    for key in ("ArrowRight", "Enter"):
        page.keyboard.press(key)
    found = Axe().run(page, context=".seqviz").response["violations"]
    serious = {v["id"]: v["help"] for v in found if v["impact"] in ("serious", "critical")}
    assert serious == {}
