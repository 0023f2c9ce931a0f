import pytest

import seqviz as sv


def question(**changes):
    given = {
        "question": "What follows `l`?",
        "options": ["l", "o", "<b>"],
        "answer": "o",
        "because": "The state decides.",
        "wrong": {"l": "Only the first time."},
    }
    return sv.ask(**{**given, **changes})


def test_text_shows_the_options_and_keeps_the_answer():
    text = repr(question())
    assert "A) l" in text
    assert "B) o" in text
    assert "The state decides." not in text


def test_each_option_opens_to_its_own_explanation():
    page = question()._repr_html_()
    assert page.count("<details") == 3
    assert page.index("✗ Not this one.</b> Only the first time.") < page.index("✓ Right.")
    assert "<code>l</code>" in page


def test_options_and_explanations_never_become_markup():
    page = question(because="<script>alert(1)</script>", question="</p><script>")._repr_html_()
    assert "<script>" not in page
    assert "<b>." not in page
    assert "&lt;b&gt;" in page


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"answer": "x"}, ValueError, "answer must be one of"),
        ({"options": ["o"]}, ValueError, "two to six"),
        ({"options": ["o", "o"]}, ValueError, "different"),
        ({"wrong": {"o": "no"}}, ValueError, "wrong explains"),
        ({"because": None}, TypeError, "because must be text"),
        ({"options": None}, TypeError, "options must be a list"),
    ],
)
def test_bad_input_is_named(changes, error, words):
    with pytest.raises(error, match=words):
        question(**changes)
