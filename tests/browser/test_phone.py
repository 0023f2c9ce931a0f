"""Every view in a hand: a phone of 390 x 844 pixels, fingers, and no keyboard."""

import nbformat
import pytest

from seqviz import site
from seqviz.execution import PAGE, Run
from seqviz.presenting import deck
from seqviz.view import attention
from seqviz.views.shared import page as view_page
from tests.browser.attention_shown import SOURCE, TARGET, softmax
from tests.browser.shown import OVERLAPS, SMALL, settled
from tests.browser.test_every_view import VIEWS
from tests.test_presenting import code, text
from tests.views.views import small_cause

pytestmark = [pytest.mark.browser, pytest.mark.chromium("no other is told of fingers")]
# Two places of each view that a finger can take: share of the stage across, pixels down it.
PLACES = {
    "atlas": [(0.6, 220), (0.3, 80)],
    "attention": [(0.4, 190), (0.6, 220)],
    "beam": [(0.6, 126), (0.4, 220)],
    "cause": [(0.4, 20), (0.9, 20)],
    "curves": [(0.4, 60), (0.6, 60)],
    "embedding": [(0.6, 70), (0.3, 220)],
    "gates": [(0.4, 60), (0.6, 60)],
    "generation": [(0.4, 126), (0.4, 160)],
    "gradients": [(0.4, 190), (0.6, 130)],
    "machine": [(0.4, 140), (0.6, 140)],
    "masking": [(0.4, 60), (0.6, 60)],
    "piano_roll": [(0.4, 75), (0.8, 75)],
    "positions": [(0.4, 60), (0.6, 100)],
    "race": [(0.4, 90), (0.6, 90)],
    "regions": [(0.3, 80), (0.8, 80)],
    "text": [(0.3, 60), (0.5, 60)],
    "unroll": [(0.5, 190), (0.9, 190)],
}
# What a view says, and where it stands.
TOLD = """root => {
    const {pending, ...marks} = root.dataset;
    const says = [...root.querySelectorAll('.say, .foot, .reading, output')]
        .filter(node => !node.closest('.spoken'));
    return JSON.stringify(marks) + says.map(node => node.textContent).join(' ');
}"""
# Texts that end beyond the window, and parts of the page that are wider than their place.
OUTSIDE = """root => {
    const width = document.documentElement.clientWidth;
    const wide = [...document.querySelectorAll('html, body, .seqviz, .seqviz .stage')]
        .filter(node => node.scrollWidth > width).map(node => node.className || node.localName);
    const beyond = [...root.querySelectorAll('*')].flatMap(node => {
        const own = [...node.childNodes].some(c => c.nodeType === 3 && c.textContent.trim());
        if (!own || node.closest('.spoken, [hidden], legend, select')) return [];
        const range = document.createRange();
        range.selectNodeContents(node);
        const {left, right} = range.getBoundingClientRect();
        return right > width + 1 || left < -1 ? [node.textContent.slice(0, 40)] : [];
    });
    return [...wide, ...beyond];
}"""
# What a finger misses: less than 24 pixels high or wide; a control is as large as its label.
TINY = """root => [...root.querySelectorAll(
    'button, select, input, textarea, summary, [data-presses]')]
    .filter(node => node.checkVisibility({visibilityProperty: true}))
    .map(node => [node, (node.closest('label') ?? node).getBoundingClientRect()])
    .filter(([node, box]) => Math.min(box.width, box.height) < 23.9)
    .map(([node, box]) => `${node.outerHTML.slice(0, 60)} ${box.width} x ${box.height}`)"""
SEES = """() => {
    const lens = document.querySelector('.lens');
    const stage = lens?.querySelector('.stage');
    if (!stage) return null;
    const {left, right, top, bottom} = lens.getBoundingClientRect();
    const painted = node => [...node.querySelectorAll('canvas')].filter(canvas => {
        const pen = canvas.width && canvas.height && canvas.getContext('2d');
        return pen && pen.getImageData(0, 0, canvas.width, canvas.height).data.some(v => v);
    }).length;
    const pictures = [document.querySelector('.stage'), stage].map(painted);
    return {left, right, top, bottom, pictures, drawn: stage.querySelectorAll('*').length};
}"""


