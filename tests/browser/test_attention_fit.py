"""Every line is drawn, or the pane says which are not."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_shown import words

pytestmark = pytest.mark.browser
CLEAR = """pane => {
    const box = text => text.getBoundingClientRect(), notes = [...pane.querySelectorAll('.note')];
    return notes.every(note => [...pane.querySelectorAll('text:not(.note)')].every(text => {
        const a = box(note), b = box(text);
        return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    }));
}"""
PAINTED = """canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    .data.some((value, i) => i % 4 === 3 && value > 20)"""


def uniform(n, threshold):
    view = attention(np.full((1, 1, n, n), 1 / n), words(n))
    view.threshold = threshold
    return view


@pytest.mark.parametrize(("n", "threshold"), [(2, 0.9), (60, 0.02), (300, 0.001)])
def test_every_line_is_drawn_or_the_pane_says_which_are_not(explore, n, threshold):
    shown = explore(uniform(n, threshold))
    slider, note = shown.control("Hide lines below"), shown.root.locator(".note")
    if threshold == 0.001:
        assert slider.get_attribute("aria-valuetext") == "0.001"
        slider.fill("0.02")
    for width in shown.at_widths(320, 400, 1000, 1400):
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
