"""Several texts in one list of tokens: what one reads of another."""

import pytest
from traitlets import TraitError

from seqviz.data import train_wordpiece
from seqviz.running.tokenizing import reader_of
from seqviz.view import attention
from tests.views.attention.arrays import weights

TOKENS = ["[CLS]", "it", "was", "un", "##able", "[SEP]", "why", "not", "[SEP]"]
OF = [None, 0, 0, 0, 0, None, 1, 1, None]


def view_of(**controls):
    return attention(weights(2, 3, 9, 9), TOKENS, segments=OF, **controls)


def test_scores_are_of_the_whole_text():
    whole, part = view_of(), view_of(between="A to B")
    assert whole.part_of("0 scores") == part.part_of("0 scores")
    assert "0 thumbs A to B" in part.parts
    assert "0 scores A to B" not in part.parts
    assert part.needs()[0] == "0 scores"


def test_segments_may_have_any_numbers_and_one_text_has_no_filter():
    assert attention(weights(4, 4), list("abcd"), segments=[7, 7, 3, 3]).here.pairings == [
        "A to A", "A to B", "B to A", "B to B",
    ]  # fmt: skip
    view = attention(weights(4, 4), list("abcd"), segments=[1, 1, 1, None])
    assert view.here.pairings == []
    with pytest.raises(TraitError, match="between: expected one of all; came 'A to B'"):
        view.between = "A to B"


def test_what_are_no_segments_is_refused():
    with pytest.raises(ValueError, match="segments: expected 4, one for each token, came 3"):
        attention(weights(4, 4), list("abcd"), segments=[0, 0, 1])
    with pytest.raises(ValueError, match="segments: are of tokens alone"):
        attention(weights(2, 3), ["a", "b"], key_tokens=list("abc"), segments=[0, 1])


def test_a_tokenizer_tells_the_texts_of_a_pair():
    reader = reader_of(train_wordpiece(["it was why not"], vocab_size=40))
    reading = reader.read("it was", "why not")
    special = [token in reader.special for token in reading.tokens]
    assert [text is None for text in reading.texts] == special
    assert list(dict.fromkeys(reading.texts)) == [None, 0, 1]
    assert reader.read("it was").texts is None
