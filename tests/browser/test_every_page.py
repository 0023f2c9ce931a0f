"""What every lecture's offline page must be, with the network cut."""

import re

import pytest

from seqviz import site
from tests.browser.conftest import ALL_READY, offline
from tests.browser.in_lab.lecture import READY
from tests.notebooks.executed import LECTURES, run_of

pytestmark = pytest.mark.browser

COVERED = """() => [...document.querySelectorAll('.seqviz')].filter(view => {
    const [say, bar] = ['.say', '.bar'].map(part => view.querySelector(`:scope > ${part}`));
    if (!say || !bar?.offsetHeight) return false;
    return bar.getBoundingClientRect().top < say.getBoundingClientRect().bottom - 1;
}).map(view => view.dataset.view)"""  # where controls lie over the sentence
BLOCKS = "[...document.querySelectorAll('script[data-block]')].map(block => block.dataset.block)"


@pytest.fixture(scope="module", params=LECTURES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def page(browser, name, tmp_path_factory):
    """The page of a lecture in the light, opened once, as a file, for all tests of it."""
    text = site.page(run_of(name))
    look = {"viewport": {"width": 1000, "height": 900}, "bypass_csp": True, "encoding": "utf-8"}
    with offline(browser, tmp_path_factory.mktemp("page")) as open_file:
        page = open_file(text, init="", ready=False, **look)
        page.wait_for_function(ALL_READY)
        yield page


def check_drawn(page, theme):
    """Every view and figure is there, in this theme."""
    page.wait_for_function(
        """theme => [...document.querySelectorAll('.seqviz')].every(
            view => view.dataset.theme === theme)""",
        arg=theme,
    )
    assert page.locator(".seqviz").count() == page.locator(READY).count() >= 1
    assert page.locator(".plotly-figure:not(:has(.main-svg))").count() == 0
    assert page.evaluate(COVERED) == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == (theme == "dark")


def test_views_and_figures_draw(page):
    check_drawn(page, "light")


def test_no_block_stands_twice(page):
    names = page.evaluate(BLOCKS)
    assert len(names) == len({*names})


def test_formulas_and_questions_are_there(page):
    assert page.locator("math").count() > 5
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
    astray = links.evaluate_all(
        """links => links.filter(a => {
            const name = a.hash.slice(1);  // a browser looks for it as it stands, then decoded
            return !(document.getElementById(name) ?? document.getElementById(decodeURI(name)));
        }).map(a => a.innerText)"""
    )
    assert astray == []


def test_views_and_figures_follow_into_the_dark_on_a_phone(page):  # the last, as it stays so
    page.set_viewport_size({**page.viewport_size, "width": 480})
    page.emulate_media(color_scheme="dark")
    check_drawn(page, "dark")
    page.wait_for_function("document.documentElement.scrollWidth <= 480")
