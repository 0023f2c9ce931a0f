"""Every feature of the attention explorer by keyboard alone; the value on screen after each key."""

import numpy as np
import pytest

from tests.browser.attention_shown import TEXT, Shown, long, sentence, softmax, text_of, three_kinds

pytestmark = pytest.mark.browser
N = len(TEXT)
WEIGHTS = softmax(3, 4, N, N)


@pytest.fixture
def shown(once):
    """A sentence, opened once for all tests of this file."""
    return once(Shown, sentence).again()


def said(shown, row, column):
    """What the page must say of a cell; twins carry their position."""
    small = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    tokens = [
        t + (str(k).translate(small) if TEXT.count(t) > 1 else "") for k, t in enumerate(TEXT, 1)
    ]
    return f"{tokens[row]} attends to {tokens[column]} {text_of(shown.values[0][row, column])}"


def test_the_heatmap_is_walked_locked_compared_and_freed(shown):
    row, column = int(shown["query"]) - 1, int(shown["key"]) - 1
    for key, down, right in [
        ("ArrowRight", 0, 1),
        ("ArrowDown", 1, 0),
        ("ArrowLeft", 0, -1),
        ("ArrowUp", -1, 0),
    ]:
        shown.press("stage", key)
        row, column = (min(max(at, 0), N - 1) for at in (row + down, column + right))
        assert (shown["query"], shown["key"]) == (str(row + 1), str(column + 1))
        assert shown.sentence == said(shown, row, column)
    for key, column in [("Home", 0), ("End", N - 1)]:
        shown.press("stage", key)
        assert shown.sentence == said(shown, row, column)
    for key, row in [("PageUp", 0), ("PageDown", 10)]:
        shown.press("stage", key, key)
        assert shown.sentence == said(shown, min(row, N - 1), column)
    shown.press("stage", "Home", "PageUp", "ArrowDown", "Enter")
    locked = shown.sentence
    assert (shown["locked"], shown["compare"]) == ("true", "")
    assert shown.state.startswith("Esc frees ")
    shown.press("stage", "ArrowDown")
    assert shown["compare"].startswith("query ")
    assert shown.sentence == locked
    shown.press("stage", "Escape")
    assert (shown["locked"], shown["compare"]) == ("true", "")
    shown.press("stage", "Enter")
    assert shown["locked"] == "false"
    shown.press("stage", "Enter", "Escape")
    assert shown["locked"] == "false"


def test_the_lines(shown):
    values = shown.values[0]
    shown.press(".lines", "Home")
    assert shown.sentence == said(shown, 0, values[0].argmax())
    shown.press(".lines", "ArrowDown")
    key = int(values[1].argmax())
    assert shown.sentence == said(shown, 1, key)
    shown.press(".lines", "ArrowRight")
    assert (shown["side"], shown["key"]) == ("key", str(key + 1))
    assert shown.sentence.endswith(text_of(values[:, key].max()))
    shown.press(".lines", "ArrowLeft")
    assert (shown["side"], shown["query"]) == ("query", str(values[:, key].argmax() + 1))
    shown.press(".lines", "End", "Enter")
    assert (shown["locked"], shown["query"]) == ("true", str(N))


def test_the_heads(shown):
    shown.press(".grid", "ArrowRight", "ArrowDown")
    assert (shown["layer"], shown["head"], shown["preview"]) == ("1", "1", "true")
    assert shown.state == "head 1.1 · click opens"
    shown.press(".grid", "Escape")
    assert (shown["layer"], shown["head"], shown["preview"]) == ("0", "0", "false")
    shown.press(".grid", *["ArrowRight"] * 4, "Enter")
    assert (shown["layer"], shown["head"], shown["preview"]) == ("0", "mean", "false")
    assert "Layer 0 · mean over heads" in shown.drawn
    assert np.abs(shown.values[0] - WEIGHTS[0].mean(0)).max() < 0.004
    shown.press(".grid", *["ArrowDown"] * 3, "Enter")
    assert (shown["layer"], shown["head"]) == ("mean", "mean")
    assert "Mean of all heads" in shown.drawn


def test_faded_heads_are_skipped(explore):
    view = sentence()
    view.sort, view.least = "first", float(np.sort(WEIGHTS[..., 0].mean(-1), axis=None)[-3]) - 1e-6
    shown = explore(view)
    order = np.argsort(-WEIGHTS[..., 0].mean(-1), axis=None)[:3]
    seen = set()
    shown.press(".grid", "Home", *["ArrowLeft"] * 4)
    for _ in range(4):
        seen.add((int(shown["layer"]), int(shown["head"])))
        shown.press(".grid", "ArrowRight")
    assert seen - {(0, 0)} <= {divmod(int(k), 4) for k in order}
    assert (int(shown["layer"]), int(shown["head"])) == divmod(int(order[2]), 4)


ACTIVE = "() => document.activeElement.ariaLabel || document.activeElement.value || ''"
RING = """node => getComputedStyle(
    node.matches('.stage') ? node.querySelector('.heat') : node).outlineWidth"""


def tab_to(shown, label):
    for _ in range(30):
        shown.page.keyboard.press("Tab")
        if shown.page.evaluate(ACTIVE) == label:
            return
    raise AssertionError(f"Tab does not reach {label}")


