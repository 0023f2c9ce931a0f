"""What a screen reader has of each view: its tree beside what is seen.

Nobody here listens: Chromium's accessibility tree is read as text, as NVDA or JAWS would take it.
"""

import re

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.conftest import ALL_READY
from tests.browser.shown import found_by_axe, settled
from tests.browser.test_every_view import VIEWS as LARGE
from tests.views.views import VIEWS as SMALL

pytestmark = pytest.mark.browser

SLOW = ("machine", "atlas", "cause")  # to be made
VIEWS = {name: SMALL[name] if name in SLOW else LARGE[name] for name in SMALL}


@pytest.fixture(scope="module", params=VIEWS)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def page(browser, name):
    """A view's page, opened once for who wants little motion."""
    look = {"viewport": {"width": 833, "height": 900}, "reduced_motion": "reduce"}
    context = browser.new_context(**look, bypass_csp=True)
    page = context.new_page()
    page.set_content(VIEWS[name]().to_html())
    page.wait_for_function(ALL_READY)
    yield page
    context.close()


# ---- the tree
UNNAMED = """root => [...root.querySelectorAll('input[type=radio]')].filter(radio => {
    const group = radio.closest('fieldset, [role=radiogroup]');
    return !group.ariaLabel && !group.querySelector('legend')?.textContent;
}).map(radio => radio.parentNode.textContent)"""
CONTROL = re.compile(r"- '?(?:radio|checkbox|combobox|slider|button|textbox|spinbutton)\b(.*)")
DRAWN = """root => [...root.querySelectorAll('.stage svg text')]
    .filter(text => text.getClientRects().length).map(text => text.textContent)"""
TABLES = """box => [...box.querySelectorAll('table')].map(table => [table.caption.textContent,
    [...table.rows].map(row => [...row.cells].map(cell => cell.textContent))])"""
NUMBER = re.compile(r"[−-]?\d*\.\d+")
# How much of what is drawn is told: the rest are titles of axes, ticks, words that explain.
TOLD = {"attention": 0.9, "gates": 0.9, "embedding": 0.9, "text": 0.8, "positions": 0.7}
LEAST = 0.5


def told(page):
    """The tree of a view as text, its tables written."""
    page.locator('.spoken [aria-busy="false"]').wait_for(state="attached")
    return page.locator(".seqviz").aria_snapshot()


def letters(text):
    """A text without the signs of a tree."""
    return re.sub(r"[\s\"'\\-]|text:|strong:|emphasis:|code:|paragraph:", "", text)


def value(number):
    return float(number.replace("−", "-"))


def test_the_tree_holds_what_is_seen(page, name):
    tree = told(page)
    sentence = page.locator(".say").inner_text()
    assert letters(sentence) in letters(tree), f"{name}: the sentence"
    assert page.locator('.say[aria-live][aria-atomic="true"]').count() == 1, f"{name}: at once"
    assert page.locator('.problem[role="alert"]').count() == 1, f"{name}: a problem"
    assert '- application "' in tree or "- 'application \"" in tree, f"{name}: the keys' stage"
    drawn = page.locator(".seqviz").evaluate(DRAWN)
    words = {one for text in drawn for one in re.findall(r"[^\W\d_]{3,}", text.lower())}
    missing = words - set(re.findall(r"[^\W\d_]{3,}", tree.lower()))
    known = [value(one) for one in re.findall(r"[−-]?\d*\.?\d+", tree)]
    numbers = {one for text in drawn for one in NUMBER.findall(text)}
    for one in numbers:
        last = 10.0 ** -len(one.partition(".")[2])
        if not any(abs(value(one) - other) < 0.51 * last for other in known):
            missing.add(one)
    share = 1 - len(missing) / len(words | numbers)
    assert share >= TOLD.get(name, LEAST), f"{name} tells {share:.2f}, not {sorted(missing)}"


def test_tables_have_names_and_are_no_longer_than_can_be_read(page, name):
    told(page)
    tables = page.locator(".spoken").evaluate(TABLES)
    assert tables, name
    for caption, (names, *rows) in tables:
        assert re.search(r"\w{3}", caption), f"{name}: {caption}"
        assert 0 < len(rows) <= 60, f"{name}: {len(rows)} rows of {caption}"
        assert {len(row) for row in rows} == {len(names)}, f"{name}: {caption}"
        assert len(names) <= 41, f"{name}: {len(names)} columns of {caption}"


def test_of_a_large_map_what_lies_around_the_cursor_is_told(open_page):
    names = [f"w{k}" for k in range(100)]
    page = open_page(attention(np.full((100, 90), 1 / 90), names, key_tokens=names[:90]).to_html())
    for key in ("ArrowDown", "End", "Enter"):
        page.locator(".stage").first.press(key)
    page.locator(".spoken caption", has_text="columns 51 to 90 of 90").wait_for(state="attached")
    caption, rows = page.locator(".spoken").evaluate(TABLES)[1]
    assert re.search(r"rows \d+ to \d+ of 100; columns 51 to 90 of 90$", caption)
    assert (len(rows), len(rows[0])) == (61, 41)


def test_every_control_has_a_name(page, name):
    short = [one for one in CONTROL.findall(told(page)) if not re.search(r'"[^"]*(\w\w|\d)', one)]
    assert short == [], name
    assert page.locator(".seqviz").evaluate(UNNAMED) == [], f"{name}: radios of no group"


