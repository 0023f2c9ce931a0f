import numpy as np
import pytest

from seqviz.view import text
from tests.browser.kernel import Live
from tests.browser.shown import Page

pytestmark = pytest.mark.browser

LINES = "To be, or not to be,\nthat is the question.\n"
LETTERS = sorted(set(LINES))


def lines(times=1, units=6, **options):
    """A view of a text with made-up states and forecasts, the same at every run."""
    written = LINES * times
    tokens, t = list(written), np.arange(len(written))
    values = np.sin(np.outer(t + 1, np.arange(1, units + 1)) * 0.37)
    scores = np.cos(np.outer(t, np.arange(1, len(LETTERS) + 1)) * 0.7) * 2
    rows = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    return text(tokens, values, probabilities=rows, vocabulary=LETTERS, **options)


def forty():
    return lines(units=40)


def long():
    return lines(times=48)


@pytest.fixture
def show(once):
    return lambda make: once(Page, make).again()


def spoken(page):
    return page.locator(".say").text_content()


def cursor(page):
    return int(page.locator(".seqviz").get_attribute("data-cursor"))


def spot(page, position):
    """Where a token is on the page."""
    box = page.locator(".letters rect").nth(position - 1).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def value_of(view, unit, position):
    return f"{view.reading.values[position - 1, unit - 1]:.2f}".replace("-", "−")


def test_each_key_shows_its_value(show):
    view, page, tops = lines(), show(lines).page, set()
    page.locator(".stage").focus()
    for key, position, unit in [
        *[("Home", 1, 1), ("ArrowLeft", 1, 1), ("ArrowRight", 2, 1), ("ArrowDown", 2, 2)],
        *[("ArrowDown", 2, 3), ("ArrowUp", 2, 2), ("End", len(LINES), 2)],
        *[("ArrowRight", len(LINES), 2), ("Enter", len(LINES), 2)],
    ]:
        page.keyboard.press(key)
        expected = f"Unit {unit} is {value_of(view, unit, position)} at"
        page.wait_for_function(
            "s => document.querySelector('.say').textContent.startsWith(s)", arg=expected
        )
        assert cursor(page) == position, key
        for kind in ("number", "range"):
            assert page.locator(f"input[type={kind}]").input_value() == str(unit)
        tops.add(page.locator(".scroll").bounding_box()["y"])
    assert len(tops) == 1, "the text stays where it is"
    page.keyboard.press("Escape")
    assert cursor(page) == 0
    assert "half of" in spoken(page)
    page.keyboard.press("ArrowRight")
    assert cursor(page) == 1


def test_hover_previews_and_a_moving_click_locks(show):
    shown = show(lines)
    page, before = shown.page, cursor(shown.page)
    page.mouse.move(*spot(page, 9))
    assert cursor(page) == 9
    page.mouse.move(2, 2)
    assert cursor(page) == before
    x, y = spot(page, 12)
    shown.tremble(x, y)
    page.mouse.move(2, 2)
    assert cursor(page) == 12
    page.mouse.click(x, y)
    page.mouse.move(2, 2)
    assert cursor(page) == 0
    page.mouse.move(*spot(page, 7))
    page.keyboard.press("Enter")
    page.mouse.move(2, 2)
    assert cursor(page) == 7
    box = page.locator(".chart").bounding_box()
    at = box["x"] + 70 + (box["width"] - 78) * 0.5 / len(LINES)
    page.mouse.move(at, box["y"] + 60)
    assert cursor(page) == 1
    page.mouse.move(box["x"] + box["width"] - 9, box["y"] + 60)
    assert cursor(page) == len(LINES)
    page.mouse.move(box["x"] + 4, box["y"] + 60)
    assert cursor(page) != len(LINES)


def test_every_control_changes_the_unit(show):
    view, page = forty(), show(forty).page
    root = page.locator(".seqviz")

    def unit(number):
        page.wait_for_selector(f'.seqviz[data-unit="{number}"]', timeout=3000)
        assert spoken(page).startswith(f"Unit {number} is {value_of(view, number, cursor(page))} ")

    page.get_by_label("next unit").press("Enter")
    unit(2)
    page.get_by_label("previous unit").press("Enter")
    unit(1)
    page.locator("input[type=number]").fill("17")
    unit(17)
    page.locator("input[type=number]").fill("99")
    unit(40)
    page.locator("input[type=number]").press("Tab")
    assert page.locator("input[type=number]").input_value() == "40"
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    unit(39)
    varied = np.frombuffer(view.part_of("varied"), "<f4").reshape(-1, 2)
    page.locator("select").select_option(index=1)
    unit(int(varied[0, 0]))
    busiest = np.frombuffer(view.part_of("busiest"), "<f4").reshape(-1, 10)[cursor(page) - 1]
    button = page.locator(".panel button").nth(2)
    assert button.get_attribute("aria-label").startswith(f"show unit {busiest[2]:.0f}, here ")
    button.press("Enter")
    unit(int(busiest[2]))
    assert button.get_attribute("aria-pressed") == "true"
    assert root.get_attribute("aria-busy") == "false"
    for typed in ("999", "-3"):
        page.locator("input[type=number]").fill(typed)
        page.keyboard.press("Enter")
        assert page.locator("input[type=number]").input_value() == root.get_attribute("data-unit")


