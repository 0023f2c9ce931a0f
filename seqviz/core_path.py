"""The core path of a lecture: each of its cells says that it is one, and how late it is."""

import re
from collections.abc import Iterator

from nbformat import NotebookNode

MARK = re.compile(r"<small>◆ core, .*?</small>\n*")


def mark(notebook: NotebookNode) -> None:
    """Write into each markdown cell tagged `core` how many minutes of the path have passed.

    The core cells of code right under it belong to its mark. Old marks are replaced.

    Parameters
    ----------
    notebook : NotebookNode
        The lecture; its core cells carry `minutes` in their metadata. Changed in place.
    """
    total = sum(cell.metadata.get("minutes", 0) for cell in notebook.cells)
    passed = 0.0
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            cell.source = MARK.sub("", cell.source).rstrip()
            if is_core(cell):
                below = sum(1 for _ in _code_below(notebook, index))
                cell.source = _with_mark(cell.source, passed, total, below)
        passed += cell.metadata.get("minutes", 0)


def is_core(cell: NotebookNode) -> bool:
    """Whether a cell is on the core path."""
    return "core" in cell.metadata.get("tags", [])


def _code_below(notebook: NotebookNode, index: int) -> Iterator[NotebookNode]:
    for cell in notebook.cells[index + 1 :]:
        if cell.cell_type != "code" or not is_core(cell):
            return
        yield cell


def _with_mark(source: str, passed: float, total: float, below: int) -> str:
    cells = {0: "", 1: ", with the cell below"}.get(below, f", with the {below} cells below")
    new = f"<small>◆ core, minute {passed:.0f} of {total:.0f}{cells}</small>"
    heading, _, text = source.partition("\n") if source.startswith("#") else ("", "", source)
    return "\n\n".join(part for part in (heading, new, text.strip("\n")) if part)
