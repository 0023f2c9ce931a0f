"""The site: its first page alive without a kernel, its index, its formulas."""

import re

import nbformat
import pytest

from seqviz.site import Exporter, mathml

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


@pytest.mark.parametrize("formula", [r"\nosuchcommand x", r"\left( x"])
def test_a_formula_that_mathml_lacks_is_refused(formula):
    with pytest.raises(ValueError, match="the formula"):
        mathml(formula, "inline")


def test_aligned_equations_become_a_table():
    drawn = mathml(r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "block")
    assert drawn.count("<mtr>") == 2


def test_a_formula_in_a_heading_is_a_formula():
    cell = nbformat.v4.new_markdown_cell("### $s_{t-1}$ or $s_t$?")
    text, _ = Exporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    heading = re.search("<h3.*?</h3>", text)[0]
    assert heading.count("<math ") == heading.count("<msub>") == 2
