"""A second text that the same head reads: what is held, what is said, what is refused."""

import re

import numpy as np
import pytest
from traitlets import TraitError

import seqviz as sv
from seqviz.view import attention
from seqviz.views.attention.aligned import aligned
from seqviz.views.attention.packing import Layout, decoded
from tests.views.attention.second_texts import ALIGNED, LESSONS, WIDE, said
from tests.views.attention.silencing import TEXT, run, speaker

WORDS = TEXT.split()
OTHER = WIDE.split()


@pytest.fixture
def calls():
    return []


@pytest.fixture
def view(calls):
    return attention(speaker(calls=calls), text=TEXT, second=WIDE, layer=3, head=2, query="it")


@pytest.mark.parametrize(("first", "second", "columns"), ALIGNED)
def test_words_are_lined_up_where_they_are_equal(first, second, columns):
    assert aligned(first.split(), second.split()) == columns


def test_every_word_has_its_column_and_equal_ones_are_as_many_as_can_be():
    rng = np.random.default_rng(0)
    for _ in range(200):
        first, second = (list(rng.choice(list("abc"), rng.integers(0, 8))) for _ in range(2))
        columns = aligned(first, second)
        assert [i for i, _ in columns if i is not None] == list(range(len(first)))
        assert [j for _, j in columns if j is not None] == list(range(len(second)))
        same = sum(None not in c and first[c[0]] == second[c[1]] for c in columns)
        assert same == longest(first, second)


def longest(first, second):
    if not first or not second:
        return 0
    if first[0] == second[0]:
        return 1 + longest(first[1:], second[1:])
    return max(longest(first[1:], second), longest(first, second[1:]))


def test_the_sentence_tells_both_weights(view, calls):
    assert calls == [(TEXT, []), (WIDE, [])]
    here, there = run(WORDS)[0][3, 2], run(OTHER)[0][3, 2]
    view.key = "animal"
    want = f"“it” attends to “animal” with {said(here[8, 1])}; in the second text with "
    assert view.alt.endswith(f" {want}{said(there[8, 1])}.")
    view.key = "tired"
    assert f"in the second text to “wide”, in its place, with {said(there[8, 11])}." in view.alt
    view.side = "key"
    assert "“tired” is attended to by “it” with " in view.alt
    assert f"; in the second text “wide”, in its place, with {said(there[8, 11])}." in view.alt
    view.second = "the animal was wide"
    assert view.alt.endswith("; in the second text no word is in the place of “tired”.")
    view.second = ""
    assert "second text" not in view.alt
    assert view.facts["second"] is None
    assert not [name for name in view.parts if name.startswith("second")]


@pytest.mark.parametrize(("facts", "sentence"), LESSONS)
def test_what_is_said_of_two_weights(facts, sentence):
    from seqviz.views.attention.compared import lesson

    assert lesson(facts) == sentence


def test_the_page_has_the_maps_of_both_texts(view):
    second = view.facts["second"]
    assert (second["text"], second["kinds"][0]["queries"]) == (WIDE, OTHER)
    assert "second 0 3 2" in view.needs()
    parts = dict(view.parts.items())
    assert list(parts) == list(view.parts)
    there = run(OTHER)[0]
    for layer in range(4):
        for head in range(3):
            map_, _ = decoded(parts[f"second 0 {layer} {head}"], Layout((12, 12), True))
            np.testing.assert_allclose(map_, there[layer, head], atol=4e-3)
    np.testing.assert_allclose(view.shown.weights, run(WORDS)[0][3, 2])
    assert [row[4] for row in view.table()[1::12]] == WORDS


def test_silenced_heads_are_silent_in_both_texts(view, calls):
    calls.clear()
    view.silent = [("self", 1, 1)]
    assert calls == [(TEXT, [("self", 1, 1)]), (WIDE, [("self", 1, 1)])]
    view.key = "animal"
    for show, silent in (("after", [(1, 1)]), ("before", []), ("difference", [(1, 1)])):
        view.show = show
        here, there = run(WORDS, silent)[0][3, 2, 8, 1], run(OTHER, silent)[0][3, 2, 8, 1]
        assert f"with {said(here)}; in the second text with {said(there)}." in view.alt
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


def test_what_fails_leaves_all_as_it_was(view):
    before, facts = view.alt, view.facts
    for name in ("second", "text"):
        with pytest.raises(RuntimeError, match="out of memory"):
            setattr(view, name, "boom")
    assert (view.alt, view.second, view.text) == (before, WIDE, TEXT)
    assert view.facts is facts


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
    with pytest.raises(ValueError, match=r"second: .* no model"):
        view.second = "b"
    assert view.second == ""
    view.second = ""


@pytest.mark.parametrize("wrong", [None, 3, ["it"]])
def test_no_text_is_refused(view, wrong):
    with pytest.raises(ValueError, match="second: expected a string"):
        view.second = wrong
    with pytest.raises(TraitError):
        view.set_state({"second": wrong})
    assert view.second == WIDE


def test_explore_takes_a_second_text():
    view = sv.explore(speaker(), text=TEXT, second=WIDE, query="it")
    assert view.second == WIDE
    assert "in the second text" in view.alt


def test_the_page_asks_for_a_second_text(view):
    sent = []
    view.send = lambda message, buffers=None: sent.append(message)
    view._answer(view, {"second": "it was wide", "run": "a 1"}, [])
    view._answer(view, {"second": "boom", "run": "a 2"}, [])
    assert sent == [
        {"second": "it was wide", "run": "a 1", "problem": ""},
        {"second": "boom", "run": "a 2", "problem": "RuntimeError: out of memory"},
    ]
    assert view.second == "it was wide"
