"""The life of a view: hidden and shown, light and dark, beside another, ended."""

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
    for k, name in enumerate(VIEWS):
        first, second = (page.locator(".seqviz").nth(2 * k + n) for n in (0, 1))
        before = second.evaluate("root => root.outerHTML")
        first.locator(".stage").focus()
        for key in ("End", "Home", "ArrowRight", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        assert second.evaluate("root => root.outerHTML") == before, name


# Renders each view of the page once more over a model of its own, and ends that again.
END_EACH = """async () => {
    const watching = new Set(), left = {};
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
    for (const host of document.querySelectorAll('.seqviz-page')) {
        const {content} = host, heard = [], parts = {};
        const page = JSON.parse(host.querySelector('script[type="application/json"]').textContent);
        const code = new Blob([await host.getText(content.script)], {type: 'text/javascript'});
        const view = await import(URL.createObjectURL(code));
        for (const name of page.first) parts[name] = await host.getPart(name);
        const state = {...content, ...page.controls, first: parts};
        const model = {
            get: name => state[name], set(name, value) { state[name] = value; },
            on: (event, f) => heard.push([event, f]),
            off: (event, f) => heard.splice(heard.findIndex(h => h[1] === f), 1),
            save_changes() {}, send() {},
        };
        const before = watching.size, el = document.body.appendChild(document.createElement('div'));
        const end = view.default.render({model, el});
        for (let k = 0; k < 60 && !el.querySelector('[data-ready=true]'); k++) {
            await new Promise(requestAnimationFrame);
        }
        [...el.querySelectorAll('button')].find(b => b.textContent === 'Play')?.click();
        const busy = heard.length > 1 && watching.size > before + 1;
        end();
        const name = host.querySelector('.seqviz').dataset.view;
        left[name] = [busy, heard.length, el.childElementCount, watching.size - before];
    }
    return left;
}"""


def test_a_view_that_ends_leaves_nothing(open_page):
    page = open_page("".join(fragment(make()) for make in VIEWS.values()))
    page.wait_for_function(ALL)
    assert page.evaluate(END_EACH) == {name: [True, 0, 0, 0] for name in VIEWS}
