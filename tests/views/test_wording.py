import pytest

from seqviz.views.shared.wording import readable


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("word", "word"),
        ("two words", "two words"),
        ("", "∅"),
        ("  ", "␣␣"),
        ("a\nb\tc", "a↵b⇥c"),
        ("\x00", "␀"),
        ("\u200b", "U+200B"),
        ("\u0301", "◌\u0301"),
        ("\uffff", "\ufffd"),
        ("x" * 50, "x" * 39 + "…"),
        ("שלום", "\u2068שלום\u2069"),
        ("\u202eabc", "\u2068\u202eabc\u2069"),
    ],
)
def test_what_has_no_shape_gets_one(text, read):
    assert readable(text) == read
