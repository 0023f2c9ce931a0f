"""A saved notebook shows its views when it is opened again, before anything runs."""

import shutil

import nbformat
import pytest

from tests.browser.in_lab.lecture import READY, lecture_in_lab

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
