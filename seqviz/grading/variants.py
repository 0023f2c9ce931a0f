"""Variants of an assignment: a number for each student, which the grader takes from no copy."""

import csv
import io
import re
import secrets
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from unicodedata import normalize

import nbformat
from nbformat import NotebookNode

from seqviz.files import write
from seqviz.grading.collecting import safe, same_name
from seqviz.grading.course import Course
from seqviz.grading.mending import name_of

SET = re.compile(r"^VARIANT = (\d{1,9})\b", re.MULTILINE)  # in a locked cell of the source
NUMBER = re.compile("0*[1-9][0-9]{0,5}")
MARK = re.compile(r"variant-(\d{1,9})")  # that cell's id in a student's copy
HIGHEST = 999_999
ANOTHERS = "its variant is another student's"


def deal(course: Course, assignment: str, table: Path) -> Path:
    """Write a copy for each student of a class, with a number that stays theirs.

    Parameters
    ----------
    table : Path
        A CSV file with a column `student`; the numbers, if it has a column `variant`.

    Returns
    -------
    Path
        The folder of the copies. A table of its name, with the ending .csv, has the numbers.

    Raises
    ------
    ValueError
        If the table is none, or the assignment has no variants; says what to do.
    """
    listed = read(table)
    folder = course.root / "variants" / assignment
    with course.alone():
        copy, numbers = course.copy(assignment), numbers_of(course, assignment)
        for student, number in listed.items():
            known = {_key(one): one for one in numbers}.get(_key(student), student)
            while not (number := number or numbers.get(known)):
                drawn = secrets.randbelow(HIGHEST) + 1
                number = 0 if drawn in numbers.values() else drawn
            numbers[known] = number
        if len(numbers) > len(set(numbers.values())):
            raise ValueError(f"{table} gives a number that another student of {folder}.csv has")
        copies = {safe(one): dealt(copy, number_of(one, numbers)) for one in listed}
        folder.mkdir(parents=True, exist_ok=True)
        rows = io.StringIO(newline="")
        csv.writer(rows).writerows([("student", "variant"), *sorted(numbers.items())])
        write(Path(f"{folder}.csv"), rows.getvalue())
        for name, notebook in copies.items():
            write(folder / f"{name}.ipynb", nbformat.writes(notebook))
    return folder


def read(table: Path) -> dict[str, int]:
    """The students of a CSV file, each with a number, or 0 where it has no column of them."""
    found: dict[str, int] = {}
    lines: dict[str | int, int] = {0: 0}
    with table.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.DictReader(file)
        if "student" not in (rows.fieldnames or ()):
            first = ",".join(rows.fieldnames or ())
            told = "call the column of the names so, with commas between the columns"
            raise ValueError(f"{table} has no column student, it begins with {first!r}: {told}")
        for row in rows:
            student, number = (
                normalize("NFC", (row.get(name, "0") or "").strip())
                for name in ("student", "variant")
            )
            where = f"{table}, line {rows.line_num}"
            if not student or "\ufffd" in student:
                raise ValueError(f"{where}: {student!r} is no name: give one, the file in UTF-8")
            if "variant" in row and not NUMBER.fullmatch(number):
                told = f"must be a whole number from 1 to {HIGHEST}, got {number!r}"
                told += "; without that column numbers are drawn"
                raise ValueError(f"{where}: the variant of {student} {told}")
            found[student] = int(number)
            for kind, once in (("student", _key(student)), ("variant", int(number))):
                if lines.setdefault(once, rows.line_num) not in (0, rows.line_num):
                    raise ValueError(f"{where}: line {lines[once]} has the same {kind}: keep one")
    if not found:
        raise ValueError(f"{table} names no student: give each a line below the first")
    return found


def _key(student: str) -> str:
    """Equal for names that would be one file."""
    return same_name(safe(student))


def numbers_of(course: Course, assignment: str) -> dict[str, int]:
    """The number of each student; empty where the assignment was released without variants."""
    path = course.root / "variants" / f"{assignment}.csv"
    return read(path) if path.is_file() else {}


def number_of(student: str, numbers: Mapping[str, int]) -> int:
    """The number of a student, 0 where nobody has one; ValueError where only others have."""
    if not numbers:
        return 0
    found = {_key(one): number for one, number in numbers.items()}.get(_key(student))
    if not found:
        raise ValueError(f"{student} has no variant, release with a class list that names them")
    return found


def dealt(notebook: NotebookNode, number: int) -> NotebookNode:
    """The notebook with a student's number; ValueError if it has no place for one."""
    if not number:
        return notebook
    own = deepcopy(notebook)
    for cell in own.cells:
        if cell.metadata.get("nbgrader", {}).get("locked") and SET.search(cell.source):
            cell.source = SET.sub(f"VARIANT = {number}", cell.source)
            cell.id = f"variant-{number}"
            return own
    raise ValueError(
        "this assignment has no variants: a locked cell of the source must say VARIANT = 0"
    )


def strange(came: NotebookNode, own: int, numbers: Mapping[str, int]) -> list[str]:
    """What is to be said where a submission has another number than the student's copy."""
    ours = [cell for cell in came.cells if name_of(cell) or MARK.fullmatch(cell.get("id", ""))]
    texts = [text for cell in ours for text in (cell.source, cell.get("id", ""))]
    there = {int(n) for text in texts for n in (*SET.findall(text), *MARK.findall(text))} - {own}
    if whose := [student for student, number in numbers.items() if number in there]:
        return [f"{ANOTHERS} ({', '.join(whose)}): {own} was run"]
    changed = sorted(there) if own else []
    return [f"its variant was changed to {k}: {own} was run" for k in changed[:1]]
