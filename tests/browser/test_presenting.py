"""A lecture in the browser: opened from its file, walked by keyboard, with the network cut."""

import re
import zlib
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from seqviz.execution import PAGE, PLOTLY, Run
from seqviz.presenting import deck
from seqviz.views.shared import page as view_page
from tests.browser.conftest import listen
from tests.browser.shown import found_by_axe
from tests.notebooks.executed import run_of
from tests.test_presenting import ASKED, TOLD, code, note, text
from tests.views.views import VIEWS

pytestmark = pytest.mark.browser

READY = '.deck[data-ready="true"]'
HALL = {"width": 1280, "height": 720}
# Where a deck stands: the slide and how far its box has scrolled. Then what is wrong there: what
# reaches over the edge, but for what scrolls inside; a picture that is not drawn; type under 24 px.
SEEN = """() => {
    const slide = document.querySelector('.now .slide');
    const edge = slide.getBoundingClientRect();
    const wrong = [...slide.querySelectorAll(':not(.picture *, .sr, .whole *)')].filter(node => {
        const box = node.getBoundingClientRect();
        const out = box.right > edge.right + 1 || box.bottom > edge.bottom + 1;
        return box.width && out && !node.closest('.picture, .whole, .scrolls')
            && getComputedStyle(node).visibility === 'visible';
    }).map(node => `${slide.id}: ${node.tagName} ${node.className} over the edge`);
    const inside = edge.top > -1 && edge.bottom < innerHeight + 1;
    if (!inside) wrong.push(`${slide.id}: not in the window`);
    for (const picture of slide.querySelectorAll('.picture')) {
        const drawn = '.seqviz[data-ready="true"], .plotly-figure .main-svg, img';
        if (!picture.querySelector(drawn) || picture.clientHeight <= 100) {
            wrong.push(`${slide.id}: not drawn`);
        }
    }
    const [kicker, sentence] = ['.kicker', '.sentence'].map(name => slide.querySelector(name));
    if (kicker && sentence) {
        const words = document.createRange();
        words.selectNodeContents(sentence);
        const {bottom} = kicker.getBoundingClientRect();
        if (words.getBoundingClientRect().top < bottom) wrong.push(`${slide.id}: on its heading`);
    }
    const least = 1.49 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const words = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
    const beside = '.picture, .sr, .whole, .fold, .tally, .count, .key, .notes, math, kbd, small';
    while (words.nextNode()) {
        const node = words.currentNode.parentElement;
        const {visibility, display, fontSize} = getComputedStyle(node);
        if (visibility !== 'visible' || display === 'none' || node.closest(beside)) continue;
        if (parseFloat(fontSize) < least && words.currentNode.textContent.trim()) {
            wrong.push(`${slide.id}: ${fontSize} for ${words.currentNode.textContent}`);
        }
    }
    const scrolled = slide.querySelector('.scrolls')?.scrollTop ?? 0;
    return [location.hash.slice(1), scrolled, wrong];
}"""
# What stands at the head of each slide, step by step.
HEADLINES = """() => [...document.querySelectorAll('.slide')].flatMap(slide => {
    const find = selector => slide.querySelector(`:scope > ${selector}`);
    const head = find('.kicker') ?? find(':is(h1, h2)');
    const steps = [...head.querySelectorAll('[data-at-step]')];
    return (steps.length ? steps : [head]).map(node => node.textContent.trim());
})"""
# Headlines that take more than one line.
BROKEN = """() => [...document.querySelectorAll('.heads > span')].filter(line => {
    const range = document.createRange();
    range.selectNodeContents(line);
    const high = parseFloat(getComputedStyle(line).lineHeight);
    return range.getBoundingClientRect().height > 1.5 * high;
}).map(line => line.textContent)"""
# Views that do not fit their slides at the least size of their text.
TALL = """() => [...document.querySelectorAll('.picture.scrolls .seqviz')].map(
    view => `${view.closest('.slide').id}: ${view.dataset.view}`)"""


@pytest.fixture
def stage(browser, tmp_path):
    """What opens a deck from its file; a request or an error is a failure."""
    contexts, problems = [], []

    def open_deck(html: str, hash: str = "", size: dict = HALL, dark: bool = False):
        file = tmp_path / "deck.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(
            viewport=size, color_scheme="dark" if dark else "light", bypass_csp=True
        )
        contexts.append(context)
        context.on("page", lambda page: listen(page, problems, tmp_path.as_uri()))
        page = context.new_page()
        page.goto(file.as_uri() + hash)
        page.wait_for_selector(READY)
        return page

    yield open_deck
    for context in contexts:
        context.close()
    assert problems == []


