"""A submission in the order, and with the locked cells, of the copy that was handed out."""

from collections import defaultdict
from copy import deepcopy
from itertools import pairwise, takewhile

import nbformat
from nbformat import NotebookNode

from seqviz.grading.sources import (
    defined,
    go_on,
    parsed,
    parts_that_set,
    sets,
    without_later_stubs,
)

START = None  # where cells stand that come before all of ours
PARTS = 6  # a cell that was split into more is not looked for


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
        The copy's cells in their order, its kernel, and in it the answers, wherever they stood;
        other cells of the student's own stand after the cell that they followed.
    list of str
        What was not as handed out.
    """
    known = {name_of(cell): cell for cell in released.cells if name_of(cell)}
    by_id = {cell.get("id"): name_of(cell) for cell in released.cells}
    prose = by_id.keys() | {cell.source for cell in released.cells}
    answers, own, notes = defaultdict(list), defaultdict(list), []
    after = START
    for cell in sewn(submitted.cells, known, notes):
        name = name_of(cell) if name_of(cell) in known else by_id.get(cell.get("id"))
        if name:
            answers[name].append(cell.source)
            after = name
        elif cell.get("id") not in prose and cell.source not in prose:
            own[after].append(plain(cell))
    places = [START, *known]
    chosen = {}
    for before, name in pairwise(places):
        chosen[name] = choose(known[name], answers, own, (before, name), notes)
    mended = deepcopy(released)
    mended.cells = list(own[START])
    for cell in released.cells:
        name = name_of(cell)
        mended.cells += [*chosen[name], *own[name]] if name else [deepcopy(cell)]
    if submitted.metadata.get("kernelspec", {}).get("name") != released.metadata.kernelspec.name:
        notes.append("its kernel was another one: it was run with the assignment's")
    return mended, notes


def name_of(cell: NotebookNode) -> str | None:
    """The name of a cell that nbgrader knows."""
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def choose(ours: NotebookNode, answers: dict, own: dict, near: tuple, notes: list[str]) -> list:
    """The answer to an exercise, with the parts that came before it; of a locked cell our own."""
    name = name_of(ours)
    theirs = answers[name]
    if ours.metadata.nbgrader.locked:
        if not theirs:
            notes.append(f"cell {name} is missing: it was put back")
        elif theirs[-1].strip() != ours.source.strip():
            notes.append(f"cell {name} is locked and was changed: ours was run")
        return [deepcopy(ours)]
    parts = [source for source in theirs if source.strip() not in ("", ours.source.strip())]
    if len(parts) > 1:
        notes.append(f"cell {name} stands there more than once: all are run, in their order")
    if not parts and (parts := elsewhere(ours, answers, own, near)):
        notes.append(f"cell {name}: the answer stood in another cell")
        answers[name] = parts
    elif not theirs:
        notes.append(f"cell {name} is missing: it was put back")
    *before, last = in_order(parts, ours) or [ours.source]
    cell = deepcopy(ours)
    cell.source = last
    return [*(nbformat.v4.new_code_cell(source) for source in before), cell]


def elsewhere(ours: NotebookNode, answers: dict, own: dict, near: tuple) -> list[str]:
    """The answer to an unanswered exercise from the student's other cells, as far as one is there.

    In words it stands near; code where what is asked for is defined, with what came before it
    there, or in the cell of another exercise.
    """
    if ours.cell_type != "code":
        return [cell.source for place in near for cell in own[place] if cell.cell_type != "code"]
    wanted, taken = defined(ours.source), []
    for place, cells in own.items():
        found = [k for k, cell in enumerate(cells) if wanted & sets(cell.source)]
        count = max(found, default=-1) + 1
        taken += [cell.source for cell in cells[:count]]
        own[place] = cells[count:]
    merged = [] if taken else [source for sources in answers.values() for source in sources]
    return taken + [part for source in merged if (part := parts_that_set(source, wanted))][-1:]


def in_order(parts: list[str], ours: NotebookNode) -> list[str]:
    """The sources of an exercise's cells: those that can be run, the last if none can."""
    if ours.cell_type != "code":
        return ["\n\n".join(parts)] if parts else []
    return without_later_stubs([part for part in parts if parsed(part)]) or parts[-1:]


def sewn(cells: list[NotebookNode], known: dict, notes: list[str]) -> list[NotebookNode]:
    """The cells; the parts of code that was split, of which one makes no sense alone, are one."""
    rest, whole = [deepcopy(cell) for cell in cells], []
    while rest:
        first = rest.pop(0)
        whole.append(first)
        ours = known.get(name_of(first))
        if first.cell_type != "code" or (ours and first.source.strip() == ours.source.strip()):
            continue
        free = takewhile(lambda cell: not is_locked(known, cell), [first, *rest])
        codes = [cell for cell in free if cell.cell_type == "code"][:PARTS]
        parts = [(name_of(cell), cell.source) for cell in codes]
        count = next((n for n in range(len(parts), 1, -1) if go_on(parts[:n])), 1)
        for part in codes[1:count]:
            first.source += "\n" + part.source
            if name_of(first) not in known:
                first.metadata = part.metadata
            rest.remove(part)
        if count > 1:
            notes.append(f"cell {name_of(first) or 'of your own'} was split: it is run as one")
    return whole


def is_locked(known: dict, cell: NotebookNode) -> bool:
    """Whether a cell is one that students do not edit."""
    ours = known.get(name_of(cell))
    return ours is not None and ours.metadata.nbgrader.locked


def plain(cell: NotebookNode) -> NotebookNode:
    """A cell of the student's own, without what nbgrader would read in it."""
    return getattr(nbformat.v4, f"new_{cell.cell_type}_cell")(cell.source)
