"""Chosen heads and pairs of texts on the page: the numbers are Python's."""

import numpy as np
import pytest

from seqviz.view import attention
from seqviz.views.shared.page import fragment
from tests.browser.attention_shown import Shown, same_numbers, softmax

pytestmark = pytest.mark.browser

TOKENS = ["[CLS]", "it", "was", "un", "##able", "[SEP]", "why", "not", "[SEP]"]
OF = [None, 0, 0, 0, 0, None, 1, 1, None]
MAPS = softmax(3, 4, 9, 9)


def view_of(**controls):
    return attention(MAPS, TOKENS, segments=OF, **controls)


@pytest.fixture
def shown(open_page):
    def shown(view):
        page = Shown(open_page(fragment(view)))
        page.page.wait_for_selector('.seqviz[data-ready="true"]')
        return page

    return shown


def shift_click(shown, layer, head):
    shown.page.keyboard.down("Shift")
    shown.click(shown.head(layer, head))
    shown.page.keyboard.up("Shift")


def test_shift_adds_a_head_to_the_mean_and_takes_it_away(shown):
    page, view = shown(view_of(layer=2, head=1)), view_of()
    shift_click(page, 0, 3)
    shift_click(page, 1, 0)
    assert (page["layer"], page["head"]) == ("mean", "0.3 1.0 2.1")
    assert page.sentence.startswith("Mean of 3 heads: ")
    assert "0.3, 1.0, 2.1 · their mean entropy" in page.scores
    values, _, _ = page.values
    np.testing.assert_allclose(values, (MAPS[0, 3] + MAPS[1, 0] + MAPS[2, 1]) / 3, atol=2e-3)
    view.head = [(0, 3), (1, 0), (2, 1)]
    same_numbers(page.csv, view)
    frames = page.root.locator(".grid svg").last.locator('rect[stroke-width="2.5"]')
    assert frames.count() == 3
    shift_click(page, 2, 1)
    assert page["head"] == "0.3 1.0"
    shift_click(page, 0, 3)
    assert (page["layer"], page["head"]) == ("1", "0")
    shift_click(page, 1, 0)  # the last one stays
    assert (page["layer"], page["head"]) == ("1", "0")


def test_the_roll_up_takes_the_maximum_of_the_chosen_heads(shown):
    page = shown(view_of(layer=2, head=1))
    page.press(".grid", "ArrowUp", "Shift+Enter")
    assert page["head"] == "1.1 2.1"
    page.choose("Roll up", "max")
    assert page.sentence.startswith("Maximum of 2 heads: ")
    values, _, _ = page.values
    np.testing.assert_allclose(values, np.maximum(MAPS[1, 1], MAPS[2, 1]), atol=4e-3)
    page.press(".grid", "ArrowRight", "Enter")
    assert page["layer"] in "012"


@pytest.mark.parametrize("specials", ["shown", "hidden", "renormalised"])
def test_one_text_reads_another(shown, specials):
    page = shown(view_of(layer=1, head=2, specials=specials))
    page.choose("Texts", "A to B")
    values, rows, columns = page.values
    assert (rows, columns) == (["it", "was", "un", "##able"], ["why", "not"])
    want = view_of(layer=1, head=2, specials=specials, between="A to B")
    np.testing.assert_allclose(values, want.shown.weights, atol=6e-3)
    same_numbers(page.csv, want)
    assert page.thumb(1, 2).shape == (4, 2)
    total = MAPS[1, 2][[1, 2, 3, 4]].sum(axis=1)
    seen = values.sum(axis=1)
    if specials != "renormalised":
        assert "hidden" in page.list
        hidden = MAPS[1, 2][[1, 2, 3, 4]][:, [0, 1, 2, 3, 4, 5, 8]].sum(axis=1)
        np.testing.assert_allclose(seen + hidden, total, atol=1e-2)
    page.check("Pieces as words")
    assert page.values[1] == ["it", "was", "unable"]


def test_a_page_that_was_saved_so_opens_so(shown):
    page = shown(view_of(head=[(0, 3), (1, 0)], between="B to A"))
    assert (page["layer"], page["head"]) == ("mean", "0.3 1.0")
    assert page.values[1] == ["why", "not"]
    assert "Mean of 2 heads, 0.3 1.0" in page.root.evaluate("root => root.exported.svg()")


def test_without_pairs_there_is_no_filter(shown):
    page = shown(attention(MAPS, TOKENS))
    assert page.control("Texts").is_hidden()
