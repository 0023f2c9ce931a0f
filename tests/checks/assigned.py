"""The exercises of an assignment, its solutions, and the answers that stand beside it."""

import nbformat
import pytest

from tests.assignments.reading import COURSE, Exercise, exercises, mark_of


class Assignment:
    """An assignment's exercises by name, and functions of its solutions and answers."""

    def __init__(self, name: str, *also: str) -> None:
        """`also` are the given cells that solutions lean on."""
        (self.source,) = COURSE.glob(f"source/{name}/*.ipynb")
        self.exercises: dict[str, Exercise] = {one.name: one for one in exercises(self.source)}
        self.cells = [
            cell
            for cell in nbformat.read(self.source, as_version=4).cells
            if cell.cell_type == "code"
        ]
        self.names = {}
        for cell in self.cells:
            grade_id = mark_of(cell)["grade_id"]
            if grade_id in ("given-imports", *also, *self.exercises):
                exec(cell.source, self.names)
        self.solutions = {name: self.names[name] for name in self.exercises}

    def named(self, name: str, cause: str):
        """The answer of a cause."""
        (code,) = [a.code for a in self.exercises[name].answers()[0] if a.cause == cause]
        names = dict(self.names)
        exec(code, names)
        return names[name]

    def right_ones(self) -> list:
        """(name, cause) of each right answer, as parameters of a test."""
        return [
            pytest.param(name, answer.cause, id=f"{name}: {answer.cause}")
            for name, one in self.exercises.items()
            for answer in one.answers()[0]
            if answer.kind == "right"
        ]

    def run_without_hidden_tests(self) -> dict:
        """Run all code, as a student has it after solving everything; the names it leaves."""
        names = {}
        for cell in self.cells:
            code = cell.source.split("### BEGIN HIDDEN TESTS")[0]
            exec(compile(code, cell.id, "exec"), names)
        return names
