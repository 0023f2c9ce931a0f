"""The commands of a lecturer, from copies to points."""

import argparse
import os
import sys
from pathlib import Path

NOTE = 500  # letters of a note, which may quote a student's code
COMMANDS = {
    "release": "make the copy of an assignment that students get",
    "collect": "take what was handed in: NAME.ipynb, or folders NAME with a notebook in each",
    "grade": "grade all that was handed in",
    "feedback": "write a page for each student",
    "points": "write all points as a table",
}


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add the commands to those of the console."""
    for name, told in COMMANDS.items():
        one = commands.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
        if name != "points":
            one.add_argument("assignment", help="such as A4")
        if name == "release":
            told = "a CSV file with a column student: a copy for each, with other numbers and sizes"
            one.add_argument("--variants", type=Path, metavar="CLASS.CSV", help=told)
        if name == "collect":
            one.add_argument("inbox", type=Path, help="the folder of submissions")
        if name == "points":
            one.add_argument("--output", type=Path, default=Path("points.csv"))
        if name == "grade":
            one.add_argument("--seconds", type=float, default=240, help="of one submission")
            one.add_argument("--memory", type=float, default=3, help="gigabytes of one submission")
            one.add_argument("--workers", type=int, default=os.cpu_count())
            told = "grade only where bubblewrap works"
            one.add_argument("--isolated", action="store_true", help=told)
        one.add_argument("--course", type=Path, default=Path("course"), help="its folder")


def run(chosen: argparse.Namespace) -> None:
    """Do what a command says.

    Raises
    ------
    ValueError
        If it cannot be done; says why, and what to do.
    """
    from seqviz.grading.course import Course

    course = Course(chosen.course)
    if chosen.command != "points":
        course.place("source", chosen.assignment)  # says what is wrong with the name
    course.root.mkdir(parents=True, exist_ok=True)
    {"release": _release, "collect": _collect, "grade": _grade, "feedback": _feedback}.get(
        chosen.command, _points
    )(course, chosen)


def _release(course, chosen) -> None:
    from seqviz.grading.copies import release
    from seqviz.grading.variants import deal

    print(release(course, chosen.assignment))
    if chosen.variants:
        folder = deal(course, chosen.assignment, chosen.variants)
        print(f"{folder}: a copy for each student; {folder.name}.csv beside it has the numbers")


def _collect(course, chosen) -> None:
    from seqviz.grading.collecting import collect

    verdicts = collect(course, chosen.assignment, chosen.inbox)
    for student, refused in verdicts.items():
        name = course.names()[student]
        whose = "" if name == student else f" (handed in as {name!a})"
        print(f"{student}{whose}: {refused or 'taken'}")


def _grade(course, chosen) -> None:
    from seqviz.grading.classes import grade
    from seqviz.grading.cleaning import plain
    from seqviz.grading.sandbox import OPEN, Limits, can_wrap

    if not can_wrap():
        if chosen.isolated:
            raise ValueError(f"--isolated: {OPEN}; install bubblewrap")
        print(f"warning: {OPEN}", file=sys.stderr)
    limits = Limits(seconds=chosen.seconds, memory=int(chosen.memory * 2**30))
    for one in grade(course, chosen.assignment, limits, chosen.workers):
        notes = "".join(f"; {' '.join(plain(note, NOTE).split())}" for note in one.notes)
        print(f"{one.student}: {one.points:g} of {one.most:g}{notes}", flush=True)


def _feedback(course, chosen) -> None:
    from seqviz.grading.feedback import feedback

    pages, problems = feedback(course, chosen.assignment)
    for page in pages:
        print(page)
    if problems:
        told = "; ".join(f"{student}: {why}" for student, why in problems.items())
        raise ValueError(f"no new page for {told}")


def _points(course, chosen) -> None:
    from seqviz.grading.points import export

    print(f"{export(course, chosen.output)} rows in {chosen.output}")
