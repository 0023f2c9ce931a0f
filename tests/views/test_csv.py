"""A CSV holds texts, whatever a spreadsheet cuts them at."""

import csv
import io
from itertools import product

import pytest

from seqviz import view
from seqviz.views.shared import widget
from seqviz.views.shared.widget import cell

FORMULAS = ["=1+1", '"=1+1', 'x;""=1+1;', "x;=1+1", 'x|"+1', 'x\t"@a', 'x\r"=1', 'x\n"\uff1d1']


def test_no_text_becomes_a_formula():
    for text, separator in product(FORMULAS, ",;\t|"):
        line = f"a,{cell(text)},b\n"
        rows = csv.reader(io.StringIO(line, newline=""), delimiter=separator)
        assert not [part for row in rows for part in row if part[:1] in tuple("=+-@\uff1d")]


def test_another_text_stays_as_it_is():
    for text in ('a "b", c', "x = 1", '"', "a;b", 'x;"y"', "well-known"):
        (row,) = csv.reader(io.StringIO(f"{cell(text)}\n", newline=""))
        assert row == [text]


def test_a_very_large_file_is_warned_of(monkeypatch):
    shown = view.text("abc", [0.5, -1, 0])
    monkeypatch.setattr(widget, "LARGE_CSV", len(shown.to_csv()) - 1)
    with pytest.warns(UserWarning, match="this CSV has 0 MB, which few spreadsheets open"):
        shown.to_csv()
