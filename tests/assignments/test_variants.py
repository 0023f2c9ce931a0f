"""Variants of A4 are equally hard: the same answers pass, the same fail for the same cause."""

import warnings
from contextlib import redirect_stdout
from functools import cache
from io import StringIO

import nbformat
import pytest
import torch

from seqviz import checks
from seqviz.checks.cases import CHECKS
from seqviz.checks.variants import MORE, Draw, drawn, fitting
from tests.assignments.reading import SOURCES, exercises, mark_of

EXERCISES = {one.name: one for path in SOURCES[3:4] for one in exercises(path)}
NUMBERS = [1, 471_100, 999_999, *range(2, 19)]
DAILY = 1  # of them in `make test`


@cache
def judged(name, number):
    """Of each answer what the visible check says, and whether hidden tests alone refuse it."""
    exercise, found = EXERCISES[name], {}
    hidden = compile(exercise.test.split("### BEGIN HIDDEN TESTS")[1], "<hidden>", "exec")
    with redirect_stdout(StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for answer in exercise.answers()[0]:
            names, passed = exercise.solved(answer.code) | {"VARIANT": number}, True
            verdict = CHECKS[name](names[name], number)
            try:
                exec(hidden, names)
            except AssertionError:
                passed = False
            named = answer.cause in verdict.message
            found[answer.cause] = (answer.kind, verdict.passed, named, passed)
    return found


@pytest.mark.parametrize(
    "number",
    [*NUMBERS[:DAILY], *(pytest.param(n, marks=pytest.mark.slow) for n in NUMBERS[DAILY:])],
)
@pytest.mark.parametrize("name", EXERCISES)
def test_the_same_answers_fail_for_the_same_cause(name, number):
    found, usual = judged(name, number), judged(name, 0)
    assert found == usual
    for kind, visible, _, hidden in found.values():
        assert (visible and hidden) == (kind == "right")


@pytest.mark.parametrize("name", EXERCISES)
def test_sizes_stay_in_their_range_and_the_inputs_are_others(name):
    cases = CHECKS[name].cases
    for number in NUMBERS[:DAILY]:
        draws = [draw() for draw in fitting(cases, number)]
        assert sum(draw.variant == 0 for draw in draws) <= 1, "drawn, not the usual one"
        others = False
        for usual, case in zip(cases(Draw()), drawn(cases, number), strict=True):
            for one, other in zip(usual.given.values(), case.given.values(), strict=True):
                if isinstance(one, torch.Tensor):
                    sizes = zip(one.shape, other.shape, strict=True)
                    assert all(n <= m <= n + MORE for n, m in sizes)
                    others = others or one.shape != other.shape or not torch.equal(one, other)
                else:
                    others = others or one != other
        assert others


def test_every_check_of_the_assignment_takes_the_number():
    cells = nbformat.read(SOURCES[3], as_version=4).cells
    tests = [c.source for c in cells if mark_of(c).get("grade") and c.cell_type == "code"]
    assert len(tests) == len(EXERCISES) == 7
    for name, test in zip(EXERCISES, tests, strict=True):
        assert f"sv.checks.{name}({name}, VARIANT)" in test
        assert "sv.checks.varied(cases, VARIANT, " in test


def test_what_is_no_number_is_refused():
    for number, kind in (("7", TypeError), (1.0, TypeError), (True, TypeError), (-1, ValueError)):
        with pytest.raises(kind, match="variant must be a whole number from 0"):
            checks.attend(lambda *_: None, number)
    with pytest.raises(ValueError, match="absorb has no variants, got 3"):
        checks.absorb(lambda *_: None, 3)
