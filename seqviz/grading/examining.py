"""Starts an examiner for a submission, and takes nothing from one that did not come to its end."""

import json
import os
import signal
import subprocess
import sys
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path

from nbformat import NotebookNode, from_dict

from seqviz.grading.examiner import GIVEN, TEST, THEIRS, failure
from seqviz.grading.sandbox import Limits

GRACE = 60.0  # seconds that an examiner has beside the submission's own


def execute(notebook: NotebookNode, limits: Limits, files: Path) -> NotebookNode:
    """Run a notebook, and give it back with its outputs.

    Parameters
    ----------
    notebook : NotebookNode
        The notebook.
    limits : Limits
        What it may use.
    files : Path
        A folder whose other files lie beside it while it runs.

    Returns
    -------
    NotebookNode
        A copy; tests that did not come to their end have an error that says why.
    """
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    told = json.dumps([(whose(cell), cell.source) for cell in codes])
    command = [sys.executable, "-m", "seqviz.grading.examiner", json.dumps(asdict(limits))]
    with subprocess.Popen(
        [*command, str(files)],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as examiner:
        try:
            text, errors = examiner.communicate(told, limits.seconds + GRACE)
        except subprocess.TimeoutExpired:
            _kill(examiner)
            return unrun(notebook, f"the examiner was stopped after {limits.seconds + GRACE:g} s")
    if examiner.returncode:
        last = next(iter(reversed(errors.strip().splitlines())), f"exit {examiner.returncode}")
        return unrun(notebook, f"the examiner did not come to its end ({last[:200]})")
    executed = deepcopy(notebook)
    ran = (cell for cell in executed.cells if cell.cell_type == "code")
    for cell, outputs in zip(ran, json.loads(text), strict=True):
        cell.outputs = from_dict(outputs)
    return executed


def whose(cell: NotebookNode) -> str:
    """Whose a cell of code is: a test of ours that gives points, given by us, or the student's."""
    mark = cell.metadata.get("nbgrader", {})
    if not mark.get("locked"):
        return THEIRS
    return TEST if mark.get("grade") else GIVEN


def unrun(notebook: NotebookNode, reason: str) -> NotebookNode:
    """A copy each of whose tests has the reason as its error."""
    executed = deepcopy(notebook)
    for cell in executed.cells:
        if cell.cell_type == "code" and whose(cell) == TEST:
            cell.outputs = from_dict([failure("NotRun", reason)])
    return executed


def _kill(process: subprocess.Popen) -> None:
    """End a process and all that it started."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
