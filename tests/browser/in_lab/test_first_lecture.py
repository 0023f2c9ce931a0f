"""Notebook 01 as a student meets it: in JupyterLab, with a kernel."""

import pytest

from tests.browser.in_lab.lecture import READY, lecture_in_lab

pytestmark = pytest.mark.browser

ASK_KERNEL = """async expression => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const request = kernel.requestExecute(
        {code: '', silent: true, user_expressions: {value: expression}});
    const reply = await request.done;
    return reply.content.user_expressions.value.data['text/plain'];
}"""


@pytest.fixture(scope="module")
def page(browser, lab):
    with lecture_in_lab(browser, lab, "01_rnn_hello") as page:
        yield page


def first(page, name):
    view = page.locator(f'.seqviz[data-view="{name}"]').first
    view.scroll_into_view_if_needed()
    return view


def ask_kernel(page, expression):
    return page.evaluate(ASK_KERNEL, expression)


def expect(view, **attributes):
    """Wait until the view's data attributes have these values."""
    wanted = "".join(f'[data-{name}="{value}"]' for name, value in attributes.items())
    view.and_(view.page.locator(wanted)).wait_for()


def test_every_view_and_figure_draws(page):
    assert page.locator(".seqviz").count() == page.locator(READY).count() >= 2
    assert page.locator(".js-plotly-plot .main-svg").count() > 0


def test_a_drag_on_the_slider_steps_through_the_word(page):
    view = first(page, "unroll")
    slider = view.locator('input[type="range"]').first
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 4, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 2, middle, steps=8)
    page.mouse.up()
    expect(view, step=1)
    assert "t = 1" in view.locator(".stage").text_content()


def test_another_word_is_read(page):
    view = first(page, "unroll")
    field = view.get_by_label("text that the net reads")
    field.fill("hole")
    page.keyboard.press("Enter")
    view.locator(".stage").focus()
    page.keyboard.press("End")
    expect(view, step=3)
    field.fill("hexlo")
    assert "x" in view.locator(".problem").inner_text()
    field.fill("hello")
    view.locator(".problem:empty").wait_for(state="attached")
    page.keyboard.press("Enter")


def test_the_kernel_follows_the_picture(page):
    view = first(page, "text")
    view.locator(".stage").focus()
    before = int(ask_kernel(page, "view.unit"))
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f'.seqviz[data-view="text"]:not([data-unit="{before}"])')
    after = int(view.get_attribute("data-unit"))
    page.wait_for_timeout(500)  # the change travels to Python
    assert int(ask_kernel(page, "view.unit")) == after


def test_the_readers_own_text_runs_through_the_model(page):
    view = first(page, "text")
    field = view.get_by_label("your own text")
    field.fill("KING: good morrow")
    view.get_by_role("button", name="Run").click()
    page.wait_for_function(
        "view => view.querySelectorAll('svg.letters .token').length === 15",  # two are spaces
        arg=view.element_handle(),
    )
    assert ask_kernel(page, "''.join(view.reading.tokens)") == "'KING: good morrow'"
    field.fill("ROMÉO")
    view.get_by_role("button", name="Run").click()
    view.locator(".problem:not(:empty)").wait_for()
    assert "'É'" in view.locator(".problem").inner_text()
    assert ask_kernel(page, "''.join(view.reading.tokens)") == "'KING: good morrow'"


def test_jupyters_command_keys_do_not_act_from_inside_a_view(page):
    cells = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
    before, view = page.evaluate(cells), first(page, "unroll")
    for inside in (view.locator(".stage"), view.locator('input[type="range"]').first):
        inside.focus()
        for key in ("a", "b", "x", "d", "d"):
            page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert page.evaluate(cells) == before
    assert view.is_visible()


def test_jupyters_own_chords_act_from_inside_a_view(page):
    page.evaluate(
        """() => {
            window.executed = [];
            window.jupyterapp.commands.commandExecuted.connect((_, {id}) => executed.push(id));
        }"""
    )
    view = first(page, "unroll")
    commands = {"Control+s": "docmanager:save", "Control+b": "application:toggle-left-area"}
    for inside in (view.locator(".stage"), view.locator('input[type="range"]').first):
        for key, command in commands.items():
            inside.focus()
            page.keyboard.press("a")  # the view's: no command
            page.keyboard.press(key)
            page.wait_for_function("executed.length > 0")
            assert page.evaluate("executed.splice(0)") == [command]
