"""The ledger of ideas: each is run, seen, used and asserted, by the cells that it names."""

import ast
import csv
import re
from functools import cache

import nbformat
import pytest

from seqviz.core_path import PICTURES, is_asking, is_question
from tests.notebooks.executed import LECTURES, NOTEBOOKS

with (NOTEBOOKS / "ideas.csv").open(encoding="utf-8", newline="") as file:
    IDEAS = list(csv.DictReader(file))
CLAIMS = ("run", "show", "use", "assert")


@cache
def cells_of(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells


def parsed(cell):
    return ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.MULTILINE))


def runs(cell):
    return cell.cell_type == "code" and not is_asking(cell) and "sv.checks." not in cell.source


def shows(cell):
    return any(kind in output.get("data", {}) for output in cell.outputs for kind in PICTURES)


def asserts(cell):
    calls = (node for node in ast.walk(parsed(cell)) if isinstance(node, ast.Call))
    compared = any(ast.unparse(call.func) == "torch.testing.assert_close" for call in calls)
    return compared or any(isinstance(node, ast.Assert) for node in ast.walk(parsed(cell)))


DOES = {"run": runs, "show": shows, "assert": asserts}


def problems(idea, cells):
    """Yield what a row of the ledger says that its notebook does not do."""
    by_id = {cell.id: cell for cell in cells if cell.cell_type == "code"}
    for claim, does in DOES.items():
        if not idea[claim].split():
            yield f"no cell {claim}s it"
        for name in idea[claim].split():
            if name not in by_id:
                yield f"{claim}: there is no cell of code {name!r}"
            elif not does(by_id[name]):
                yield f"{claim}: cell {name} does not"
    questions = sum(map(is_question, cells))
    exercises = [cell.source for cell in cells if cell.source.startswith("### Exercise ")]
    there = [f"question {number}" for number in range(1, questions + 1)]
    there += [source.partition(":")[0].removeprefix("### ").lower() for source in exercises]
    for use in filter(None, re.split(r"\s*;\s*", idea["use"])):
        if use not in there:
            yield f"use: there is no {use}"
    if not idea["use"].strip():
        yield "nobody uses it"


@pytest.mark.parametrize("name", LECTURES)
def test_each_idea_is_run_seen_used_and_asserted(name):
    rows = [idea for idea in IDEAS if idea["notebook"] == name]
    assert rows, "a lecture without an idea"
    wrong = [(idea["idea"], *problems(idea, cells_of(name))) for idea in rows]
    assert [found for found in wrong if len(found) > 1] == []


def test_the_ledger_names_each_idea_once():
    assert len({idea["idea"] for idea in IDEAS}) == len(IDEAS) == 93
    assert {idea["notebook"] for idea in IDEAS} == {*LECTURES}
    for idea in IDEAS:
        assert {*idea["deck"].split()} <= {"000", "001", "002", "003", "004"}, idea
        assert idea["deck"].strip(), idea


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_false_row_is_found(claim):
    idea = IDEAS[0]
    cells = cells_of(idea["notebook"])
    prose = next(cell.id for cell in cells if cell.cell_type == "markdown")
    for false in ("", prose, "question 99"):
        assert [*problems(idea | {claim: false}, cells)] != []
