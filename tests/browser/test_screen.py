"""How large a view is: the full screen, the reader's text; and what its keys and links set."""

import pytest

from seqviz.views.shared.page import fragment
from tests.browser.shown import LOOK, TWO_FRAMES, settled
from tests.browser.test_every_view import VIEWS, flow, net, sentence, sheet
from tests.views.test_beam import pie
from tests.views.test_positions import both

pytestmark = pytest.mark.browser


def test_where_full_screen_is_refused_a_layer_fills_the_window(open_page):
    view = fragment(pie()).replace("&", "&amp;").replace('"', "&quot;")
    moved = f'<div style="transform: scale(0.5)"><iframe sandbox="allow-scripts" srcdoc="{view}"'
    page = open_page(f'{moved} width="900" height="600"></iframe></div>')
    frame = page.frames[1]
    frame.wait_for_selector('.seqviz[data-ready="true"]')
    assert not frame.evaluate("document.fullscreenEnabled")
    frame.get_by_role("button", name="Full screen").press("Enter")
    frame.wait_for_selector(".seqviz.full")
    shown = frame.locator(".seqviz").evaluate(LOOK)
    assert shown["box"] == [900, 600]
    assert shown["zoom"] == pytest.approx(900 / 840, abs=0.01)
    frame.locator(".stage").press("ArrowLeft")
    frame.locator(".stage").press("Escape")
    frame.wait_for_selector(".seqviz:not(.full)")
    assert frame.evaluate("document.activeElement.className") == "filler"


def test_a_layer_lies_over_its_page(open_page):
    near = '<p style="position: relative; z-index: 9999">Over all</p>'
    page = open_page(f'<div style="transform: translate(9px)">{fragment(flow())}</div>{near}')
    page.evaluate("() => { Element.prototype.requestFullscreen = async () => { throw 0; }; }")
    page.locator(".stage").press("F")
    page.wait_for_selector(".seqviz.full")
    page.evaluate(TWO_FRAMES)
    corner = (
        "document.elementFromPoint(innerWidth - 3, innerHeight - 3).closest('.seqviz') !== null"
    )
    assert page.evaluate(corner)
    assert page.locator(".seqviz").evaluate(LOOK)["box"] == [1000, 900]
    page.keyboard.press("Escape")
    page.wait_for_selector(".seqviz:not(.full)")


# ---- the reader's size of text
CELL = """([k, p]) => {
    const image = document.querySelector('.stage image[style]');
    const box = image.getBoundingClientRect();
    return [box.x + box.width * (p + 0.5) / 48, box.y + box.height * (k + 0.5) / 4];
}"""


@pytest.mark.parametrize("size", ["14px", "21px"])
def test_the_pointer_hits_the_cell_that_is_seen(open_page, size):
    style = f"<style>:root {{--jp-content-font-size1: {size}}}</style>"
    page = open_page(style + fragment(both()))
    settled(page)
    assert page.locator(".seqviz").evaluate(LOOK)["zoom"] == int(size[:-2]) / 14
    for pair, position in ((0, 3), (3, 40), (2, 17)):
        page.mouse.click(*page.evaluate(CELL, [pair, position]))
        data = page.locator(".seqviz").evaluate("root => [root.dataset.pair, root.dataset.step]")
        assert data == [str(pair), str(position + 1)]
        page.locator(".stage").press("Escape")


def test_a_picture_that_is_saved_does_not_change_with_the_zoom(open_page):
    sizes = []
    for size in ("14px", "21px"):
        style = f"<style>body {{margin: 0; --jp-content-font-size1: {size}}}</style>"
        page = open_page(style + fragment(sentence()), width=round(800 * int(size[:-2]) / 14))
        settled(page)
        sizes.append(page.evaluate(
            """() => {
                const text = document.querySelector('.seqviz').exported.svg();
                const drawn = new DOMParser().parseFromString(text, 'text/xml').documentElement;
                const all = ['width', 'height', 'x', 'y'];
                return [drawn, ...drawn.querySelectorAll(':scope > svg')]
                    .map(node => all.map(name => Math.round(node.getAttribute(name) ?? 0)));
            }"""
        ))  # fmt: skip
    for plain, zoomed in zip(*sizes, strict=True):
        assert plain == pytest.approx(zoomed, abs=2)


# ---- the menu
def test_the_menu_opens_moves_and_closes(open_page):
    page = open_page(sheet().to_html())
    opener = page.get_by_role("button", name="Save", exact=True)
    items = page.get_by_role("menuitem")
    opener.press("Enter")
    assert opener.get_attribute("aria-expanded") == "true"
    focused = "document.activeElement.firstChild.textContent"
    assert page.evaluate(focused) == "PNG"
    for key, name in [("ArrowDown", "SVG"), ("End", "HTML"), ("ArrowDown", "PNG")]:
        page.keyboard.press(key)
        assert page.evaluate(focused) == name
    page.keyboard.press("Escape")
    assert items.count() == 0 or not items.first.is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Save"
    opener.click()
    assert items.first.is_visible()
    page.locator(".say").click()
    assert not items.first.is_visible()


def test_a_link_opens_a_page_at_a_state(browser, tmp_path):
    (tmp_path / "a.html").write_text(net().to_html(), encoding="utf-8")
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "a.html").as_uri() + "#step=2&unit=5&text=hell")
    page.wait_for_selector('.seqviz[data-ready="true"][data-step="2"][data-unit="5"]')
    assert page.get_by_label("text that the net reads").input_value() == "hell"
    assert page.locator(".problem").inner_text() == ""
    page.evaluate("location.hash = '#step=1'")
    page.wait_for_selector('.seqviz[data-step="1"]')
    page.locator(".stage").press("r")
    page.wait_for_selector('.seqviz[data-step="4"]')
    assert errors == []
    page.close()


NONSENSE = {
    "attention": (
        VIEWS["attention"],
        "layer=99&head=x&query=-1&scale=blue&beside=no&words=1&between=A+to+B&kind=%3Cb%3E",
    ),
    "gradients": (flow, "model=c&step=%F0%9F&foo=1"),
    "positions": (both, "pair=99&shift=0&label=__proto__&step=__proto__"),
}


@pytest.mark.parametrize(("make", "link"), NONSENSE.values(), ids=list(NONSENSE))
def test_nonsense_in_a_link_is_told_and_left(open_page, make, link):
    page = open_page(make().to_html())
    before = page.locator(".seqviz").evaluate("root => ({...root.dataset})")
    page.evaluate("link => { location.hash = link; }", link)
    page.wait_for_function("document.querySelector('.problem').textContent")
    settled(page)
    told = page.locator(".problem").inner_text()
    assert told.startswith("The link names what this view does not have: ")
    for name in (part.partition("=")[0] for part in link.split("&")):
        assert name in told
    assert page.locator(".seqviz").evaluate("root => ({...root.dataset})") == before


def test_a_link_goes_to_the_views_that_know_its_controls(open_page):
    page = open_page(f"<h2 id='Build'>Build</h2>{fragment(pie())}{fragment(both())}")
    page.evaluate("location.hash = 'Build'")
    page.evaluate("location.hash = 'pair=2&width=1&step=3'")
    page.wait_for_selector('[data-view="positions"][data-pair="2"][data-step="3"]')
    page.wait_for_selector('[data-view="beam"][data-width="1"][data-step="3"]')
    assert page.locator(".problem").all_inner_texts() == ["", ""]
