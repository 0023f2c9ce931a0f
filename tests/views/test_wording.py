import pytest

from seqviz.views.shared.wording import readable, share, two


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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.125, "0.13"),
        (-0.125, "−0.13"),
        (-0.001, "0.00"),
        (-12.345, "−12.35"),
        (1e9, "1000000000.00"),
    ],
)
def test_two_decimals_round_as_the_page_does(value, text):
    assert two(value) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0, ".00"),
        (1e-9, "<.01"),
        (0.005, ".01"),
        (0.5, ".50"),
        (0.994, ".99"),
        (0.996, ">.99"),
        (1, "1.00"),
    ],
)
def test_a_probability_is_never_a_round_one_that_it_is_not(p, text):
    assert share(p) == text
