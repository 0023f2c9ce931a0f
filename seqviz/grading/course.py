"""A folder that holds a course in nbgrader's layout, and the assignments of this project in it."""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from filelock import FileLock
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from seqviz.files import write

SOURCES = Path("notebooks", "assignments", "source")
OURS = Path(__file__).parents[2] / SOURCES  # of a checkout
NAME = re.compile(r"\w([\w .-]{0,98}\w)?")  # of an assignment, which is that of a folder


@dataclass(frozen=True)
class Course:
    """A course's folder: source, release, submitted, autograded and feedback, and a gradebook.

    Attributes
    ----------
    root : Path
        The folder, absolute: nbgrader changes the working directory while it works.
    """

    root: Path

    def __post_init__(self) -> None:
        root = self.root.absolute()
        if blocked := [path for path in (root, *root.parents) if path.is_file()]:
            raise ValueError(f"course must be a folder, got {self.root}: {blocked[0]} is a file")
        object.__setattr__(self, "root", root)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other writers of this folder, in whichever process, waiting."""
        self.root.mkdir(parents=True, exist_ok=True)
        with FileLock(self.root / ".lock", is_singleton=True):
            yield

    def directory(self, assignment: str, student: str = "*", **more: str) -> CourseDirectory:
        """What nbgrader's converters are told of the folder."""
        places = {"root": str(self.root), "assignment_id": assignment, **more}
        config = Config({"CourseDirectory": {**places, "student_id": student}})
        return CourseDirectory(config=config)

    def gradebook(self) -> Gradebook:
        """The data base of grades, open; a context closes it."""
        own = str(Path(sys.executable).parent)  # nbgrader calls alembic by its name
        if own not in os.environ["PATH"].split(os.pathsep):
            os.environ["PATH"] = os.pathsep.join((own, os.environ["PATH"]))
        with self.alone():  # the first makes the tables
            return Gradebook(self.directory("").db_url)

    def place(self, stage: str, assignment: str, student: str = ".") -> Path:
        """The folder of an assignment at a stage, such as "release" or "submitted".

        Raises
        ------
        ValueError
            If the assignment's name is none of a folder, such as "" or "..".
        """
        if not NAME.fullmatch(assignment):
            raise ValueError(f"assignment must be the name of one, such as A4, got {assignment!r}")
        return self.root / stage / student / assignment

    def notebook(self, stage: str, assignment: str, student: str = ".") -> Path:
        """The notebook of an assignment at a stage; its name is that of the source."""
        return self.place(stage, assignment, student) / self.source(assignment).name

    def source(self, assignment: str) -> Path:
        """The source notebook, copied from the project where the course has none.

        Raises
        ------
        ValueError
            If neither has it; names those there are.
        """
        folder = self.place("source", assignment)
        if not folder.is_dir():
            kept = (SOURCES if SOURCES.is_dir() else OURS) / assignment
            if not kept.is_dir():
                names = ", ".join(path.name for path in sorted(kept.parent.glob("*"))) or "none"
                raise ValueError(f"no assignment {assignment!r}; there are: {names}")
            with self.alone(), tempfile.TemporaryDirectory(dir=self.root, prefix=".copy-") as part:
                if not folder.is_dir():
                    folder.parent.mkdir(exist_ok=True)
                    ignored = shutil.ignore_patterns(".*")
                    shutil.copytree(kept, Path(part, "whole"), ignore=ignored).rename(folder)
        if not (found := sorted(folder.glob("*.ipynb"))):
            raise ValueError(f"{folder} holds no notebook")
        return found[0]

    def copy(self, assignment: str) -> NotebookNode:
        """The copy that was handed out; ValueError if there is none, with what to do."""
        path = self.notebook("release", assignment)
        if not path.is_file():
            told = f"{assignment} has no copy yet: run seqviz release {assignment} first"
            raise ValueError(told)
        return nbformat.read(path, as_version=4)

    def names(self) -> dict[str, str]:
        """As whom each student, under a name that is safe for a folder, was handed in."""
        path = self.root / "names.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def remember(self, names: dict[str, str]) -> None:
        """Write these names, for the next time."""
        write(self.root / "names.json", json.dumps(names, indent=1))

    def students(self, assignment: str) -> list[str]:
        """Whoever has handed something in."""
        return sorted(path.parent.name for path in self.root.glob(f"submitted/*/{assignment}"))
