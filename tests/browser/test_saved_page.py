"""The HTML button: the page on screen as a page of its own, with a kernel and without."""

import html
import json
import re

import numpy as np
import pytest

from seqviz.view import text
from seqviz.views.shared.page import fragment
from tests.browser.attention_kernel import with_kernel
from tests.browser.attention_shown import sentence
from tests.browser.shown import save_as
from tests.browser.test_every_view import VIEWS, net

pytestmark = pytest.mark.browser

PLAIN = re.compile(r'(?<=<script type="application/json">).*?(?=</script>)', re.S)
TITLE = re.compile(r"(?<=<title>).*?(?=</title>)", re.S)
NOSCRIPT = re.compile(r"(?<=<noscript><p>).*?(?=</p></noscript>)", re.S)

# Every control is turned, as far as it does not ask for a kernel.
TURN = """root => {
    const change = (node, changes) => {
        Object.assign(node, changes);
        for (const kind of ['input', 'change']) node.dispatchEvent(new Event(kind));
    };
    const all = kind => [...root.querySelectorAll(kind)].filter(node => !node.disabled);
    const pick = (node, value) => { if (node.value !== value) change(node, {value}); };
    for (const node of all('select')) pick(node, [...node.options].at(-1).value);
    for (const node of all('input[type="checkbox"]')) change(node, {checked: !node.checked});
    for (const node of all('input[type="range"]')) pick(node, node.max);
    for (const node of all('fieldset label:last-child input[type="radio"]')) node.click();
}"""
SCREEN = """root => ({
    said: root.querySelector('.say').textContent,
    heading: root.querySelector('h2')?.textContent,
    csv: root.exported.csv(),
    controls: [...root.querySelectorAll('input, select')]
        .map(({name, ...node}, k, all) => [all[k].type, all[k].value, all[k].checked]),
})"""


def plain(page):
    return json.loads(PLAIN.search(page).group())


def without_values(page):
    for varying in (PLAIN, TITLE, NOSCRIPT):
        page = varying.sub("", page)
    return page


def settle(page):
    page.wait_for_timeout(100)
    page.wait_for_function("!document.querySelector('.seqviz[aria-busy=\"true\"]')")


def screen(page, root=".seqviz"):
    settle(page)
    return page.locator(root).evaluate(SCREEN)


def saved(page, path, root=".seqviz"):
    with page.expect_download() as download:
        save_as(page.locator(root), "HTML")
    name = page.locator(root).get_attribute("data-view")
    assert download.value.suggested_filename == f"{name}.html"
    download.value.save_as(path)
    return path.read_bytes().decode("ascii")


def hostile():
    bad = ["</script><img/src=x/onerror=hit=1>", "<!--", "<!--<script>", "]]>", "$&", "$'"]
    return text([*bad, "\u2028", "🙂", "\x7f", "\x00", "x" * 5000], np.arange(11.0))


@pytest.mark.parametrize("make", [*VIEWS.values(), hostile], ids=[*VIEWS, "hostile"])
def test_a_saved_page_opens_as_it_was_and_saves_again(open_page, make, tmp_path):
    view = make()
    page = open_page(view.to_html())
    page.locator(".seqviz").evaluate(TURN)
    settle(page)
    page.locator(".stage").focus()
    for key in ("ArrowDown", "End", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    before = screen(page)
    one = saved(page, tmp_path / "one.html")

    again = open_page(one)
    assert screen(again) == before
    assert saved(again, tmp_path / "two.html") == one
    assert one.count("</script>") == view.to_html().count("</script>")
    assert "<!--" not in one
    assert again.evaluate("window.hit") is None

    told = plain(one)["controls"]
    assert told != plain(view.to_html())["controls"]
    for _ in range(2):  # some let go of others when they are set
        with view.hold_trait_notifications():
            for name in view.controls():
                setattr(view, name, told[name])
    want = view.to_html()
    assert without_values(one) == without_values(want)
    for tag in (TITLE, NOSCRIPT):
        assert html.unescape(tag.search(one).group()) == before["said"]
    assert {**plain(one), "first": 0} == {**plain(want), "first": 0}


def test_a_saved_file_opens_alone_and_offline(browser, open_page, tmp_path):
    saved(open_page(sentence(layer=1, head=2).to_html(deflate=False)), tmp_path / "a.html")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "a.html").as_uri())
    page.wait_for_selector('.seqviz[data-ready="true"]')
    assert page.locator(".say").inner_text() == page.title()
    assert page.locator(".seqviz-page").count() == 1
    context.close()


