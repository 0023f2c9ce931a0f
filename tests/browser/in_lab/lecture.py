"""A lecture in JupyterLab, with a kernel."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import TimeoutError

IDLE = """() => {
    const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
    return kernel && kernel.connectionStatus === 'connected' && kernel.status === 'idle';
}"""
CLEAR_ALL = "() => window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')"
RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
DARK = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
READY = '.seqviz[data-ready="true"]'
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.model.toJSON().cells
    .flatMap(cell => cell.outputs ?? []).filter(output => output.output_type === 'error')
    .map(output => `${output.ename}: ${output.evalue}`)"""
WAITING = """() => window.jupyterapp.shell.currentWidget.content.model.toJSON().cells
    .filter(cell => cell.cell_type === 'code' && cell.execution_count === null)
    .map(cell => [cell.source].flat().join('').slice(0, 80))"""
ENDED = f"() => ({WAITING})().length === 0 || ({ERRORS})().length > 0"


@contextmanager
def lecture_in_lab(browser, lab, name):
    """A notebook in JupyterLab, all cells run; checks at the end that the page stayed clean."""
    context = browser.new_context(viewport={"width": 1300, "height": 1100})
    page = context.new_page()
    errors, outside = [], []
    own = (lab.address, lab.address.replace("http", "ws"), "data:", "blob:", "about:")
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.on("request", lambda r: r.url.startswith(own) or outside.append(r.url))
    page.goto(f"{lab.address}/lab/tree/{name}.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_function(IDLE, timeout=60_000)
    page.set_default_timeout(180_000)
    page.evaluate(CLEAR_ALL)
    page.evaluate(RUN_ALL)
    try:
        page.wait_for_function(ENDED)  # after an error the cells below it do not run
    except TimeoutError:
        status = page.evaluate(
            "window.jupyterapp.shell.currentWidget.sessionContext.kernelDisplayStatus"
        )
        pytest.fail(f"{name}: not run, the kernel is {status}: {page.evaluate(WAITING)}")
    assert page.evaluate(ERRORS) == []
    page.wait_for_function("() => !document.querySelector('.seqviz:not([data-ready])')")
    page.set_default_timeout(15_000)
    yield page
    context.close()
    assert errors == []
    assert outside == []
