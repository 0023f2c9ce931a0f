"""Which tests run together, and the one execution of the notebooks that they share."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)  # a busy machine is not a defect
settings.load_profile("patient")

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"

TOGETHER = "tests/browser/"  # one worker runs all of these: they share a browser and a Lab server


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep a file on one worker, as `--dist loadfile` does, and `TOGETHER` as well."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return "together" if nodeid.startswith(TOGETHER) else super()._split_scope(nodeid)

    return ByFile(config, log)


def give_up(reason: str) -> None:
    """Skip where no browser can be had; in continuous integration that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What looks at the executed lectures runs where their times are measured, `alone`."""
    for item in items:
        if "published" in getattr(item, "fixturenames", ()):
            item.add_marker("alone")


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """The lectures, executed once with their pictures, and their offline pages: runs, folder."""
    from seqviz import publishing
    from seqviz.view import chromium

    if chromium.find() is None:
        give_up("no Chromium for the pictures: run .ci/browser.sh or 'playwright install chromium'")
    folder = tmp_path_factory.mktemp("site")
    files = sorted(NOTEBOOKS.glob("*.ipynb"))
    with ThreadPoolExecutor(1) as pool:  # away from the event loop of the tests' own browser
        runs = pool.submit(publishing.publish, "site", files, folder).result()
    return {run.path.stem: run for run in runs}, folder
