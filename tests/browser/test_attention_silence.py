"""Heads that are silenced on the page: the model runs again, before and after side by side."""

import re
from functools import partial

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from seqviz.view import attention
from tests.browser.attention_kernel import with_kernel
from tests.browser.attention_shown import same_numbers
from tests.views.attention.silencing import TEXT, WIDE, guesses, run, speaker

pytestmark = pytest.mark.browser

TOKENS = TEXT.split()


@pytest.fixture
def live(open_page):
    return partial(with_kernel, open_page)


# Which map is on screen, and whether the switch says Before, while that map is under way.
PRESSED = """root => {
    model.held = [];
    model.came({head: 'mean'});
    const before = root.querySelector('.silence input[value=before]');
    before.click();
    const now = [root.dataset.show, before.checked];
    return model.answer().then(() => now);
}"""


def view_of(says="guesses", **controls):
    view = attention(speaker(says), text=TEXT, layer=3, head=2)
    for name, value in controls.items():
        setattr(view, name, value)
    return view


def silencer(shown):
    return shown.root.locator(".silencer button")


def said(shown):
    return shown.root.locator(".predictions text").all_text_contents()


def lesson(silent, token=8, layer_head="layer 1, head 1"):
    (_, before), (_, after) = run(TOKENS), run(TOKENS, silent)
    (was, p), (says, q) = guesses(before)[token][0], guesses(after)[token][0]
    other = "" if was == says else f"“{was}” with "
    return (
        f"Without {layer_head}, “{TOKENS[token]}” says “{says}” with {q:.2f}, before {other}{p:.2f}"
    )


def test_a_click_silences_the_head_in_focus_and_one_lets_it_speak(live):
    shown, kernel = live(view_of(layer=1, head=1, query=9))
    assert "with all heads" not in said(shown)
    assert shown.root.get_by_text("Before", exact=True).count() == 0
    silencer(shown).click()
    runs = shown.root.locator(".runs", has_text="runs …")
    assert runs.count() == 2
    assert (shown.root.get_attribute("aria-busy"), silencer(shown).inner_text()) == (
        "true",
        "Let head 1 speak",  # as it is asked for
    )
    assert kernel.runs()[0]["silent"] == [["self", 1, 1]]
    shown.settle()
    assert runs.count() == 0
    assert (shown["silent"], shown["show"]) == ("self 1.1", "after")
    assert shown.page.evaluate("document.activeElement.dataset.focus") == "silencer"
    assert shown.sentence == re.sub("[“”]", "", lesson([(1, 1)]))
    assert shown.root.locator('[data-silent="1.1"]').count() == 1
    shown.click(shown.head(3, 2))
    np.testing.assert_allclose(shown.values[0], run(TOKENS, [(1, 1)])[0][3, 2], atol=1e-3)
    assert silencer(shown).inner_text() == "Silence head 2"
    shown.click(shown.head(1, 1))
    silencer(shown).click()
    kernel.runs()
    shown.settle()
    assert (shown["silent"], shown["show"]) == ("", "")
    assert shown.root.locator(".chip").count() == 0
    assert kernel.view.silent == []


def test_the_key_s_silences_and_the_keyboard_stays_where_it_was(live):
    shown, kernel = live(view_of())
    shown.root.locator(".grid").focus()
    shown.page.keyboard.press("ArrowUp")  # previews head 2 of layer 2
    shown.page.keyboard.press("s")
    assert [wish["silent"] for wish in kernel.runs()] == [[["self", 2, 2]]]
    shown.settle()
    assert (shown["layer"], shown["head"], shown["silent"]) == ("2", "2", "self 2.2")
    assert "grid" in shown.page.evaluate("document.activeElement.className")
    shown.root.locator(".stage").focus()
    shown.page.keyboard.press("Control+s")  # the browser's own
    shown.page.keyboard.press("s")
    assert [wish["silent"] for wish in kernel.runs()] == [[]]
    shown.settle()
    assert shown["silent"] == ""
    shown.click(shown.head(3, "mean"))
    assert silencer(shown).is_disabled()
    shown.page.keyboard.press("s")
    assert kernel.runs() == []


def test_what_is_open_beneath_stays_open_in_a_view_made_anew(live):
    shown, kernel = live(view_of(), width=406)
    shown.page.set_viewport_size({"width": 406, "height": 533})
    shown.settle()
    shown.root.get_by_role("button", name="Legend and keys").press("Enter")
    shown.root.locator(".stage").press("s")
    kernel.runs()
    shown.settle()
    assert shown["silent"] == "self 3.2"
    opener = shown.root.get_by_role("button", name="Legend and keys", expanded=True)
    assert opener.is_visible()
    assert shown.root.locator(".foot").is_visible()


