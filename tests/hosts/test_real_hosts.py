"""Every view in hosts as they are: marimo, MyST, nbconvert's page with Jupyter's html-manager.

`.github/workflows/hosts.yml` installs them, once a week; a host that is not there is skipped.
SEQVIZ_HOSTS names the folder where npm has put html-manager and requirejs.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from importlib.metadata import files
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from seqviz.views.shared.page import fragment
from tests.browser.conftest import listen
from tests.views.views import VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NODE = Path(os.environ.get("SEQVIZ_HOSTS", ""))
MYST = shutil.which("myst", path=Path(sys.executable).parent)
CDN = "access-control-allow-origin"
# What a page asks a content network for, and where it is on this disk.
FILES = {
    "require.min.js": NODE / "requirejs" / "require.js",
    "embed-amd.js": NODE / "@jupyter-widgets" / "html-manager" / "dist" / "embed-amd.js",
    "/npm/anywidget@": next(
        Path(file.locate())
        for file in files("anywidget")
        if "nbextensions/anywidget/index" in str(file)
    ),
}
KINDS = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}
PROBLEM = "root => root.querySelector('.problem').textContent"
READY = '.seqviz[data-ready="true"]'
ASKING = {"cause", "generation", "machine"}  # a model; without it they say so


def acted(page):
    """What each view says after two keys, and what it complains of."""
    page.locator(READY).nth(len(VIEWS) - 1).wait_for(timeout=90_000)
    said = {}
    for name in VIEWS:
        root = page.locator(f'.seqviz[data-view="{name}"]')
        stage = root.locator(".stage").first
        stage.press("ArrowRight")
        stage.press("Enter")
        page.wait_for_timeout(100)
        said[name] = [root.locator(".say").text_content()]
    page.wait_for_timeout(1200)
    for name in VIEWS:
        said[name].append(page.locator(f'.seqviz[data-view="{name}"]').evaluate(PROBLEM))
    return said


@pytest.fixture(scope="module")
def saved(browser):
    """What the views say in a page of ours."""
    page = browser.new_page(viewport={"width": 833, "height": 900})
    page.set_content("".join(fragment(make()) for make in VIEWS.values()))
    yield acted(page)
    page.close()


@contextmanager
def page_of(browser, address, folder=None):
    """A page of a host; its content network is on this disk, and what else it asks for fails."""
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    problems = []
    listen(page, [], "file:")
    page.on("pageerror", lambda error: problems.append(str(error)))

    def give(route):
        asked = route.request.url.partition("?")[0]
        file = next((file for part, file in FILES.items() if part in asked), None)
        if folder and "/dist/" in asked:
            file = folder / asked.partition("/dist/")[2]
        if asked.startswith(("file:", "data:", "blob:", "http://127.0.0.1")):
            route.continue_()
        elif file and file.is_file():
            kind = KINDS.get(file.suffix, "application/octet-stream")
            route.fulfill(body=file.read_bytes(), content_type=kind, headers={CDN: "*"})
        else:
            route.abort()

    page.route("**/*", give)
    page.goto(address)
    yield page
    page.close()
    assert problems == []


def compared(saved, shown, alone):
    """Each view says what it says in our page; what needs Python complains where that is gone."""
    asking = ASKING if alone else set()
    told = {name for name, (_, problem) in shown.items() if problem.startswith("No answer: this")}
    assert told == asking
    for name in shown.keys() - ASKING:  # a model answers keys, which our page without one cannot
        assert shown[name] == saved[name], name


# ---- a notebook with the state of its widgets, as Jupyter saves it


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    sources = ["from tests.views.views import VIEWS", *(f"VIEWS['{name}']()" for name in VIEWS)]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    NotebookClient(notebook, store_widget_state=True, timeout=120).execute()
    file = tmp_path_factory.mktemp("saved") / "views.ipynb"
    nbformat.write(notebook, file)
    return file


@pytest.mark.skipif(not FILES["embed-amd.js"].is_file(), reason="SEQVIZ_HOSTS has no html-manager")
def test_views_of_a_saved_notebook_in_the_page_of_nbconvert(browser, saved, notebook):
    command = [sys.executable, "-m", "nbconvert", "--to", "html", str(notebook)]
    subprocess.run(command, check=True, capture_output=True)
    with page_of(browser, notebook.with_suffix(".html").as_uri()) as page:
        compared(saved, acted(page), alone=True)


@pytest.mark.skipif(not MYST, reason="mystmd is not installed")
def test_myst_keeps_the_line_of_each_view_that_stands_where_no_kernel_is(notebook, tmp_path):
    (tmp_path / "theme").mkdir()  # a theme would be downloaded; the content is made before it
    (tmp_path / "theme" / "template.yml").write_text("jtex: v1\ntitle: none\nversion: 1.0.0\n")
    (tmp_path / "views.ipynb").write_bytes(notebook.read_bytes())
    site = {"version": 1, "project": {"title": "views"}, "site": {"template": "./theme"}}
    (tmp_path / "myst.yml").write_text(json.dumps(site))
    subprocess.run([MYST, "build", "--site"], cwd=tmp_path, check=True, capture_output=True)
    (made,) = (tmp_path / "_build" / "site" / "content").glob("*.json")
    content = made.read_text(encoding="utf-8")
    for name, make in VIEWS.items():
        assert json.dumps(make().alt, ensure_ascii=False) in content, name


# ---- marimo

CELL = """
@app.cell
def _(VIEWS):
    {name} = VIEWS["{name}"]()
    {name}
    return
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    pytest.importorskip("marimo")
    file = tmp_path_factory.mktemp("marimo") / "app.py"
    head = "import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n"
    head += "    from tests.views.views import VIEWS\n    return (VIEWS,)\n\n"
    file.write_text(head + "\n".join(CELL.format(name=name) for name in VIEWS))
    return file


def test_views_in_the_static_page_that_marimo_exports(browser, saved, app):
    import marimo

    page = app.with_suffix(".html")
    command = [sys.executable, "-m", "marimo", "export", "html", str(app), "-o", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    static = Path(marimo.__file__).parent / "_static"
    with page_of(browser, page.as_uri(), static) as page:
        compared(saved, acted(page), alone=True)


def test_views_in_marimo_with_its_kernel(browser, saved, app):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port)]
    command = [sys.executable, "-m", "marimo", "run", str(app), *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            for _ in range(60):
                with suppress(OSError), urllib.request.urlopen(address, timeout=20):
                    break
                time.sleep(0.5)
            with page_of(browser, address) as page:
                compared(saved, acted(page), alone=False)
        finally:
            server.terminate()
