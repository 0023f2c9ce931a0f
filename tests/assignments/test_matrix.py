"""The proof that the graders are right: every right answer passes, every wrong one fails."""

import contextlib
import io
import warnings
from pathlib import Path

import pytest

from tests.assignments.reading import SOURCES, Exercise, exercises

TOP = Path(__file__).parents[2]
ALL = [exercise for path in SOURCES for exercise in exercises(path)]
IDS = [f"{one.assignment}-{one.name}" for one in ALL]
SAMPLE = {"right": 1, "wrong": 1, "wrong, subtle": 1}  # of each kind, in `make test`


def test_the_readme_tells_how_many_answers_there_are():
    kinds = [answer.kind for exercise in ALL for answer in exercise.answers()[0]]
    right = kinds.count("right")
    told = f"{len(ALL)} exercises, {right} right answers that pass, {len(kinds) - right} wrong ones"
    readme = " ".join((TOP / "README.md").read_text(encoding="utf-8").split())
    assert told in readme


def passes(exercise: Exercise, code: str) -> str:
    """Grade an answer: an empty text if it passes, else why not."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(exercise.test, "<test>", "exec"), exercise.solved(code))
    except AssertionError as refused:
        return str(refused) or "refused"
    return ""


@pytest.mark.parametrize("exercise", ALL, ids=IDS)
def test_there_are_enough_answers(exercise):
    answers, weak = exercise.answers()
    by_kind = {kind: [a for a in answers if a.kind.startswith(kind)] for kind in ("right", "wrong")}
    assert len(by_kind["right"]) >= 3
    assert len(by_kind["wrong"]) >= 6
    assert len({a.cause for a in answers}) == len(answers), "no two share a cause"
    assert len({a.code.strip() for a in answers}) == len(answers)
    subtle = [a for a in answers if a.kind == "wrong, subtle"]
    assert len(subtle) >= 2
    fooled = []
    for answer in (*subtle, *by_kind["right"]):
        names = exercise.solved(answer.code)
        student = names[exercise.name]
        exec(compile(weak, "<weak>", "exec"), names)
        fooled.append(bool(names["weak"](student)))
    assert all(fooled), "a weaker grader takes the subtle ones and the right ones"


@pytest.mark.parametrize("exercise", ALL, ids=IDS)
def test_the_solution_passes_and_the_stub_does_not(exercise):
    assert passes(exercise, exercise.solution) == ""
    kept = exercise.solution.split("### BEGIN SOLUTION")[0].rstrip()
    assert passes(exercise, f"{kept}\n    raise NotImplementedError()")
    assert passes(exercise, f"{exercise.name} = None")


def sampled(exercise: Exercise) -> list:
    """The answers, those beyond the sample marked as slow."""
    left, marked = dict(SAMPLE), []
    for answer in exercise.answers()[0]:
        left[answer.kind] -= 1
        marks = [] if left[answer.kind] >= 0 else [pytest.mark.slow]
        name = f"{exercise.assignment}-{exercise.name}-{answer.kind}: {answer.cause}"
        marked.append(pytest.param(exercise, answer, id=name, marks=marks))
    return marked


@pytest.mark.parametrize(("exercise", "answer"), [p for one in ALL for p in sampled(one)])
def test_right_answers_pass_and_wrong_ones_fail(exercise, answer):
    refused = passes(exercise, answer.code)
    assert bool(refused) == answer.kind.startswith("wrong"), refused
