"""The core path of a lecture: each of its cells says that it is one, and how late it is."""

import re
from collections.abc import Iterator

from nbformat import NotebookNode

MARK = re.compile(r"<small>◆ core, .*?</small>\n*")
ASKS = ("sv.ask(", "sv.order(", "sv.again(", "sv.recap(")
TOLD = re.compile(r"\d+(?= minutes in class)")
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
PICTURES = (
    "image/png",
    "application/vnd.plotly.v1+json",
    "application/vnd.jupyter.widget-view+json",
)


def mark(notebook: NotebookNode) -> None:
    """Write into each cell tagged `core` its minutes, above its text how many have passed.

    The core cells of code right under a text belong to its mark. Old marks are replaced, and where
    a text tells of "45 minutes in class".

    Parameters
    ----------
    notebook : NotebookNode
        The lecture. Changed in place; its core cells carry `minutes` in their metadata.
    """
    for cell in notebook.cells:
        cell.metadata.pop("minutes", None)
        if is_core(cell):
            cell.metadata["minutes"] = round(minutes(cell), 1)
    total = sum(cell.metadata.get("minutes", 0) for cell in notebook.cells)
    passed = 0.0
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            cell.source = TOLD.sub(f"{total:.0f}", MARK.sub("", cell.source).rstrip())
            if is_core(cell):
                below = sum(1 for _ in _code_below(notebook, index))
                cell.source = _with_mark(cell.source, passed, total, below)
        passed += cell.metadata.get("minutes", 0)


def words(cell: NotebookNode) -> int:
    """Words of a markdown cell that a class reads: without the mark and what is folded away."""
    if cell.cell_type != "markdown":
        return 0
    return len(FOLDED.sub("", MARK.sub("", cell.source)).split())


def is_asking(cell: NotebookNode) -> bool:
    """Whether a cell asks, or tells what was said, with its source hidden."""
    return cell.cell_type == "code" and cell.source.startswith(ASKS)


def is_question(cell: NotebookNode) -> bool:
    """Whether a cell asks something new."""
    return cell.cell_type == "code" and cell.source.startswith(ASKS[:2])


def lines(cell: NotebookNode) -> int:
    """Lines of code that a class reads: without blank ones, and without a question's."""
    if cell.cell_type != "code" or is_asking(cell):
        return 0
    return sum(bool(line.strip()) for line in cell.source.split("\n"))


def minutes(cell: NotebookNode) -> float:
    """Minutes that a class needs for a cell.

    130 words or 12 lines of code take one; a picture two; a question, voted on and talked about,
    three.
    """
    shown = cell.get("outputs", []) if not is_asking(cell) else []
    pictures = sum(any(kind in output.get("data", {}) for kind in PICTURES) for output in shown)
    return words(cell) / 130 + lines(cell) / 12 + 3 * is_question(cell) + 2 * pictures


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
