"""The attention explorer with a kernel: thumbnails first, maps on request, nothing twice."""

import numpy as np
import pytest

from seqviz.view import attention
from seqviz.views.attention import widget
from tests.browser.attention_kernel import with_kernel
from tests.browser.attention_shown import (
    TEXT,
    long,
    sentence,
    softmax,
    three_kinds,
)

pytestmark = pytest.mark.browser


@pytest.fixture
def live(open_page, monkeypatch):
    """Show a view with a kernel; of its maps so many bytes go along with the first picture."""

    def live(view, saved=0, **options):
        monkeypatch.setattr(widget, "SAVED", saved)
        return with_kernel(open_page, view, **options)[0]

    return live


def asked(shown):
    return shown.page.evaluate("model.asked")


def test_what_is_embedded_before_it_was_shown_has_its_first_picture():
    view = sentence()
    view.layer = 2
    embedded = {tuple(one["path"]) for one in view._get_embed_state()["buffers"]}
    assert {("first", name) for name in (*view.needs(), "0 thumbs")} <= embedded


def test_a_saved_notebook_shows_every_head_without_its_kernel(live, explore):
    """All heads were saved: the view makes of them what else it has, as a page of its own does."""
    shown, page = live(sentence(), saved=10**5), explore(sentence())
    shown.page.evaluate("model.gone = true")
    for one in (shown, page):
        one.click(one.head(2, 3))
    assert asked(shown) == []
    for one in (shown, page):
        one.check("Pieces as words")
        one.choose("Special tokens", "renormalised")
        one.choose("Roll up", "rollout")
        one.page.wait_for_function("!document.querySelector('.seqviz[aria-busy=\"true\"]')")
        one.click(one.head(1, "rollout"))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.head === 'rollout'")
    np.testing.assert_array_equal(shown.values[0], page.values[0])
    for place in ((0, 1), (2, "mean"), (1, "rollout")):
        np.testing.assert_array_equal(shown.thumb(*place), page.thumb(*place))
    for one in (shown, page):
        one.choose("Order by", "cell")
    assert shown.order == page.order
    assert "No answer" not in shown.root.locator(".problem").inner_text()


def test_a_map_comes_when_it_is_asked_for_and_once(live):
    shown = live(sentence())
    for _ in range(3):
        for place in [(1, 2), (2, 3)]:
            shown.hover(shown.head(*place))
            shown.page.wait_for_function(
                "([l, h]) => document.querySelector('.seqviz').dataset.head === String(h)",
                arg=place,
            )
        shown.hover((2, 2))
    shown.click(shown.head(1, 2))
    assert asked(shown) == ["0 1 2", "0 2 3"]
    weights = softmax(3, 4, len(TEXT), len(TEXT))
    assert np.abs(shown.values[0] - weights[1, 2]).max() <= 0.004 * weights[1, 2].max()
    assert ["layer", 1] in shown.page.evaluate("model.written")
    shown.page.evaluate("model.set('query', 3); model.set('scale', 'log')")  # as Python does
    shown.settle()
    assert (shown["query"], shown["locked"]) == ("3", "true")
    assert shown.lowest == "0.0001"


def test_rollups_and_cells_ask_for_what_they_need(live):
    shown = live(sentence())
    shown.click(shown.head(1, "mean"))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.head === 'mean'")
    assert asked(shown) == ["0 1 mean"]
    shown.choose("Roll up", "max")
    shown.click(shown.head(2, "max"))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.head === 'max'")
    assert asked(shown)[1:] == [f"0 2 {h}" for h in range(4)]
    shown.choose("Order by", "cell")
    shown.page.wait_for_function("document.querySelectorAll('.layers text.strong').length === 12")
    assert asked(shown)[5:] == [f"0 row {int(shown['query']) - 1}"]


def test_a_checkpoint_comes_when_it_is_gone_to(live):
    """The head in focus is there at each of them: its curve stands on the screen."""
    steps = {k: softmax(2, 2, len(TEXT), len(TEXT), seed=k) for k in (0, 10, 20)}
    shown = live(attention(tokens=TEXT, checkpoints=steps, layer=1, head=1))
    assert asked(shown) == []
    assert shown.root.locator(".moments circle").count() == 3
    shown.press(".moments input", "End")
    shown.page.wait_for_function(
        "!document.querySelector('[aria-busy=\"true\"]') && model.asked.length"
    )
    assert sorted(asked(shown)) == ["2 scores", "2 thumbs"]
    assert ["checkpoint", 20] in shown.page.evaluate("model.written")
    np.testing.assert_allclose(shown.values[0], steps[20][1, 1], atol=4e-3)
    shown.page.evaluate("model.held = []")
    shown.page.mouse.click(*shown.head(0, 0))
    shown.page.evaluate("model.set('checkpoint', 10)")  # until its map comes, the one before stays
    shown.page.evaluate("new Promise(requestAnimationFrame)")
    assert shown.sentence.startswith("At step 20, ")
    shown.page.evaluate("model.answer()")
    shown.settle()
    assert shown.sentence.startswith("At step 10, ")
    np.testing.assert_allclose(shown.values[0], steps[10][0, 0], atol=4e-3)


