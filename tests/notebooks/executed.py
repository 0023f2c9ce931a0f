"""One execution of each lecture a run: nbval's. What it leaves is what the other tests look at.

A pytest plugin; `tests/conftest.py` registers it.
"""

import copy
import re
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, IPyNbFile

from seqviz.execution import KEEP_PAGES, PAGE, Run, execute, peak_memory, tidy

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LECTURES = [path.stem for path in sorted(NOTEBOOKS.glob("[0-9][0-9]*_*.ipynb"))]

left: dict[str, Run] = {}


def run_of(name: str) -> Run:
    """The execution of a lecture: nbval's, or one of its own where nbval was not asked for it."""
    if name not in left:
        left[name] = execute(NOTEBOOKS / f"{name}.ipynb")
    return left[name]


def lecture_in(nodeid: str) -> str | None:
    """The lecture that a test executes or looks at, so that one worker does both."""
    found = re.search(r"^notebooks/(\w+)\.ipynb::|\[(\w+)\]$", nodeid)
    name = found and (found[1] or found[2])
    return name if name in LECTURES else None


def pytest_collection_modifyitems(items):
    """Execute first, look then."""
    items.sort(key=lambda item: not isinstance(item, IPyNbCell))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Let views hand over their pages before the first cell runs."""
    yield
    if isinstance(item, IPyNbCell) and PAGE not in item.parent.skip_compare:
        kernel = item.parent.kernel
        asked = kernel.execute_cell_input(KEEP_PAGES, allow_stdin=False)
        kernel.await_reply(asked, timeout=60)
        kernel.await_idle(asked, timeout=60)
        item.parent.skip_compare += (PAGE,)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """Keep what a lecture showed, as long as its kernel lives."""
    last = isinstance(item, IPyNbCell) and (nextitem is None or nextitem.parent is not item.parent)
    if last and item.path.stem in LECTURES:
        keep(item.parent, [other for other in item.session.items if other.parent is item.parent])
    return (yield)


def keep(file: IPyNbFile, cells: list[IPyNbCell]) -> None:
    """Put the outputs of nbval's cells into a copy of the notebook; not where one did not run."""
    outputs = [cell.test_outputs for cell in cells]
    notebook = copy.deepcopy(file.nb)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if len(outputs) < len(code) or None in outputs:
        return
    for cell, shown in zip(code, outputs, strict=True):
        cell.outputs = [NotebookNode(output) for output in shown]
    memory = peak_memory(file.kernel.km.provisioner.pid)
    run = Run(file.path, notebook, float("nan"), memory)
    tidy(run)
    left[file.path.stem] = run
