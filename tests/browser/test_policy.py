"""A page loads nothing from outside, whatever is written in it, and everything in it works."""

from pathlib import Path

import nbformat
import numpy as np
import plotly.graph_objects as go
import pytest
from IPython.display import Audio
from playwright.sync_api import expect

from seqviz import site
from seqviz.execution import PAGE, PLOTLY, Run
from seqviz.views.shared import page as view_page
from tests.browser.shown import save_as
from tests.views.views import VIEWS

pytestmark = pytest.mark.browser

REACH_OUT = """async () => {
    const blocked = new Set();
    const heard = event => blocked.add(event.effectiveDirective);
    document.addEventListener('securitypolicyviolation', heard);
    fetch('https://outside.example/a').catch(() => 0);
    new Image().src = 'https://outside.example/b.png';
    for (const [tag, name] of [['script', 'src'], ['iframe', 'src'], ['video', 'src']]) {
        const node = document.createElement(tag);
        node[name] = 'https://outside.example/c';
        document.body.append(node);
    }
    const sheet = Object.assign(document.createElement('link'), {rel: 'stylesheet'});
    sheet.href = 'https://outside.example/d.css';
    document.head.append(sheet);
    const soon = () => new Promise(done => setTimeout(done, 50));
    for (let k = 0; k < 100 && blocked.size < 6; k++) await soon();
    return [...blocked].sort();
}"""
# A PNG of one pixel.
DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg"
    "=="
)
ALL = ["connect-src", "frame-src", "img-src", "media-src", "script-src-elem", "style-src-elem"]


def output(**data):
    metadata = {"image/png": {"alt": "a dot"}}
    return nbformat.v4.new_output("display_data", data=data, metadata=metadata)


def lecture(picture=DOT, views=("text",)):
    figure = go.Figure(go.Scatter(y=[1, 2])).add_hline(1.5).to_plotly_json()
    pages = [{"page": view_page.fragment(VIEWS[name]())} for name in views]
    outputs = [
        *(output(**{PAGE: page, "image/png": picture}) for page in pages),
        output(**{PLOTLY: nbformat.from_dict(figure), "text/plain": "a line"}),
        output(**{"image/png": picture, "text/plain": "a dot"}),
    ]
    cells = [
        nbformat.v4.new_markdown_cell("# A title\n\nProse with $x_t$."),
        nbformat.v4.new_code_cell("1", outputs=outputs),
    ]
    return Run(Path("one.ipynb"), nbformat.v4.new_notebook(cells=cells), 0, None)


PAGES = {
    "view": lambda: VIEWS["attention"]().to_html(),
    "notebook": lambda: site.page(lecture()),
    "index": lambda: site.index([lecture()]),
}


@pytest.mark.parametrize("make", PAGES.values(), ids=list(PAGES))
def test_a_page_reaches_nothing_outside(browser, make):
    page = browser.new_page()
    asked = []
    page.route("https://outside.example/**", lambda route: asked.append(route) or route.abort())
    page.set_content(make())
    assert page.evaluate(REACH_OUT) == ALL
    if browser.browser_type.name == "firefox":  # hears of the frame before it is blocked
        asked = [route for route in asked if not route.request.is_navigation_request()]
    assert asked == []
    page.close()


@pytest.fixture
def strict(browser):
    """Show HTML under its own policy; what that or the page complains of is a failure."""
    context, problems = browser.new_context(viewport={"width": 833, "height": 900}), []

    def open_page(text):
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda m: m.type == "error" and problems.append(m.text))
        page.set_content(text)
        page.wait_for_selector('.seqviz[data-ready="true"]')
        return page

    yield open_page
    context.close()
    assert problems == []


def saved(root, kind):
    with getattr(root, "page", root).expect_download() as download:
        save_as(root, kind)
    return Path(download.value.path()).read_bytes()


HEARD = """audio => {
    window.heard = new Promise((done, failed) => {
        audio.addEventListener('timeupdate', () => audio.currentTime > 0 && done(true));
        audio.addEventListener('error', () => failed(audio.error.message));
    });
}"""


def test_a_view_is_saved_and_opens_again_under_its_policy(strict):
    page = strict(VIEWS["piano_roll"]().to_html())
    page.locator(".seqviz audio").evaluate(HEARD)
    page.get_by_role("button", name="Play").click()
    assert page.evaluate("window.heard")
    page.locator(".stage").press("End")
    assert saved(page, "CSV")
    again = saved(page, "HTML").decode()
    assert view_page.POLICY in again[: again.index("<title>")]
    assert strict(again).locator(".say").inner_text() == page.locator(".say").inner_text()


def test_a_notebooks_page_with_every_view_works_under_its_policy(strict):
    page = strict(site.page(lecture(views=VIEWS)))
    page.wait_for_selector(".plotly-figure .main-svg")
    expect(page.locator('.seqviz[data-ready="true"]')).to_have_count(len(VIEWS))
    for root in page.locator(".seqviz").all():
        root.locator(".stage").press("End")
        page.keyboard.press("Enter")
        assert saved(root, "PNG").startswith(b"\x89PNG")
    assert saved(root, "SVG").startswith(b"<svg")
    page.locator(".plotly-figure").hover()
    with page.expect_download() as download:
        page.locator('[data-title^="Download plot"]').click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


@pytest.mark.chromium("where no device is, it may never begin to play")
def test_a_notebooks_sound_plays_under_its_policy(strict):
    run = lecture()
    audio = Audio(np.sin(np.arange(4000.0)), rate=4000)._repr_html_()
    run.notebook.cells[1].outputs.append(output(**{"text/html": audio}))
    page = strict(site.page(run))
    sound = page.locator("audio[controls]")
    sound.evaluate(HEARD)
    sound.evaluate("audio => audio.play()")
    assert page.evaluate("window.heard")


def test_a_picture_is_no_markup():
    wrong = '"><img src=x onerror=window.hit=1>'
    for shown in (site.page, lambda run: site.index([run])):
        with pytest.raises(ValueError, match="image/png is no PNG"):
            shown(lecture(wrong))
