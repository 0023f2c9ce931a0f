"""The points of a class as a table."""

import csv
import io
from pathlib import Path

from seqviz.files import write
from seqviz.grading.course import Course

HEAD = ("assignment", "student", "points", "most", "by_hand", "to_grade_by_hand")
FORMULA = tuple("=+-@\t\r")  # what a spreadsheet reads as the start of one


def export(course: Course, target: Path) -> int:
    """Write a CSV file with a row for each student and assignment; how many there are.

    Raises
    ------
    ValueError
        If nobody was graded.
    """
    rows = []
    with course.gradebook() as grades:
        for assignment in grades.assignments:
            for submission in sorted(assignment.submissions, key=lambda one: one.student.id):
                parts = [grade for notebook in submission.notebooks for grade in notebook.grades]
                waiting = sum(bool(grade.needs_manual_grade) for grade in parts)
                by_hand = sum(grade.manual_score or 0 for grade in parts)
                own = (assignment.name, submission.student.id, submission.score)
                rows.append((*own, submission.max_score, by_hand, waiting))
    if not rows:
        raise ValueError("nobody was graded: run seqviz grade A4 first")
    table = io.StringIO(newline="")
    csv.writer(table).writerows([HEAD, *([*map(as_text, row[:2]), *row[2:]] for row in rows)])
    write(target, table.getvalue())
    return len(rows)


def as_text(name: str) -> str:
    """A name that no spreadsheet reads as a formula."""
    return f"'{name}" if name.startswith(FORMULA) else name
