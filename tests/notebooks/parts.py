"""Parts of the committed notebooks and their studies, for the tests of what they promise."""

import ast
import csv
import importlib.util
import os
import random
import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType

import nbformat

from tests.notebooks.executed import NOTEBOOKS

STUDIES = NOTEBOOKS / "studies"
DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


class Notebook:
    """A committed notebook, asked for its cells by how they begin."""

    def __init__(self, name: str):
        self.name = name
        self.cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells

    def cell(self, start: str) -> str:
        """The source of the one cell that begins so."""
        (source,) = [cell.source for cell in self.cells if cell.source.startswith(start)]
        return source

    def names(self, *starts: str, **given) -> dict:
        """Its names after its imports and the cells that begin so."""
        scope = self.defined(**given)
        for start in starts:
            exec(self.cell(start), scope)
        return scope

    def defined(self, *starts: str, **given) -> dict:
        """What it imports, and the functions, classes and constants of the cells that begin so."""
        scope = dict(given)
        imports = next(cell.source for cell in self.cells if "import seqviz as sv" in cell.source)
        for source in (imports, *map(self.cell, starts)):
            exec(definitions(source), scope)
        return scope

    def exercises(self) -> Iterator[tuple[str, str, str]]:
        """Of each exercise the name of its function, that of its check, the folded solution."""
        solutions = (
            re.search(r"```python\n(.*?)```", cell.source, re.DOTALL)[1]
            for cell in self.cells
            if cell.source.startswith("### Exercise ")
        )
        for cell in self.cells:
            if checked := re.search(r"^sv\.checks\.(\w+)\((\w+)\)$", cell.source, re.MULTILINE):
                yield checked[2], checked[1], next(solutions)


def definitions(source: str) -> str:
    """What a cell imports, and its functions, classes and constants: no more of it runs then."""
    body = [node for node in ast.parse(source).body if _defines(node)]
    return ast.unparse(ast.Module(body, []))


def _defines(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return not any(isinstance(part, ast.Call | ast.Name) for part in ast.walk(node.value))
    return isinstance(node, DEFINITIONS)


def any_row(rows: list[dict[str, str]]) -> dict[str, str]:
    """A row of a study, drawn with the seed of the run, which pytest prints at its end."""
    return random.Random(os.environ["SEQVIZ_STUDY_SEED"]).choice(rows)


@cache
def script(name: str) -> ModuleType:
    """The script of a study as a module."""
    spec = importlib.util.spec_from_file_location(f"study_{name}", STUDIES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def table(name: str) -> list[dict[str, str]]:
    """The rows of a study."""
    with (STUDIES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def where(name: str, **wanted) -> list[dict[str, str]]:
    """The rows of a study that say so."""
    wanted = {column: str(value) for column, value in wanted.items()}
    return [row for row in table(name) if wanted.items() <= row.items()]


def column(name: str, of: str, **wanted) -> list[float]:
    """The numbers of a column in these rows."""
    return [float(row[of]) for row in where(name, **wanted)]
