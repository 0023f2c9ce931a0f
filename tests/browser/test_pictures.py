"""Pictures from code: the browser gets what the picture needs, and draws what the page draws."""

import re

import numpy as np
import pytest

from seqviz.view import attention, masking, text
from seqviz.views.shared import chromium, page
from tests.browser.test_every_view import net
from tests.browser.test_gates import answered

pytestmark = pytest.mark.browser
TOKENS = ["[CLS]", "un", "##believ", "##able", "cat", "sat", "[SEP]"]


def weights(layers, heads, tokens):
    scores = 3 * np.random.default_rng(0).gumbel(size=(layers, heads, tokens, tokens))
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True)


def words(svg):
    """The texts: a page's own means are of bytes, so that a bar may be a hair longer."""
    return re.findall(">([^<]+)<", svg)


def test_a_picture_says_what_the_page_says():
    for controls in (
        {"layer": 2, "head": "rollout"},
        {"words": True, "specials": "hidden", "sort": "cell", "query": 3},
        {"sort": "entropy", "rollup": "max", "layer": "max"},
    ):
        view = attention(weights(3, 4, 7), TOKENS)
        for name, value in controls.items():
            setattr(view, name, value)
        whole = chromium.svg(view.to_html(), 900, view.part_of)
        assert words(view.to_svg(width=900)) == words(whole), controls


def test_a_large_view_sends_the_browser_little():
    flat = np.full((4, 6, 384, 384), 1 / 384)
    flat[..., 0] += np.linspace(0, 1, 384)
    view = attention(flat / flat.sum(-1, keepdims=True), [f"t{k}" for k in range(384)])
    small = len(page.picture(view))
    more = attention(np.concatenate([view.here.layers] * 5), view.here.queries.tokens)
    assert len(page.picture(more)) < 1.2 * small
    assert "t383" in more.to_svg()


def test_a_committed_picture_has_nothing_for_the_hand(browser):
    view = masking([{"tokens": ["he", "sat"], "both": [[0.9, 0.1], [0.2, 0.8]]}], ["he", "sat"])
    for one in (view, text("abc", [[0.1, 0.7], [0.2, 0.5], [0.3, 0.1]]), answered(), net()):
        with chromium.shown(browser, one.to_html(), 900) as shown:
            root = shown.locator(".seqviz")
            before = root.bounding_box()
            assert chromium.photo(shown).startswith(b"\x89PNG")
            hands = root.locator("button, select, input, textarea, kbd, summary")
            assert not any(node.is_visible() for node in hands.all())
            assert root.locator(".say").is_visible()
            assert root.bounding_box()["height"] < before["height"] - 30


def test_a_unit_that_is_not_in_the_page_is_asked_for():
    view = text("abc", [[0.1, 0.7, -1], [0.2, 0.5, 1], [0.3, 0.1, 0]])
    view.unit = 3
    assert "Unit 3" in view.to_svg()
