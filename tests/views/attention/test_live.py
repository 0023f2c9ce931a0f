"""A view that makes its attention of a text."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.views.asking import answers


def read(text):
    words = text.split()
    if "gree" in words:
        raise ValueError("unknown word 'gree'")
    n = len(words)
    return {"weights": np.full((2, 3, 2, n), 1 / n), "tokens": ["a", "b"], "key_tokens": words}


@pytest.fixture
def view():
    return attention(read, text="one two three", title="Live", layer=1)


def test_another_text_gives_another_map(view):
    view.query, view.key, view.step, view.head = 2, 3, 1, 2
    view.text = "four five"
    assert view.text == view.facts["text"] == "four five"
    assert view.facts["kinds"][0]["keys"] == ["four", "five"]
    assert (view.query, view.key, view.step) == (0, 0, 0)
    assert (view.layer, view.head, view.facts["title"]) == (1, 2, "Live")
    assert view.here.shape == (2, 2)
    assert {"0 scores", "0 thumbs", "0 1 2"} <= set(view.first)
    anew = attention(read, text="four five", title="Live", layer=1, head=2)
    assert view.to_html() == anew.to_html()


def test_a_smaller_map_takes_the_focus_along():
    depth = {"deep": 3, "flat": 1}

    def of_depth(text):
        return {"weights": np.full((depth[text], 2, 2, 2), 0.5), "tokens": ["a", "b"]}

    view = attention(of_depth, text="deep", layer=2, head=1)
    view.text = "flat"
    assert (view.layer, view.head) == (0, 1)
    assert "0 0 1" in view.first


def test_the_page_gets_an_answer(view):
    assert answers(view, text="four five") == [({"text": "four five", "problem": ""}, None)]
    facts, problem = view.facts, "ValueError: unknown word 'gree'"
    assert answers(view, text="gree") == [({"text": "gree", "problem": problem}, None)]
    assert (view.text, view.facts) == ("four five", facts)
    assert answers(view, want="0 scores")[0][0] == {"part": "0 scores"}


def test_bad_input():
    with pytest.raises(TypeError, match="text: expected a string, came None"):
        attention(read)
    with pytest.raises(TypeError, match="text: only for weights that are a function"):
        attention([[1.0]], ["a"], text="a")
    with pytest.raises(TypeError, match="tokens: the function of a text returns it"):
        attention(read, ["a"], text="a")
    with pytest.raises(TypeError, match=r"must return a dict .*came .*'title'"):
        attention(lambda text: {"title": "x"}, text="a")
    with pytest.raises(AttributeError, match="only a view made of a function"):
        attention([[1.0]], ["a"]).text  # noqa: B018


def test_warnings_come_through():
    with pytest.warns(UserWarning, match="sum"):
        attention(lambda text: {"weights": [[0.5, 0.2]], "tokens": ["a"], "key_tokens": ["b", "c"]},
                  text="x")  # fmt: skip