def test_a_kernel_that_is_gone_is_said(live):
    shown = live(sentence())
    shown.page.evaluate("model.gone = true")
    place = shown.head(2, 2)
    shown.hover(place)
    assert shown.head(2, 2) == place, "what is said moves nothing under the pointer"
    shown.click(place)
    problem = shown.root.locator(".problem").inner_text()
    assert "needs a running kernel" in problem
    shown.hover(shown.cell(2, 2))  # what is here still answers
    assert (shown["query"], shown["layer"]) == ("3", "0")
    shown.page.evaluate("model.gone = false")  # a new kernel: it is asked again
    shown.hover(shown.cell(3, 2))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.layer === '2'")


def test_while_a_map_is_under_way_the_one_before_answers_and_a_silent_kernel_is_said_soon(live):
    shown = live(sentence())
    shown.page.evaluate("model.held = []")
    name = shown.token("query", 4)
    shown.page.mouse.click(*shown.head(2, 2))
    shown.page.mouse.move(*name)
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.query === '5'")
    assert (shown["layer"], shown.root.get_attribute("aria-busy")) == ("0", "true")
    shown.page.wait_for_function(
        "document.querySelector('.problem').textContent.includes('needs a running kernel')",
        timeout=3000,
    )
    shown.page.evaluate("model.answer()")
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.layer === '2'")
    assert shown.root.locator(".problem").inner_text() == ""
    assert (shown["head"], asked(shown)) == ("2", ["0 2 2"])


def test_until_new_scores_come_the_order_stays_and_nothing_is_said_of_them(live):
    view = sentence()
    view.sort = "first"
    shown = live(view)
    before = shown.order
    shown.page.evaluate("model.held = []")
    shown.control("Special tokens").select_option("hidden")
    assert shown.order == before
    assert "entropy" not in shown.scores
    assert shown.root.get_attribute("aria-busy") == "true"
    shown.page.evaluate("model.answer()")
    shown.settle()
    assert shown.order != before
    assert "entropy" in shown.scores


def test_what_is_on_screen_does_not_answer_for_a_kind_that_is_under_way(live):
    """The encoder has 9 tokens and 6 layers, cross-attention 5 queries and 2 layers."""
    shown = live(three_kinds())
    last = [shown.cell(8, 8), shown.token("query", 8), shown.head(5, 7)]
    shown.page.evaluate("model.held = []; model.set('kind', 'cross'); model.written.length = 0")
    for place in last:
        shown.page.mouse.move(*place)
        shown.page.mouse.click(*place)
        shown.page.evaluate("new Promise(requestAnimationFrame)")
    for pane in (".stage", ".lines", ".grid"):
        shown.root.locator(pane).focus()
        for key in ("End", "ArrowDown", "Enter"):
            shown.page.keyboard.press(key)
    assert (shown["kind"], shown.page.evaluate("model.written")) == ("encoder", [])
    assert shown.csv.splitlines()[-1].startswith("encoder,0,0,9,")  # as the picture that is there
    shown.page.evaluate("model.answer()")
    shown.settle()
    assert (shown["kind"], shown["locked"]) == ("cross", "false")
    shown.click(shown.cell(4, 8))
    assert shown["query"] == "5"


# Listeners to what ends a view, and observers; test_hosts.py counts the other listeners.


@pytest.mark.slow
def test_two_hundred_openings_leave_the_heap_as_it_is(live):
    shown = live(long(128))
    session = shown.page.context.new_cdp_session(shown.page)

    def heap():
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"]

    cycles = """async count => {
        const el = document.getElementById('here');
        for (let k = 0; k < count; k++) {
            end();
            window.end = view.default.render({model, el});
            await new Promise(requestAnimationFrame);
        }
    }"""
    shown.page.evaluate(cycles, 20)
    before = heap()
    shown.page.evaluate(cycles, 200)
    assert heap() <= 1.15 * before
