"""A saved notebook shows its views when it is opened again, before anything runs."""

import shutil

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from tests.browser.in_lab.lecture import READY, lecture_in_lab
from tests.browser.in_lab.test_every_view import GENERATION, IMPORTS, MASKING

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAVE = """async () => {
    await window.jupyterapp.commands.execute('docmanager:save');
    await window.jupyterapp.shell.currentWidget.sessionContext.shutdown();
}"""
SAID = "views => views.map(view => view.querySelector('.say').textContent)"


def test_a_saved_notebook_shows_its_views_again(browser, lab):
    file = lab.folder / "saved.ipynb"
    shutil.copy(lab.folder / "01_rnn_hello.ipynb", file)
    with lecture_in_lab(browser, lab, "saved") as page:
        said = page.locator(READY).evaluate_all(SAID)
        page.evaluate(SAVE)
    saved = nbformat.read(file, as_version=4)
    assert "application/vnd.jupyter.widget-state+json" in saved.metadata.widgets
    page = browser.new_context(viewport={"width": 1300, "height": 1100}).new_page()
    page.goto(f"{lab.address}/lab/tree/saved.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    for k in range(len(said)):
        page.locator(READY).nth(k).wait_for(timeout=60_000)
    assert page.locator(READY).evaluate_all(SAID) == said
    assert page.get_by_text("Error displaying widget").count() == 0
    page.locator('.seqviz[data-view="unroll"] .stage').first.press("Home")
    page.wait_for_selector('.seqviz[data-view="unroll"][data-step="1"]')
    page.context.close()


def reopened(browser, lab, notebook):
    """What the views say, and what the problems are, in a notebook that nobody has run."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{lab.address}/lab/tree/{notebook}.ipynb?reset")
    for k in (0, 1):
        page.locator(READY).nth(k).wait_for(timeout=60_000)
    unheard = page.locator(".kernel .told", has_text="Run the cell again")
    unheard.wait_for(timeout=1500)
    page.wait_for_timeout(3000)
    told = page.locator(READY).evaluate_all(SAID)
    problems = page.locator(READY + " .problem").all_inner_texts()
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.context.close()
    return told, problems


def test_views_that_were_used_are_saved_as_they_stand(browser, lab):
    page, _ = lab.run(browser, "used", IMPORTS, MASKING, GENERATION)
    page.set_default_timeout(15_000)
    masks, writes = (page.locator(f'[data-view="{name}"]') for name in ("masking", "generation"))
    field = masks.get_by_label("your own sentence")
    first = page.locator(READY).evaluate_all(SAID)
    field.fill("the river sat")
    field.press("Enter")
    page.wait_for_selector('[data-view="masking"][data-sentence="2"]')
    for n in (1, 2, 3):
        writes.locator(".stage").press("End")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "([root, n]) => root.dataset.written.split(' ').length === n",
            arg=[writes.element_handle(), n],
        )
    page.wait_for_timeout(1000)
    last = page.locator(READY).evaluate_all(SAID)
    page.evaluate(SAVE)
    page.context.close()
    assert reopened(browser, lab, "used") == (last, ["", ""])

    # a notebook of before, or one that was saved too early
    saved = nbformat.read(lab.folder / "used.ipynb", as_version=4)
    states = saved.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"].values()
    for state in states:
        if "buffers" in state:
            names = ("sentence 1", "prompt", "after", "run greedy 0 0 4 after")
            state["buffers"] = [b for b in state["buffers"] if b["path"][1] in names]
    nbformat.write(saved, lab.folder / "used.ipynb")
    NotebookNotary().sign(saved)
    told, problems = reopened(browser, lab, "used")
    assert told[0] == first[0]
    assert told[1].startswith(first[1].split(" here")[0])
    assert all(text.endswith("run the cell again.") for text in problems), problems
