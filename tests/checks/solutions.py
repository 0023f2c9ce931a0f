"""The solution of every exercise: folded in a lecture, or in the source of an assignment."""

import functools
from collections.abc import Callable

import nbformat

from seqviz.checks.cases import CHECKS
from tests.assignments.reading import SOURCES, Exercise, exercises
from tests.notebooks.executed import LECTURES
from tests.notebooks.parts import Notebook

GOES_ON_FROM = {"07_seq2seq_decoding": ["def ngrams"]}  # cells that a solution needs
EXERCISES = {  # of those that have a check of their own
    one.name: one for path in SOURCES for one in exercises(path) if one.name in CHECKS
}


@functools.cache
def of_lectures() -> dict[str, Callable]:
    """The folded solutions by the names of their checks."""
    found = {}
    for notebook in map(Notebook, LECTURES):
        for function, check, solution in notebook.exercises():
            names = notebook.defined(*GOES_ON_FROM.get(notebook.name, ()))
            exec(solution, names)
            found[check] = names[function]
    return found


@functools.cache
def solution(name: str) -> Callable:
    """The solution of an assignment's exercise."""
    return answered(EXERCISES[name], EXERCISES[name].solution)


def answered(exercise: Exercise, code: str) -> Callable:
    """The function of an answer."""
    return exercise.solved(code)[exercise.name]


def run_without_hidden_tests(assignment: str) -> dict:
    """Run all code, as a student has it after solving everything; the names it leaves."""
    (source,) = (path for path in SOURCES if path.parent.name == assignment)
    names = {}
    for cell in nbformat.read(source, as_version=4).cells:
        if cell.cell_type == "code":
            code = cell.source.split("### BEGIN HIDDEN TESTS")[0]
            exec(compile(code, cell.id, "exec"), names)
    return names
