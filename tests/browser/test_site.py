"""The site: its first page alive without a kernel, its index, its formulas."""

import re

import nbformat
import pytest

from seqviz import site
from seqviz.execution import Run
from seqviz.site import Exporter, mathml
from tests.notebooks.executed import LECTURES, NOTEBOOKS, run_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["01_rnn_hello"])
def test_the_page_is_alive_without_a_kernel(open_page, name):
    page = open_page(site.page(run_of(name)))
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


def test_the_index_leads_to_every_page(open_page):
    committed = [NOTEBOOKS / f"{name}.ipynb" for name in LECTURES]
    runs = [Run(path, nbformat.read(path, as_version=4), 0.0, None) for path in committed]
    page = open_page(site.index(runs))
    for name in LECTURES:
        assert page.locator(f'a[href="{name}.html"]').count() == 1
    assert page.locator(".card img").first.get_attribute("alt")
    assert page.locator(".minutes").first.inner_text() != "0 minutes in class"


def test_the_licences_of_what_the_pages_hold():
    notices = site.licences()
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
