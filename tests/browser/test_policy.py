"""A page loads nothing from outside, whatever is written in it, and everything in it works."""

from pathlib import Path

import nbformat
import plotly.graph_objects as go
import pytest

from seqviz import site
from seqviz.execution import PAGE, PLOTLY, Run
from seqviz.view import page as view_page
from tests.view.views import VIEWS

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
    await new Promise(done => setTimeout(done, 50));
    return [...blocked].sort();
}"""
ALL = ["connect-src", "frame-src", "img-src", "media-src", "script-src-elem", "style-src-elem"]


def output(**data):
    metadata = {"image/png": {"alt": "a dot"}}
    return nbformat.v4.new_output("display_data", data=data, metadata=metadata)


def lecture(picture="iVBORw0KGgo="):
    figure = go.Figure(go.Scatter(y=[1, 2])).add_hline(1.5).to_plotly_json()
    outputs = [
        output(**{PAGE: {"page": view_page.fragment(VIEWS["text"]())}, "image/png": picture}),
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
    assert asked == []
    page.close()


def test_a_notebooks_page_works_under_its_policy(open_page, tmp_path):
    page = open_page(site.page(lecture()))
    page.wait_for_selector(".plotly-figure .main-svg")
    for name in ("PNG", "SVG", "CSV", "HTML"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).press("Enter")
        download.value.save_as(tmp_path / name)
    page.locator(".plotly-figure").hover()
    with page.expect_download() as download:
        page.locator('[data-title^="Download plot"]').click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    saved = (tmp_path / "HTML").read_text()
    assert view_page.POLICY in saved[: saved.index("<title>")]
    assert open_page(saved).locator(".say").inner_text()


def test_a_picture_is_no_markup():
    wrong = '"><img src=x onerror=window.hit=1>'
    for made in (site.page(lecture(wrong)), site.index([lecture(wrong)])):
        assert "<img src=x" not in made
