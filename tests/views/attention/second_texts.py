"""Cases of two texts that are compared: what Python and the page both say of them."""

WIDE = "the animal did not cross the street because it was too wide"

# first text, second text, columns
ALIGNED = [
    ("", "", []),
    ("a", "", [(0, None)]),
    ("", "a b", [(None, 0), (None, 1)]),
    ("a b c", "a b c", [(0, 0), (1, 1), (2, 2)]),
    ("it was tired", "it was wide", [(0, 0), (1, 1), (2, 2)]),
    ("it was tired", "it was too wide", [(0, 0), (1, 1), (2, None), (None, 2), (None, 3)]),
    ("a x y b", "a u v b", [(0, 0), (1, 1), (2, 2), (3, 3)]),
    ("a b", "b a", [(0, None), (1, 0), (None, 1)]),
    ("the the", "the", [(0, 0), (1, None)]),
    ("x a", "a", [(0, None), (1, 0)]),
    ("It it", "it", [(0, None), (1, 0)]),
    ("a b c d", "b d", [(0, None), (1, 0), (2, None), (3, 1)]),
]


def _facts(side, word, far, weight, word2, far2, weight2, most2="was", largest2=0.9):
    names = ("side", "word", "far", "weight", "word2", "far2", "weight2", "most2", "largest2")
    given = (side, word, far, weight, word2, far2, weight2, most2, largest2)
    return dict(zip(names, given, strict=True))


# facts, sentence
LESSONS = [
    (
        _facts("query", "it", "animal", 0.67, "it", "animal", 0.56),
        "“it” attends to “animal” with 0.67; in the second text with 0.56",
    ),
    (
        _facts("query", "it", "tired", 0.3, "it", "wide", 0.0004),
        "“it” attends to “tired” with 0.30; in the second text to “wide”, in its place, "
        "with <0.001",
    ),
    (
        _facts("key", "tired", "it", 0.3, "wide", "it", 0.0),
        "“tired” is attended to by “it” with 0.30; in the second text “wide”, in its place, with 0",
    ),
    (
        _facts("key", "a", "b", 0.005, "c", "d", 1.0),
        "“a” is attended to by “b” with 0.005; in the second text “c”, in its place, by “d”, "
        "in its place, with 1.00",
    ),
    (
        _facts("query", "it", "tired", 0.3, None, "tired", None, None, None),
        "“it” attends to “tired” with 0.30; in the second text no word is in the place of “it”",
    ),
    (
        _facts("query", "it", "tired", 0.3, "she", None, None),
        "“it” attends to “tired” with 0.30; in the second text no word is in the place of "
        "“tired”, and “she” attends most to “was” with 0.90",
    ),
    (
        _facts("key", "it", "too", 0.3, "it", None, None),
        "“it” is attended to by “too” with 0.30; in the second text no word is in the place of "
        "“too”, and “it” is attended to most by “was” with 0.90",
    ),
    (
        _facts("key", "it", "too", 0.3, "it", None, None, None, None),
        "“it” is attended to by “too” with 0.30; in the second text no word is in the place of "
        "“too”",
    ),
]


def said(value):
    """A weight as the view writes it."""
    if value == 0:
        return "0"
    return "<0.001" if value < 0.001 else f"{value:.{3 if value < 0.0095 else 2}f}"