class Phone:
    """A view in a hand."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".seqviz")
        self.wire = page.context.new_cdp_session(page)

    def at(self, place):
        share, down = place
        box = self.page.locator(".stage").first.bounding_box()
        return box["x"] + share * box["width"], box["y"] + down

    def tap(self, place):
        self.page.touchscreen.tap(*self.at(place))
        settled(self.page)

    def finger(self, kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        self.wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def rest(self, place):
        self.finger("touchStart", place)
        self.page.wait_for_selector(".lens")
        settled(self.page)

    def press(self, key):
        """Tap a key that is named on the page."""
        self.page.locator(f'.seqviz .foot [data-presses="{key}"]').first.tap()
        settled(self.page)

    def free(self):
        self.page.locator('.seqviz :is(.freer, .state)[data-presses="Escape"]:visible').tap()
        settled(self.page)

    def again(self):
        self.page.evaluate("scrollTo(0, 0)")
        self.page.get_by_role("button", name="Reset").tap()
        self.root.locator(".stage").first.dispatch_event("keydown", {"key": "Escape"})
        settled(self.page)
        return self

    @property
    def told(self):
        return self.root.evaluate(TOLD)


@pytest.fixture(scope="module")
def held(browser):
    """What opens pages in a hand."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, bypass_csp=True
    )
    context.set_default_timeout(4000)
    errors, opened = [], {}

    def held(name):
        if name not in opened:
            make = {**VIEWS, "cause": small_cause}[name]
            page = context.new_page()
            page.on("pageerror", lambda error: errors.append(f"{name}: {error}"))
            page.set_content(make().to_html())
            page.wait_for_selector('.seqviz[data-ready="true"]')
            opened[name] = Phone(page)
        opened[name].page.bring_to_front()
        return opened[name].again()

    held.context = context
    yield held
    context.close()
    assert errors == []


@pytest.fixture(params=PLACES)
def phone(request, held):
    return held(request.param)


@pytest.fixture
def places(request):
    return PLACES[request.node.callspec.params["phone"]]


def test_nothing_is_outside_small_or_missed_by_a_finger(phone):
    for _ in range(2):  # as it opens, and locked
        assert phone.root.evaluate(OUTSIDE) == []
        assert phone.root.evaluate(SMALL) == []
        assert phone.root.evaluate(TINY) == []
        if phone.root.locator('.foot [data-presses="Enter"]').count():
            phone.press("Enter")


@pytest.mark.parametrize("name", ["gates", "generation", "positions"])
@pytest.mark.parametrize("width", [320, 360])
def test_no_text_lies_over_another_on_a_small_phone(open_page, name, width):
    page = open_page(VIEWS[name]().to_html(), width=width)
    page.wait_for_selector('.seqviz[data-ready="true"]')
    for drawing in page.locator(".stage svg").all():
        assert drawing.evaluate(OVERLAPS) == []
    for caption in page.locator(".stage .caption").all():
        assert caption.bounding_box()["height"] <= 32, "its controls lie over the map"


def test_a_tap_locks_and_the_button_frees(phone, places):
    here, there = places
    first = phone.told
    phone.tap(here)
    locked = phone.told
    assert locked != first, "a tap says nothing"
    phone.page.mouse.move(*phone.at(there))
    phone.page.mouse.move(2, 2)
    settled(phone.page)
    assert phone.told == locked, "what was taken is lost"
    if phone.root.get_attribute("data-locked") == "true":  # elsewhere a click goes there
        phone.free()
        assert phone.root.get_attribute("data-locked") == "false"


def test_a_lens_stands_over_a_finger_that_rests_and_slides(phone, places):
    here, there = places
    phone.tap(there)
    wanted = phone.told
    phone.again()
    phone.rest(phone.at(here))
    x, y = phone.at(there)
    phone.finger("touchMove", (x, y))
    settled(phone.page)
    seen = phone.page.evaluate(SEES)
    assert seen["drawn"] > 3
    assert seen["pictures"][0] == seen["pictures"][1]
    assert 0 <= seen["left"] < seen["right"] <= 390
    assert seen["top"] >= 0
    assert seen["bottom"] < y or not seen["left"] < x < seen["right"], "the finger covers it"
    phone.finger("touchEnd")
    settled(phone.page)
    assert phone.page.locator(".lens").count() == 0
    assert phone.told == wanted, "what the finger is lifted from is not what a tap takes"


def test_a_finger_that_moves_on_scrolls_and_one_that_rests_does_not(held):
    phone = held("embedding")
    x, y = phone.at((0.6, 150))

    def swipe():
        for k in range(1, 7):
            phone.finger("touchMove", (x, y - 20 * k))
        phone.finger("touchEnd")
        phone.page.wait_for_timeout(50)
        return phone.page.evaluate("scrollY")

    phone.rest((x, y))
    assert swipe() == 0
    phone.again().finger("touchStart", (x, y))
    assert swipe() > 50
    assert phone.page.locator(".lens").count() == 0


def test_a_finger_takes_the_nearest_place(held):
    phone = held("atlas")
    point = """() => {
        const dot = document.querySelector('.stage circle').getBoundingClientRect();
        return [dot.x + dot.width / 2, dot.y + dot.height / 2];
    }"""
    x, y = phone.page.evaluate(point)
    phone.page.touchscreen.tap(x - 14, y - 8)
    settled(phone.page)
    assert phone.root.get_attribute("data-head") != ""


