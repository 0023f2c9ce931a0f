"""A small assignment, and what a class may hand in."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from textwrap import indent

import nbformat
from nbformat import NotebookNode, v4

from seqviz.grading.copies import release
from seqviz.grading.course import Course

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
DOUBLE = """def double(x):
    \"\"\"Twice x.\"\"\"
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION"""
GIVEN = """import math


def same(a, b):
    return math.isclose(a, b)


def check(f, x, y):
    assert same(f(x), y)


VARIANT = 0"""
DOUBLE_TEST = """check(double, 2, 4)
### BEGIN HIDDEN TESTS
check(double, -3 - VARIANT, -6 - 2 * VARIANT)
### END HIDDEN TESTS"""
HALF = """def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION"""
HALF_TEST = """assert half(4) == 2
### BEGIN HIDDEN TESTS
assert half(5) == 2.5
### END HIDDEN TESTS"""
STUB = """def double(x):
    \"\"\"Twice x.\"\"\"
    # YOUR CODE HERE
    raise NotImplementedError()"""
BETWEEN = "def twice(x):\n    return 2 * x", "def double(x):\n    return twice(x)"
INSIDE = "def double(x):\n    y = x + x", "    return y"
WORDS = """### BEGIN SOLUTION
4 points: because it is so.
### END SOLUTION"""


def _mark(grade_id: str, **more) -> dict:
    mark = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": {**mark, "schema_version": 3, "grade_id": grade_id, **more}}


def source() -> NotebookNode:
    """Two exercises, of 3 and 2 points, and a question in words, of 4."""
    test = {"grade": True, "locked": True}
    cells = [
        v4.new_markdown_cell("# A toy"),
        v4.new_code_cell(GIVEN, metadata=_mark("given-1", locked=True)),
        v4.new_code_cell(DOUBLE, metadata=_mark("double", solution=True)),
        v4.new_code_cell(DOUBLE_TEST, metadata=_mark("double-test", points=3, **test)),
        v4.new_code_cell(HALF, metadata=_mark("half", solution=True)),
        v4.new_code_cell(HALF_TEST, metadata=_mark("half-test", points=2, **test)),
        v4.new_markdown_cell(WORDS, metadata=_mark("words", grade=True, solution=True, points=4)),
    ]
    for k, cell in enumerate(cells):
        cell.id = f"cell-{k}"
    return v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    """The cell of a name."""
    return next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)


def solved(copy: NotebookNode, body: str = "return x + x", half: str = "return x * 0.5"):
    """The copy with answers to both exercises."""
    notebook = deepcopy(copy)
    cell(notebook, "double").source = "def double(x):\n" + indent(body, "    ")
    cell(notebook, "half").source = f"def half(x):\n    {half}"
    cell(notebook, "words").source = "Because."
    return notebook


def _deleted(notebook):
    gone = [cell(notebook, name) for name in ("double-test", "half", "half-test")]
    notebook.cells = [one for one in notebook.cells if one not in gone]


def _split(*parts):
    def edit(notebook):
        first = cell(notebook, "double")
        later = deepcopy(first)
        later.id, first.source, later.source = "later", *parts
        notebook.cells.insert(notebook.cells.index(first) + 1, later)

    return edit


def _moved(at_end):
    def edit(notebook):
        old = cell(notebook, "double")
        where = notebook.cells.index(old)
        notebook.cells.remove(old)
        new = v4.new_code_cell(old.source)
        notebook.cells.insert(len(notebook.cells) if at_end else where, new)

    return edit


def _beside_the_stub(notebook):
    old = cell(notebook, "double")
    notebook.cells.insert(notebook.cells.index(old), v4.new_code_cell(old.source))
    old.source = STUB


def _cheat(notebook):
    cell(notebook, "double").source = "def double(x):\n    return 0"
    cell(notebook, "double-test").source = "pass"
    cell(notebook, "half-test").metadata.nbgrader.points = 1000


