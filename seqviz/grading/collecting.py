"""What students hand in: one file each, from a folder of files or of folders."""

import json
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path
from typing import Any
from unicodedata import normalize

import nbformat
from nbformat import NotebookNode

from seqviz.files import write
from seqviz.grading.course import Course

LARGEST = 20 * 2**20  # bytes of a submission; its outputs are thrown away in any case
CELLS, LETTERS = 1000, 200_000  # of a submission, without its outputs
LONGEST = 100  # bytes of a student's name
KINDS = ("code", "markdown", "raw")
UNSAFE = re.compile(r"[^\w.@+-]+")
DEVICES = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)", re.IGNORECASE)  # of Windows
LITTER = {".DS_Store", ".ipynb_checkpoints", "Thumbs.db", "desktop.ini", "__MACOSX"}
REFUSED = "refused.txt"  # beside a submission: why it was refused


class Refused(ValueError):
    """A submission that cannot be graded; the text says why."""


def collect(course: Course, assignment: str, inbox: Path) -> dict[str, str]:
    """Take submissions from a folder: NAME.ipynb, or folders NAME with a notebook in each.

    Of several in one folder that is taken which is called as the assignment's, else the last.
    A student's name is made safe for a folder; `course.names()` says whose it is.

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
    found = defaultdict(list)
    for path in sorted(inbox.iterdir()):
        if path.name not in LITTER:
            found[normalize("NFC", _name(path))].append(path)
    if not found:
        raise ValueError(f"{inbox} holds no submission: NAME.ipynb, or a folder for each student")
    verdicts = {}
    with course.alone():
        names = identified(found, course.names())
        course.remember(names)
        for student, name in names.items():
            if name in found:
                place = course.notebook("submitted", assignment, student)
                place.parent.mkdir(parents=True, exist_ok=True)
                verdicts[student] = _take(found[name], wanted, place)
    return dict(sorted(verdicts.items()))


def identified(names: Iterable[str], known: dict[str, str]) -> dict[str, str]:
    """All that are known and new names, each under one that is safe as a folder's and its own.

    Parameters
    ----------
    names : iterable of str
        As they were handed in.
    known : dict of str to str
        The safe ones of before, and whose each is: they stay.
    """
    found = dict(known)
    taken = {same_name(student) for student in known}
    new = set(names) - set(known.values())
    for name in sorted(new, key=lambda name: (safe(name) != name, name)):
        first = safe(name)
        more = (f"{first}-{k}" for k in count(2))
        student = next(one for one in chain([first], more) if same_name(one) not in taken)
        found[student] = name
        taken.add(same_name(student))
    return found


def safe(name: str) -> str:
    """A name that each system can give to a folder."""
    kept = UNSAFE.sub("_", normalize("NFC", name)).lstrip(".").encode()[:LONGEST]
    return DEVICES.sub(r"\1_", kept.decode(errors="ignore").rstrip(".")) or "nameless"


def content(path: Path) -> bytes:
    """The bytes of a file that may be a submission.

    Raises
    ------
    Refused
        If it is none, or cannot be read; says why.
    """
    name = _shown(path.name)
    if path.is_symlink():
        raise Refused(f"{name} is a link: hand in the file itself")
    if not path.name.lower().endswith(".ipynb"):
        raise Refused(f"{name} is no notebook (.ipynb)")
    flags = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    try:
        with open(path, "rb", opener=lambda name, own: os.open(name, own | sum(flags))) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refused(f"{name} is no ordinary file")
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Refused(f"{name} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise Refused(f"{name} is larger than {LARGEST / 2**20:.0f} MB; clear its outputs")
    return data


def notebook(data: bytes, name: str) -> NotebookNode:
    """What counts of a submission: the sources and names of its cells, and that of its kernel.

    Parameters
    ----------
    data : bytes
        The file's; any encoding that JSON may have, any format of notebooks from 2 to 4.
    name : str
        Of the file, for the message.

    Raises
    ------
    Refused
        If it is no notebook, no copy of an assignment, or too long.
    """
    if not data:
        raise Refused(f"{name} is empty")
    told = _parsed(data, name)
    cells = [
        _cell(cell, f"{name}: cell {k}")
        for k, cell in enumerate(told["cells"])
        if _within(cell, "cell_type") in KINDS
    ]
    if not any(cell.metadata for cell in cells):
        raise Refused(f"{name} is a notebook, but not a copy of this assignment")
    if len(cells) > CELLS or sum(len(cell.source) for cell in cells) > LETTERS:
        raise Refused(f"{name} holds more than {CELLS} cells or {LETTERS} letters")
    kernel = str(_within(told, "metadata", "kernelspec", "name"))
    metadata = {"kernelspec": {"name": kernel, "display_name": kernel}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def submitted(course: Course, assignment: str, student: str) -> NotebookNode:
    """What a student has handed in.

    Raises
    ------
    Refused
        If it cannot be graded; says why.
    """
    path = course.notebook("submitted", assignment, student)
    if (reason := path.with_name(REFUSED)).is_file():
        raise Refused(reason.read_text(encoding="utf-8"))
    if not path.is_file():
        raise Refused("no notebook was handed in")
    return notebook(content(path), path.name)


def _take(paths: list[Path], wanted: str, place: Path) -> str:
    """Copy what came under one name, or note why not; that reason, or an empty text."""
    reason = place.with_name(REFUSED)
    try:
        path = _chosen(paths, wanted)
        data = content(path)
        notebook(data, _shown(path.name))
    except Refused as refused:
        write(reason, str(refused))
        return str(refused)
    write(place, data)
    reason.unlink(missing_ok=True)
    return ""


def _chosen(paths: list[Path], wanted: str) -> Path:
    """The submission among the files and folders of one name."""
    likely = [path for path in paths if _is_folder(path) or path.name.lower().endswith(".ipynb")]
    if len(likely) > 1:
        told = ", ".join(_shown(path.name) + "/" * _is_folder(path) for path in likely)
        raise Refused(f"more than one was handed in under this name: {told}")
    path = (likely or paths)[-1]
    if not _is_folder(path):
        return path
    try:
        inside = sorted(one for one in path.iterdir() if one.name not in LITTER)
    except OSError as error:
        raise Refused(f"{_shown(path.name)}/ cannot be read: {error.strerror}") from None
    inside = [one for one in inside if one.name.lower().endswith(".ipynb")] or inside
    if not inside:
        raise Refused(f"{_shown(path.name)}/ is empty")
    return next((one for one in inside if one.name == wanted), inside[-1])


def _parsed(data: bytes, name: str) -> dict:
    """A notebook's JSON, in format 4."""
    wrong = Refused(f"{name} is no notebook: its text is not that of one")
    try:
        text = data.decode(json.detect_encoding(data), "surrogatepass")
        told = json.loads(text)
        version = _within(told, "nbformat")
        if version in (1, 2, 3):
            told = nbformat.reads(text, as_version=4)
    except Exception:  # of the deepest, the oldest and the oddest
        raise wrong from None
    if version not in (None, 1, 2, 3, 4):
        raise Refused(f"{name} has another format than 4: save it again with Jupyter")
    if not isinstance(_within(told, "cells"), list):
        raise wrong
    return told


def _cell(told: dict, where: str) -> NotebookNode:
    """A cell without all that does not count; halves of a letter are marked as such."""
    source = told.get("source", "")
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise Refused(f"{where} has a source that is no text")
    code = "".join(lines).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    cell = getattr(nbformat.v4, f"new_{told['cell_type']}_cell")(code)
    if isinstance(told.get("id"), str):
        cell.id = told["id"]
    mark = _within(told, "metadata", "nbgrader", "grade_id")
    if isinstance(mark, str):
        cell.metadata["nbgrader"] = NotebookNode(grade_id=mark)
    return cell


def _within(told: Any, *names: str) -> Any:
    """What stands under names in objects, or None."""
    for name in names:
        told = told.get(name) if isinstance(told, dict) else None
    return told


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _name(path: Path) -> str:
    """Whose a file or a folder is."""
    ending = re.fullmatch(r"(.*)\.ipynb", path.name, re.IGNORECASE | re.DOTALL)
    return path.name if _is_folder(path) else ending[1] if ending else path.stem


def same_name(student: str) -> str:
    """Equal for names that are one on some disk."""
    return normalize("NFKC", student).casefold()


def _shown(name: str) -> str:
    return name if name.isprintable() else ascii(name)