def test_one_of_several_views_is_saved_alone(open_page, tmp_path):
    page = open_page(f"<h1>A notebook</h1>{fragment(net())}<p>é</p>{fragment(sentence())}")
    for name in ("unroll", "attention"):
        root = f'[data-view="{name}"]'
        page.bring_to_front()  # behind another page no key presses a button in Firefox
        page.locator(f"{root} .stage").press("ArrowRight")
        page.keyboard.press("Enter")
        before = screen(page, root)
        alone = open_page(saved(page, tmp_path / f"{name}.html", root))
        assert screen(alone) == before
        assert alone.locator(".seqviz").count() == 1
        assert "notebook" not in alone.content()


ANSWER = "text => model.reply({page: true}, btoa(text))"


@pytest.fixture
def live(open_page):
    """A page whose kernel answers when the test lets it."""
    page = with_kernel(open_page, sentence())[0].page
    page.clock.install(time=0)
    page.clock.pause_at(60)  # a slow browser does not run out of patience
    page.files = []
    page.on("download", lambda file: page.files.append(file))
    return page


def test_python_is_asked_once_and_its_page_is_saved(live):
    for _ in range(3):
        save_as(live, "HTML")
    assert live.evaluate("model.wishes") == [{"page": True}]
    with live.expect_download() as download:
        live.evaluate(ANSWER, "<p>page</p>")
    assert download.value.path().read_text() == "<p>page</p>"
    live.evaluate(ANSWER, "<p>for another picture of this model</p>")
    save_as(live, "HTML")
    assert live.evaluate("model.wishes.length") == 2
    with live.expect_download():
        live.evaluate(ANSWER, "<p>again</p>")
    assert len(live.files) == 2
    assert live.locator(".problem").inner_text() == ""
    assert live.evaluate("end(), model.heard.length") == 0


def test_a_kernel_that_is_gone_is_told(live):
    problem = live.locator(".problem")
    live.evaluate("model.gone = true")
    save_as(live, "HTML")
    assert "needs a running kernel" in problem.inner_text()
    live.evaluate("model.gone = false")
    save_as(live, "HTML")
    live.clock.run_for(900)
    live.evaluate("model.reply({heard: true})")
    live.clock.run_for(9_000)
    save_as(live, "HTML")
    assert live.evaluate("model.wishes.length") == 1
    live.clock.run_for(2_000)
    assert "No answer" in problem.inner_text()
    with live.expect_download():
        live.evaluate(ANSWER, "<p>late</p>")
    assert problem.inner_text() == ""
    save_as(live, "HTML")
    live.clock.run_for(1_100)  # nobody hears it
    assert "Run the cell again" in problem.inner_text()


PAPER = """() => {
    const look = () => {
        const {width, height} = document.querySelector('.seqviz-page').getBoundingClientRect();
        const {dataset, classList} = document.querySelector('.seqviz');
        return [width, height, dataset.theme, classList.contains('pictured')];
    };
    addEventListener('beforeprint', () => { window.paper = look(); });
    return look();
}"""


@pytest.mark.parametrize("name", ["unroll", "attention"])
def test_an_exported_page_is_redrawn_for_paper_and_comes_back(open_page, name):
    page = open_page(VIEWS[name]().to_html(), dark=True)
    before = page.evaluate(PAPER)
    assert before[2:] == ["dark", False]
    page.pdf()
    width, height, *look = page.evaluate("paper")
    assert look == ["light", True]
    assert 300 < width <= 641
    assert 100 < height <= 881
    assert page.evaluate(PAPER) == before
