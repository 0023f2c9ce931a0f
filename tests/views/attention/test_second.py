"""A second text that the same head reads: what is held, what is refused."""

import re

import numpy as np
import pytest

from seqviz.view import attention
from seqviz.views.attention.packing import Layout
from tests.views.attention.arrays import decoded
from tests.views.attention.silencing import TEXT, WIDE, run, speaker

WORDS = TEXT.split()
OTHER = WIDE.split()


@pytest.fixture
def calls():
    return []


@pytest.fixture
def view(calls):
    return attention(speaker(calls=calls), text=TEXT, second=WIDE, layer=3, head=2, query="it")


def test_the_page_has_the_maps_of_both_texts(view):
    second = view.facts["second"]
    assert (second["text"], second["kinds"][0]["queries"]) == (WIDE, OTHER)
    assert "1 3 2" in view.needs()
    parts = dict(view.parts.items())
    assert list(parts) == list(view.parts)
    there = run(OTHER)[0]
    for layer in range(4):
        for head in range(3):
            map_, _ = decoded(parts[f"1 {layer} {head}"], Layout((12, 12), True))
            np.testing.assert_allclose(map_, there[layer, head], atol=4e-3)
    header, *rows = view.table()
    assert header[-1] == "text"
    for text, maps in (("first", run(WORDS)[0]), ("second", there)):
        assert [row[7] for row in rows if row[-1] == text] == maps.ravel().tolist()
    view.second = ""
    assert view.facts["second"] is None
    assert not [name for name in view.parts if name.startswith("1 ")]


def test_silenced_heads_are_silent_in_both_texts(view, calls):
    calls.clear()
    view.silent = [("self", 1, 1)]
    assert calls == [(TEXT, [("self", 1, 1)]), (WIDE, [("self", 1, 1)])]
    assert view.table()[0][-2:] == ["silent", "text"]
    for words, text in ((WORDS, "first"), (OTHER, "second")):
        for silent, named in (([], ""), ([(1, 1)], "self 1.1")):
            values = [row[7] for row in view.table() if row[-2:] == [named, text]]
            np.testing.assert_array_equal(values, run(words, silent)[0].ravel())
    calls.clear()
    view.second = "it was wide"
    assert calls == [("it was wide", []), ("it was wide", [("self", 1, 1)])]
    view.silent = []
    assert calls[2:] == []  # what both say with all heads was kept
    assert view.second == "it was wide"


def test_a_new_first_text_keeps_the_second_and_both_are_run(view, calls):
    calls.clear()
    view.text = "it was wide"
    assert calls == [("it was wide", []), (WIDE, [])]
    assert (view.text, view.second, view.facts["second"]["text"]) == ("it was wide", WIDE, WIDE)


def test_a_text_without_this_kind_is_refused():
    def read(text):
        weights = run(text.split())[0]
        if text != TEXT:
            return {"weights": weights[:2], "tokens": text.split()}
        return {"weights": weights, "tokens": WORDS}

    view = attention(read, text=TEXT)
    with pytest.raises(ValueError, match=r"second: of this text the layers of 'self' are \(0, 1\)"):
        view.second = WIDE
    assert view.second == ""


def test_a_view_of_weights_says_what_to_do():
    live = re.escape("second=...), or use sv.explore")
    with pytest.raises(ValueError, match=f"second: .* no model .*{live}"):
        attention([[1.0]], "a", second="b")
    view = attention([[1.0]], "a")
    with pytest.raises(ValueError, match='second: expected a string, "" for none; came None'):
        view.second = None
    with pytest.raises(ValueError, match=r"second: .* no model"):
        view.second = "b"
    assert view.second == ""
    view.second = ""