def made_of(*cells) -> str:
    notebook = nbformat.v4.new_notebook(cells=[*cells])
    return deck.page(Run(Path("04_gates.ipynb"), notebook, 0, None))[0]


FIGURE = code("figure", data={PLOTLY: {"data": [{"y": [1, 2]}], "layout": {}}, "text/plain": "?"})


LONG = """### Four letters

`f` says how much of the cell `c` **stays**, `i` how much of `g` comes in, `o` how much of it shows.

<details><summary>What happens at the end</summary>

No. Which name the reader says instead you cannot know: what comes below prints it, for all texts.

</details>"""


def small(*more) -> str:
    """A deck of all kinds of slides but for figures, as they bring plotly."""
    data = {PAGE: {"page": view_page.fragment(VIEWS["text"]())}, "text/plain": "a text"}
    return made_of(
        text("# 04 · gates: a memory\n\nGates **keep**."),
        text("## Build\n\n### A gate\n\nA share of the **old** state."),
        note("Ask what breaks at 0."),
        code(ASKED),
        code("a = 1\nb = 2\nprint(a)", "1", focus=[[1, 1], [2, 2]], headline=["ab", "a", "b"]),
        code("view", data=data),
        *more,
    )


def lecturers(page):
    """The window of notes."""
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    opened.value.wait_for_selector(READY)
    return opened.value


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def where(page) -> str:
    return page.evaluate("location.hash.slice(1)")


def walked(page) -> list[str]:
    """Press the clicker to the end; return what the address was at each press."""
    places = []
    while True:
        place, scrolled, wrong = page.evaluate(SEEN)
        assert wrong == []
        if [place, scrolled] in places:
            assert places[-1] == [place, scrolled]  # the end, not a round
            return list(dict.fromkeys(place for place, _ in places))
        places.append([place, scrolled])
        page.keyboard.press("PageDown")


WALKED = [TOLD[0], *(pytest.param(name, marks=pytest.mark.slow) for name in TOLD[1:])]


def unpacked(printed):
    """A PDF and what it holds in streams of objects, as Firefox writes it."""
    streams = re.findall(rb"/ObjStm.*?stream\r?\n(.*?)endstream", printed, re.S)
    return printed + b"".join(zlib.decompressobj().decompress(stream) for stream in streams)


@pytest.mark.parametrize("name", WALKED)
def test_a_lecture_is_walked_from_first_to_last_and_printed(stage, name):
    page = stage(deck.page(run_of(name))[0])
    heads = page.evaluate(HEADLINES)
    assert [head for head, after in pairwise(heads) if head == after] == []
    assert page.evaluate(TALL) == []
    slides = page.locator(".slide")
    steps = sum(int(slide.get_attribute("data-steps")) for slide in slides.all())
    places = walked(page)
    assert len(places) == slides.count() + steps
    assert page.evaluate(BROKEN) == []
    views = page.locator(".picture .seqviz-page").count()
    assert views == page.locator('.picture .seqviz[data-ready="true"]').count() > 0
    notes = lecturers(page)
    notes.keyboard.press("PageUp")
    page.wait_for_function("place => location.hash === '#' + place", arg=places[-2])
    notes.close()
    printed = unpacked(page.pdf(prefer_css_page_size=True, print_background=True))
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == slides.count()


@pytest.mark.parametrize("size", [(833, 640), (1920, 1080)], ids=str)
def test_every_kind_of_slide_fits(stage, size):
    size = dict(zip(("width", "height"), size, strict=True))
    page = stage(small(text(LONG), FIGURE), size=size, dark=True)
    assert walked(page)[-1] == "four-letters-view"
    paper = page.evaluate("getComputedStyle(document.querySelector('.deck')).backgroundColor")
    assert paper != "rgb(255, 255, 255)"


def test_axe_finds_nothing_in_slides(stage):
    page = stage(small())
    for slide in page.locator(".slide").all():
        name = slide.get_attribute("id")
        page.evaluate("name => { location.hash = name; }", name)
        assert found_by_axe(page, ".now") == [], name


def test_the_key_that_opens_the_help_closes_it(stage):
    page = stage(small())
    press(page, "?", "PageDown")
    assert page.locator("dialog").is_visible()
    assert where(page) == "start"
    press(page, "?", "PageDown")
    assert not page.locator("dialog").is_visible()
    assert where(page) == "a-gate"


