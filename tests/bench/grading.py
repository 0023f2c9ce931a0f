"""How long does a class take to grade, and is anything lost when the grader is killed?

`python -m tests.bench.grading A4` hands in 200 submissions made of the answers beside A4, whose
points are known, grades them, kills the grader when a half is done, starts it again, and compares
every student's points. `--students N` takes fewer.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from seqviz.grading.collecting import collect
from seqviz.grading.copies import release
from seqviz.grading.course import Course
from tests.assignments.handing_in import mixed, submission
from tests.assignments.reading import SOURCES, exercises


def graded(course: Course, assignment: str, stop: int | None = None) -> dict[str, float]:
    """Run the console's command; it is killed after so many students."""
    command = [sys.executable, "-m", "seqviz.command", "grade", assignment]
    command += ["--course", str(course.root)]
    points = {}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as one:
        for line in one.stdout:
            student, told = line.split(": ", 1)
            points[student] = float(told.split(" of ")[0])
            if len(points) == stop:
                os.killpg(one.pid, signal.SIGKILL)
                break
    return points


def main() -> None:
    """Run the command line that the head of this file describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assignment", nargs="?", default="A4")
    parser.add_argument("--students", type=int, default=200)
    chosen = parser.parse_args()
    source = next(path for path in SOURCES if path.parent.name == chosen.assignment)
    known = exercises(source)
    with tempfile.TemporaryDirectory() as name:
        course, inbox = Course(Path(name, "course")), Path(name, "inbox")
        copy = nbformat.read(release(course, chosen.assignment), as_version=4)
        inbox.mkdir()
        expected = {}
        for k in range(chosen.students):
            notebook, expected[f"s{k}"] = submission(copy, known, mixed(k))
            nbformat.write(notebook, inbox / f"s{k}.ipynb")
        collect(course, chosen.assignment, inbox)
        start = time.monotonic()
        half = graded(course, chosen.assignment, chosen.students // 2)
        middle = time.monotonic()
        points = graded(course, chosen.assignment)
        end = time.monotonic()
    wrong = {student for student, most in expected.items() if points.get(student) != most}
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{chosen.students} submissions of {chosen.assignment} on {os.cpu_count()} cores")
    print(f"killed after {len(half)}: {middle - start:.0f} s; all: {end - start:.0f} s")
    print(
        f"a submission: {(end - start) / chosen.students:.1f} s; largest process {largest:.0f} MB"
    )
    print(f"points that differ: {sorted(wrong) or 'none'}")


if __name__ == "__main__":
    main()
