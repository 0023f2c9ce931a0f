"""Labels of sorted heads fit; every line is drawn, or the pane says which are not."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_shown import sentence, softmax, translation, words

pytestmark = pytest.mark.browser
APART = """(tiles, least) => {
    const texts = [...tiles.querySelectorAll('text')].map(t => t.getBoundingClientRect());
    return texts.every((a, i) => texts.every((b, k) => k <= i || a.right + least <= b.left
        || b.right + least <= a.left || a.bottom <= b.top || b.bottom <= a.top));
}"""
CLEAR = """pane => {
    const box = text => text.getBoundingClientRect(), notes = [...pane.querySelectorAll('.note')];
    return notes.every(note => [...pane.querySelectorAll('text:not(.note)')].every(text => {
        const a = box(note), b = box(text);
        return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    }));
}"""
# Whether the heading is apart from each slanted name, along the page's axes or the name's own.
BESIDE = """pane => {
    const heading = [...pane.querySelectorAll('text')].find(t => t.textContent === 'query');
    if (!heading) return true;
    const head = heading.getBoundingClientRect(), at = (x, y) => new DOMPoint(x, y);
    const corners = [at(head.left, head.top), at(head.right, head.top),
        at(head.left, head.bottom), at(head.right, head.bottom)];
    return [...pane.querySelectorAll('.heat text[data-column]')].every(name => {
        const own = name.getScreenCTM().inverse(), box = name.getBBox();
        const inside = corners.map(corner => corner.matrixTransform(own));
        const page = name.getBoundingClientRect();
        return page.right <= head.left || page.bottom <= head.top
            || inside.every(({y}) => y >= box.y + box.height)
            || inside.every(({x}) => x >= box.x + box.width);
    });
}"""
INSIDE = """text => text.getBoundingClientRect().right
    <= text.ownerSVGElement.getBoundingClientRect().right"""
PAINTED = """canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    .data.some((value, i) => i % 4 === 3 && value > 20)"""


def test_names_of_sorted_heads_stand_clear_of_values(explore):
    view = attention(softmax(12, 12, 24, 24, sharp=5), words(24))
    view.sort, view.query, view.key = "cell", 3, 4
    shown = explore(view)
    assert len(shown.order) == 144
    still = shown.root.locator(".layers svg").first
    for width in shown.at_widths(320, 400, 640, 800, 1000, 1100, 1400, 1600):
        assert still.evaluate(APART, 4), width
        assert still.evaluate("s => s.getBBox().x + s.getBBox().width <= s.clientWidth"), width


def test_titles_fit_a_narrow_page(explore):
    of_gold, mean = translation(head=1, scale="log"), sentence(head="mean", scale="log")
    for view in (of_gold, mean):
        shown = explore(view, width=320)
        assert shown.root.locator(".main > svg").first.evaluate(APART, 4)
    names = ["antidisestablishmentarianism", "is", "long"]
    shown = explore(attention(softmax(2, 4, 3, 3), names, query=1, key=1))
    for side in ("row", "column"):
        title = shown.root.locator("svg text", has_text="What ").first
        for width in shown.at_widths(320, 560, 833, 1200):
            assert "“an" in title.text_content(), side
            assert title.evaluate(INSIDE), width
        shown.click(shown.column(0))


def test_names_of_columns_stand_clear_of_the_heading_beside_them(explore):
    for n in (3, 10, 40):
        names = [f"k{i}" for i in range(n)]
        # the last name is there at every width
        shown = explore(attention(softmax(1, 1, n, n), names, side="key", key=n))
        for width in shown.at_widths(420, 800, 1200):
            assert shown.root.locator(".pair").evaluate(BESIDE), width
        assert "query" in shown.drawn  # where there is room it is there
    names = [f"unbelievable{i}" for i in range(12)]
    shown = explore(attention(softmax(1, 1, 4, 12), "abcd", key_tokens=names))
    for width in shown.at_widths(420, 1200):
        pair = shown.root.locator(".pair")
        assert pair.evaluate(BESIDE), width
        assert pair.locator(".lines").evaluate(APART, 4), width


@pytest.mark.parametrize("n", [10, 128])
def test_numbers_beside_queries_stand_clear_of_their_names(explore, n):
    view = attention(softmax(1, 1, n, n), words(n), side="key", key=n // 2, query=n // 2)
    for width, pane in ((420, ".lines"), (1000, ".heat")):
        pair = explore(view, width=width).root.locator(".pair")
        names, numbers, keys = (
            [text.bounding_box() for text in pair.locator(which).all()]
            for which in (
                f"{pane} [data-side=query]",
                ".lines text.hot:not([data-side])",
                ".lines [data-side=key]",
            )
        )
        numbers = [box for box in numbers if box["x"] < min(key["x"] for key in keys)]
        assert numbers
        ends = [max(box["x"] + box["width"] for box in column) for column in (names, numbers)]
        starts = [min(box["x"] for box in column) for column in (numbers, keys)]
        assert all(end + 2 < start for end, start in zip(ends, starts, strict=True))


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


def test_a_weight_of_nothing_has_neither_line_nor_note(explore):
    shown = explore(attention(np.eye(4), words(4), threshold=0))
    assert shown.root.locator(".lines path[stroke]").count() == 1
    assert explore(attention(np.zeros((3, 3)), words(3))).root.locator(".note").count() == 0