def test_every_control_is_reached_and_works_and_what_is_focused_has_a_ring(explore):
    shown = explore(three_kinds())
    keys = shown.page.keyboard
    tab_to(shown, "encoder")
    keys.press("ArrowRight")
    shown.settle()
    assert shown["kind"] == "cross"
    tab_to(shown, "Hide lines below")
    keys.press("ArrowRight")
    assert shown.root.locator(".bar output").first.inner_text() == "0.03"
    tab_to(shown, "linear")
    keys.press("ArrowRight")
    shown.settle()
    assert shown.lowest == "0.0001"
    tab_to(shown, "Special tokens")
    keys.press("ArrowDown")
    shown.settle()
    assert shown.values[1] == ["the", "black", "cat", "sleeps"]
    tab_to(shown, "Decoder step")
    keys.press("ArrowLeft")
    shown.settle()
    assert shown.root.locator(".bar output").nth(1).inner_text() == "4 of 5"
    assert (shown["step"], shown["query"]) == ("4", "4")
    tab_to(shown, "Roll up")
    keys.press("ArrowDown")
    shown.settle()
    assert "max" in shown.drawn
    tab_to(shown, "Order by")
    keys.press("ArrowDown")
    shown.settle()
    assert shown["sort"] == "entropy"
    tab_to(shown, "At most")
    limit = shown.control("At most").input_value()
    keys.press("ArrowLeft")
    assert shown.root.locator(".small output").inner_text() == f"{float(limit) - 0.01:.2f}"
    shown = explore(sentence())
    box = shown.control("Pieces as words")
    box.focus()
    shown.page.keyboard.press("Space")
    shown.settle()
    assert "unbelievably" in shown.values[1]
    for where in (".grid", ".lines", "stage"):
        shown.press(where, "ArrowDown")
        pane = shown.stage if where == "stage" else shown.root.locator(where)
        assert pane.evaluate(RING) == "3px", where


def sizes(shown, side="rows"):
    first, last = map(int, shown[side].split("-"))
    return first, last, last - first + 1


def test_many_tokens_are_seen_through_a_window_of_cells_that_can_be_read(explore):
    shown = explore(long(128))
    first, last, count = sizes(shown)
    assert shown["zoom"] == "true"
    assert 20 <= count <= 32
    assert first <= int(shown["query"]) <= last
    assert shown.root.locator(".heat canvas").bounding_box()["width"] / count >= 14
    assert f"{count} of 128" in shown.root.locator(".told").inner_text()
    shown.hover(shown.cell(0, 0))  # the pointer never moves it
    assert sizes(shown)[:2] == (first, last)
    shown.press("stage", "0")
    assert (shown["zoom"], shown["rows"]) == ("false", "1-128")
    shown.press("stage", "+", "+")
    first, last, count = sizes(shown)
    assert (shown["zoom"], count) == ("true", 50)
    assert first <= int(shown["query"]) <= last
    shown.press("stage", *["Shift+ArrowUp"] * 15)
    assert shown["rows"] == "1-50"
    shown.press("stage", "Shift+ArrowDown")
    assert shown["rows"] == "7-56"
    shown.press("stage", *["Shift+ArrowRight"] * 15)
    assert shown["columns"] == "79-128"
    at = int(shown["query"])
    for _ in range(3):
        shown.press("stage", "PageDown")
        at = min(128, at + 10)
        first, last, _ = sizes(shown)
        assert first <= at <= last  # what is in focus stays in sight
        assert shown["query"] == str(at)


def test_zoom_by_buttons_wheel_and_hand(explore):
    shown = explore(long(128))
    shown.root.get_by_role("button", name="zoom in").press("Enter")
    shown.settle()
    assert shown.root.locator(".mini canvas").is_visible()
    box = shown.root.locator(".heat canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = shown["rows"], shown["columns"]
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x - 60, y - 60, steps=4)
    shown.settle()
    shown.page.mouse.up()
    assert (shown["rows"], shown["columns"]) != before
    assert shown["locked"] == "false"  # a drag is no click
    shown.root.get_by_role("button", name="show all tokens").press("Enter")
    shown.settle()
    assert shown["zoom"] == "false"
    shown.page.mouse.move(x, y)
    shown.page.keyboard.down("Control")
    shown.page.mouse.wheel(0, -200)
    shown.page.keyboard.up("Control")
    shown.settle()
    assert shown["zoom"] == "true"
    first, last, _ = sizes(shown)
    assert abs((first + last) / 2 - 64) <= 3  # what is under the hand stays there
    # so does the map in little
    box = shown.root.locator(".mini canvas").bounding_box()
    shown.click((box["x"] + 2, box["y"] + box["height"] - 2))
    assert sizes(shown)[1] == 128
    assert sizes(shown, "columns")[0] == 1
    shown.press(".mini", "ArrowUp", "ArrowRight")
    assert sizes(shown)[1] < 128
    assert sizes(shown, "columns")[0] > 1
    # the window follows the cursor and what is outside is counted
    shown.press(".lines", "Home")
    assert "w1" in shown.drawn
    shown.press(".lines", "End")
    assert "w128" in shown.drawn
    row = shown.values[0][127]
    first, last, _ = sizes(shown, "columns")
    outside = next(t for t in shown.drawn if "↑ " in t or "↓ " in t)
    want = [
        *([f"↑ {text_of(row[: first - 1].sum())}"] if first > 1 else []),
        *([f"↓ {text_of(row[last:].sum())}"] if last < 128 else []),
    ]
    assert outside == "  ".join(want)
