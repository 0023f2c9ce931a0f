"""A class of submissions, made of the answers beside an assignment, whose points are known."""

from collections.abc import Callable, Sequence
from copy import deepcopy

from nbformat import NotebookNode

from tests.assignments.reading import Answer, Exercise, mark_of

Choice = Callable[[Exercise, Sequence[Answer]], Answer | None]


def submission(
    copy: NotebookNode, exercises: Sequence[Exercise], choose: Choice
) -> tuple[NotebookNode, float]:
    """The copy with an answer to each exercise, the solution where none is chosen; its points."""
    notebook, points = deepcopy(copy), 0.0
    cells = {mark_of(cell).get("grade_id"): cell for cell in notebook.cells}
    for exercise in exercises:
        answer = choose(exercise, exercise.answers()[0])
        cells[exercise.name].source = exercise.solution if answer is None else answer.code.strip()
        right = answer is None or answer.kind == "right"
        points += exercise.points if right else 0.0
    return notebook, points


def kind_of(kind: str, number: int) -> Choice:
    """The answer of a kind, right or wrong, that has this number among them, round and round."""

    def choose(exercise: Exercise, answers: Sequence[Answer]) -> Answer:
        fitting = [answer for answer in answers if answer.kind.startswith(kind)]
        return fitting[number % len(fitting)]

    return choose


def mixed(number: int) -> Choice:
    """Another answer to each exercise, right or wrong, for each number."""

    def choose(exercise: Exercise, answers: Sequence[Answer]) -> Answer:
        return answers[(number * 7 + len(exercise.name)) % len(answers)]

    return choose