def test_a_long_text_scrolls_with_the_cursor(show):
    page = show(long).page
    page.locator(".stage").focus()
    tops = []
    for key, position in (("End", len(LINES) * 48), ("Home", 1)):
        page.keyboard.press(key)
        assert cursor(page) == position
        tops.append(page.evaluate("document.querySelector('.scroll').scrollTop"))
        below, above = page.evaluate(  # with the next picture: scrolling draws the nodes anew
            """async () => {
                await new Promise(requestAnimationFrame);
                const frame = [...document.querySelectorAll('.letters rect[stroke]')].at(-1);
                const at = frame.getBoundingClientRect();
                const window = document.querySelector('.scroll').getBoundingClientRect();
                return [at.top - window.top, window.bottom - at.top];
            }"""
        )
        assert below >= -2
        assert above >= 24
    assert tops[0] > 1000
    assert tops[1] == 0


def test_large_numbers_are_written_whole_in_the_csv(open_page):
    shown = Page(open_page(text("abc", [1e21, 3 / 64, 2.0**70]).to_html()))
    cells = [line.split(",")[2] for line in shown.csv.splitlines()[1:]]
    assert cells == [f"{np.float32(1e21):.6f}", "0.046875", f"{2**70}.000000"]


@pytest.fixture
def live(open_page):
    """A view with Python behind it, without a notebook."""
    return lambda view: Live(lambda view: Page(open_page(view.to_html())), view)


def test_own_text_runs_the_model_and_errors_reach_the_page(live):
    def run(written):
        if "!" in written:
            raise KeyError("!")
        return written, np.linspace(-1, 1, len(written) * 2).reshape(-1, 2), None

    live = live(text("hello there", np.ones((11, 5)), unit=5, run=run))
    page = live.page
    field, button = page.locator(".own input"), page.locator(".own button")
    field.fill("abc")
    button.press("Enter")
    live.answer()
    page.wait_for_selector('.seqviz[data-cursor="3"][data-unit="2"]')
    assert spoken(page) == "Unit 2 is 1.00 at “c”, the largest of 3 characters."
    assert page.locator("input[type=number]").get_attribute("max") == "2"
    assert field.input_value() == "abc"
    page.evaluate("document.addEventListener('keydown', e => e.preventDefault(), true)")
    field.fill("no!")
    field.press("Enter")  # though the page keeps that key to itself
    live.answer()
    page.wait_for_selector(".problem:not(:empty)")
    assert page.locator(".problem").text_content() == "KeyError: '!'"
    assert spoken(page) == "Unit 2 is 1.00 at “c”, the largest of 3 characters."
    field.fill("x")
    field.press("Enter")
    live.answer()
    page.wait_for_selector('.seqviz[data-cursor="1"]')
    assert page.locator(".problem").text_content() == ""
    assert button.inner_text() == "Run"


def test_python_moves_the_picture_but_not_to_what_is_not_there(live):
    page = live(lines()).page
    page.evaluate("fromPython('cursor', 5)")
    assert cursor(page) == 5
    page.evaluate("fromPython('unit', 3)")
    page.wait_for_selector('.seqviz[data-unit="3"]')
    page.evaluate("() => { window.sent = []; model.send = message => sent.push(message); }")
    page.evaluate("fromPython('cursor', 999)")
    assert cursor(page) == len(LINES)
    page.evaluate("fromPython('unit', 99)")
    page.wait_for_function("sent.length === 1")
    assert page.evaluate("sent") == [{"want": "unit 6"}]
    page.evaluate("model.tell({part: 'unit 6', problem: 'gone'})")
    assert page.locator(".problem").text_content() == "gone"


def test_without_a_kernel_all_works_but_run_which_says_so_and_can_be_pressed_again(live):
    page = live(lines(run=print)).page
    page.clock.install()
    problem, button = page.locator(".problem"), page.locator(".own button")
    for fail in ("() => {}", "() => { throw new Error('Cannot send'); }"):
        page.evaluate(f"() => {{ model.send = model.save_changes = {fail}; }}")
        page.locator(".own input").fill("abc")
        button.press("Enter")
        if "throw" not in fail:
            assert button.is_disabled()
            page.clock.fast_forward(11_000)
        assert "needs a running kernel" in problem.text_content()
        assert (button.is_enabled(), button.inner_text()) == (True, "Run")
    page.evaluate("fromPython('problem', '')")
    page.locator(".stage").press("Home")
    assert cursor(page) == 1
    assert "needs a running kernel" in problem.text_content()


def test_a_resize_keeps_the_place_of_the_reader(show):
    page = show(long).page
    page.locator(".stage").focus()
    page.keyboard.press("Home")
    seen = "document.querySelector('.chart tspan').textContent.match(/ (\\d+) to/)[1]"
    page.wait_for_function(f"{seen} == 1")
    page.evaluate("document.querySelector('.scroll').scrollTop = 1200")
    page.wait_for_function(f"{seen} > 1")
    first = int(page.evaluate(seen))
    page.set_viewport_size({"width": 700, "height": 900})
    page.wait_for_function("document.querySelector('.scroll').clientWidth < 500")
    page.wait_for_function(f"Math.abs({seen} - {first}) < 48")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.querySelector('.scroll').scrollTop") == 0
