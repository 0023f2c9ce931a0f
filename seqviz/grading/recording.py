"""What nbgrader records: points of one executed submission, in its gradebook and its folders."""

import logging
import warnings
from pathlib import Path

import nbformat
from nbgrader.converters import Autograde
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    LimitOutput,
    NbGraderPreprocessor,
    OverwriteCells,
    SaveAutoGrades,
)
from sqlalchemy.exc import SAWarning

from seqviz.grading.course import Course

MENDED, EXECUTED = "mended", "executed"  # folders beside nbgrader's own


class AsExecuted(NbGraderPreprocessor):
    """Put the executed notebook in the place of the one that was handed in."""

    def preprocess(self, nb, resources):
        """Read it from its folder: the converter works in the course's root."""
        told = resources["nbgrader"]
        place = Path(EXECUTED, told["student"], told["assignment"], f"{told['notebook']}.ipynb")
        return nbformat.read(place, as_version=4), resources


class Recorded(Autograde):
    """nbgrader's autograde, whose execution has been done already."""

    sanitize_preprocessors = Autograde.sanitize_preprocessors
    autograde_preprocessors = Autograde.autograde_preprocessors

    def __init__(self, **more):
        super().__init__(**more)
        self.sanitize_preprocessors = [OverwriteCells, CheckCellMetadata]
        self.autograde_preprocessors = [
            AsExecuted,
            LimitOutput,
            SaveAutoGrades,
            AssignLatePenalties,
            CheckCellMetadata,
        ]


def record(course: Course, assignment: str, student: str) -> tuple[float, float]:
    """Record one submission; its points, and the most that tests give."""
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    directory = course.directory(assignment, student, submitted_directory=MENDED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # of nbgrader's own sessions
        Recorded(coursedir=directory, force=True).start()
    with course.gradebook() as grades:
        submission = grades.find_submission(assignment, student)
        parts = [grade for one in submission.notebooks for grade in one.grades]
        cells = [cell for one in submission.notebooks for cell in one.notebook.source_cells]
        locked = {cell.name for cell in cells if cell.locked}  # those that a hand grades are not
        tested = [grade for grade in parts if grade.cell.name in locked]
        return sum(grade.auto_score for grade in tested), sum(g.max_score for g in tested)