def test_chips_let_a_head_speak_and_reset_all(live):
    shown, kernel = live(view_of(silent=[("self", 1, 1), ("self", 0, 2), ("self", 2, 0)]))
    chips = shown.root.locator(".chip")
    named = ["layer 1, head 1 ✕", "layer 0, head 2 ✕", "layer 2, head 0 ✕"]
    assert chips.all_text_contents() == named
    assert "Without 3 heads, " in shown.sentence
    shown.root.get_by_role("button", name="let layer 0, head 2 speak").press("Enter")
    kernel.runs()
    shown.settle()
    assert shown["silent"] == "self 1.1; self 2.0"
    assert shown.page.evaluate("document.activeElement.dataset.focus") == "silencer"
    shown.root.get_by_role("button", name="reset", exact=True).click()
    assert kernel.runs()[0]["silent"] == []
    shown.settle()
    assert shown["silent"] == ""


def test_the_switch_shows_after_before_and_their_difference(live):
    view = view_of(silent=[("self", 1, 1)], query=9)
    shown, kernel = live(view)
    before, after = run(TOKENS)[0], run(TOKENS, [(1, 1)])[0]
    for show, want in (("before", before), ("difference", after - before), ("after", after)):
        shown.root.get_by_label(show.title(), exact=True).check(force=True)
        shown.settle()
        assert shown["show"] == show
        kernel.runs()
        assert view.show == show
        np.testing.assert_allclose(shown.values[0], want[3, 2], atol=1e-3)
        numbers = [float(row[7]) for row in shown.table]
        np.testing.assert_allclose(numbers, want[3, 2].ravel(), atol=1.5e-3)
        assert {tuple(row[-2:]) for row in shown.table} == {(show, "self 1.1")}
        if show != "difference":
            same_numbers(shown.csv, view)
    view.show = "difference"
    shown.page.evaluate("model.came({show: 'difference'})")
    shown.settle()
    row = (after - before)[3, 2, 8]
    at = np.abs(row).argmax()
    sign = "−" if row[at] < 0 else "+"
    assert shown.reading.startswith(f"query 9 “it”, key {at + 1} “{TOKENS[at]}”: {sign}0.")
    assert "after minus before: − less, + more" in shown.drawn
    assert sum(text.startswith(("+", "−")) for text in shown.list) >= 5
    order = [TOKENS[k] for k in np.argsort(-np.abs(row), kind="stable")[:5]]
    bare = [name.rstrip("₀₁₂₃₄₅₆₇₈₉") for name in shown.list]
    named = [name for name in bare if name in TOKENS][:5]
    assert len(named) >= 4
    assert named == order[: len(named)]
    assert shown.root.evaluate(PRESSED) == ["difference", True]  # it stays as it was put
    shown.settle()
    assert (shown["show"], shown["head"]) == ("before", "mean")


def test_the_predictions_are_those_of_the_model(live):
    shown, _ = live(view_of(silent=[("self", 1, 1)], query=9))
    (_, before), (_, after) = run(TOKENS), run(TOKENS, [(1, 1)])
    for token in (2, 5):
        shown.click(shown.token("query", token))
        shown.hover((2, 2))
        was, says = guesses(before)[token], guesses(after)[token]
        numbers = [f"{p:.2f}" if p >= 0.005 else "<0.01" for _, p in [*was, *says]]
        drawn = said(shown)
        assert [text for text in drawn if text[0] in "0<"] == numbers
        names = [name for name, _ in [*was, *says]]
        assert [text for text in drawn if text in names] == names
        ranks = [[name for name, _ in one] for one in (was, says)]
        new = [name for name in ranks[1] if name not in ranks[0]]
        moved = [n for n in ranks[1] if n in ranks[0] and ranks[0].index(n) != ranks[1].index(n)]
        assert drawn.count("new") == drawn.count("out") == len(new)
        assert sum(text[0] in "▲▼" for text in drawn) == len(moved) > 0
        assert shown.sentence == re.sub("[“”]", "", lesson([(1, 1)], token))
        told = shown.root.locator(".predictions").get_attribute("aria-label")
        assert f"“{was[0][0]}” {was[0][1]:.2f}" in told


def test_guesses_are_shown_before_a_head_is_silenced(live):
    shown, _ = live(view_of(query=9))
    before = run(TOKENS)[1]
    shown.click(shown.token("query", 2))
    shown.hover((2, 2))
    assert said(shown)[0] == f"What the model says at “{TOKENS[2]}”"
    assert said(shown)[1::2] == [name for name, _ in guesses(before)[2]]


