"""The offline pages, with the network cut, and the committed notebook without scripts."""

import re

import nbformat
import pytest
from nbconvert import HTMLExporter

from seqviz.site import mathml
from tests.conftest import NOTEBOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def lecture(published, open_page):
    def lecture(**options):
        _, folder = published
        return open_page((folder / "01_rnn_hello.html").read_text(encoding="utf-8"), **options)

    return lecture


def test_the_page_is_alive_without_a_kernel(lecture):
    page = lecture()
    assert page.locator(".seqviz").count() >= 2
    assert page.locator(".seqviz").count() == page.locator('.seqviz[data-ready="true"]').count()
    view = page.locator('.seqviz[data-view="unroll"]').first
    view.locator(".stage").focus()
    for key, step in (("Home", 1), ("ArrowRight", 2), ("End", 4)):
        page.keyboard.press(key)
        assert view.get_attribute("data-step") == str(step)
        assert f"t = {step}" in view.locator(".stage").text_content()
    said = view.locator(".say").inner_text()
    view.get_by_label("text that the net reads").fill("hole")
    page.keyboard.press("Enter")
    assert view.get_attribute("data-step") == "3"
    assert view.locator(".say").inner_text() != said


def test_formulas_figures_and_questions_are_there(lecture):
    page = lecture()
    assert page.locator("math").count() > 10
    assert page.locator(".plotly-figure .main-svg").count() > 0
    assert not re.search(r"\$\$|\\frac|\\tanh", page.locator("main").inner_text())
    question = page.locator(".sv-ask").first
    question.locator("summary").first.click()
    assert question.locator("details[open] p").first.is_visible()
    assert page.get_by_text("sv.ask(").count() == 0  # it would give the answer away


def test_hints_and_solutions_are_folded_until_they_are_opened(lecture):
    page = lecture()
    solutions = page.locator("details", has=page.get_by_text("Solution", exact=True))
    assert solutions.count() == 3
    for k in range(solutions.count()):
        code = solutions.nth(k).locator("pre")
        assert not code.is_visible()
        solutions.nth(k).locator("summary").click()
        assert code.is_visible()


def test_the_contents_lead_to_every_section(lecture):
    page = lecture()
    links = page.locator(".contents li a")
    names = links.evaluate_all("links => links.map(a => decodeURI(a.hash.slice(1)))")
    assert len(names) > 10
    for name in names:
        assert page.evaluate("name => document.getElementById(name) !== null", name), name


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_follow_the_system(lecture, dark):
    page = lecture(dark=dark)
    assert page.locator("body").get_attribute("data-jp-theme-light") == str(not dark).lower()
    assert page.locator(".seqviz").first.get_attribute("data-theme") == (
        "dark" if dark else "light"
    )
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == dark
    page.emulate_media(color_scheme="light" if dark else "dark")
    other = "light" if dark else "dark"
    page.wait_for_selector(f'.seqviz[data-theme="{other}"]')


def test_a_narrow_page_does_not_scroll_sideways(lecture):
    page = lecture(width=480)
    assert page.evaluate("document.documentElement.scrollWidth") <= 480


def test_the_index_leads_to_every_page(published, open_page):
    runs, folder = published
    page = open_page((folder / "index.html").read_text(encoding="utf-8"))
    for name in runs:
        assert page.locator(f'a[href="{name}.html"]').count() == 1
        assert (folder / f"{name}.html").is_file()
    assert page.locator(".card img").first.get_attribute("alt")
    assert page.locator(".minutes").first.inner_text() != "0 minutes in class"
    notices = (folder / "LICENSES.txt").read_text(encoding="utf-8")
    for work in ("plotly.js", "JupyterLab", "nbconvert"):
        assert work in notices
    assert notices.count("Copyright") >= 3


def test_the_committed_notebook_shows_pictures_without_scripts(open_page):
    notebook = nbformat.read(NOTEBOOKS / "01_rnn_hello.ipynb", as_version=4)
    expected = sum("image/png" in o.get("data", {}) for c in notebook.cells
                   for o in c.get("outputs", []))  # fmt: skip
    exporter = HTMLExporter(require_js_url="", mathjax_url="", mermaid_js_url="")
    text, _ = exporter.from_notebook_node(notebook)
    page = open_page(re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL), scripts=False)
    sizes = page.locator(".jp-OutputArea-output img").evaluate_all(
        "images => images.map(image => image.naturalWidth)"
    )
    assert len(sizes) == expected >= 3
    assert min(sizes) > 300


@pytest.mark.parametrize("formula", [r"\nosuchcommand x", r"\left( x"])
def test_a_formula_that_mathml_lacks_is_refused(formula):
    with pytest.raises(ValueError, match="the formula"):
        mathml(formula, "inline")


def test_aligned_equations_become_a_table():
    drawn = mathml(r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "block")
    assert drawn.count("<mtr>") == 2
