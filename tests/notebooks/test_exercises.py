"""Each exercise of the lectures: its folded solution is right, its stub is not."""

import pytest

import seqviz as sv
from tests.notebooks.executed import LECTURES
from tests.notebooks.parts import Notebook

NEEDS = {"07_seq2seq_decoding": ["def ngrams"]}  # cells that a solution goes on from


@pytest.mark.parametrize("name", LECTURES)
def test_the_folded_solutions_pass_and_the_stubs_do_not(name):
    notebook = Notebook(name)
    exercises = [*notebook.exercises()]
    assert len(exercises) == 3
    for function, check, solution in exercises:
        judge, scope = getattr(sv.checks, check), notebook.defined(*NEEDS.get(name, []))
        exec(solution, scope)
        assert judge(scope[function]), f"{function}: {judge(scope[function]).message}"
        exec(notebook.cell(f"def {function}(").split("\n\n\n")[0], scope)
        verdict = judge(scope[function])
        assert not verdict, function
        assert "not solved yet" in verdict.message or function == "truncated", verdict.message
