"""At a decoder step every part of the page speaks of the queries that are written."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_shown import (
    SOURCE,
    TARGET,
    same_numbers,
    softmax,
    text_of,
)

pytestmark = pytest.mark.browser
WEIGHTS = softmax(4, 3, 5, 9, seed=1, sharp=3)
PIECES = ["<pad>", "un", "##kind", "cat", "</s>"]


def at_step(step, tokens=TARGET, **controls):
    view = attention(WEIGHTS, tokens, key_tokens=SOURCE)
    for name, value in {**controls, "step": step}.items():
        setattr(view, name, value)
    return view


def test_everything_is_of_what_is_written(explore):
    view = at_step(2)
    shown = explore(view)
    row, column = np.unravel_index(WEIGHTS[0, 0, :2, :8].argmax(), (2, 8))
    value = text_of(WEIGHTS[0, 0, row, column])
    assert shown.sentence == f"{TARGET[row]} attends to {SOURCE[column]} {value}"
    assert (shown["query"], shown["step"]) == (str(row + 1), "2")
    same_numbers(shown.csv, view)
    assert len(shown.table) == 2 * len(SOURCE)
    before, at = shown.sentence, SOURCE.index("tapis")
    shown.hover(shown.cell(3, 0))
    assert (shown.sentence, shown["step"]) == (before, "2")
    x, y = shown.cell(0, at)
    shown.click((x, shown.root.locator(".heat canvas").bounding_box()["y"] - 8))
    column = WEIGHTS[0, 0, :2, at]
    best = int(column.argmax())
    assert shown.sentence == f"tapis is attended to by {TARGET[best]} {text_of(column[best])}"
    assert (shown["side"], shown["step"]) == ("key", "2")
    assert f"sum {text_of(column.sum())}" in shown.list
    assert "all 2 queries" in shown.list
    shown.click((x, y))
    assert shown["query"] == "1"
    shown.click(shown.cell(3, 0))  # goes on
    assert (shown["step"], shown["query"]) == ("4", "4")
    shown = explore(at_step(0))
    shown.control("Decoder step").fill("2")
    shown.settle()
    shown.press("stage", "Escape", "Escape")
    assert (shown["step"], shown["locked"], shown["query"]) == ("2", "false", "2")


def test_where_no_query_is_on_screen_the_page_says_so(explore):
    view = at_step(1, PIECES, specials="hidden", sort="cell", key=2, side="key")
    shown = explore(view)
    said = "no query is on screen at step 1: what is written is hidden"
    assert shown.sentence == said
    assert (shown.list, shown.reading, shown["locked"]) == ([], "", "false")
    assert shown.table == []
    assert said in shown.root.evaluate("root => root.exported.svg()")
    shown.press("stage", "Enter", "Home", "+", "0")
    shown.press(".lines", "ArrowRight", "ArrowLeft", "End")
    shown.press("stage", "Escape", "Escape", "ArrowUp", "Enter")
    assert shown.sentence.startswith("un")
    assert int(shown["step"]) >= 2


def test_a_step_hides_nothing_of_the_sum_of_a_window(explore):
    weights = softmax(1, 1, 100, 9, seed=2)
    view = attention(weights, [f"w{k}" for k in range(100)], key_tokens=SOURCE)
    view.step, view.key, view.side = 50, 2, "key"
    shown = explore(view)
    assert "NaN" not in " ".join(shown.drawn)
    assert f"sum {text_of(weights[0, 0, :50, 1].sum())}" in shown.list
    assert "the strongest 5 of 50 queries" in shown.list
