"""How long a lecture may be, counted from its content."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from seqviz.core_path import is_core, is_question, lines, minutes, words
from tests.notebooks.executed import LECTURES, NOTEBOOKS


def too_long(notebook):
    """Yield what of a lecture is too much."""
    cells = notebook.cells
    core = [cell for cell in cells if is_core(cell)]
    counted = {
        "cells": (len(cells), 100),
        "words": (sum(map(words, cells)), 3000),
        "lines of code": (sum(map(lines, cells)), 700),
        "questions": (sum(map(is_question, cells)), 16),
        "minutes of the core path, by its content": (sum(map(minutes, core)), 50),
    }
    for what, (found, most) in counted.items():
        if found > most:
            yield f"{found:.0f} {what}, at most {most}"
    for number, cell in enumerate(cells):
        if is_core(cell) and abs(cell.metadata.minutes - minutes(cell)) > 0.5:
            yield f"cell {number} says {cell.metadata.minutes} minutes, counted {minutes(cell):.1f}"


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_is_short(name):
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    assert not [*too_long(notebook)]


def core(cell, said):
    cell.metadata.update(tags=["core"], minutes=said)
    return cell


def test_what_a_cell_costs():
    text = "<small>◆ core, minute 1 of 5</small>\n\n" + "word " * 130
    assert minutes(new_markdown_cell(text + "<details>folded away</details>")) == 1
    assert minutes(new_code_cell("a = 1\n\n" * 12)) == 1
    picture = new_output("display_data", data={"image/png": "", "text/plain": "a view"})
    assert minutes(new_code_cell("a\n" * 6, outputs=[picture])) == 2
    html = new_output("display_data", data={"text/html": "", "image/png": ""})
    assert minutes(new_code_cell("sv.ask(\n" * 12, outputs=[html])) == 1.5


def test_too_much_is_named():
    cells = [core(new_markdown_cell("word " * 3001), 23)]
    cells += [core(new_code_cell("a = 1\n" * 360), 30) for _ in range(2)]
    cells += [new_code_cell("sv.ask('?')") for _ in range(17)]
    cells += [new_markdown_cell("") for _ in range(81)]
    found = [*too_long(new_notebook(cells=cells))]
    assert found == [
        "101 cells, at most 100",
        "3001 words, at most 3000",
        "720 lines of code, at most 700",
        "17 questions, at most 16",
        "83 minutes of the core path, by its content, at most 50",
    ]
    (one,) = too_long(new_notebook(cells=[core(new_code_cell("a = 1"), 2)]))
    assert one == "cell 0 says 2 minutes, counted 0.1"
