"""Each exercise of the lectures as it is handed out; tests/checks asks the folded solutions."""

import pytest

import seqviz as sv
from tests.notebooks.executed import LECTURES
from tests.notebooks.parts import Notebook


@pytest.mark.parametrize("name", LECTURES)
def test_the_stubs_are_not_solved(name):
    notebook = Notebook(name)
    exercises = [*notebook.exercises()]
    assert len(exercises) == {"09a": 2, "09b": 1}.get(name[:3], 3)  # the others: predict, then run
    for function, check, _ in exercises:
        scope = notebook.defined()
        exec(notebook.cell(f"def {function}(").split("\n\n\n")[0], scope)
        verdict = getattr(sv.checks, check)(scope[function])
        assert not verdict, function
        assert "not solved yet" in verdict.message or function == "truncated", verdict.message
