"""What an assignment's source holds: the code around its exercises, and the answers beside it."""

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat

from tests.notebooks.parts import definitions

COURSE = Path(__file__).parents[2] / "notebooks" / "assignments"
SOURCES = sorted(COURSE.glob("source/A?/*.ipynb"))
CELL = re.compile(r"^# %% (.+)$", re.MULTILINE)
KINDS = re.compile(r"(right|wrong|wrong, subtle): (.+)|weak")


@dataclass(frozen=True)
class Answer:
    """One way to solve an exercise, or to fail: `cause` says what differs."""

    kind: str
    cause: str
    code: str


@dataclass(frozen=True)
class Exercise:
    """An exercise: its cells, what is defined before it, and the answers to it."""

    assignment: str
    name: str
    points: float
    before: tuple[str, ...]
    solution: str
    test: str

    @property
    def path(self) -> Path:
        """The file of its answers."""
        return COURSE / "answers" / self.assignment / f"{self.name}.py"

    def solved(self, code: str) -> dict:
        """The names after an answer, which goes on from those before it."""
        names = {"__name__": "student"}
        for source in (*self.before, code):
            exec(compile(source, f"<{self.name}>", "exec"), names)
        return names

    def answers(self) -> tuple[list[Answer], str]:
        """All answers, each behind what their file begins with, and a grader that is too weak."""
        start, *pieces = CELL.split(self.path.read_text(encoding="utf-8"))
        heads, codes = pieces[::2], pieces[1::2]
        found, weak = [], ""
        for head, code in zip(heads, codes, strict=True):
            match = KINDS.fullmatch(head.strip())
            assert match, f"{self.path.name}: {head!r} is no right:, wrong:, wrong, subtle: or weak"
            if head.strip() == "weak":
                weak = code
            else:
                found.append(Answer(match[1], match[2], start + code))
        return found, weak


def exercises(path: Path) -> list[Exercise]:
    """The exercises of a source notebook that are graded by a test."""
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    found = []
    for k, cell in enumerate(cells):
        mark = mark_of(cell)
        if not (mark.get("grade") and mark.get("locked")):
            continue
        name = mark["grade_id"].removesuffix("-test")
        own = [mark_of(c).get("grade_id") for c in cells].index(name)
        given = [cell.source for cell in cells[:own] if not mark_of(cell).get("grade")]
        before = (given[0], *map(definitions, given[1:]))  # the first one sets up
        between = [c.source for c in cells[own + 1 : k]]
        test = "\n".join((*between, cell.source))
        one = Exercise(path.parent.name, name, mark["points"], before, cells[own].source, test)
        found.append(one)
    return found


def mark_of(cell: nbformat.NotebookNode) -> dict:
    """What nbgrader is told of a cell."""
    return cell.metadata.get("nbgrader", {})
