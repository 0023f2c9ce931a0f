"""A submission in the order, and with the locked cells, of the copy that was handed out."""

from collections import defaultdict
from copy import deepcopy

from nbformat import NotebookNode

START = None  # where cells stand that come before all of ours


def mend(submitted: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """Put a student's answers, and cells of their own, into the copy that was handed out.

    Parameters
    ----------
    submitted : NotebookNode
        What came: cells may lack, stand twice, be changed or moved.
    released : NotebookNode
        The copy.

    Returns
    -------
    NotebookNode
        The copy's cells in their order, its kernel, and in it the last answer to each exercise;
        cells of the student's own stand after the cell that they followed.
    list of str
        What was not as handed out.
    """
    known = {name_of(cell): cell for cell in released.cells if name_of(cell)}
    prose = {cell.get("id") for cell in released.cells} | {c.source for c in released.cells}
    answers, own, notes = {}, defaultdict(list), []
    after = START
    for cell in submitted.cells:
        name = name_of(cell)
        if name in known:
            if name in answers:
                notes.append(f"cell {name} stands there twice: the last one is graded")
            answers[name] = cell
            after = name
        elif cell.cell_type == "code" and cell.get("id") not in prose and cell.source not in prose:
            own[after].append(plain(cell))
    mended = deepcopy(released)
    mended.cells = list(own[START])
    for cell in released.cells:
        name = name_of(cell)
        mended.cells.append(chosen(cell, answers.get(name), notes) if name else deepcopy(cell))
        mended.cells += own[name] if name else []
    if submitted.metadata.get("kernelspec", {}).get("name") != released.metadata.kernelspec.name:
        notes.append("its kernel was another one: it was run with the assignment's")
    return mended, notes


def name_of(cell: NotebookNode) -> str | None:
    """The name of a cell that nbgrader knows."""
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def chosen(ours: NotebookNode, theirs: NotebookNode | None, notes: list[str]) -> NotebookNode:
    """The answer of an exercise; of a locked cell our own."""
    cell, mark = deepcopy(ours), ours.metadata.nbgrader
    if theirs is None:
        notes.append(f"cell {name_of(ours)} is missing: it was put back")
    elif mark.locked and theirs.source.strip() != ours.source.strip():
        notes.append(f"cell {name_of(ours)} is locked and was changed: ours was run")
    elif not mark.locked:
        cell.source = theirs.source
    return cell


def plain(cell: NotebookNode) -> NotebookNode:
    """A cell of the student's own, without what nbgrader would read in it."""
    cell = deepcopy(cell)
    cell.metadata = NotebookNode()
    cell.update(outputs=[], execution_count=None)
    return cell
