"""Chosen heads, pairs of texts and layers with numbers of their own: the page has the arrays."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_shown import same_numbers, softmax

pytestmark = pytest.mark.browser

TOKENS = ["[CLS]", "it", "was", "un", "##able", "[SEP]", "why", "not", "[SEP]"]
OF = [None, 0, 0, 0, 0, None, 1, 1, None]
MAPS = softmax(3, 4, 9, 9)


def view_of(**controls):
    return attention(MAPS, TOKENS, segments=OF, **controls)


def shift_click(shown, layer, head):
    shown.page.keyboard.down("Shift")
    shown.click(shown.head(layer, head))
    shown.page.keyboard.up("Shift")


def test_shift_adds_a_head_to_the_mean_and_takes_it_away(explore):
    page, view = explore(view_of(layer=2, head=1)), view_of()
    shift_click(page, 0, 3)
    shift_click(page, 1, 0)
    assert (page["layer"], page["head"]) == ("mean", "0.3 1.0 2.1")
    assert page.sentence.startswith("Mean of 3 heads: ")
    assert "0.3, 1.0, 2.1 · their mean entropy" in page.scores
    chosen = MAPS[[0, 1, 2], [3, 0, 1]]
    np.testing.assert_allclose(page.values[0], chosen.mean(0), atol=2e-3)
    same_numbers(page.csv, view, chosen.mean(0))
    frames = page.root.locator(".grid svg").last.locator('rect[stroke-width="2.5"]')
    assert frames.count() == 3
    page.choose("Roll up", "max")
    assert page.sentence.startswith("Maximum of 3 heads: ")
    np.testing.assert_allclose(page.values[0], chosen.max(0), atol=4e-3)
    shift_click(page, 2, 1)
    assert page["head"] == "0.3 1.0"
    shift_click(page, 0, 3)
    assert (page["layer"], page["head"]) == ("1", "0")
    shift_click(page, 1, 0)  # the last one stays
    assert (page["layer"], page["head"]) == ("1", "0")
    page.press(".grid", "ArrowDown", "Shift+Enter")
    assert page["head"] == "1.0 2.0"


def test_one_text_reads_another(explore):
    page, rows, columns = explore(view_of(layer=1, head=2)), [1, 2, 3, 4], [6, 7]
    page.choose("Texts", "A to B")
    part = MAPS[1, 2][np.ix_(rows, columns)]
    for specials in ("renormalised", "shown", "hidden"):
        page.choose("Special tokens", specials)
        want = part / part.sum(1, keepdims=True) if specials == "renormalised" else part
        values, names, others = page.values
        assert (names, others) == (["it", "was", "un", "##able"], ["why", "not"])
        np.testing.assert_allclose(values, want, atol=6e-3)
        same_numbers(page.csv, view_of(between="A to B"), want)
        assert page.thumb(1, 2).shape == (4, 2)
        if specials != "renormalised":
            assert "hidden" in page.list
            hidden = np.delete(MAPS[1, 2][rows], columns, axis=1).sum(axis=1)
            total = MAPS[1, 2][rows].sum(axis=1)
            np.testing.assert_allclose(values.sum(axis=1) + hidden, total, atol=1e-2)
    page.choose("Texts", "B to A")
    page.check("Pieces as words")
    assert page.values[1:] == (["why", "not"], ["it", "was", "unable"])
    page = explore(view_of(head=[(0, 3), (1, 0)], between="B to A"))
    assert (page["layer"], page["head"]) == ("mean", "0.3 1.0")
    assert page.values[1] == ["why", "not"]
    assert "Mean of 2 heads, 0.3 1.0" in page.root.evaluate("root => root.exported.svg()")
    texts = {"segments": [0, 1, 1], "between": "A to B", "specials": "hidden"}
    alone = attention(np.eye(3), ["[CLS]", "a", "b"], **texts)
    assert explore(alone).values[0].shape == (2, 2)  # a text of special tokens alone hides none
    assert explore(attention(MAPS, TOKENS)).control("Texts").is_hidden()


NUMBERS = (1, 3, 5)
WEIGHTS = softmax(3, 2, 9, 9)


def test_a_page_bears_the_models_layer_numbers(explore):
    layers = {f"layers.{k}.self_attn": [a[None]] for k, a in zip(NUMBERS, WEIGHTS, strict=True)}
    view = attention(layers, TOKENS)
    shown = explore(view)
    assert shown["layer"] == "1"
    rows = shown.root.locator('.layers text[text-anchor="end"]').all_text_contents()
    assert rows[:3] == ["1", "3", "5"]
    mixed = np.eye(9)
    for number, heads in zip(NUMBERS, WEIGHTS, strict=True):
        mixed = (heads.mean(0) + np.eye(9)) / 2 @ mixed
        for head, want in ((1, heads[1]), ("mean", heads.mean(0))):
            shown.click(shown.head(number, head))
            assert (shown["layer"], shown["head"]) == (str(number), str(head))
            np.testing.assert_allclose(shown.values[0], want, atol=4e-3)
        assert f"Layer {number} · mean over heads" in shown.drawn
        assert f"mean entropy of layer {number}'s heads" in shown.scores
        shown.choose("Roll up", "rollout")
        shown.click(shown.head(number, "rollout"))
        assert f"Rollout to layer {number}" in shown.drawn
        np.testing.assert_allclose(shown.values[0], mixed, atol=4e-3)
        shown.choose("Roll up", "mean")
    shown.click(shown.head(3, 1))
    same_numbers(shown.csv, view)
    shown.choose("Order by", "first")
    ranked = np.argsort(-WEIGHTS[..., 0].mean(-1), axis=None)
    assert shown.order == [f"{NUMBERS[k // 2]}.{k % 2}" for k in ranked]
