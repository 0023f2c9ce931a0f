import numpy as np
import pytest

from seqviz.pieces import pieces_of
from seqviz.view import attention

BERT = ["[CLS]", "un", "##believ", "##able", "##", "it", "[SEP]"]


def facts(tokens, **options):
    n = len(tokens)
    return attention(np.full((n, n), 1 / n), tokens, **options).facts["kinds"][0]


def test_pieces_are_found_by_their_marks():
    found = facts(BERT)
    assert found["queries"] == found["keys"] == pieces_of(BERT).tokens
    assert found["wordQueries"] == found["wordKeys"] == [0, 1, 1, 1, 2, 3, 4]
    texts = ["[CLS]", "unbelievable", "##", "it", "[SEP]"]
    assert found["wordTextQueries"] == found["wordTextKeys"] == texts


def test_without_pieces_there_are_no_words():
    for tokens in (["a", "##"], ["", "a"], ["C#", "#", "#a"], ["café"]):
        assert facts(tokens)["wordQueries"] is None
        assert facts(tokens)["wordTextKeys"] is None


def test_words_can_be_left_or_given():
    assert facts(BERT, words=False)["wordQueries"] is None
    found = facts(list("abcdef"), words=[None, 0, np.int64(0), 1, None, None])
    assert found["wordQueries"] == [0, 1, 1, 2, 3, 4]
    assert found["wordTextQueries"] == ["a", "bc", "d", "e", "f"]
    assert facts("abc", words=[3, 2, 3])["wordQueries"] is None


@pytest.mark.parametrize(
    "words", [([0, 0], None), {"tokens": [0, 0]}, ([0, 0], [0, 1, 2]), {"tokens": (0, 0)}]
)
def test_each_side_has_its_own_words(words):
    weights = np.full((2, 3), 1 / 3)
    (found,) = attention(weights, "ab", key_tokens="xyz", words=words).facts["kinds"]
    assert found["wordTextQueries"] == ["ab"]
    assert found["wordKeys"] is None


def test_words_of_a_translation_go_by_the_names_of_its_tokens():
    view = attention(
        cross=np.full((2, 3), 1 / 3),
        encoder_tokens="xyz",
        decoder_tokens="ab",
        words={"encoder": [0, 1, 1], "decoder_tokens": False},
    )
    (found,) = view.facts["kinds"]
    assert found["wordTextKeys"] == ["x", "yz"]
    assert found["wordQueries"] is None


def test_special_tokens_are_found_or_given():
    tokens = ["[CLS]", "<s>", "[MASK]", "a", "<pad>", "[PAD]", "</s>"]
    assert facts(tokens)["specialQueries"] == facts(tokens)["specialKeys"] == [0, 1, 4, 5, 6]
    assert facts(tokens, special=["a", "[MASK]"])["specialKeys"] == [2, 3]
    assert facts(tokens, special=[])["specialKeys"] == []


def test_wrong_words_and_specials_are_named():
    for options, error, message in [
        ({"words": [0, 1]}, ValueError, "words of tokens: expected 3 word numbers.*came 2"),
        ({"words": "abc"}, TypeError, "words: expected None, False or the list.*'abc'"),
        ({"words": {"keys": []}}, ValueError, "words: keys is none of tokens"),
        ({"special": "[CLS]"}, TypeError, r"special: expected a list.*write \['\[CLS\]'\]"),
    ]:
        with pytest.raises(error, match=message):
            facts("abc", **options)


def test_one_list_of_words_does_not_do_for_two_texts():
    with pytest.raises(ValueError, match="words: expected 2 lists, for tokens and key_tokens"):
        attention(np.full((2, 2), 0.5), "ab", key_tokens="xy", words=[0, 0])
