"""The life of a view: hidden and shown, light and dark, beside another."""

import pytest

from seqviz.views.shared.page import fragment
from tests.views.views import VIEWS

pytestmark = pytest.mark.browser
PICTURES = "() => [...document.querySelectorAll('.seqviz')].map(root => root.exported.svg())"
SHOW = "display => { document.getElementById('tab').style.display = display; }"
ALL = f"document.querySelectorAll('.seqviz[data-ready=true]').length === {len(VIEWS)}"


def test_a_view_is_drawn_when_it_is_shown_in_the_colours_of_then(open_page):
    fragments = "".join(fragment(make()) for make in VIEWS.values())
    page = open_page(f'<div id="tab" style="display:none">{fragments}</div>')
    page.wait_for_selector(".seqviz", state="attached")
    assert page.locator('.seqviz[data-ready="true"]').count() == 0
    page.evaluate(SHOW, "block")
    page.wait_for_function(ALL)
    light = page.evaluate(PICTURES)
    page.evaluate(SHOW, "none")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.querySelectorAll('[data-theme=dark]').length > 1")
    page.evaluate(SHOW, "block")
    page.wait_for_function(f"old => ({PICTURES})().every((svg, k) => svg !== old[k])", arg=light)
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")  # the host's word counts more
    page.wait_for_function(f"old => ({PICTURES})().every((svg, k) => svg === old[k])", arg=light)


def test_two_views_of_a_page_know_nothing_of_each_other(open_page):
    page = open_page("".join(2 * fragment(make()) for make in VIEWS.values()))
    ids = page.locator(".seqviz [id]").evaluate_all("all => all.map(node => node.id)")
    assert len({*ids}) == len(ids)
    page.wait_for_function("() => !document.querySelector('.spoken [aria-busy=true]')")
    for k, name in enumerate(VIEWS):
        first, second = (page.locator(".seqviz").nth(2 * k + n) for n in (0, 1))
        before = second.evaluate("root => root.outerHTML")
        first.locator(".stage").focus()
        for key in ("End", "Home", "ArrowRight", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        assert second.evaluate("root => root.outerHTML") == before, name
