"""What asks, on pages without a kernel: by hand, keys and touch; what the browser keeps."""

import csv
import io

import nbformat
import pytest
from playwright.sync_api import expect

import seqviz as sv
from seqviz import site
from seqviz.asking import table
from seqviz.execution import Run
from seqviz.site.frame import SHARED, styles
from seqviz.site.knowing import know_page
from tests.browser.conftest import listen
from tests.browser.shown import found_by_axe

pytestmark = pytest.mark.browser

LINES = ["e = h @ s", "a = softmax(e)", "c = a @ h"]
STRAYS = {"a = e / e.sum()": "Scores can be `negative`."}
SHOWN = {
    "sv.ask(1)": sv.ask("What is `1 + 1`?", ["1", "=2"], answer="=2", because="Count."),
    "2": "2",
    "sv.ask(2)": sv.ask("<b>?", ["<i>", "no"], answer="<i>", because="Text stays text."),
    "sv.order()": sv.order("Attend.", LINES, STRAYS, because="Score, weigh, mix."),
    "sv.again()": sv.again("03"),
    "sv.recap()": None,
}
FORBID = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('forbidden'); }})"
FILL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A notebook that asks, and the page of all questions that come back."""
    shown = {**SHOWN, "sv.recap()": sv.recap()}
    view = '<div class="seqviz" data-question=""></div>'  # as a view's control of that name has it
    head = f"# 03 · asked: a page\n\nWhat is asked.\n\n{view}"
    cells = [nbformat.v4.new_markdown_cell(head)]
    for source, value in shown.items():
        data = {"text/plain": repr(value)}
        if not isinstance(value, str):
            data["text/html"] = value._repr_html_()
        output = nbformat.v4.new_output("execute_result", data, execution_count=1)
        cells.append(nbformat.v4.new_code_cell(source, outputs=[output]))
    made = tmp_path_factory.mktemp("asked")
    run = Run(made / "03_asked.ipynb", nbformat.v4.new_notebook(cells=cells), 0.0, None)
    (made / "asked.html").write_text(site.page(run), encoding="utf-8")
    (made / "know.html").write_text(know_page(()), encoding="utf-8")
    (made / SHARED).mkdir()
    for name, sheet in styles().items():
        (made / SHARED / name).write_text(sheet, encoding="utf-8")
    return made


@pytest.fixture
def go(browser, folder):
    """Open a page in a browser that has kept nothing; nothing fails in it, nothing is sent."""
    contexts, problems = [], []

    def open_page(name="asked.html", first="", **device):
        context = browser.new_context(**device)
        contexts.append(context)
        if first:
            context.add_init_script(first)
        page = context.new_page()
        listen(page, problems, folder.as_uri())
        page.goto((folder / name).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems


def option(page, question, k):
    return (
        page.locator(".sv-ask[data-question]:not(.sv-order)")
        .nth(question)
        .locator("summary")
        .nth(k)
    )


def test_the_first_option_is_the_choice_and_stands_beside_the_result_and_in_the_recap(go):
    page = go()
    beside = page.locator(".jp-Cell:nth-of-type(3) .sv-said")
    expect(page.locator(".sv-recap")).to_contain_text("no prediction yet")
    option(page, 0, 0).focus()
    page.keyboard.press("Enter")
    option(page, 0, 1).click()  # read later: not the choice
    for _ in range(2):
        expect(option(page, 0, 0)).to_contain_text("your choice")
        expect(page.locator(".sv-mine")).to_have_count(1)
        expect(page.get_by_text("You said “1”. It is “=2”.")).to_have_count(2)
        expect(page.locator(".sv-recap")).to_contain_text("1 of 2 made, 0 right.")
        page.reload()
    expect(beside.or_(page.locator(".jp-OutputArea-output > .sv-said"))).to_have_count(1)
    assert found_by_axe(page, ".sv-ask") == []


def test_a_second_tab_follows_and_cannot_change_the_choice(go):
    page = go()
    other = page.context.new_page()
    other.goto(page.url)
    option(page, 0, 1).click()
    expect(option(other, 0, 1)).to_contain_text("your choice")
    option(other, 0, 0).click()
    expect(other.locator(".sv-recap")).to_contain_text("You said “=2”, and so it is.")
    expect(page.locator(".sv-mine")).to_have_count(1)


def test_predictions_are_saved_as_a_table_and_forgotten_when_asked_twice(go):
    page = go()
    option(page, 0, 1).click()
    option(page, 1, 1).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all as CSV").click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    rows = [row[1:4] for row in csv.reader(io.StringIO(text))]
    assert rows == [
        ["question", "said", "was"],
        ["What is 1 + 1?", "'=2", "'=2"],
        ["<b>?", "no", "<i>"],
    ]
    page.get_by_role("button", name="Forget all").click()
    page.get_by_role("button", name="sure?").click()
    expect(page.locator(".sv-mine, .jp-OutputArea-output > .sv-said")).to_have_count(0)


@pytest.mark.parametrize("store", [FORBID, FILL])
def test_a_store_that_keeps_nothing_is_told_and_the_page_remembers(go, store):
    page = go(first=store)
    option(page, 0, 0).click()
    expect(page.locator(".sv-kept")).to_contain_text("forgotten when the page is closed")
    expect(page.locator(".sv-recap")).to_contain_text("1 of 2 made")


def test_a_store_with_nonsense_begins_anew(go):
    page = go(
        first="const place = 'seqviz predictions';"
        "if (location.protocol === 'file:')"  # about:blank comes first
        "    localStorage.getItem(place) ?? localStorage.setItem(place, '[1')"
    )
    option(page, 0, 0).click()
    expect(page.locator(".sv-kept")).to_contain_text("begins anew")
    expect(page.locator(".sv-recap")).to_contain_text("1 of 2 made")


def test_lines_are_ordered_by_keys_and_the_first_fault_is_named(go):
    page = go()
    given, used = page.locator(".sv-list").nth(0), page.locator(".sv-list").nth(1)
    verdict = page.locator(".sv-verdict")

    def check(said):
        page.get_by_role("button", name="Check").click()
        expect(verdict).to_have_text(said)

    def use(line):
        given.get_by_role("button", name=line, exact=True).press("Enter")

    for line in ("c = a @ h", "e = h @ s", "a = e / e.sum()"):
        use(line)
    check("✗ Not yet. Line 3: Scores can be negative.")
    used.get_by_role("button", name="a = e / e.sum()", exact=True).press("Enter")
    check("✗ Not yet. One line is missing.")
    use("a = softmax(e)")
    check("✗ Not yet. Line 1: It uses a, which a = softmax(e) makes.")
    first = used.get_by_role("button", name="c = a @ h", exact=True)
    first.press("Shift+ArrowDown")
    first.press("Shift+ArrowDown")
    expect(first).to_be_focused()
    check("✓ Right. Score, weigh, mix.")


def test_lines_are_dragged_and_a_line_let_go_outside_stays(go):
    page = go(viewport={"width": 900, "height": 900})
    page.locator(".sv-order").scroll_into_view_if_needed()
    given, used = page.locator(".sv-desk > div").nth(0), page.locator(".sv-desk > div").nth(1)

    def drag(handle, x, y):
        box = handle.bounding_box()
        page.mouse.move(box["x"] + 8, box["y"] + 8)
        page.mouse.down()
        page.mouse.move(x - 20, y, steps=3)
        page.mouse.move(x, y, steps=3)
        page.mouse.up()

    there = used.bounding_box()
    lines = used.locator("[data-line]")
    drag(given.locator(".sv-handle").nth(2), there["x"] + 60, there["y"] + 40)
    expect(lines).to_have_count(1)
    drag(given.locator(".sv-handle").nth(0), there["x"] + 60, there["y"] + 20)
    expect(lines).to_have_count(2)
    assert lines.first.get_attribute("data-line") != "2"
    drag(used.locator(".sv-handle").nth(0), 880, 20)
    expect(lines).to_have_count(2)
    drag(used.locator(".sv-handle").nth(0), given.bounding_box()["x"] + 60, there["y"] + 60)
    expect(lines).to_have_count(1)


@pytest.mark.chromium("no other is told of fingers")
def test_by_touch_lines_and_options_are_large_enough(go):
    page = go(viewport={"width": 390, "height": 844}, has_touch=True)
    option(page, 0, 0).tap()
    expect(option(page, 0, 0)).to_contain_text("your choice")
    page.locator("[data-line]").nth(0).tap()
    page.locator("[data-line]").nth(0).tap()
    page.locator("[data-by]").first.tap()
    boxes = page.locator(".sv-ask :is(summary, button, .sv-handle)").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect())"
        ".map(({width, height}) => Math.min(width, height))"
    )
    assert min(boxes) >= 24
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.chromium("its driver cannot take scripts away")
def test_without_a_script_all_is_there_to_read(go):
    page = go(java_script_enabled=False)
    option(page, 0, 0).click()
    expect(page.get_by_text("Not this one").first).to_be_visible()
    expect(page.locator(".given li")).to_have_count(4)
    page.get_by_text("The lines in order").click()
    expect(page.locator(".sv-order pre")).to_contain_text("e = h @ s\na = softmax(e)")


def test_questions_come_back_by_days(go):
    page = go("know.html")
    status = page.locator(".sv-know > [role=status]")
    there = page.locator("[data-from]:visible")
    expect(status).to_contain_text(
        f"6 to answer now. 0 of 0 right the last time, of {3 * len(table())}"
    )
    page.get_by_label("Lectures up to").select_option("01")
    expect(there).to_have_count(3)
    right = there.locator("details[data-right] summary")
    right.nth(0).click()
    right.nth(1).click()
    there.nth(2).locator("details:not([data-right]) summary").first.click()
    expect(status).to_contain_text("Nothing to answer now. Come back on")
    expect(status).to_contain_text("2 of 3 right the last time, of 3")
    page.reload()
    expect(there).to_have_count(0)
    page.clock.install()
    page.clock.fast_forward("25:00:00")
    page.reload()
    expect(there).to_have_count(3)
    assert found_by_axe(page, ".sv-ask") == []
