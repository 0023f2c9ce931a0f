"""Chosen heads: the mean of those that a person wants, or their maximum."""

import pytest
from traitlets import TraitError

from seqviz.view import attention
from tests.views.attention.arrays import weights, words

HEADS = [(2, 1), (0, 3), (1, 0)]


def view_of(**controls):
    return attention(weights(3, 4, 5, 5), words(5), **controls)


def test_chosen_heads_stand_in_the_models_order_and_are_named_or_counted():
    view = view_of(head=HEADS)
    assert (view.layer, view.head) == ("mean", [[0, 3], [1, 0], [2, 1]])
    assert view.alt.endswith("; mean of heads 0.3, 1.0 and 2.1")
    assert view_of(head=[(k, h) for k in range(3) for h in range(2)]).alt.endswith("of 6 heads")
    assert view_of(layer="max", head=HEADS).alt.endswith("; max of heads 0.3, 1.0 and 2.1")


def test_a_list_turns_the_layer_to_mean_and_a_layer_turns_the_list_to_a_head():
    view = view_of(layer=2, head=1)
    view.head = HEADS
    assert view.layer == "mean"
    view.layer = 1
    assert (view.layer, view.head) == (1, 3)


def test_another_kind_keeps_the_heads_that_it_has():
    view = attention(
        encoder=weights(3, 4, 5, 5),
        decoder=weights(1, 4, 3, 3),
        encoder_tokens=words(5),
        decoder_tokens=words(3),
        head=[(0, 1), (0, 2), (2, 3)],
    )
    view.kind = "decoder"
    assert (view.layer, view.head) == ("mean", [[0, 1], [0, 2]])
    view.kind, view.head = "encoder", [(1, 1), (2, 3)]
    view.kind = "decoder"
    assert (view.layer, view.head) == (0, 1)


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([(0, 1)], "at least two heads"),
        ([(0, 1), 3], r"head: expected a number, a word or a list of \(layer, head\)"),
        ([(0, 1), (0, "mean")], r"head\[1\]: head: expected a whole number, came 'mean'"),
        ([(0, 1), (3, 0)], "layer: expected a number from 0 to 2"),
        ([(0, 1), (0, True)], "whole number"),
    ],
)
def test_what_is_no_list_of_heads_is_refused_and_the_heads_stay(heads, message):
    view = view_of(head=HEADS)
    with pytest.raises(TraitError, match=message):
        view.head = heads
    assert view.head == [[0, 3], [1, 0], [2, 1]]
    with pytest.raises((ValueError, TypeError), match=message):
        view_of(head=heads)
