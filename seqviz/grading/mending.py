"""A submission in the order, and with the locked cells, of the copy that was handed out."""

import ast
from collections import defaultdict
from copy import deepcopy

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
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
        The copy's cells in their order, its kernel, and in it the answers, wherever they stood;
        other cells of the student's own stand after the cell that they followed.
    list of str
        What was not as handed out.
    """
    known = {name_of(cell): cell for cell in released.cells if name_of(cell)}
    prose = {cell.get("id") for cell in released.cells} | {c.source for c in released.cells}
    answers, own, notes = defaultdict(list), defaultdict(list), []
    after = START
    for cell in submitted.cells:
        name = name_of(cell)
        if name in known:
            answers[name].append(cell.source)
            after = name
        elif cell.cell_type == "code" and cell.get("id") not in prose and cell.source not in prose:
            own[after].append(plain(cell))
    chosen = {name: choose(cell, answers[name], own, notes) for name, cell in known.items()}
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


def choose(ours: NotebookNode, theirs: list[str], own: dict, notes: list[str]) -> list:
    """The answer to an exercise, with the parts that came before it; of a locked cell our own."""
    name = name_of(ours)
    if ours.metadata.nbgrader.locked:
        if not theirs:
            notes.append(f"cell {name} is missing: it was put back")
        elif theirs[-1].strip() != ours.source.strip():
            notes.append(f"cell {name} is locked and was changed: ours was run")
        return [deepcopy(ours)]
    parts = [source for source in theirs if source.strip() != ours.source.strip()]
    if len(parts) > 1:
        notes.append(f"cell {name} stands there more than once: all are run, in their order")
    if not parts and (parts := take_defined(ours, own)):
        notes.append(f"cell {name}: the answer stood in another cell")
    elif not theirs:
        notes.append(f"cell {name} is missing: it was put back")
    *before, last = in_order(parts, ours) or [ours.source]
    cell = deepcopy(ours)
    cell.source = last
    return [*(nbformat.v4.new_code_cell(source) for source in before), cell]


def take_defined(ours: NotebookNode, own: dict) -> list[str]:
    """Take from the student's own cells those that define what an unanswered exercise asks for."""
    if ours.cell_type != "code":
        return []
    wanted, taken = defined(ours.source), []
    for place, cells in own.items():
        found = [cell for cell in cells if wanted & defined(cell.source)]
        own[place] = [cell for cell in cells if cell not in found]
        taken += [cell.source for cell in found]
    return taken


def in_order(parts: list[str], ours: NotebookNode) -> list[str]:
    """The sources of an exercise's cells; parts that only make sense together are one."""
    if ours.cell_type != "code":
        return ["\n\n".join(parts)] if parts else []
    if all(parsed(part) for part in parts):
        return parts
    whole = "\n".join(parts)
    return [whole] if parsed(whole) else parts[-1:]


def parsed(source: str) -> ast.Module | None:
    """The tree of a cell, which may have magics, or None if it cannot be run alone."""
    try:
        tree = ast.parse(TransformerManager().transform_cell(source))
        compile(tree, "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return tree
    except (SyntaxError, ValueError):  # a ValueError for a null byte
        return None


def defined(source: str) -> set[str]:
    """The functions and classes that a cell defines; if there are none, the names it sets."""
    body = getattr(parsed(source), "body", [])
    made = {node.name for node in body if isinstance(node, DEFINITIONS)}
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    return made or {target.id for target in targets if isinstance(target, ast.Name)}


def plain(cell: NotebookNode) -> NotebookNode:
    """A cell of the student's own, without what nbgrader would read in it."""
    cell = deepcopy(cell)
    cell.metadata = NotebookNode()
    cell.update(outputs=[], execution_count=None)
    return cell
