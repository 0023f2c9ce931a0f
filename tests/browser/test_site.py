"""The pages: alive without a kernel, formulas, the first page, and what is refused."""

import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from seqviz import site
from seqviz.execution import PAGE, PLOTLY, Run
from seqviz.site import mathml
from tests.notebooks.executed import LECTURES, NOTEBOOKS, run_of

pytestmark = pytest.mark.browser

SIZES = """() => [...document.querySelectorAll('.seqviz-page, .plotly-figure')]
    .map(node => node.getBoundingClientRect()).map(({width, height}) => [width, height])"""
PLATE = "document.querySelector('.seqviz .stage svg rect').getAttribute('fill')"


def test_the_page_is_alive_without_a_kernel_and_whole_on_paper(open_page):
    page = open_page(site.page(run_of("01_rnn_hello")))
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

    page.emulate_media(color_scheme="dark")
    expect(page.locator('.seqviz[data-ready="true"][data-theme="dark"]')).to_have_count(3)
    before, dark = page.evaluate(SIZES), page.evaluate(PLATE)
    page.evaluate(
        f"""() => addEventListener('beforeprint', () => {{
            window.paper = ({SIZES})();
            window.plate = {PLATE};
        }})"""
    )
    page.pdf()
    assert page.evaluate("plate") != dark == page.evaluate(PLATE)
    on_paper = page.evaluate("paper")
    assert len(on_paper) == len(before) >= 6
    assert max(width for width, _ in before) > 700
    for width, height in on_paper:
        assert 300 < width <= 641
        assert 100 < height <= 881
    assert page.evaluate(SIZES) == before


def test_no_rule_of_the_frame_reaches_into_a_view():
    def classes(sheet):
        rules = re.sub(
            r"/\*.*?\*/|\{[^{}]*\}", " ", sheet.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        return {*re.findall(r"\.([A-Za-z][\w-]*)", rules)}

    package = Path(site.__file__).parents[1]
    frame = classes(package / "site" / "frame" / "site.css")
    views = set().union(*map(classes, (package / "views").rglob("*.css")))
    assert {"say", "bar", "stage"} <= views
    assert frame & views == {"seqviz"}


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


def run(*cells, name="one"):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A title"), *cells])
    return Run(Path(f"{name}.ipynb"), notebook, 0, None)


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU"


def shows(data):
    output = nbformat.v4.new_output("display_data", data=data)
    return nbformat.v4.new_code_cell("1", outputs=[output])


DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"


@pytest.mark.chromium("its driver cannot take scripts away")
@pytest.mark.parametrize("data", [{PAGE: {"page": "<p>alive</p>"}}, {PLOTLY: {"data": []}}])
def test_without_scripts_a_view_or_figure_is_its_picture(open_page, data):
    cell = shows({**data, "image/png": DOT, "text/plain": "a dot"})
    cell.outputs[0].metadata["image/png"] = {"alt": "a dot"}
    page = site.page(run(cell))
    assert open_page(page).locator('img[alt="a dot"]').count() == 0
    picture = open_page(page, scripts=False).get_by_alt_text("a dot")
    assert picture.is_visible()
    assert picture.evaluate("image => image.naturalWidth") == 1


def test_what_cannot_be_drawn_is_told_with_its_cell(tmp_path):
    text = nbformat.v4.new_markdown_cell
    for cell, problem in (
        (text("### A & B's <i>"), "the heading .* has a tag"),
        (text("## a\0b"), "the heading .* which no page can show"),
        (text("![a](attachment:a.png)"), "the picture .* not attached"),
        (text(r"$\left( x$"), "the formula"),
        (shows({"image/png": "R0lGODlhAQABAAAAACw="}), "its image/png is no PNG"),
        (shows({"image/png": PNG}), "its image/png is no PNG"),
        (shows({PLOTLY: {"data": []}}), "its figure has no text"),
        (shows({"application/x-odd": "1"}), "a page can show .* not application/x-odd"),
    ):
        for single in (True, False):
            with pytest.raises(ValueError, match=rf"one.ipynb, cell 2 .*: {problem}"):
                site.build([run(cell)], tmp_path / "site", single)
    with pytest.raises(ValueError, match="has no outputs: run its cells first"):
        site.build([run(nbformat.v4.new_code_cell("1 + 1"))], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_picture_may_be_attached_to_its_cell():
    attached = {"a.png": {"image/png": PNG}}
    cell = nbformat.v4.new_markdown_cell("![a](attachment:a.png)", attachments=attached)
    assert f"data:image/png;base64,{PNG}" in site.page(run(cell))


def test_a_notebook_may_have_any_name(tmp_path):
    notebook = run(nbformat.v4.new_markdown_cell("## &lt;eos&gt; & `<br>`")).notebook
    names = ("a&b", "a'b", 'a"b', "a<b>c", "a#b", "a%20 b", "a;b", "é")
    runs = [Run(tmp_path / f"{one}.ipynb", notebook, 0.0, None) for one in names]
    site.build(runs, tmp_path / "site")
    assert {f"{name}.html" for name in names} < {p.name for p in (tmp_path / "site").iterdir()}


def test_a_link_that_leads_nowhere_is_refused(tmp_path):
    for markdown, problem in (
        ("[gone](#Nowhere)", "one.html leads to one.html#Nowhere, which is no section of it"),
        ("[gone](02_gone.ipynb)", "one.html leads to 02_gone.html, which is no page"),
        ("[gone](index.ipynb#x)", "one.html leads to index.html#x, which is no section"),
    ):
        with pytest.raises(ValueError, match=problem):
            site.build([run(nbformat.v4.new_markdown_cell(markdown))], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_formulas_become_tables_and_stand_in_headings():
    drawn = mathml(r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "block")
    assert drawn.count("<mtr>") == 2
    text = site.page(run(nbformat.v4.new_markdown_cell("### $s_{t-1}$ or $s_t$?")))
    heading = re.search("<h3.*?</h3>", text)[0]
    assert heading.count("<math ") == heading.count("<msub>") == 2