def test_keys_that_are_named_are_pressed(held):
    phone = held("curves")
    step = int(phone.root.get_attribute("data-step"))
    phone.press("ArrowLeft")
    phone.press("Enter")
    assert phone.root.get_attribute("data-step") == str(step - 1)
    assert phone.root.get_attribute("data-locked") == "true"
    phone.press("Escape")
    assert phone.root.get_attribute("data-locked") == "false"


def test_shift_is_held_for_the_next_tap(held):
    phone = held("attention")
    phone.press("Shift")
    shift = phone.root.locator('[data-presses="Shift"]')
    assert shift.get_attribute("aria-pressed") == "true"
    x, y = phone.root.evaluate(
        """root => {
            const {x, y} = root.querySelector('.layers').getBoundingClientRect();
            const at = root.cellOf(2, 1);
            return [x + at.x + at.width / 2, y + at.y + at.height / 2];
        }"""
    )
    phone.page.touchscreen.tap(x, y)
    settled(phone.page)
    assert shift.get_attribute("aria-pressed") == "false"
    assert phone.root.get_attribute("data-layer") == "mean"


def test_what_a_button_is_for_is_told_to_a_finger_that_rests(held):
    phone = held("unroll")
    phone.press("ArrowLeft")
    before = phone.told
    box = phone.page.get_by_role("button", name="Reset").bounding_box()
    phone.rest((box["x"] + 20, box["y"] + 12))
    assert "all controls as at the start" in phone.page.locator(".lens").inner_text()
    phone.finger("touchEnd")
    settled(phone.page)
    assert phone.told == before, "it was asked, not pressed"


SCORES = ("additive", "general", "dot", "scaled dot", "cosine", "location")


def lecture(folder):
    """A small notebook: a wide formula, table and code, and a view with much to choose from."""
    maps = {score: [softmax(1, 5, 9)] for score in SCORES}
    view = attention(maps, TARGET, key_tokens=SOURCE)
    data = {PAGE: {"page": view_page.fragment(view)}, "text/plain": "maps"}
    row = "| " + " | ".join(["a wide column"] * 8) + " |"
    cells = [
        text(f"# 04 · gates: a memory\n\n{row}\n{'|---' * 8}|\n{row}\n\n$${'a + ' * 40}b$$"),
        text("## Build\n\n### A gate\n\nA share of the **old** state."),
        code(f"words = {'word ' * 40!r}", "printed " * 40),
        code("view", data=data),
    ]
    return Run(folder / "04_gates.ipynb", nbformat.v4.new_notebook(cells=cells), 0, None)


@pytest.fixture
def opens(held, tmp_path):
    """What opens a file in a hand."""

    def opens(place):
        page = held.context.new_page()
        page.goto((tmp_path / place).as_uri())
        return Phone(page)

    return opens


def test_the_site_in_a_hand(opens, tmp_path):
    site.build([lecture(tmp_path)], tmp_path / "site")
    phone = opens("site/04_gates.html")
    page = phone.page
    page.wait_for_selector('.seqviz[data-ready="true"]')
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert phone.root.evaluate(SMALL) == []
    assert phone.root.evaluate(TINY) == []
    last = page.get_by_role("radio", name="location")
    assert last.bounding_box()["x"] + last.bounding_box()["width"] < 390
    body = page.locator("body")
    links = ".site-bar a, .contents summary, .around a, .copy"
    assert body.evaluate(TINY.replace("button, select, input, textarea, summary", links)) == []
    page.get_by_label("Search").tap()
    page.keyboard.type("gate")
    found = page.locator("#found a").first
    found.wait_for()
    box = page.locator("#found").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    found.tap()
    page.wait_for_function("location.hash !== ''")


def test_slides_turn_by_a_swipe(opens, tmp_path):
    (tmp_path / "deck.html").write_text(deck.page(lecture(tmp_path))[0], encoding="utf-8")
    phone = opens("deck.html")
    page = phone.page
    page.wait_for_selector('.deck[data-ready="true"]')

    def swipe(by, down=0):
        phone.finger("touchStart", (200, 400))
        phone.finger("touchMove", (200 + by, 400 + down))
        phone.finger("touchEnd")
        return page.locator(".now .slide").get_attribute("id")

    first = page.locator(".now .slide").get_attribute("id")
    assert swipe(-120, 90) == first
    second = swipe(-120)
    assert second != first
    assert swipe(120) == first
    page.touchscreen.tap(200, 700)
    page.wait_for_selector(".deck.awake")
    assert page.locator(".corner").evaluate(TINY) == []
    page.get_by_role("button", name="next").tap()
    assert page.locator(".now .slide").get_attribute("id") == second
