"""What nbgrader records: points of one executed submission, in its gradebook and its folders."""

import json
import logging
import shutil
import warnings
from pathlib import Path

import nbformat
from nbgrader.converters import Autograde, GenerateFeedback
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
TESTS = ("### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS")


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


class Explained(NbGraderPreprocessor):
    """Hide the hidden tests, show of an error its last line, and say what was found."""

    def preprocess(self, nb, resources):
        """A page for the student."""
        told = resources["nbgrader"]
        path = Path("notes", told["assignment"], f"{told['student']}.json")
        notes = json.loads(path.read_text(encoding="utf-8"))["notes"] if path.is_file() else []
        for cell in nb.cells:
            if cell.cell_type == "code" and TESTS[0] in cell.source:
                cell.source = without_tests(cell.source)
                for output in cell.outputs:
                    if output.output_type == "error":
                        output.traceback = [f"{output.ename}: {output.evalue}"]
        if notes:
            text = "\n".join(["**Found while grading**", "", *(f"- `{note}`" for note in notes)])
            nb.cells.insert(0, nbformat.v4.new_markdown_cell(text))
        return nb, resources


def without_tests(source: str) -> str:
    """A test without its hidden part."""
    start, end = (source.find(mark) for mark in TESTS)
    rest = source[end + len(TESTS[1]) :] if end >= 0 else ""
    return f"{source[:start]}# and tests that are not shown{rest}"


class Feedback(GenerateFeedback):
    """nbgrader's feedback, without the hidden tests."""

    def __init__(self, **more):
        super().__init__(**more)
        own = self.preprocessors
        self.preprocessors = [own[0], Explained, *own[1:]]


def feedback(course: Course, assignment: str) -> list[Path]:
    """Write a page for each student who was graded.

    Parameters
    ----------
    course : Course
        The course's folder.
    assignment : str
        Such as A4.

    Returns
    -------
    list of Path
        The pages.

    Raises
    ------
    ValueError
        If nobody was graded.
    """
    if not list(course.root.glob(f"autograded/*/{assignment}")):
        raise ValueError(f"nobody was graded in {assignment}: run seqviz grade {assignment} first")
    shutil.rmtree(course.root / "feedback", ignore_errors=True)
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    Feedback(coursedir=course.directory(assignment), force=True).start()
    return sorted(course.root.glob(f"feedback/*/{assignment}/*.html"))
