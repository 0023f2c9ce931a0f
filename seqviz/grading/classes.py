"""All submissions of a class: executed beside each other, recorded one after the other."""

import hashlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from seqviz.files import write
from seqviz.grading.collecting import Refused, submitted
from seqviz.grading.course import Course
from seqviz.grading.examiner import TEST
from seqviz.grading.examining import Examiners, unrun, whose
from seqviz.grading.mending import mend, name_of
from seqviz.grading.recording import EXECUTED, MENDED, record
from seqviz.grading.sandbox import Limits
from seqviz.grading.variants import dealt, number_of, numbers_of, strange

DEFAULT = Limits()
ENDED = ("TooLong", "NotRun", "MemoryError", "KeyboardInterrupt")


@dataclass(frozen=True)
class Graded:
    """One student's points, out of those that tests give, and what was found on the way."""

    student: str
    points: float
    most: float
    notes: tuple[str, ...]


def grade(
    course: Course,
    assignment: str,
    limits: Limits = DEFAULT,
    workers: int | None = None,
) -> Iterator[Graded]:
    """Grade all that was handed in; what is done is not done again.

    Each submission runs in a fresh process. It can be ended at any time and started again: an
    executed submission is kept, and run again only if it, the assignment or a limit is another.

    Parameters
    ----------
    limits : Limits
        What a submission may use.
    workers : int, optional
        How many run beside each other; one for each core if not given.

    Yields
    ------
    Graded
        A student, as soon as the points are recorded.

    Raises
    ------
    ValueError
        If there is no copy of the assignment, or nothing was handed in.
    """
    with course.alone():
        copy = course.copy(assignment)
        tested = nbformat.read(course.source(assignment), as_version=4)
        numbers = numbers_of(course, assignment)
    students = course.students(assignment)
    if not students:
        raise ValueError(f"nothing was handed in: run seqviz collect {assignment} FOLDER first")
    workers = workers or os.cpu_count()
    with Examiners(workers) as examiners, ThreadPoolExecutor(workers) as pool:
        of = _Class(course, assignment, limits, copy, tested, numbers, examiners)
        jobs = {pool.submit(of.executed, student): student for student in students}
        try:
            for job in as_completed(jobs):
                yield of.graded(jobs[job], job)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@dataclass(frozen=True)
class _Class:
    """What all submissions of an assignment have in common."""

    course: Course
    assignment: str
    limits: Limits
    copy: NotebookNode
    tested: NotebookNode
    numbers: dict[str, int]
    examiners: Examiners

    def prepared(self, student: str) -> tuple[NotebookNode, list[str]]:
        """The notebook that is run, and notes; the one that is recorded is written."""
        refused = ""
        number = number_of(self.course.names().get(student, student), self.numbers)
        copy = dealt(self.copy, number)
        try:
            came = submitted(self.course, self.assignment, student)
            mended, notes = mend(came, copy)
            notes += strange(came, number, self.numbers)
        except Refused as reason:
            refused = str(reason)
            mended, notes = copy, [refused]
        _keep(self.course.notebook(MENDED, self.assignment, student), nbformat.writes(mended))
        run = with_tests(mended, dealt(self.tested, number))
        return unrun(run, refused) if refused else run, notes

    def executed(self, student: str) -> tuple[list[str], bool]:
        """Run a submission unless it has been run as it is; notes, and whether it is news."""
        run, notes = self.prepared(student)
        place = self.course.notebook(EXECUTED, self.assignment, student)
        told = [[cell.cell_type, cell.source] for cell in run.cells]
        key = hashlib.sha256(json.dumps([told, asdict(self.limits), notes]).encode()).hexdigest()
        if place.is_file():
            kept = nbformat.read(place, as_version=4)
            if kept.metadata.get("seqviz_key") == key:
                return _told(notes, kept), False
        if not any(cell.get("outputs") for cell in run.cells):  # else it was refused
            files = self.course.place("source", self.assignment)
            run = self.examiners.execute(run, self.limits, files)
        run.metadata["seqviz_key"] = key
        _keep(place, nbformat.writes(run))
        return _told(notes, run), True

    def graded(self, student: str, job: Future) -> Graded:
        """Record the points; whatever goes wrong is a note of this student's."""
        notes: list[str] = []
        try:
            notes, is_news = job.result()
            with self.course.alone():
                return self.recorded(student, notes, is_news)
        except (Exception, SystemExit) as error:
            told = f"was not graded ({type(error).__name__}: {error}): grade again"
            cells = (cell for cell in self.tested.cells if whose(cell) == TEST)
            most = sum(cell.metadata.nbgrader.points for cell in cells)
            return Graded(student, 0, most, (*notes, told))

    def recorded(self, student: str, notes: list[str], is_news: bool) -> Graded:
        """Points, recorded unless they are: a note on disk says that they are complete."""
        path = self.course.root / "notes" / self.assignment / f"{student}.json"
        if is_news or not path.is_file():
            path.unlink(missing_ok=True)
            points, most = record(self.course, self.assignment, student)
            _keep(path, json.dumps({"points": points, "most": most, "notes": notes}))
        kept = json.loads(path.read_text(encoding="utf-8"))
        return Graded(student, kept["points"], kept["most"], tuple(kept["notes"]))


def _keep(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, text)


def with_tests(mended: NotebookNode, tested: NotebookNode) -> NotebookNode:
    """A submission whose locked cells are those of the source, with the hidden tests."""
    sources = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in tested.cells
        if cell.metadata.get("nbgrader", {}).get("locked")
    }
    run = nbformat.from_dict(mended)
    for cell in run.cells:
        cell.source = sources.get(name_of(cell), cell.source)
    return run


def _told(notes: list[str], executed: NotebookNode) -> list[str]:
    """The notes, and which cells did not come to their end, and why."""
    found = {}
    for cell in executed.cells:
        name = name_of(cell) or "of your own"
        for output in cell.get("outputs", ()):
            if output.output_type == "error" and output.ename in ENDED:
                reason = output.evalue or output.ename
                found.setdefault(reason, []).append(name)
    ended = [f"cell {', '.join(n)}: {why}" for why, n in found.items() if why not in notes]
    return [*notes, *ended]
