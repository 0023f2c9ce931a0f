"""Parts of the committed notebooks and their studies, for the tests of what they promise."""

import csv
import importlib.util
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import nbformat

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


class Notebook:
    """A committed notebook, asked for its cells by how they begin."""

    def __init__(self, name: str):
        self.cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells

    def cell(self, start: str) -> str:
        """The source of the one cell that begins so."""
        (source,) = [cell.source for cell in self.cells if cell.source.startswith(start)]
        return source

    def solution(self, heading: str) -> str:
        """The folded solution in the cell of an exercise."""
        return re.search(r"```python\n(.*?)```", self.cell(heading), re.DOTALL).group(1)

    def stub(self, name: str) -> str:
        """The function that a student fills in, without the check under it."""
        return self.cell(f"def {name}(").split("\n\n\n")[0]

    def hold_to(self, heading: str, name: str, check: Callable, scope: dict) -> None:
        """The folded solution of an exercise passes its check; the stub is called unsolved."""
        exec(self.solution(heading), scope)
        assert check(scope[name])
        exec(self.stub(name), scope)
        verdict = check(scope[name])
        assert not verdict
        assert "not solved yet" in verdict.message


def letters_of(number: str) -> dict[str, str]:
    """What a notebook's letters are, by LETTERS.md: what it is to the letter."""
    page = (NOTEBOOKS / "LETTERS.md").read_text(encoding="utf-8")
    rows = [row.strip("|").split("|") for row in page.splitlines() if row.startswith("| $")]
    fields = [[field.strip() for field in row] for row in rows]
    return {what: letter.strip("$") for letter, what, _, where in fields if number in where}


def any_row(rows: list[dict[str, str]]) -> dict[str, str]:
    """A row of a study, drawn with the seed of the run, which pytest prints at its end."""
    return random.Random(os.environ["SEQVIZ_STUDY_SEED"]).choice(rows)


def study(name: str) -> tuple[ModuleType, list[dict[str, str]]]:
    """The script of a study as a module, and the rows of its table."""
    path = NOTEBOOKS / "studies" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"study_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with path.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        return module, list(csv.DictReader(file))
