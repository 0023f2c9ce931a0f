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


@cache
def cells_of(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells


def parsed(cell):
    return ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.MULTILINE))


def statements(cell):
    """What a cell does itself: without what it only defines or imports."""
    only = ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom
    return [one for one in parsed(cell).body if not isinstance(one, only)]


def runs(cell):
    return not is_asking(cell) and "sv.checks." not in cell.source


def shows(cell):
    return any(kind in output.get("data", {}) for output in cell.outputs for kind in PICTURES)


def asserts(cell):
    nodes = [node for one in statements(cell) for node in ast.walk(one)]
    calls = (node for node in nodes if isinstance(node, ast.Call))
    compared = any(ast.unparse(call.func) == "torch.testing.assert_close" for call in calls)
    return compared or any(isinstance(node, ast.Assert) for node in nodes)


DOES = {"run": runs, "show": shows, "use": is_question, "assert": asserts}


def problems(idea, cells):
    """Yield what a row of the ledger says that its notebook does not do."""
    by_id = {cell.id: cell for cell in cells if cell.cell_type == "code"}
    titles = [re.match("### (Exercise .*?):", cell.source) for cell in cells]
    exercises = {title[1].lower().replace(" ", "-") for title in titles if title}
    for claim, does in DOES.items():
        names = [name for name in idea[claim].split() if claim != "use" or name not in exercises]
        if not idea[claim].split():
            yield f"{claim}: no cell"
        for name in names:
            if name not in by_id:
                yield f"{claim}: there is no {name!r}"
            elif not does(by_id[name]):
                yield f"{claim}: {name} does not"
    if not any(name in by_id and statements(by_id[name]) for name in idea["run"].split()):
        yield "run: these cells only define"


@pytest.mark.parametrize("name", LECTURES)
def test_each_idea_is_run_seen_used_and_asserted(name):
    rows = [idea for idea in IDEAS if idea["notebook"] == name]
    assert rows, "a lecture without an idea"
    wrong = [(idea["idea"], *problems(idea, cells_of(name))) for idea in rows]
    assert [found for found in wrong if len(found) > 1] == []
    for claim in ("run", "assert"):
        for idea in rows:
            others = {cell for other in rows if other is not idea for cell in other[claim].split()}
            assert {*idea[claim].split()} - others, (
                f"{idea['idea']}: no cell of its own {claim}s it"
            )


def test_the_ledger_names_each_idea_once():
    assert len({idea["idea"] for idea in IDEAS}) == len(IDEAS) == 93
    assert {idea["notebook"] for idea in IDEAS} == {*LECTURES}
    for idea in IDEAS:
        assert {*idea["deck"].split()} <= {"000", "001", "002", "003", "004"}, idea
        assert idea["deck"].strip(), idea


@pytest.mark.parametrize("claim", DOES)
def test_a_false_row_is_found(claim):
    idea = IDEAS[0]
    cells = cells_of(idea["notebook"])
    prose = next(cell.id for cell in cells if cell.cell_type == "markdown")
    code = [cell for cell in cells if cell.cell_type == "code" and not is_asking(cell)]
    defined = next(cell.id for cell in code if not statements(cell))
    for false in ("", prose, defined, "exercise-99"):
        assert [*problems(idea | {claim: false}, cells)] != []
