"""Pages and one JupyterLab for all browser tests."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import nbformat
import pytest

from tests.browser.attention_shown import Shown
from tests.browser.page_workers import TAP
from tests.browser.shown import Grid
from tests.conftest import NOTEBOOKS

ALL_READY = """() => [...document.querySelectorAll('.seqviz-page')].every(page =>
    page.getClientRects().length === 0 || page.querySelector('.seqviz[data-ready="true"]'))"""


def listen(page, problems, *own):
    """Note each error of a page, and what it asks for beyond its own addresses."""
    inside = (*own, "data:", "blob:", "about:")
    page.on("pageerror", lambda error: problems.append(f"page error: {error}"))
    page.on("console", lambda m: m.type == "error" and problems.append(f"console: {m.text}"))
    page.on("request", lambda r: r.url.startswith(inside) or problems.append(f"request: {r.url}"))


@contextmanager
def cut_off(browser):
    """Show HTML with the network cut; a request, a page error or a console error is a failure."""
    contexts, problems = [], []

    def open_page(html_text, width=1000, dark=False, scripts=True):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            bypass_csp=True,  # playwright's waiting evaluates text; test_policy.py keeps the policy
        )
        contexts.append(context)
        context.route("**/*", lambda route: route.abort())
        page = context.new_page()
        listen(page, problems)
        page.set_content(html_text)
        if scripts:
            page.wait_for_function(ALL_READY)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def open_page(browser):
    """What shows HTML, see `cut_off`; the pages are closed after the test."""
    with cut_off(browser) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def once(browser):
    """What shows the view that a function makes, as a kind of Page: opened once a file."""
    with cut_off(browser) as open_page:
        yield cache(lambda kind, make: kind(open_page(make().to_html())))


@contextmanager
def offline(browser, folder):
    """Open pages as files, under their own policy, their workers in reach.

    What a page complains of is a failure, but for what is due.
    """
    contexts, problems = [], []

    def open_file(text, due="$^", init=TAP, ready=True, encoding="ascii", **options):
        look = {"viewport": {"width": 833, "height": 900}, **options}
        context = browser.new_context(offline=True, **look)
        contexts.append(context)
        context.add_init_script(init)
        file = folder / f"{len(contexts)}.html"
        file.write_text(text, encoding=encoding)
        page, own = context.new_page(), []
        problems.append((due, own))
        listen(page, own, "file:")
        page.goto(file.as_uri())
        if ready:
            page.wait_for_selector('.seqviz[data-ready="true"]')
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert [one for due, own in problems for one in own if not re.search(due, one)] == []


@pytest.fixture(scope="module")
def open_file(browser, tmp_path_factory):
    """What opens a page as a file, see `offline`; the pages are closed after the last test."""
    with offline(browser, tmp_path_factory.mktemp("pages")) as open_file:
        yield open_file


def lab_defaults() -> str:
    """The folder of settings that `make lab` starts JupyterLab with."""
    makefile = (NOTEBOOKS.parent / "Makefile").read_text(encoding="utf-8")
    assert re.search(r'^lab:.*\n\tJUPYTER_CONFIG_PATH="\$\(LAB_DEFAULTS\)"', makefile, re.M)
    return str(NOTEBOOKS.parent / re.search(r"LAB_DEFAULTS := \$\(CURDIR\)/([\w.]+)", makefile)[1])


class Lab:
    """A running JupyterLab over a copy of the notebooks."""

    def __init__(self, home: Path) -> None:
        self.home, self.folder = home, home / "notebooks"
        shutil.copytree(NOTEBOOKS, self.folder)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self._settle("apputils-extension", "notification", fetchNews="false", checkForUpdates=False)
        self._settle("notebook-extension", "tracker", windowingMode="none")
        # its splash screen now and then is removed twice, which is an error on the page
        self._disable("@jupyterlab/apputils-extension:splash")
        command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root"]
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": port,
            "ServerApp.port_retries": 0,
            "ServerApp.root_dir": self.folder,
            "IdentityProvider.token": "",
            "LabApp.expose_app_in_browser": True,
        }
        command += [f"--{name}={value}" for name, value in options.items()]
        self._log = (home / "lab.log").open("wb")
        self._server = subprocess.Popen(
            command, env=self._environment(), stdout=self._log, stderr=subprocess.STDOUT
        )
        self._wait()

    def _settle(self, extension: str, name: str, **settings) -> None:
        file = self.home / "settings" / "@jupyterlab" / extension / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings), encoding="utf-8")

    def _disable(self, plugin: str) -> None:
        file = self.home / "configuration" / "labconfig" / "page_config.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"disabledExtensions": {plugin: True}}), encoding="utf-8")

    def _environment(self) -> dict[str, str]:
        places = {
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "JUPYTER_CONFIG_DIR": "configuration",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "IPYTHONDIR": "ipython",
        }
        places = {name: str(self.home / place) for name, place in places.items()}
        return {**os.environ, **places, "JUPYTER_CONFIG_PATH": lab_defaults()}

    def _wait(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and self._server.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/api/status", timeout=2):
                    return
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.2)
        self.stop()
        log = (self.home / "lab.log").read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"JupyterLab did not start:\n{log}")

    def run(self, browser, name: str, *sources: str):
        """Run cells in a notebook of their own; return the page and a list of its errors."""
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
        nbformat.write(notebook, self.folder / f"{name}.ipynb")
        page = browser.new_context(viewport={"width": 1300, "height": 1000}).new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
        page.goto(f"{self.address}/lab/tree/{name}.ipynb?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        page.wait_for_function(
            """() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel
                ?.status === 'idle'""",
            timeout=60_000,
        )
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_selector('.seqviz[data-ready="true"]', timeout=60_000)
        return page, errors

    def stop(self) -> None:
        self._server.terminate()
        try:
            self._server.wait(15)
        except subprocess.TimeoutExpired:
            self._server.kill()
        self._log.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """The one JupyterLab server of the run."""
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.stop()


@pytest.fixture
def explore(open_page):
    """Show an attention explorer's page."""

    def explore(view, width=1240, **options):
        shown = Shown(open_page(view.to_html(), width=width, **options))
        shown.settle()
        return shown

    return explore


@pytest.fixture
def show_grid(open_page):
    """Show the page of a view over a grid of settings."""

    def show(view, **options):
        page = open_page(view.to_html(), **options)
        page.wait_for_selector('.seqviz[data-ready="true"]')
        return Grid(page)

    return show
