"""At a decoder step the sentence and the table know only what is written."""

import numpy as np
import pytest

from seqviz.view import attention

QUERIES = ["<s>", "un", "##kind", "cat"]
KEYS = ["a", "b", "c"]
WEIGHTS = np.array([[0.4, 0.3, 0.3], [0.1, 0.6, 0.3], [0.2, 0.7, 0.1], [0.04, 0.01, 0.95]])


def says(view, **controls):
    for name, value in controls.items():
        setattr(view, name, value)
    return view.alt.partition(": ")[2]


@pytest.fixture
def view():
    return attention(WEIGHTS, QUERIES, key_tokens=KEYS)


def test_the_sentence_is_of_what_is_written(view):
    assert says(view) == "“cat”, token 4, attends most to “c”, token 3, 0.95."
    assert says(view, step=2) == "“un”, token 2, attends most to “b”, token 2, 0.60."
    assert says(view, query=4) == "“un”, token 2, attends most to “b”, token 2, 0.60."
    assert says(view, query=1) == "“<s>”, token 1, attends most to “a”, token 1, 0.40."
    by = says(view, query=0, key=3, side="key")
    assert by == "“c”, token 3, is attended to most by “<s>”, token 1, 0.30."
    assert says(view, query=4) == by
    assert says(view, step=4) == "“c”, token 3, is attended to most by “cat”, token 4, 0.95."


@pytest.mark.parametrize(
    ("step", "words", "specials", "rows"),
    [
        (0, False, "shown", "1234"),
        (2, False, "shown", "12"),
        (2, True, "shown", "1"),  # a word when all its pieces are written
        (3, True, "shown", "12"),
        (3, True, "hidden", "2"),
        (2, True, "renormalised", ""),
    ],
)
def test_the_table_holds_what_is_written(view, step, words, specials, rows):
    view.step, view.words, view.specials = step, words, specials
    assert [row[3] for row in view.table()[1:]] == [row for row in rows for _ in KEYS]


def test_that_no_query_is_on_screen_is_said(view):
    why = says(view, step=1, specials="hidden")
    assert why == "no query is on screen at step 1: what is written is hidden."
    why = says(view, words=True, step=2, query=2, side="key", key=1)
    assert why.endswith("what is written is hidden or not yet a whole word.")
    assert view.to_csv().count("\n") == 1


def test_self_attention_has_no_steps():
    view = attention(np.eye(2), "ab")
    view.step = 1
    assert len(view.table()) == 5
