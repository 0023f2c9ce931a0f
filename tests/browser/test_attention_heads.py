"""What heads write and what silencing them costs, in the explorer; several texts to choose from."""

import numpy as np
import pytest
from playwright.sync_api import expect

import seqviz as sv
from tests.browser.attention_kernel import with_kernel
from tests.browser.attention_shown import sentence
from tests.test_exploring import ENGLISH, FRENCH, PIECES, TEXT, own_bert, translator

pytestmark = pytest.mark.browser
HEADS = [(layer, head) for layer in range(3) for head in range(4)]


@pytest.fixture(scope="module")
def bert():
    return own_bert()


def explored(model, text=TEXT, **more):
    return sv.explore(model, PIECES, text, layer=1, head=2, query=3, key=2, **more)


def part(kernel, name):
    return np.frombuffer(kernel.view.part_of(name), "<f4")


def test_cells_show_what_is_written_and_say_what_remains_of_the_strongest_column(open_page, bert):
    shown, kernel = with_kernel(open_page, explored(bert))
    page, kind = shown.page, kernel.view.here
    page.get_by_label("Cells").select_option("written")
    expect(page.locator(".say")).to_contain_text("length")
    own = part(kernel, "written 0 1 2").reshape(kind.shape)
    weights = kind.layers[1][2]
    values = page.evaluate("document.querySelector('.seqviz').shown().values")
    np.testing.assert_allclose(np.reshape(values, kind.shape), own, rtol=1e-6)
    assert f"{own[2, 1]:.4f}, weight {weights[2, 1]:.4f}" in page.locator(".reading").inner_text()
    column = weights.sum(0).argmax()
    read, wrote = (map[:, column].sum() / map.sum() for map in (weights, own))
    told = f"{read:.2f} of all; of what is written it has {wrote:.2f}."
    expect(page.locator(".colour")).to_contain_text(told)
    shown.click(shown.head(2, "mean"))
    every = [part(kernel, f"written 0 2 {head}") for head in range(4)]
    expect(page.locator(".seqviz")).to_have_attribute("data-head", "mean")
    values = page.evaluate("document.querySelector('.seqviz').shown().values")
    np.testing.assert_allclose(values, np.mean(every, axis=0), rtol=1e-6)


def test_what_is_not_written_is_no_choice(open_page, bert):
    recurrent = sv.explore(translator(attention="general"), (ENGLISH, FRENCH), TEXT)
    shown, _ = with_kernel(open_page, recurrent)
    expect(shown.page.get_by_label("Cells")).to_be_hidden()
    shown, _ = with_kernel(open_page, sv.explore(bert, PIECES, TEXT))
    page = shown.page
    page.evaluate("model.held = []")
    page.get_by_label("Cells").select_option("written")
    page.evaluate("model.reply({part: 'written 0 0 0', problem: 'There is no stream.'})")
    expect(page.locator(".problem")).to_have_text("There is no stream.")
    expect(page.get_by_label("Cells")).to_be_hidden()
    assert page.evaluate("model.get('cells')") == "weights"
    page = open_page(sentence().to_html())
    expect(page.get_by_label("Cells")).to_be_hidden()
    expect(page.get_by_role("button", name="Cost?")).to_be_hidden()


def test_heads_are_silenced_one_by_one_when_asked_and_ranked(open_page, bert):
    shown, kernel = with_kernel(open_page, explored(bert))
    page = shown.page
    assert not [name for name in kernel.asked if name.startswith("cost")]
    page.evaluate("model.held = []")
    page.get_by_role("button", name="Cost?").click()
    stop = page.get_by_role("button", name="stop")
    expect(stop).to_have_text("0 of 12 · stop")
    stop.click()
    page.evaluate("model.answer()")
    expect(page.get_by_role("button", name="Cost?")).to_be_visible()
    assert [name for name in kernel.asked if name.startswith("cost")] == ["cost 0 0 0"]
    page.get_by_role("button", name="Cost?").click()
    expect(page.get_by_role("button", name="Cost?")).to_be_visible()
    costs = {place: part(kernel, "cost 0 {} {}".format(*place))[2] for place in HEADS}
    best = max(costs, key=costs.get)
    names = page.locator(".fall .strong").all_text_contents()
    assert names == ["{}.{}".format(*place) for place in sorted(HEADS, key=lambda p: -costs[p])]
    page.locator(".fall").focus()
    page.keyboard.press("Home")
    shown.click(shown.head(*best))
    expect(page.locator(".scores")).to_contain_text("silencing costs")
    assert shown.root.get_attribute("data-head") == str(best[1])


def test_several_texts_are_a_list_of_which_the_chosen_one_runs(open_page, bert):
    texts = [TEXT, "it did not see", "<b>it</b>", "too long " * 30]
    shown, kernel = with_kernel(open_page, explored(bert, texts))
    page = shown.page
    choice = page.get_by_label("4 texts")
    assert choice.locator("option").all_text_contents()[2] == f"3 {texts[2]}"
    choice.select_option("2")
    assert [wish["text"] for wish in kernel.runs()] == [texts[2]]
    expect(page.get_by_label("text that the model reads")).to_have_value(texts[2])
    assert page.locator("b", has_text="it").count() == 0
    assert choice.input_value() == "2"
    choice.select_option("3")
    kernel.runs()
    expect(page.locator(".problem")).to_contain_text("positions")
    assert choice.input_value() == "2"