def test_an_answer_is_hidden_until_it_is_told_and_digits_vote(stage):
    page = stage(small(), "#a-gate-question")
    because, told = page.locator(".because"), page.locator(".now .because, .now .why")
    assert not any(part.is_visible() for part in told.all())
    press(page, *"1221", "Backspace")
    assert page.locator(".now .count").all_inner_texts() == ["", ""]
    assert page.locator(".now .tally").inner_text() == "3 votes"
    hidden = "part => part.classList.contains('later')"
    press(page, "o")
    assert because.evaluate(hidden), "the overview tells no answer before its vote"
    press(page, "o", "a")
    assert where(page) == "a-gate-question.1"
    assert page.locator(".now .because").inner_text() == "it keeps"
    assert page.locator(".now .count").all_inner_texts() == ["1", "2"]
    press(page, "PageDown", "o")
    assert not because.evaluate(hidden)
    press(page, "o", "PageUp", "1", "Enter")  # no vote any more: the number of a slide
    assert where(page) == "start"


def test_a_vote_a_talk_a_second_vote_and_both_on_the_wall(stage):
    page = stage(small(), "#a-gate-question")
    notes = lecturers(page)
    hint, tally, count = (
        notes.locator(".hint"),
        page.locator(".now .tally"),
        page.locator(".now .count"),
    )
    press(page, *"112", "Backspace")
    expect(hint).to_have_text("100 % are right: go on")
    notes.get_by_label("first vote by hand, option 2").press("2")
    expect(hint).to_have_text("50 % are right: let them talk")
    press(notes, "v")
    expect(tally).to_have_text(re.compile(r"^Talk with your neighbours (1:00|0:5\d)$"))
    press(page, "2", "Backspace")  # too late
    press(page, "PageUp")
    expect(tally).to_have_text("4 votes")
    page.get_by_role("button", name="talk, vote again").click()
    press(notes, "v")
    expect(tally).to_have_text("second vote · 0 votes")
    press(page, *"2111", "PageUp")
    expect(tally).to_have_text(re.compile("Talk"))
    press(page, "PageDown")
    expect(tally).to_have_text("second vote · 4 votes")
    expect(hint).to_have_text("75 % are right")
    assert count.all_inner_texts() == ["", ""], "the wall shows none while one is open"
    assert page.locator(".live").inner_text() == "Which gate?: second vote"
    press(page, "PageDown")
    assert where(page) == "a-gate-question.1"
    assert [text.split() for text in count.all_inner_texts()] == [
        ["first", "2", "second", "3"],
        ["first", "2", "second", "1"],
    ]
    shares = "all => all.map(one => ['--share', '--again'].map(n => one.style.getPropertyValue(n)))"
    found = page.locator(".now .option").evaluate_all(shares)
    assert found == [["50%", "75%"], ["50%", "25%"]]
    assert found_by_axe(page, ".now") == []
    assert found_by_axe(notes, ".votes") == []
    with notes.expect_download() as saved:
        notes.get_by_role("button", name="save counts").click()
    assert Path(saved.value.path()).read_text() == (
        "lecture,question,option,first,second\n"
        "04_gates,Which gate?,f,2,3\n04_gates,Which gate?,i,2,1\n"
    )


def test_the_lecturer_has_notes_a_clock_and_keys_for_both_windows(stage):
    page = stage(small(), "#a-gate")
    notes = lecturers(page)
    notes.wait_for_function("document.querySelector('.desk .words').textContent.includes('at 0')")
    assert "planned here: minute 1 to 2" in notes.locator(".pace").inner_text()
    press(notes, "PageDown")
    page.wait_for_function("location.hash === '#a-gate-question'")
    assert "Answer: f." in notes.locator(".desk .words").inner_text()
    press(page, "1")
    expect(notes.locator(".votes td").nth(1)).to_have_text("1 · 100 %")
    press(page, "PageDown")
    notes.wait_for_function("document.querySelector('.now .slide').classList.contains('told')")
    page.reload()
    page.wait_for_selector(READY)
    press(notes, "PageDown")
    page.wait_for_function("location.hash === '#a-gate-code'")
    press(notes, "b")
    page.wait_for_selector(".black", state="visible")
    assert not notes.locator(".black").is_visible()


