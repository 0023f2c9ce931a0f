"""The slider through checkpoints: every part of the page follows, and a curve tells of all."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_shown import TEXT, blocks, same_numbers, screen, softmax, text_of

pytestmark = pytest.mark.browser
STEPS = {step: softmax(2, 3, len(TEXT), len(TEXT), seed=step) for step in (0, 100, 400, 1600)}


def over(checkpoints=STEPS, **controls):
    view = attention(tokens=TEXT, checkpoints=checkpoints, layer=1, head=2)
    for name, value in controls.items():
        setattr(view, name, value)
    return view


def slide(shown, *keys):
    shown.press(".moments input", *keys)


def curve(shown):
    """The weight at each checkpoint as it is drawn, and that of the larger point."""
    circles = shown.root.locator(".moments circle").evaluate_all(
        "all => all.map(c => ['cy', 'r'].map(name => Number(c.getAttribute(name))))"
    )
    heights = [1 - (y - 8) / 44 for y, _ in circles]
    return heights, max(zip(circles, heights, strict=True), key=lambda one: one[0][1])[1]


def test_every_part_follows_the_slider(explore):
    view = over(query=3, key=5, sort="next")
    shown = explore(view)
    for step, key in zip(STEPS, ("Home", "ArrowRight", "ArrowRight", "End"), strict=True):
        slide(shown, key)
        given = STEPS[step]
        said = f"At step {step}, animal attends to un {text_of(given[1, 2, 2, 4])}"
        assert (shown.sentence, shown["checkpoint"]) == (said, str(step))
        same_numbers(shown.csv, view)
        assert {row[-1] for row in shown.table} == {str(step)}
        scores = np.einsum("lhqq->lhq", given[..., :-1, 1:]).mean(axis=-1)
        order = np.argsort(-scores, axis=None)
        assert shown.order == [f"{head // 3}.{head % 3}" for head in order]
        assert np.abs(shown.thumb(1, 2) - blocks(given[1, 2])).max() <= 2
        slider = shown.root.locator(".moments input").get_attribute("aria-valuetext")
        assert slider == f"step {step}, weight {text_of(given[1, 2, 2, 4])}"
    assert shown["locked"] == "true"
    assert "At step 1600" in shown.root.evaluate("root => root.exported.svg()")
    for words, specials in [(False, "shown"), (True, "renormalised"), (True, "hidden")]:
        shown.choose("Special tokens", specials)
        shown.control("Pieces as words").set_checked(words, force=True)
        shown.settle()
        _, rows, columns = shown.values
        row, column = rows.index("animal"), columns.index("unbelievably" if words else "un")
        want = [screen(given[1, 2], words, specials)[row, column] for given in STEPS.values()]
        drawn, here = curve(shown)
        np.testing.assert_allclose(drawn, want, atol=6e-3)
        assert here == drawn[3]


def test_the_curve_follows_the_pointer_the_head_and_says_what_it_is_of(explore):
    shown, k = explore(over()), int(STEPS[0][1, 2, 4].argmax())  # a faint one would not be locked
    shown.hover(shown.cell(4, k))
    np.testing.assert_allclose(curve(shown)[0], [a[1, 2, 4, k] for a in STEPS.values()], atol=4e-3)
    shown.click(shown.cell(4, k))
    shown.hover(shown.cell(6, 7))
    both = [a[1, 2, row, column] for row, column in ((4, k), (6, 7)) for a in STEPS.values()]
    np.testing.assert_allclose(curve(shown)[0], both, atol=4e-3)
    shown.click(shown.head(0, 1))
    shown.hover((2, 2))
    np.testing.assert_allclose(curve(shown)[0], [a[0, 1, 4, k] for a in STEPS.values()], atol=4e-3)
    shown.click(shown.head(1, "mean"))
    shown.hover((2, 2))
    assert "A curve is of one cell of one head." in shown.drawn
    assert shown.root.locator(".moments circle").count() == 0


def test_labels_that_are_words_stand_under_the_slider(explore):
    shown = explore(over({"at birth": STEPS[0], "best": STEPS[400]}))
    assert shown.sentence.startswith("At checkpoint at birth, ")
    assert {"at birth", "best"} <= set(shown.drawn)
    slide(shown, "End")
    assert shown.sentence.startswith("At checkpoint best, ")
    assert shown.root.locator(".moments output").inner_text() == "best"
    assert shown.page.evaluate("document.querySelector('.seqviz').dataset.locked") == "false"
