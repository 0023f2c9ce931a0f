"""Starts an examiner for a submission, and takes nothing from one that did not come to its end."""

import json
import os
import signal
import subprocess
import sys
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from seqviz.grading.examiner import failure, is_test
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
            text, told = examiner.communicate(nbformat.writes(notebook), limits.seconds + GRACE)
        except subprocess.TimeoutExpired:
            _kill(examiner)
            return unrun(notebook, f"the examiner was stopped after {limits.seconds + GRACE:g} s")
    if examiner.returncode == 0:
        return nbformat.reads(text, as_version=4)
    last = next(iter(reversed(told.strip().splitlines())), f"exit {examiner.returncode}")
    return unrun(notebook, f"the examiner did not come to its end ({last[:200]})")


def unrun(notebook: NotebookNode, reason: str) -> NotebookNode:
    """A copy each of whose tests has the reason as its error."""
    executed = deepcopy(notebook)
    for cell in executed.cells:
        if is_test(cell):
            cell.outputs = [failure("NotRun", reason)]
    return executed


def _kill(process: subprocess.Popen) -> None:
    """End a process and all that it started."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
