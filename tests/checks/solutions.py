"""The solution of every exercise: folded in a lecture, or in the source of an assignment."""

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.assignments.reading import SOURCES, Exercise, exercises, mark_of

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LECTURES = sorted(NOTEBOOKS.glob("[0-9][0-9]*_*.ipynb"))
CHECKED = re.compile(r"^sv\.checks\.(\w+)\((\w+)\)$", re.MULTILINE)
FOLDED = re.compile(r"<summary>Solution</summary>\s*```python\n(.+?)```", re.DOTALL)
GIVEN = ("imports", "given-imports", "given-gates", "given-ngrams")
EXERCISES = {one.name: one for path in SOURCES for one in exercises(path)}


def code_cells(path: Path) -> Iterator[nbformat.NotebookNode]:
    """The cells of code of a notebook."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            yield cell


@functools.cache
def of_lectures() -> dict[str, Callable]:
    """The folded solutions by the names of their checks."""
    found = {}
    for path in LECTURES:
        folded, names = "", {"torch": torch, "nn": nn, "F": F, "sv": sv}
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and cell.source.startswith(("import ", "def ngrams(")):
                exec(cell.source.split("\n\n\n")[0], names)
            folded = "".join(FOLDED.findall(cell.source)) or folded
            for check, function in CHECKED.findall(cell.source):
                exec(folded, names)
                found[check] = names[function]
    return found


@functools.cache
def names_of(assignment: str) -> dict:
    """The names after an assignment's imports, its solutions and what these lean on."""
    (source,) = (path for path in SOURCES if path.parent.name == assignment)
    names = {}
    for cell in code_cells(source):
        if mark_of(cell)["grade_id"] in (*GIVEN, *EXERCISES):
            exec(cell.source, names)
    return names


def solution(name: str) -> Callable:
    """The solution of an assignment's exercise."""
    return names_of(EXERCISES[name].assignment)[name]


def answered(exercise: Exercise, code: str) -> Callable:
    """The function of an answer."""
    names = dict(names_of(exercise.assignment))
    exec(code, names)
    return names[exercise.name]


def run_without_hidden_tests(assignment: str) -> dict:
    """Run all code, as a student has it after solving everything; the names it leaves."""
    (source,) = (path for path in SOURCES if path.parent.name == assignment)
    names = {}
    for cell in code_cells(source):
        code = cell.source.split("### BEGIN HIDDEN TESTS")[0]
        exec(compile(code, cell.id, "exec"), names)
    return names
