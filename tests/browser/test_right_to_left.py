"""A row of tokens follows the direction of its text; the arrow keys follow what is seen."""

import numpy as np
import pytest

from seqviz import view
from tests.browser.shown import settled
from tests.views.views import VIEWS

pytestmark = pytest.mark.browser

TEXTS = {  # tokens, and whether they run to the left
    "Hebrew": (["החתול", "ישב", "על", "המחצלת"], True),
    "Hebrew in pieces": (["▁הח", "תול", "▁ישב", "▁על"], True),
    "Hebrew with a name": (["[CLS]", "אני", "אוהב", "GPT", "מאוד", "[SEP]"], True),
    "English": (["the", "cat", "sat", "down"], False),
    "English with a word of Hebrew": (["the", "word", "שלום", "means", "peace"], False),
}
RUNS = pytest.mark.parametrize(("tokens", "left"), TEXTS.values(), ids=TEXTS)
SEEN = pytest.mark.parametrize(("tokens", "left"), [*TEXTS.values()][2::2], ids=["left", "right"])


def in_order(places, left):
    assert places == sorted(places, reverse=left)
    assert len(set(places)) == len(places)


@SEEN
def test_a_coloured_text(open_page, tokens, left):
    shown = view.text(tokens, np.linspace(-1, 1, len(tokens)))
    shown.cursor = 2
    page = open_page(shown.to_html())
    boxes = [box.bounding_box() for box in page.locator(".letters rect").all()[: len(tokens)]]
    in_order([box["x"] for box in boxes], left)
    page.locator(".stage").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    cursor = int(page.locator(".seqviz").get_attribute("data-cursor"))
    assert cursor == (3 if left else 1)
    page.mouse.click(boxes[-1]["x"] + 3, boxes[-1]["y"] + 3)
    assert int(page.locator(".seqviz").get_attribute("data-cursor")) == len(tokens)


@SEEN
def test_masked_words(open_page, tokens, left):
    special = {"[CLS]", "[SEP]"}
    words = [token for token in tokens if token not in special]
    shown = view.masking([{"tokens": tokens, "both": np.full((len(tokens),) * 2, 1 / len(tokens))}],
                         tokens)  # fmt: skip
    page = open_page(shown.to_html())
    chips = page.locator("text.chip")
    places = [chip.bounding_box()["x"] for chip in chips.all()[: len(tokens)]]
    in_order(places, left)
    assert len(words) >= 4
    root, stage = page.locator(".seqviz"), page.locator(".stage")
    stage.focus()
    on, back = ("ArrowLeft", "ArrowRight") if left else ("ArrowRight", "ArrowLeft")
    first = tokens.index(words[0]) + 1
    for key, over in [(on, first + 1), (on, first + 2), (back, first + 1)]:  # the first is masked
        page.keyboard.press(key)
        assert int(root.get_attribute("data-over")) == over
    page.keyboard.press("Enter")
    assert int(root.get_attribute("data-mask")) == first + 1


@SEEN
def test_a_generation(open_page, tokens, left):
    likely = np.array([0.1, 0.6, *[0.3 / (len(tokens) - 2)] * (len(tokens) - 2)])
    shown = view.generation(lambda ids: likely, tokens, prompt=tokens, depth=2)
    page = open_page(shown.to_html())
    root = page.locator(".seqviz")
    page.locator(".stage").focus()
    on, back = ("ArrowLeft", "ArrowRight") if left else ("ArrowRight", "ArrowLeft")
    for key, written in [(back, ""), (on, "1"), (back, "")]:
        page.keyboard.press(key)
        page.wait_for_function("w => document.querySelector('.seqviz').dataset.written === w",
                               arg=written)  # fmt: skip
        assert root.get_attribute("data-written") == written


def test_a_field_has_the_direction_of_its_own_text(open_page):
    def answer(text):
        tokens = text.split()
        return {"weights": np.full((len(tokens),) * 2, 1 / len(tokens)), "tokens": tokens}

    shown = view.attention(answer, text=" ".join(TEXTS["Hebrew"][0]), second="one two three four")
    page = open_page(shown.to_html())
    runs = "all => all.map(one => getComputedStyle(one).direction)"
    assert page.locator("form.live input").evaluate_all(runs) == ["rtl", "ltr"]


@RUNS
def test_the_text_of_a_generation(script, tokens, left):
    line = """(words) => textLineOf(
        {text: words.map(word => ({word})), place: null, at: 0, word: '?'},
        {em: 14, W: 900, measure: text => 8 * text.length})"""
    found = script("generation/text_line.js", line, [token.strip("▁") for token in tokens])
    in_order([column["x"] for column in found["columns"]], left)
    ends = [*found["columns"], found["ghost"]]
    in_order([one["x"] for one in ends], left)
    assert all(one["x"] >= found["start"] and one["x"] + one["w"] <= 900 for one in ends)


@RUNS
def test_the_direction_of_a_text(script, tokens, left):
    assert script("shared/direction.js", "runsLeft", tokens) == left


BOXES = """root => [...root.querySelectorAll(':is(button, label, p, h2, output, b, svg text)')]
    .map(node => [node, node.getBoundingClientRect()]).filter(([, box]) => box.width > 1)
    .map(([node, {x, y}]) => [node.textContent, Math.round(x), Math.round(y)])"""


@pytest.mark.parametrize("name", VIEWS)
def test_a_page_that_runs_to_the_left_turns_no_view(open_page, name):
    page = open_page(VIEWS[name]().to_html())
    page.wait_for_selector(".seqviz[data-ready=true]:not([data-pending=true])")
    boxes = page.locator(".seqviz").evaluate(BOXES)
    page.evaluate("document.documentElement.dir = 'rtl'")
    settled(page)
    assert page.locator(".seqviz").evaluate(BOXES) == boxes
    assert page.locator(".say").evaluate("say => getComputedStyle(say).direction") == "ltr"
