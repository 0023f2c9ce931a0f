"""The points of a class as a table."""

import csv
from pathlib import Path

from seqviz.grading.course import Course

HEAD = ("assignment", "student", "points", "most", "by_hand", "to_grade_by_hand")


def export(course: Course, target: Path) -> int:
    """Write a row for each student and assignment.

    Parameters
    ----------
    course : Course
        The course's folder.
    target : Path
        The CSV file.

    Returns
    -------
    int
        How many rows.

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
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD, *rows])
    return len(rows)
