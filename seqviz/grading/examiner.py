"""Grades one submission: python -m seqviz.grading.examiner LIMITS FILES, the notebook as input.

A student's cells run in a process of their own, behind walls. Tests run here: that process gets
inputs and gives outputs, and no word of it is a verdict. The executed notebook is the output.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from seqviz.deadline import Hanging
from seqviz.grading.cells import SHOWN
from seqviz.grading.judging import judge
from seqviz.grading.remote import Ended, Remote
from seqviz.grading.sandbox import Limits
from seqviz.grading.watching import adopt

PRINTED = 2_000_000  # letters of an output
SLOW = "a call did not come to its end"


def failure(name: str, reason: str) -> NotebookNode:
    """The output of a cell that was not run to its end."""
    return v4.new_output("error", ename=name, evalue=reason, traceback=[f"{name}: {reason}"])


def is_test(cell: NotebookNode) -> bool:
    """Whether a cell is a test of ours that gives points."""
    mark = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and bool(mark.get("grade") and mark.get("locked"))


def examine(notebook: NotebookNode, limits: Limits, files: Path) -> None:
    """Run all cells, each where it belongs, and put their outputs into the notebook.

    Parameters
    ----------
    notebook : NotebookNode
        A mended submission whose locked cells are the source's.
    limits : Limits
        What the submission may use.
    files : Path
        A folder whose other files lie beside it while it runs.
    """
    given: list[str] = []
    with tempfile.TemporaryDirectory(prefix="seqviz-grading-") as name:
        work = Path(name)
        shutil.copytree(
            files, work, ignore=shutil.ignore_patterns("*.ipynb", ".*"), dirs_exist_ok=True
        )
        with Remote(work, limits) as student:
            for cell in notebook.cells:
                if cell.cell_type != "code":
                    continue
                mark = cell.metadata.get("nbgrader", {})
                if not is_test(cell) and mark.get("locked"):
                    given.append(cell.source)
                cell.outputs = outputs_of(cell, given, student)


def outputs_of(cell: NotebookNode, given: list[str], student: Remote) -> list[NotebookNode]:
    """What a cell gives: of a test here, of any other cell in the student's process."""
    try:
        if student.ended:
            raise Ended(student.ended)
        if is_test(cell):
            outputs, error = judge(cell.source, given, student.look)
        else:
            outputs, error = student.run(cell.source)
        return [*map(_output, outputs), *([failure(*map(str, error))] if error else [])]
    except Ended as reason:
        return [failure("NotRun", str(reason))]
    except Hanging:
        return [failure("TooLong", SLOW)]


def _output(found: tuple) -> NotebookNode:
    """An output as a notebook has it, of the kinds alone that a page without scripts can show."""
    kind, *parts = found
    if kind == "stream":
        return v4.new_output("stream", name=str(parts[0]), text=str(parts[1])[:PRINTED])
    shown = {name: str(parts[0].get(name, ""))[:PRINTED] for name in SHOWN}
    return v4.new_output("display_data", data={name: text for name, text in shown.items() if text})


def main() -> None:
    """Run the command line that the head of this file describes."""
    adopt()
    told, answer = sys.stdin, sys.stdout
    sys.stdout = sys.stderr
    notebook = nbformat.reads(told.read(), as_version=4)
    examine(notebook, Limits(**json.loads(sys.argv[1])), Path(sys.argv[2]))
    answer.write(nbformat.writes(notebook))


if __name__ == "__main__":
    main()
