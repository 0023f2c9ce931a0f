"""The site as a folder of files, opened from the disk: ways on, search, theme, copying, paper."""

import re

import nbformat
import pytest
from playwright.sync_api import expect

from seqviz import site
from seqviz.execution import Run
from tests.browser.conftest import listen
from tests.browser.shown import found_by_axe
from tests.notebooks.executed import NOTEBOOKS

pytestmark = pytest.mark.browser

NAMES = ("06_teacher_forcing", "11_transformer_heads", "17_bert_masking")
BREAKS = """() => [...document.querySelectorAll('img, .plotly-figure, .seqviz, table, .sv-ask')]
    .map(node => getComputedStyle(node).breakInside).filter(rule => rule !== 'avoid').length"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three lectures as they are committed: a page shows the pictures of their views."""
    paths = [NOTEBOOKS / f"{name}.ipynb" for name in NAMES]
    made = tmp_path_factory.mktemp("site")
    site.build([Run(path, nbformat.read(path, as_version=4), 0.0, None) for path in paths], made)
    return made


@pytest.fixture(scope="module")
def context(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def go(context, folder):
    """Open a page of the folder; nothing may fail in it, and nothing may come from elsewhere.

    The page keeps its policy, so a test waits by `expect`: `wait_for_function` evaluates text.
    """
    page, problems = context.new_page(), []
    listen(page, problems, folder.as_uri())

    def open_page(name):
        page.goto((folder / name).as_uri())
        return page

    yield open_page
    page.close()
    assert not problems


def search(page, text):
    page.keyboard.press("/")
    page.keyboard.type(text)
    expect(page.locator("search .said")).not_to_be_empty()
    return page.locator("#found a")


def test_search_finds_a_term_from_every_page(go):
    for name, text in (
        ("index.html", "teacher forcing"),
        ("06_teacher_forcing.html", "masked"),
        ("reference/nn.html", "teacher forcing"),
    ):
        page = go(name)
        found = search(page, text)
        assert found.count() >= 3
        marked = found.first.locator("mark").all_inner_texts()
        assert {word.lower() for word in marked} <= set(text.split())
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url("**.html#*")
        assert text in page.locator("main").inner_text().lower(), name
    assert search(page, "teacher <img src=x onerror=alert(1)>").count() == 0
    assert page.locator(".said").inner_text() == "no sections"
    assert page.locator("#found img").count() == 0


def test_every_page_leads_on(go):
    page = go("06_teacher_forcing.html")
    assert page.locator('a[rel="prev"]').count() == 0
    page.locator('a[rel="next"]').click()
    page.wait_for_url("**/11_transformer_heads.html")
    assert "06" in page.locator('a[rel="prev"]').inner_text()
    page.locator(".site-bar .home").click()
    page.wait_for_url("**/index.html")
    titles = page.locator(".card h3").all_inner_texts()
    assert [title[:2] for title in titles] == ["06", "11", "17"]
    assert page.locator(".card .needs").count() == 3
    assert page.locator("h2").all_inner_texts() == ["Recurrence", "Transformers", "Pre-training"]


def test_the_contents_follow_the_reader(go):
    page = go("11_transformer_heads.html")
    here = page.locator('.contents [aria-current="location"]')
    assert here.count() == 0
    for heading in ("Check", "Sources"):
        page.evaluate("id => document.getElementById(id).scrollIntoView()", heading)
        expect(page.locator(".contents [aria-current]")).to_have_text(heading)
    box, nav = here.bounding_box(), page.locator(".contents").bounding_box()
    assert nav["y"] <= box["y"] <= nav["y"] + nav["height"]
    page.set_viewport_size({"width": 390, "height": 800})
    page.reload()  # on a phone they are folded
    assert page.locator(".contents details").get_attribute("open") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_theme_is_kept_from_page_to_page(go):
    page = go("index.html")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_label("Theme").select_option("dark")
    dark = page.evaluate(paper)
    assert dark != light
    page.goto(page.url.replace("index", "17_bert_masking"))
    assert page.evaluate(paper) == dark
    assert page.evaluate("document.body.dataset.jpThemeLight") == "false"  # what views follow
    page.emulate_media(media="print")
    assert page.evaluate(paper) == light
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "true")
    page.emulate_media(media="screen")
    page.get_by_label("Theme").select_option("system")
    assert page.evaluate(paper) == light


def test_code_can_be_copied(go):
    page = go("06_teacher_forcing.html")
    code = page.locator(".highlight pre").first
    code.hover()
    page.locator(".copy").first.click()
    expect(page.locator(".copy").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").strip() == code.inner_text().strip()


def test_paper_has_no_controls_and_cuts_no_picture(go):
    page = go("17_bert_masking.html")
    page.emulate_media(media="print")
    for part in (".site-bar", ".contents", ".around", ".copy"):
        assert page.locator(part).first.is_hidden()
    assert page.locator(".plotly-figure, main img").count() >= 3
    assert page.evaluate(BREAKS) == 0


@pytest.mark.parametrize("name", ["index.html", "reference/decoding.html"])
def test_axe_finds_nothing(go, name):
    assert found_by_axe(go(name), "html", ["best-practice"]) == [], name


@pytest.mark.slow
def test_axe_finds_nothing_in_a_lecture_and_in_the_reference(go, folder):
    pages = (folder / name for name in ("letters.html", "11_transformer_heads.html"))
    for file in (*pages, *(folder / "reference").glob("*.html")):
        page = go(file.relative_to(folder))
        assert found_by_axe(page, "html", ["best-practice"]) == [], file.name


def test_the_reference_has_every_public_name(folder):
    import seqviz as sv

    rooms = [name for name in sv.__all__ if (folder / "reference" / f"{name}.html").exists()]
    for name in rooms:
        text = (folder / "reference" / f"{name}.html").read_text(encoding="utf-8")
        assert {*getattr(sv, name).__all__} <= {*re.findall(r'<h2 id="([^"]+)"', text)}
    text = (folder / "reference" / "index.html").read_text(encoding="utf-8")
    assert {*sv.__all__} - {*rooms} == {*re.findall(r'<h2 id="([^"]+)"', text)}


def test_every_page_says_what_it_is_and_holds_no_copy_of_what_is_shared(folder):
    for file in folder.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        described = re.search(r'<meta (?=[^>]*name="description")[^>]*content="[^"]{6,}', text)
        assert described, file.name
        assert re.search(r"<title>.+</title>", text), file.name
        assert "plotly.js v" not in text
        assert len(text) < 900_000, file.name
    assert (folder / "shared" / "plotly.js").stat().st_size > 3_000_000


def test_a_single_page_needs_no_other(folder, tmp_path, open_page):
    path = NOTEBOOKS / "11_transformer_heads.ipynb"
    runs = [Run(path, nbformat.read(path, as_version=4), 0.0, None)]
    site.build(runs, tmp_path, single=True)
    assert {file.name for file in tmp_path.iterdir()} == {f"{path.stem}.html", "LICENSES.txt"}
    page = open_page((tmp_path / f"{path.stem}.html").read_text(encoding="utf-8"))
    page.wait_for_selector(".plotly-figure .main-svg")
    assert page.locator("search, a[rel]").count() == 0
