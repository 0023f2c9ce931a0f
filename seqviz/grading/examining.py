"""Keeps examiners at work, and takes nothing from one that did not come to its end."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path

from nbformat import NotebookNode, from_dict

import seqviz
from seqviz.grading.examiner import GIVEN, TEST, THEIRS, failure
from seqviz.grading.sandbox import Limits

GRACE = 60.0  # seconds that an examiner has beside the submission's own


class _Examiner:
    """One process that examines one submission after the other."""

    def __init__(self) -> None:
        places = [str(Path(seqviz.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "seqviz.grading.examiner"],  # no module of this folder
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(places)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            encoding="utf-8",
        )

    def examine(self, request: str, seconds: float) -> list[list[dict]] | str:
        """The outputs of a submission's cells, or why there are none."""
        timer = threading.Timer(seconds, self.end)
        timer.start()
        try:
            self.process.stdin.write(f"{request}\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except OSError:
            answer = ""
        finally:
            timer.cancel()
        if answer.endswith("\n"):
            return json.loads(answer)
        self.end()
        return f"exit {self.process.returncode}"

    def end(self) -> None:
        """End the process and what it started."""
        if self.process.poll() is not None:
            return
        if os.name == "posix":
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()


class Examiners:
    """So many examiners as work beside each other, each started when it is needed.

    Parameters
    ----------
    count : int
        How many.
    """

    def __init__(self, count: int):
        self._idle: queue.LifoQueue[_Examiner | None] = queue.LifoQueue()
        for _ in range(count):
            self._idle.put(None)

    def __enter__(self) -> "Examiners":
        """Themselves; all are gone when the block is left."""
        return self

    def __exit__(self, *_) -> None:
        """End those that wait for work; the others end with their submissions' clocks."""
        while not self._idle.empty():
            if examiner := self._idle.get():
                examiner.end()

    def execute(self, notebook: NotebookNode, limits: Limits, files: Path) -> NotebookNode:
        """Run a notebook, and give it back with its outputs.

        Parameters
        ----------
        notebook : NotebookNode
            A mended submission whose locked cells are the source's.
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
        cells = [(whose(cell), cell.source) for cell in codes]
        examiner = self._idle.get() or _Examiner()
        found = examiner.examine(
            json.dumps([cells, asdict(limits), str(files)]), limits.seconds + GRACE
        )
        self._idle.put(examiner if examiner.process.poll() is None else None)
        if isinstance(found, str):
            return unrun(notebook, f"the examiner did not come to its end ({found})")
        executed = deepcopy(notebook)
        ran = (cell for cell in executed.cells if cell.cell_type == "code")
        for cell, outputs in zip(ran, found, strict=True):
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