# ---- after a key
# What is announced after each key, and what moves on after that; which hints are said again.
KEYS = """async keys => {
    const root = document.querySelector('.seqviz');
    const stage = root.querySelector('.stage');
    const LIVE = '[aria-live], [role=status], [role=alert], output';
    const regions = [...root.querySelectorAll(LIVE)].filter(one => one.ariaLive !== 'off');
    const texts = new Map(regions.map(one => [one, one.textContent]));
    const said = new Map(), again = []; // the last text of each region
    const heard = changes => {
        for (const region of new Set(changes.map(({target}) =>
            (target.closest ? target : target.parentNode).closest(LIVE)))) {
            if (!region || region.ariaLive === 'off') continue;
            const text = region.textContent;
            if (texts.get(region) === text && text) again.push(text);
            else if (text) said.set(region, text);
            texts.set(region, text);
        }
    };
    const watcher = new MutationObserver(heard);
    watcher.observe(root, {subtree: true, childList: true, characterData: true});
    const wait = time => new Promise(done => setTimeout(done, time));
    const after = [];
    let moving = 0;
    stage.focus();
    for (const key of keys) {
        said.clear();
        stage.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
        await wait(40);
        const drawn = stage.innerHTML;
        await wait(140);
        moving += stage.innerHTML !== drawn;
        after.push([...said.values()]);
    }
    watcher.disconnect();
    const running = document.getAnimations().filter(one => one.playState === 'running').length;
    return {after, again, moving, running};
}"""
LEFT = ["Home", "ArrowRight", "ArrowDown"]  # of a view that stands at its end


def test_a_key_is_answered_once_and_at_rest(page, name):
    page.locator(".stage").first.press("Escape")
    heard = page.evaluate(KEYS, LEFT)
    assert heard["again"] == [], f"{name} says again what it said"
    assert heard["after"][1] or name == "atlas", f"{name} is silent after an arrow"  # of two heads
    assert max(map(len, heard["after"])) <= 1, f"{name}: {heard['after']}"
    assert heard["moving"] == heard["running"] == 0, f"{name} moves: little motion was asked for"


LOCKING = {"text", "regions", "embedding", "curves", "positions", "piano_roll", "masking", "atlas",
           "attention", "gates", "gradients", "race", "beam"}  # fmt: skip


def test_a_lock_is_told_and_stands_in_the_tree(page, name):
    if name not in LOCKING:
        pytest.skip("Enter locks nothing here")
    page.locator(".stage").first.press("Escape")
    line = page.locator(".spoken output")
    for key in ("ArrowLeft", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    assert re.match(r"Locked\b", line.text_content()), name
    assert "Locked." in told(page), name
    for _ in range(2):  # the first may let go of what is compared
        page.keyboard.press("Escape")
        page.wait_for_timeout(200)
        if line.text_content().startswith("Free"):
            break
    else:
        pytest.fail(f"{name}: {line.text_content()}")
    assert "Locked." not in told(page), name


CHOSEN = """root => {
    const probe = root.appendChild(document.createElement('i'));
    probe.style.cssText = 'forced-color-adjust: none; background: Highlight';
    const {backgroundColor: chosen} = getComputedStyle(probe);
    probe.remove();
    root.querySelectorAll('[aria-pressed]').forEach(one => (one.ariaPressed = true));
    const all = '.seg input:checked + span, [aria-pressed=true], .on:not(svg *)';
    return [...root.querySelectorAll(all)].map(one => [one.textContent, getComputedStyle(one)])
        .filter(([, {backgroundColor: seen}]) => seen !== chosen).map(([text]) => text);
}"""


@pytest.mark.chromium("its driver does not give the colours of a reader's own")
def test_what_is_chosen_is_seen_in_the_readers_own_colours(page, name):
    page.emulate_media(forced_colors="active")
    assert page.locator(".seqviz").evaluate(CHOSEN) == [], name
    page.emulate_media(forced_colors="none")


# ---- the rules, and text of twice the size
def test_axe_finds_nothing_in_a_view(page, name):
    assert found_by_axe(page, ".seqviz") == [], name


# Texts that their boxes cut, but for those that scroll or say themselves whole in a title; what
# reaches over the edge of the view.
CUT = """root => {
    const edge = root.getBoundingClientRect();
    return [...root.querySelectorAll(':not(.spoken *, .spoken)')].filter(node => {
        const {overflowX, visibility, clipPath} = getComputedStyle(node);
        const box = node.getBoundingClientRect();
        if (clipPath !== 'none') return false;  // for readers only
        if (!node.textContent.trim() || box.width < 4 || visibility === 'hidden') return false;
        if (node.closest('select, .fall, .scroll') || node.closest('[title]')) return false;
        if (node.matches('svg text')) return box.right > edge.right + 2 || box.left < edge.left - 2;
        const hides = overflowX === 'hidden' || overflowX === 'clip';
        return hides && !node.matches('svg, svg *') && node.scrollWidth > node.clientWidth + 2;
    }).map(node => `${node.className.baseVal ?? node.className}: ${node.textContent.slice(0, 60)}`)
        .concat(root.scrollWidth > root.clientWidth + 1 ? ['the view scrolls sideways'] : []);
}"""
# A browser's zoom of 200 % leaves half of the pixels; or Jupyter's own size of text is doubled.
TWICE = {"zoom": (640, 450, "14px"), "text": (1280, 900, "28px")}


def test_nothing_is_cut_at_twice_the_size(page, name):
    found = {}
    for what, (width, height, size) in TWICE.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(
            "size => document.body.style.setProperty('--jp-content-font-size1', size)", size
        )
        settled(page)
        found[what] = page.locator(".seqviz").evaluate(CUT)
    page.evaluate("document.body.style.removeProperty('--jp-content-font-size1')")
    assert found == {what: [] for what in TWICE}, name
