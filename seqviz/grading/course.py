"""A folder that holds a course in nbgrader's layout, and the assignments of this project in it."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

SOURCES = Path("notebooks", "assignments", "source")
OURS = Path(__file__).parents[2] / SOURCES  # of a checkout


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
        object.__setattr__(self, "root", self.root.absolute())

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
        return Gradebook(self.directory("").db_url)

    def place(self, stage: str, assignment: str, student: str = ".") -> Path:
        """The folder of an assignment at a stage, such as "release" or "submitted"."""
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
            shutil.copytree(kept, folder, ignore=shutil.ignore_patterns(".*"))
        return next(folder.glob("*.ipynb"))

    def students(self, assignment: str) -> list[str]:
        """Whoever has handed something in."""
        return sorted(path.parent.name for path in self.root.glob(f"submitted/*/{assignment}"))
