"""What students hand in: one file each, from a folder of files or of folders."""

import re
import shutil
from pathlib import Path

import nbformat

from seqviz.grading.course import Course

LARGEST = 20 * 2**20  # bytes of a submission; its outputs are thrown away in any case
UNSAFE = re.compile(r"[^\w.@+-]+")


def collect(course: Course, assignment: str, inbox: Path) -> dict[str, str]:
    """Take submissions from a folder: NAME.ipynb, or folders NAME with a notebook in each.

    Of several in one folder that is taken which is called as the assignment's, else the last.

    Parameters
    ----------
    course : Course
        The course's folder.
    assignment : str
        Such as A4.
    inbox : Path
        The folder.

    Returns
    -------
    dict of str to str
        For each student an empty text, or why the file was refused.

    Raises
    ------
    ValueError
        If there is no such folder, or nothing in it.
    """
    if not inbox.is_dir():
        raise ValueError(f"no folder {inbox}")
    wanted = course.source(assignment).name
    found = {path.stem: path for path in inbox.glob("*.*") if path.is_file()}
    for folder in (path for path in inbox.iterdir() if path.is_dir()):
        inside = sorted(folder.glob("*.ipynb")) or sorted(folder.glob("*.*"))
        named = [path for path in inside if path.name == wanted]
        if inside:
            found[folder.name] = (named or inside)[-1]
    if not found:
        raise ValueError(f"{inbox} holds no submission: NAME.ipynb, or a folder for each student")
    verdicts = {}
    for name, path in sorted(found.items()):
        student = UNSAFE.sub("_", name)
        verdicts[student] = unreadable(path)
        place = course.notebook("submitted", assignment, student)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    return verdicts


def unreadable(path: Path) -> str:
    """Why a file cannot be graded, or an empty text."""
    if path.suffix != ".ipynb":
        return f"{path.name} is no notebook (.ipynb)"
    if path.stat().st_size > LARGEST:
        return f"{path.name} is larger than {LARGEST / 2**20:.0f} MB; clear its outputs"
    try:
        cells = nbformat.read(path, as_version=4).cells
    except (
        nbformat.reader.NotJSONError,
        nbformat.ValidationError,
        AttributeError,
        KeyError,
        TypeError,
        ValueError,  # no text, no JSON
    ):
        return f"{path.name} is no notebook: its text is not that of one"
    if not any(cell.metadata.get("nbgrader") for cell in cells):
        return f"{path.name} is a notebook, but not a copy of this assignment"
    return ""