def test_without_a_head_for_words_the_states_shift(live):
    view = view_of("states", silent=[("self", 1, 1)], query=9)
    shown, _ = live(view)
    shifts = np.array(view.facts["silence"]["shifts"])
    assert shown.sentence == f"Without layer 1, head 1, the state of it shifts by {shifts[8]:.2f}"
    bars = shown.root.locator("[data-shift]").evaluate_all(
        "all => all.map(bar => Number(bar.getAttribute('height')))"
    )
    np.testing.assert_allclose(np.array(bars) / max(bars), shifts / shifts.max(), atol=0.02)
    view = view_of("", silent=[("self", 1, 1)], query=9)
    shown, _ = live(view)
    assert shown.sentence.startswith("Without layer 1, head 1, it attends to ")
    assert said(shown) == []


def test_the_later_of_two_texts_wins_and_what_is_written_stays(live):
    shown, kernel = live(view_of(silent=[("self", 1, 1)]))
    field = shown.root.get_by_label("text that the model reads")
    for text in ("it was tired", "the street was wide"):
        field.fill(text)
        field.press("Enter")
    kernel.runs(1)
    assert field.input_value() == "the street was wide"
    assert shown.values[1][:2] == ["the", "animal"]
    field.fill("the street was wide and")
    kernel.runs()
    shown.settle()
    assert shown.values[1] == ["the", "street", "was", "wide"]
    assert field.input_value() == "the street was wide and"
    assert shown["silent"] == "self 1.1"


def test_a_model_that_raises_is_told_and_the_picture_stays(live):
    shown, kernel = live(view_of(silent=[("self", 1, 1)]))
    before = shown.values[0], shown.sentence
    field = shown.root.get_by_label("text that the model reads")
    field.fill("boom")
    field.press("Enter")
    kernel.runs()
    shown.settle()
    assert shown.root.locator(".problem").inner_text().endswith("RuntimeError: out of memory")
    assert field.get_attribute("aria-invalid") == "true"
    assert field.input_value() == "boom"
    np.testing.assert_array_equal(shown.values[0], before[0])
    assert (shown.sentence, shown["silent"]) == (before[1], "self 1.1")
    silencer(shown).click()
    assert shown.root.locator(".problem").inner_text() == ""
    kernel.runs()
    shown.settle()
    assert shown["silent"] == "self 1.1; self 3.2"
    kernel.view.silent = [("self", 1, 1)]  # in a cell
    shown.page.evaluate("changes => model.came(changes)", kernel.state())
    shown.settle()
    assert shown["silent"] == "self 1.1"


def test_a_saved_page_shows_both_runs_and_what_the_model_says(explore):
    view = view_of(silent=[("self", 1, 1)], query=9)
    shown = explore(view)
    assert silencer(shown).is_disabled()
    assert shown.root.locator(".chip").all_text_contents() == ["layer 1, head 1"]
    before, after = run(TOKENS)[0], run(TOKENS, [(1, 1)])[0]
    np.testing.assert_allclose(shown.values[0], after[3, 2], atol=1e-3)
    shown.click(shown.head(3, "mean"))
    shown.root.get_by_label("Difference", exact=True).check(force=True)
    shown.settle()
    drawn = shown.root.evaluate("root => root.exported.svg()")
    assert "after minus before without layer 1, head 1" in drawn
    assert "What the model says at “it”" in drawn
    assert "reset" not in drawn
    np.testing.assert_allclose(shown.values[0], (after - before)[3].mean(0), atol=1e-3)
    assert len(said(shown)) > 10
    assert view.facts["silence"]["tokens"][8] in shown.sentence
    shown = explore(view_of())
    assert silencer(shown).is_disabled()
    assert "silencing a head needs a running kernel" in shown.root.locator(".silence").inner_text()
    shown.press("stage", "s")
    assert shown["silent"] == ""
    shown = explore(attention(lambda text: speaker()(text), text=TEXT))  # it takes no heads
    assert silencer(shown).count() == 0


def test_it_fits_and_can_be_read(explore):
    silent = [("self", 1, 1), ("self", 2, 0), ("self", 0, 0)]
    for says, second in (("states", ""), ("guesses", WIDE)):
        view = view_of(says, silent=silent, show="difference", second=second)
        shown = explore(view, width=833, dark=True)
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= 833
        right = shown.root.evaluate(
            "root => root.querySelector('.stage').getBoundingClientRect().right"
        )
        boxes = shown.root.locator(".predictions text, .silence *, .silencer *").evaluate_all(
            """all => all.map(node => [node.getBoundingClientRect().right,
                parseFloat(getComputedStyle(node).fontSize)])"""
        )
        assert max(box[0] for box in boxes) <= right + 1
        assert min(box[1] for box in boxes) >= 12
        found = Axe().run(shown.page, context=".seqviz").response["violations"]
        serious = {v["id"]: v["help"] for v in found if v["impact"] in ("serious", "critical")}
        assert serious == {}