def test_a_link_opens_its_step_and_one_with_nonsense_the_first_slide(stage):
    page = stage(small(), "#a-gate-code.2")
    assert page.locator(".now .line.lit").inner_text().strip() == "b = 2"
    assert page.locator(".live").inner_text() == "b"
    press(page, "o")
    page.locator(".frame").first.click()
    assert where(page) == "start"
    for nonsense in ("#nothing", "#%", "#99", "#<b>x</b>", "#notes:"):
        page.evaluate("hash => { location.hash = hash; }", nonsense)
        page.wait_for_function("location.hash === '#start'")
        told = page.locator(".toast").inner_text()
        assert told.startswith(f"There is no slide “{nonsense[1:]}”"), nonsense


def test_a_view_takes_the_arrows_until_escape_and_the_clicker_turns_always(stage):
    page = stage(small(FIGURE), "#a-gate-view-2")
    assert page.locator(".now h2").inner_text() == "A gate"  # a figure's title is the headline
    assert page.locator(".now h2").evaluate("head => head.clientHeight") > 30
    press(page, "PageUp")
    assert page.locator(".now .foot").count() == 1
    assert not page.locator(".now .foot").is_visible()  # a hint of the view
    page.locator(".now .picture .stage").first.focus()
    press(page, "ArrowRight")
    assert where(page) == "a-gate-view"
    press(page, "Escape", "ArrowLeft")
    assert where(page) == "a-gate-code.2"
    press(page, "ArrowRight")
    page.locator(".now .picture .stage").first.focus()
    press(page, "PageUp")
    assert where(page) == "a-gate-code.2"
    press(page, "PageDown")
    before = page.locator(".picture .seqviz").first.inner_html()
    press(page, "o")
    for _ in range(5):
        page.evaluate("new Promise(requestAnimationFrame)")
    after = page.locator(".picture .seqviz").first.inner_html()
    assert after == before, "in the overview a view is the same"


def test_each_depth_of_a_machine_is_a_step_of_its_slide(stage):
    view = VIEWS["machine"]()
    data = {PAGE: view_page.kept(view, set()), "text/plain": "a machine"}
    page = stage(small(code("view", data=data), text("### The end\n\nIt **ends**.")))
    press(page, "End", "ArrowLeft")
    machine = page.locator(".now .seqviz")
    steps = []
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"):
        expect(machine).to_have_attribute("aria-busy", "false")
        shown = machine.evaluate("view => [view.dataset.depth, view.scrollHeight > "
                                 "view.closest('.picture').clientHeight + 1]")  # fmt: skip
        steps.append(shown)
        press(page, key)
    assert steps == [[depth, False] for depth in "210121"]
    machine.locator(".crumb").first.click()
    assert machine.get_attribute("data-depth") == "0", "a hand may go where it wants"
    press(page, "PageDown")
    assert where(page) == "end"


def test_a_view_keeps_what_bears_the_name_of_a_part_of_the_deck(stage):
    names = ("live", "at", "typed", "clock", "used", "pace", "run", "zero", "track", "toast")
    parts = "".join(f'<button class="{name}">mine</button>' for name in names)
    view = f'<div class="seqviz-page"><div class="seqviz" data-ready="true">{parts}</div></div>'
    cells = text("# Gates\n\nGates **keep**."), code("view", data={PAGE: {"page": view}})
    page = stage(made_of(*cells))
    for window in (page, lecturers(page)):
        kept = window.locator(".picture button").evaluate_all("all => all.map(b => b.textContent)")
        assert kept == ["mine"] * len(names)
    assert page.locator(".deck > .live").inner_text() == "Gates"


def test_hostile_texts_stay_on_their_slide(stage):
    long, token = "a headline that goes on " * 13, "x" * 60
    page = stage(
        made_of(
            text(f"# {long[:300]}\n\n{token} **{token}**."),
            text(f"## {token}\n\n### {long[:300]}\n\n$$f$$\n\n{long}"),
            code(
                f"sv.ask('{long[:300]}', {[token + str(k) for k in range(6)]}, answer='{token}0',"
                f" because='{long[:200]}', wrong={{'{token}1': '{long[:200]}'}})"
            ),
            code("\n".join(f"{token}_{k} = '{token}'" for k in range(40)), token * 5),
        )
    )
    assert len(walked(page)) == 5
    page.set_viewport_size({"width": 500, "height": 700})
    page.wait_for_timeout(300)
    press(page, "Home")
    assert len(walked(page)) == 5
