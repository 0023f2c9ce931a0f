"""What every notebook's offline page must be, with the network cut, and every notebook in Lab."""

import re

import nbformat
import pytest
from nbconvert import HTMLExporter

from tests.browser.conftest import cut_off
from tests.browser.test_lab import ERRORS, READY, lecture_in_lab
from tests.conftest import NOTEBOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LECTURES = [path.stem for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))]


@pytest.fixture(scope="module", params=LECTURES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def text(published, name):
    _, folder = published
    return (folder / f"{name}.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(browser, text):
    """The page of a lecture in the light, opened once for all tests of it."""
    with cut_off(browser) as open_page:
        yield open_page(text)


def check_drawn(page, theme):
    """Every view and figure is there, in this theme, and the views follow when it changes."""
    assert page.locator(".seqviz").count() >= 1
    assert page.locator(".seqviz").count() == page.locator(READY).count()
    figures = page.locator(".plotly-figure")
    for k in range(figures.count()):
        assert figures.nth(k).locator(".main-svg").count() > 0
    assert set(
        page.locator(".seqviz").evaluate_all("views => views.map(v => v.dataset.theme)")
    ) == {theme}
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == (theme == "dark")
    other = "light" if theme == "dark" else "dark"
    page.emulate_media(color_scheme=other)
    page.wait_for_selector(f'.seqviz[data-theme="{other}"]')


def test_every_view_and_figure_draws_in_the_light(page):
    check_drawn(page, "light")


def test_a_narrow_page_draws_in_the_dark_and_does_not_scroll_sideways(open_page, text):
    page = open_page(text, width=480, dark=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 480
    check_drawn(page, "dark")


def test_formulas_and_questions_are_there(page):
    assert page.locator("math").count() > 10
    assert not re.search(r"\$\$|\\frac|\\tanh", page.locator("main").inner_text())
    names = page.evaluate("[...document.querySelectorAll('*')].map(element => element.localName)")
    assert not [name for name in names if ":" in name]  # a prefix, which a browser does not know
    questions = page.locator(".sv-ask")
    assert questions.count() >= 5
    questions.first.locator("summary").first.click()
    assert questions.first.locator("details[open] p").first.is_visible()
    assert page.get_by_text("sv.ask(").count() == 0  # it would give the answer away


def test_hints_and_solutions_are_folded_until_they_are_opened(page):
    solutions = page.locator("details", has=page.get_by_text("Solution", exact=True))
    assert solutions.count() >= 3
    for k in range(solutions.count()):
        code = solutions.nth(k).locator("pre").first
        assert not code.is_visible()
        solutions.nth(k).locator("summary").first.click()
        assert code.is_visible()


def test_the_contents_lead_to_every_section(page):
    links = page.locator(".contents li a")
    assert links.count() >= 10
    leads = """a => {  // as a browser looks: the fragment as it stands, then decoded
        const name = a.hash.slice(1);
        return Boolean(document.getElementById(name) ?? document.getElementById(decodeURI(name)));
    }"""
    for k in range(links.count()):
        assert links.nth(k).evaluate(leads), links.nth(k).inner_text()


def test_the_committed_notebook_shows_pictures_without_scripts(open_page, name):
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    expected = sum("image/png" in o.get("data", {}) for c in notebook.cells
                   for o in c.get("outputs", []))  # fmt: skip
    exporter = HTMLExporter(require_js_url="", mathjax_url="", mermaid_js_url="")
    text, _ = exporter.from_notebook_node(notebook)
    page = open_page(re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL), scripts=False)
    sizes = page.locator(".jp-OutputArea-output img").evaluate_all(
        "images => images.map(image => image.naturalWidth)"
    )
    assert len(sizes) == expected >= 1
    assert min(sizes) > 300


def test_every_cell_runs_and_every_view_draws_in_jupyterlab(browser, lab, name):
    with lecture_in_lab(browser, lab, name) as page:
        assert page.evaluate(ERRORS) == []
        assert page.locator(".seqviz").count() == page.locator(READY).count() >= 1
