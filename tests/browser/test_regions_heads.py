"""Heads over a picture on a page: who attends, what the control beside it says, what stays."""

import numpy as np
import pytest

from seqviz.view import regions
from tests.browser.kernel import other_kernel
from tests.browser.test_regions import Shown

pytestmark = pytest.mark.browser


def layers(shuffled=True):
    """Two layers of three heads over 2 x 3 patches, and two special tokens with odd names."""
    rng = np.random.default_rng(0)
    picture = rng.uniform(size=(20, 30, 3))
    return [
        {
            "picture": picture,
            "grid": (2, 3),
            "tokens": ["<b>cls</b>", *range(6), "register"],
            "attention": rng.dirichlet(np.ones(8), (3, 8)),
            **({"shuffled": rng.uniform(size=(3, 8, 2))} if shuffled else {}),
            "title": str(k),
        }
        for k in range(2)
    ]


@pytest.fixture
def shown(open_page):
    return Shown(open_page(regions(layers()).to_html()))


def half_of(weights):
    """How many patches hold half of the weight on patches."""
    held = np.cumsum(-np.sort(-weights))
    return int((held < held[-1] / 2).sum()) + 1


def said(film, asker, head):
    """The start of the sentence."""
    token = {"<b>cls</b>": 0, "register": 7}.get(asker)
    if token is None:
        row, column = (int(word.split()[1]) for word in asker.split(", "))
        token = 1 + 3 * (row - 1) + column - 1
    weights = film["attention"][head, token, 1:7]
    moves, stays = film["shuffled"][head, token]
    return (
        f"From {asker}, head {head} puts {weights.sum():.2f} on patches, half of it on "
        f"{half_of(weights)} of 6; shuffled, {moves:.2f} moves with them, {stays:.2f} stays."
    )


def test_a_patch_under_the_pointer_attends_and_a_click_keeps_it(shown):
    first, second = layers()
    assert shown.sentence == said(first, "<b>cls</b>", 0)
    assert shown["region"] == "7"
    shown.over(0.5, 0.75)  # previewed, though a special token has been chosen
    assert shown.sentence == said(first, "row 2, column 2", 0)
    lit = [shown.pixel((c + 0.5) / 3, 0.25) for c in range(3)]
    shown.page.mouse.down()
    shown.page.mouse.up()
    shown.over(0.1, 0.1)
    assert shown.sentence == said(first, "row 2, column 2", 0)
    shown.choose("1")  # the other layer: head and patch stay
    assert shown.sentence == said(second, "row 2, column 2", 0)
    assert lit != [shown.pixel((c + 0.5) / 3, 0.25) for c in range(3)]
    shown.cells.nth(2).click()
    assert shown.sentence == said(second, "row 2, column 2", 2)
    shown.cells.nth(0).hover()
    a, b = (second["attention"][k, 5, 1:7] for k in (2, 0))
    shared = np.minimum(a / a.sum(), b / b.sum()).sum()
    assert f"head 2 and head 0 share {shared:.2f} of their weight on patches" in shown.sentence


def test_a_layer_comes_from_a_kernel_when_it_is_asked_for(shown):
    other_kernel(shown.page)
    shown.choose("1")
    (part,) = shown.page.evaluate("sent")
    assert part == "film 2"
    shown.page.evaluate("part => answer(part)", part)
    shown.page.wait_for_selector('.seqviz[aria-busy="false"]')
    assert shown.sentence == said(layers()[1], "<b>cls</b>", 0), "who attends stays"
    view = regions(layers())
    view.set_state({"film": 2})
    assert (view.region, view.step) == (7, 1)


def test_keys_and_the_list_choose_who_attends(shown):
    first, _ = layers()
    picture = shown.root.locator(".picture")
    picture.focus()
    picture.press("ArrowRight")
    assert shown.sentence == said(first, "row 1, column 2", 0)
    picture.press("Enter")
    picture.press("ArrowDown")
    assert shown.sentence == said(first, "row 2, column 2", 0)
    assert picture.get_attribute("aria-label").startswith("row 2, column 2; picture: arrows")
    shown.page.keyboard.press("Escape")
    assert shown.sentence.startswith("From all patches, head 0 ")
    shown.choose("register")
    assert shown.sentence == said(first, "register", 0)
    shown.choose("one patch")
    assert shown.sentence == said(first, "row 1, column 2", 0)


def test_python_and_page_agree_and_markup_stays_text(shown):
    view = regions(layers())
    view.region = 8
    view.film = 2
    assert (view.region, view.step, view.alt) == (
        8, 1, "Attention '1' of 3 steps; film 2 of 2, step 1, register",
    )  # fmt: skip
    rows = [row for row in view.table()[1:] if row[:2] == ["2", "3"]]
    expected = layers()[1]["attention"][2, 7]
    assert [row[4] for row in rows[:8]] == pytest.approx([*expected[1:7], expected[0], expected[7]])
    assert [row[2] for row in rows[6:]] == [
        "<b>cls</b>", "register", "moves with the patches", "stays in place",
    ]  # fmt: skip
    assert "<b>cls</b>" in shown.root.inner_text()
    assert shown.root.locator("b b").count() == 0
    alone = regions([{**layers(shuffled=False)[0], "tokens": [*range(6), "a", "b"]}])
    assert alone.here.shuffled.size == 0
