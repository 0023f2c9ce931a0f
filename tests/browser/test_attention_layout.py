"""The layout rule: the map first and large, its cells square, and whatever else fits beside it."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_shown import sentence, softmax, three_kinds, translation, words

pytestmark = pytest.mark.browser
LAB = 833  # JupyterLab at 1280 x 800 with its sidebar open

CLEAR = """pane => {
    const box = text => text.getBoundingClientRect(), notes = [...pane.querySelectorAll('.note')];
    return notes.every(note => [...pane.querySelectorAll('text:not(.note)')].every(text => {
        const a = box(note), b = box(text);
        return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    }));
}"""
PAINTED = """canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    .data.some((value, i) => i % 4 === 3 && value > 20)"""

VIEWS = {
    "sentence": sentence,
    "144 heads over 64 tokens": lambda: attention(softmax(12, 12, 64, 64, sharp=3), words(64)),
    "one head, a translation": lambda: attention(
        softmax(1, 1, 14, 16), words(14), key_tokens=[f"k{i}" for i in range(16)]
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_the_map_is_large_square_and_above_the_fold(explore, name):
    shown = explore(VIEWS[name](), width=LAB)
    first, last = map(int, shown["rows"].split("-"))
    left, right = map(int, shown["columns"].split("-"))
    box = shown.root.locator(".heat canvas").bounding_box()
    assert max(box["width"], box["height"]) >= 360
    across, down = box["width"] / (right - left + 1), box["height"] / (last - first + 1)
    assert across == pytest.approx(down, abs=0.02)
    assert box["y"] + box["height"] <= 660
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= LAB
    if name == "one head, a translation":  # its lines beside the map, a list behind a switch
        assert "Layer 0" not in " ".join(shown.drawn)
        assert shown.root.locator(".lines").is_visible()
        shown.check("List")
        assert shown.list[0].startswith("What “")


def test_heads_or_lines_stand_beside_the_map_and_it_does_not_move(explore):
    shown = explore(sentence(threshold=0.1), width=LAB)
    before = shown.root.locator(".heat canvas").bounding_box()
    grid, lines = shown.root.locator(".grid"), shown.root.locator(".lines")
    for beside in ("heads", "lines"):
        assert (grid.is_visible(), lines.is_visible()) == (beside == "heads", beside == "lines")
        drawn = shown.root.evaluate("root => root.exported.svg()")  # which tells of them
        assert ("lines from" in drawn) == (beside == "lines")
        shown.check("Lines")
    assert shown.root.locator(".heat canvas").bounding_box() == before
    assert explore(translation(), width=1240).root.locator(".tabs").is_hidden()


def test_the_field_of_a_picture_is_called_so(explore):
    def read(text):
        return {"weights": softmax(1, 2, 3, 3), "tokens": ["[CLS]", "a", "b"], "reads": "picture"}

    shown = explore(attention(read, text="cat.png"))
    assert shown.root.locator(".live label").first.inner_text().strip() == "picture"
    assert shown.root.get_by_label("picture that the model reads").input_value() == "cat.png"
    assert "second picture" in shown.root.locator(".compare").inner_text()


PANES = """root => ['.say', '.bar', '.stage', '.heat', '.side', '.fall', '.scores', '.foot'].map(
    name => [name, root.querySelector(name).getBoundingClientRect().y])"""


def test_nothing_moves_under_the_pointer_whatever_the_title(explore):
    for title in ("", "a title of words " * 5):
        shown = explore(sentence(12, 12, title=title.strip()), width=LAB)
        before = shown.root.evaluate(PANES)
        for place in (shown.head(11, 11), shown.cell(3, 3), shown.cell(7, 4)):
            shown.hover(place)
            assert shown.root.evaluate(PANES) == before, title
        shown.click(shown.cell(7, 4))
        assert shown.root.evaluate(PANES) == before, title


def test_another_kind_leaves_the_controls_where_they_are(explore):
    shown = explore(three_kinds())
    for width in shown.at_widths(LAB, 1240):
        before = shown.root.evaluate(PANES)[:3]
        for kind in ("cross", "decoder", "encoder"):
            shown.check(kind)
            assert shown.root.evaluate(PANES)[:3] == before, width


def test_a_click_on_a_blank_cell_locks_its_row(explore):
    weights = np.full((2, 2, 4, 4), 0.001)
    weights[..., 1] = 1 - 3 * 0.001
    shown = explore(attention(weights, list("abcd")))
    shown.click(shown.cell(2, 3))
    assert (shown["locked"], shown["query"], shown["key"]) == ("true", "3", "2")
    shown.hover((2, 2))
    assert shown.sentence == "c attends to b 1.00"


@pytest.mark.parametrize(("n", "threshold"), [(2, 0.9), (300, 0.001)])
def test_every_line_is_drawn_or_the_pane_says_which_are_not(explore, n, threshold):
    shown = explore(attention(np.full((n, n), 1 / n), words(n), threshold=threshold))
    slider, note = shown.control("Hide lines below"), shown.root.locator(".note")
    if threshold == 0.001:
        assert slider.get_attribute("aria-valuetext") == "0.001"
        slider.fill("0.02")
    for width in shown.at_widths(320, 1400):
        assert not shown.root.locator(".lines canvas").evaluate(PAINTED)
        said = " ".join(note.all_text_contents())
        assert f"below {max(threshold, 0.02):.2f}" in said, width
        assert n == 2 or "set “Hide lines below” lower" in said
        assert shown.root.locator(".lines").evaluate(CLEAR)
    slider.fill("0")
    shown.settle()
    assert slider.get_attribute("aria-valuetext") == "off"
    assert note.count() == 0
    assert shown.root.locator(".lines canvas").evaluate(PAINTED)
    first, last = map(int, shown["columns"].split("-"))
    assert shown.root.locator(".lines path[stroke]").count() == last - first + 1
    assert explore(attention(np.zeros((3, 3)), words(3))).root.locator(".note").count() == 0
