"""BIO tags to spans and back."""

import random
from itertools import product

import numpy as np
import pytest

from seqviz.data import Span, spans_to_tags, tags_to_spans
from tests.refusing import refused

READ = {
    "O O": [],
    "B-A": [("A", 0, 1)],
    "O B-A I-A O": [("A", 1, 3)],
    "B-A B-A I-A": [("A", 0, 1), ("A", 1, 3)],
    "B-A I-A B-LOC": [("A", 0, 2), ("LOC", 2, 3)],
    "O I-A I-A": [("A", 1, 3)],
    "B-A I-B I-B": [("A", 0, 1), ("B", 1, 3)],
    "I-A I-B O I-B": [("A", 0, 1), ("B", 1, 2), ("B", 3, 4)],
    "B-A O I-A": [("A", 0, 1), ("A", 2, 3)],
    "B-A-B I-A-B": [("A-B", 0, 2)],
    "": [],
}


def test_tags_are_read():
    for line, spans in READ.items():
        assert tags_to_spans(line.split()) == [Span(*span) for span in spans], line


def test_strict_refuses_an_i_that_goes_on_with_nothing():
    for line, at in (("I-A", 0), ("O I-A I-A", 1), ("B-B I-A", 1), ("B-A O I-A", 2)):
        with pytest.raises(ValueError, match=rf"tags\[{at}\] is 'I-A' .*begins with 'B-A'"):
            tags_to_spans(line.split(), strict=True)


def test_what_is_no_bio_tag_is_named():
    for tag in ("I", "B", "B-", "I-", "", "o", "THE", "B_THE", "E-A", "S-A", "-"):
        with pytest.raises(ValueError, match=rf"tags\[1\] is '{tag}', no BIO tag"):
            tags_to_spans(["O", tag])
    with pytest.raises(TypeError, match=r"tags must be a list of words, got the text 'O O'"):
        tags_to_spans("O O")


def test_spans_and_tags_are_each_others_inverse():
    for tags in product(["O", "B-A", "I-A", "B-B", "I-B"], repeat=4):
        read = tags_to_spans(tags)
        written = spans_to_tags(read, 4)
        assert tags_to_spans(written, strict=True) == read
        try:
            tags_to_spans(tags, strict=True)
        except ValueError:
            assert written != list(tags)
        else:
            assert written == list(tags)


def test_the_order_of_the_spans_is_free():
    spans = [("A", 0, 2), ("B", 2, 3), ("A", 5, 9)]
    shuffled = random.Random(0).sample(spans, 3)
    assert spans_to_tags(shuffled, 9) == spans_to_tags(spans, np.int64(9))


def test_bad_spans_are_named():
    wrong = {
        r"\('A', 3, 1\) ends before it starts": lambda: spans_to_tags([("A", 3, 1)], 4),
        "leaves the text, which has 4 words": lambda: spans_to_tags([("A", 2, 5)], 4),
        "must have a kind": lambda: spans_to_tags([("", 0, 1)], 4),
        "overlaps with another": lambda: spans_to_tags([("A", 0, 2), ("B", 1, 3)], 4),
    }
    refused(ValueError, wrong)
