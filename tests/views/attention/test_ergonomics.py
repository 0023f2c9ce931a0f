"""What is typed: controls at the start, places from the end, a word for a token; plain mistakes."""

import numpy as np
import pytest
import torch
from traitlets import TraitError

import seqviz as sv
from seqviz.view import attention

TOKENS = ["[CLS]", "un", "##believ", "##able", "the", "cat", "the", "[SEP]"]


def weights(layers=3, heads=4, tokens=8):
    scores = np.random.default_rng(0).random((layers, heads, tokens, tokens))
    return scores / scores.sum(-1, keepdims=True)


def test_every_control_can_be_handed_in():
    view = attention(
        weights(),
        TOKENS,
        layer=-1,
        head=-2,
        query="cat",
        key=2,
        scale="log",
        sort="entropy",
        specials="hidden",
        threshold=0.1,
        rollup="max",
        words=True,
    )
    assert (view.layer, view.head, view.query, view.key) == (2, 2, 6, 2)
    assert (view.scale, view.sort, view.specials) == ("log", "entropy", "hidden")
    assert (view.threshold, view.rollup, view.words) == (0.1, "max", True)


def test_places_count_from_the_end_also_later():
    view = attention(weights(), TOKENS)
    view.layer, view.head = -3, -1
    assert (view.layer, view.head) == (0, 3)
    with pytest.raises(TraitError, match=r"head: expected a number from 0 to 3.*came -5"):
        view.head = -5


def test_a_token_or_a_word_is_set_by_its_text():
    view = attention(weights(), TOKENS)
    view.query = "cat"
    assert view.query == 6
    view.key = "unbelievable"
    assert view.key == 2
    with pytest.raises(TraitError, match="query: 'the' stands at tokens 5, 7: give one of"):
        view.query = "the"
    with pytest.raises(TraitError, match=r"query: no token is 'dog'; there are .CLS., un"):
        view.query = "dog"
    assert view.query == 6


def test_an_unknown_control_is_named():
    with pytest.raises(TypeError, match=r"colour: no argument, and none of .* mean 'scale'"):
        attention(weights(), TOKENS, colour="red")
    with pytest.raises(ValueError, match="scale"):
        attention(weights(), TOKENS, scale="cubic")


def test_what_is_no_weights_is_named():
    model = torch.nn.MultiheadAttention(8, 2)
    x = torch.ones(3, 1, 8)
    with pytest.raises(TypeError, match=r"came a model, MultiheadAttention: record it: with sv"):
        attention(model, TOKENS)
    with pytest.raises(TypeError, match=r"came a block that was not entered: write with sv.record"):
        attention(sv.record(model), TOKENS)
    with sv.record(model) as rec:
        model(x, x, x)
    with pytest.raises(TypeError, match=r"came a record: hand in rec\.attention"):
        attention(rec, TOKENS[:3])
    assert attention(rec.attention, TOKENS[:3]).here.heads == 2


def test_a_sentence_is_no_list_of_tokens():
    with pytest.raises(ValueError, match="came 9: a string stands for its characters: hand in"):
        attention(weights(tokens=3), "the cat s")
