"""Why this weight, in the explorer: opened from the map, with a kernel, in a page, in a picture."""

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

import seqviz as sv
from tests.browser.attention_kernel import with_kernel
from tests.browser.attention_shown import sentence
from tests.browser.page_workers import ask
from tests.test_exploring import ENGLISH, FRENCH, PIECES, TEXT, drawn, own_bert

pytestmark = pytest.mark.browser
ASKED = "() => model.asked.filter(name => name.startsWith('why '))"


@pytest.fixture(scope="module")
def bert():
    model = own_bert()
    explored(model).part_of("why 0 0 0 0")  # its graph is known from here on
    return model


def explored(model, **more):
    return sv.explore(model, PIECES, TEXT, layer=1, head=2, query=3, key=2, **more)


def pane(page):
    return page.locator(".why")


def names(page):
    """What stands before the rows of q and k."""
    texts = pane(page).locator("svg text").all_text_contents()
    return [text for text in texts if text.startswith(("q of", "k of"))]


def test_the_cell_in_focus_is_asked_and_keys_go_on_from_there(open_page, bert):
    shown, kernel = with_kernel(open_page, explored(bert))
    page = shown.page
    expect(pane(page)).to_be_hidden()
    page.locator(".stage").focus()
    page.keyboard.press("w")
    expect(pane(page)).to_contain_text("softmax over the keys")
    tokens = kernel.view.here.queries.tokens
    assert names(page) == [f"q of {tokens[2]}", f"k of {tokens[1]}"]
    assert page.evaluate(ASKED) == ["why 0 1 2 2"]
    page.keyboard.press("ArrowRight")
    assert names(page) == [f"q of {tokens[2]}", f"k of {tokens[2]}"]
    page.keyboard.press("ArrowDown")
    expect(pane(page).locator("svg")).to_contain_text([f"q of {tokens[3]}"] * 1)
    assert page.evaluate(ASKED) == ["why 0 1 2 2", "why 0 1 2 3"]
    page.keyboard.press("o")
    expect(pane(page)).to_contain_text("largest first")
    page.keyboard.press("Escape")
    expect(pane(page)).to_be_hidden()
    assert shown.root.get_attribute("data-query") == "4"
    assert page.evaluate("document.activeElement.className") == "stage"


def test_a_product_is_written_out_and_a_click_on_a_key_goes_there(open_page, bert):
    shown, kernel = with_kernel(open_page, explored(bert, why=True))
    page, line = shown.page, pane(shown.page).locator(".made")
    box = pane(page).locator(".sheet").bounding_box()
    across = min(92, (box["width"] - 96) / 4)  # a number of a head
    page.mouse.move(box["x"] + 96 + 1.5 * across, box["y"] + 32)
    expect(line).to_contain_text("number 1 of head 2")
    part = np.frombuffer(kernel.view.part_of("why 0 1 2 2"), "<f4")
    q, k = part[5], part[4 + 4 + 4 + 1]  # behind sizes, q, and k of the first key
    assert f"{abs(q * k):.2f}" in line.inner_text()
    tokens = kernel.view.here.keys.tokens
    pitch = min(92, (box["width"] - 96) / len(tokens))
    found = pane(page).get_by_text("keys", exact=True).bounding_box()
    page.mouse.click(box["x"] + 96 + 4.5 * pitch, found["y"] + 30)
    assert shown.root.get_attribute("data-key") == "5"
    expect(pane(page)).to_contain_text(f"k of {tokens[4]}")


def translated():
    net = drawn(sv.nn.TransformerSeq2Seq(len(ENGLISH), len(FRENCH), 8, 2, 1, 1, 16))
    return sv.explore(net, (ENGLISH, FRENCH), TEXT)


@pytest.mark.parametrize("made", ["bert", pytest.param("translator", marks=pytest.mark.slow)])
def test_a_page_answers_as_python_does(open_file, bert, made):
    view = explored(bert) if made == "bert" else translated()
    page = open_file(view.to_html(answers=True, precision="full"))
    wanted = []
    for g, kind in enumerate(view.kinds.values()):
        layer, head, rows = kind.numbers[-1], kind.heads - 1, kind.shape[0]
        wanted += [f"why {g} {layer} {head} {row}" for row in (0, rows - 1)]
    for name, (problem, part) in zip(
        wanted, ask(page, *({"want": name} for name in wanted))["answers"], strict=True
    ):
        assert problem == "", name
        found = np.frombuffer(bytes(part), "<f4")
        np.testing.assert_allclose(
            found, np.frombuffer(view.part_of(name), "<f4"), atol=1e-4, err_msg=name
        )


def test_a_page_without_a_model_says_what_it_needs(open_page, bert):
    page = open_page(explored(bert).to_html())
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".problem")).to_have_text("Why this weight needs a running kernel.")
    page = open_page(sentence().to_html())
    expect(page.get_by_role("button", name="Why?")).to_have_count(0)
    page.locator(".stage").focus()
    page.keyboard.press("w")
    expect(page.locator(".problem")).to_contain_text("sv.explore(model, tokenizer, text)")


def test_what_cannot_be_told_is_said_and_a_mean_has_no_reason(open_page, bert):
    shown, _ = with_kernel(open_page, explored(bert))
    page = shown.page
    page.evaluate("model.held = []")
    page.locator(".stage").focus()
    page.keyboard.press("w")
    expect(pane(page)).to_contain_text("written as a graph")
    page.evaluate("model.reply({part: 'why 0 1 2 2', problem: 'It tosses a coin.'})")
    expect(pane(page).locator(".made")).to_have_text("It tosses a coin.")
    page.keyboard.press("Escape")
    shown.click(shown.head(1, "mean"))
    page.locator(".stage").focus()
    page.keyboard.press("w")
    expect(pane(page)).to_be_hidden()
    expect(page.locator(".problem")).to_contain_text("one head")


def test_a_saved_picture_holds_it(bert):
    torch.manual_seed(0)
    text = explored(bert, why=True).to_svg(width=900)
    assert "q × k" in text
    assert "softmax over the keys" in text