def _other_kernel(notebook):
    notebook.metadata.kernelspec = {"name": "julia-1.9", "display_name": "Julia"}


def _own_cell(notebook):
    cell(notebook, "double").source = "def double(x):\n    return twice(x)"
    notebook.cells.insert(2, v4.new_code_cell("def twice(x):\n    return 2 * x"))


def _shuffled(notebook):
    notebook.cells.reverse()


def _of(name, *sources, before=(), after=(), at_end=(), marked=True):
    """The cell of a name with other sources, own cells beside it and at the end."""

    def edit(notebook):
        old = cell(notebook, name)
        mark = deepcopy(old.metadata) if marked else {}
        kind = v4.new_code_cell if old.cell_type == "code" else v4.new_markdown_cell
        new = [*map(v4.new_code_cell, before), *(kind(text, metadata=mark) for text in sources)]
        new += map(v4.new_code_cell, after)
        where = notebook.cells.index(old)
        notebook.cells[where : where + 1] = new
        notebook.cells += map(v4.new_code_cell, at_end)

    return edit


def _renamed(notebook):
    for one in notebook.cells:
        one.metadata.pop("nbgrader", None)


def _all(*edits):
    def edit(notebook):
        for one in edits:
            one(notebook)

    return edit


ANSWERS = {  # name: body of double, points, a word of the notes
    "right": ("return x + x", 5, ""),
    "Žofie Ünal": ("import os\nos._exit(0)", 0, "the process died"),
    "endless": ("while True:\n    pass", 2, "a call did not come to its end"),
    "greedy": ("big = bytearray(10**11)\nreturn 2 * x", 2, ""),
}
EDITS = {"cheat": (_cheat, 2, "double-test is locked and was changed")}
RIGHT, WRONG = "def double(x):\n    return x + x", "def double(x):\n    return x ** 2"
HALVED = "def half(x):\n    return x * 0.5"
METHOD = "    def of(self, x):\n        return 2 * x\n\ndef double(x):\n    return Two().of(x)"
PLACES = {  # where an answer may stand, read without a kernel: edit, points, a word of the notes
    "deleted": (_deleted, 3, "half-test is missing"),
    "twice": (_split("def double(x): return 0", RIGHT), 5, "stands there more than once"),
    "split": (_split(*BETWEEN), 5, "stands there more than once"),
    "split_inside": (_split(*INSIDE), 5, "cell double was split"),
    "draft_last": (_split(RIGHT, STUB), 5, ""),
    "moved": (_moved(False), 5, "stood in another cell"),
    "moved_to_the_end": (_moved(True), 5, "stood in another cell"),
    "beside_the_stub": (_beside_the_stub, 5, "stood in another cell"),
    "julia": (_other_kernel, 5, "its kernel was another one"),
    "own": (_own_cell, 5, ""),
    "shuffled": (_shuffled, 5, ""),
    "emptied": (_all(_of("double", "", after=[RIGHT])), 5, "stood in another cell"),
    "a class that was split": (_of("double", "class Two:\n    n = 2", METHOD), 5, ""),
    "split, unmarked": (_of("double", INSIDE[0], after=INSIDE[1:]), 5, ""),
    "split, the second marked": (_of("double", INSIDE[1], before=INSIDE[:1]), 5, ""),
    "a stub below it": (_of("double", f"{RIGHT}\n\n{STUB}"), 5, ""),
    "a draft that does not run": (_of("double", RIGHT, "def double(x):\n    return ("), 5, ""),
    "two in one": (_all(_of("double", f"{RIGHT}\n{HALVED}"), _of("half")), 5, ""),
    "in a locked cell": (_all(_of("double"), _of("given-1", f"{GIVEN}\n{RIGHT}")), 5, ""),
    "no names": (_renamed, 5, ""),
    "in time": (_of("double", f"%%time\n{RIGHT}", marked=False), 5, ""),
    "in a branch": (_of("double", before=["if True:\n    double = lambda x: 2 * x"]), 5, ""),
    "at the end": (
        _of("double", at_end=[HALVED, "n = 2", "double(3)", "def double(x):\n    return n * x"]),
        5,
        "",
    ),
    "wrong, with our function": (_of("double", WRONG, before=["def check(*_):\n    pass"]), 2, ""),
    "wrong, with ours in it": (_of("double", f"{WRONG}\nsame = lambda *_: True"), 2, ""),
}
DEEP = b'{"cells": ' + b"[" * 10**5 + b"]" * 10**5 + b"}"
CELL = b'{"cell_type": "code", "source": 1, "metadata": {"nbgrader": {"grade_id": "half"}}}'
NAMES = ("empty", "=1+1", "@sum", "con", "..", ".", "", "y" * 249)  # odd ones, and of one folder
NAMES += ("Ann_Lee", "Ann Lee", "ann_lee")
FILES = {  # what is refused: content, a word of the reason
    "no_json.ipynb": (b"hello", "no notebook"),
    "photo.png": (b"\x89PNG\r\n", "no notebook"),
    "other.ipynb": (
        nbformat.writes(v4.new_notebook(cells=[v4.new_code_cell("1")])).encode(),
        "not a copy",
    ),
    "deep.ipynb": (DEEP, "no notebook"),
    "large.ipynb": (bytes(21 * 2**20), "larger than 20 MB"),
    "long.ipynb": (
        b'{"cells": [%s]}' % b", ".join([CELL.replace(b"1", b'""')] * 1001),
        "more than 1000 cells",
    ),
    "five.ipynb": (b'{"nbformat": 5, "cells": []}', "another format"),
    "numbers.ipynb": (b'{"cells": [%s]}' % CELL, "cell 0 has a source that is no text"),
    "mark.ipynb": (
        b'{"cells": [%s]}' % CELL.replace(b'{"grade_id": "half"}', b'"x"').replace(b"1", b'""'),
        "not a copy",
    ),
    "list.ipynb": (b"[]", "no notebook"),
    **dict.fromkeys(map("{}.ipynb".format, NAMES), (b"", "is empty")),
    "no_ending": (b"", "no notebook"),
    "Zo\u00eb.ipynb": (b"", "more than one"),
    "Zoe\u0308.ipynb": (b"", "more than one"),
}
ODD = {  # what is taken although a part of it is odd: what was written, what stands there instead
    "a mark that is a text": ('"nbgrader": {', '"nbgrader": "x", "was": {'),
    "a list for a name": ('"grade_id": "double"', '"grade_id": ["double"]'),
    "a kernel that is a text": ('"kernelspec": {', '"kernelspec": "x", "was": {'),
    "metadata that are a list": ('"metadata": {}', '"metadata": []'),
    "half a letter": ("Because.", "Because\\ud800"),
}


@cache
def _released() -> TemporaryDirectory:
    """The course that each test gets a copy of: to make one takes seconds."""
    folder = TemporaryDirectory()
    course = Course(Path(folder.name))
    course.place("source", "A9").mkdir(parents=True)
    nbformat.write(source(), course.place("source", "A9") / "A9_toy.ipynb")
    release(course, "A9")
    return folder


def released(folder: Path) -> tuple[Course, NotebookNode]:
    """A course with this assignment alone, and the copy that students get."""
    copytree(_released().name, folder, dirs_exist_ok=True)
    course = Course(folder)
    return course, course.copy("A9")


def hand_in(copy: NotebookNode, inbox: Path) -> None:
    """Write all of that into a folder."""
    inbox.mkdir()
    for name, (body, _, _) in ANSWERS.items():
        nbformat.write(solved(copy, body), inbox / f"{name}.ipynb")
    for name, (edit, _, _) in EDITS.items():
        notebook = solved(copy)
        edit(notebook)
        (inbox / name).mkdir()
        nbformat.write(notebook, inbox / name / "my answers.ipynb")
    for name, (content, _) in FILES.items():
        (inbox / name).write_bytes(content)
    (inbox / "hollow").mkdir()
