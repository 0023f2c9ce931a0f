"""Masked words on a page and with a kernel that answers when the test lets it."""

import numpy as np
import pytest

from seqviz.view import masking
from tests.browser.kernel import Live, other_kernel
from tests.browser.shown import Page
from tests.views.test_masking import (
    RATES,
    VOCABULARY,
    Model,
    everything,
    in_pieces,
    split,
)

pytestmark = pytest.mark.browser


def random_sentence(tokens, vocabulary, seed=0, heads=2):
    """Sharp guesses at every token, by chance."""
    random = np.random.default_rng(seed)
    shape = len(tokens), len(vocabulary)
    both, left = (random.dirichlet(np.full(shape[1], 0.02), shape[0]) for _ in range(2))
    maps = {f"head {k}": random.dirichlet(np.full(shape[0], 0.3), shape[0]) for k in range(heads)}
    return {"tokens": tokens, "both": both, "left": left, "attention": maps}


def forty(n=40):
    """As many tokens as a slide has, of the length that English has, with pieces."""
    words = ["[CLS]", *split("several great heroes have waited in the village and secret")[1:-1]]
    words += ["un", "##able", "report", "was", "prepared", ".", "this", "engineer", "stay", "##ed"]
    tokens = [*(words[k % len(words)] for k in range(n - 1)), "[SEP]"]
    vocabulary = [*dict.fromkeys([*tokens, *(f"word{k}" for k in range(400))])]
    sentence = random_sentence(tokens, vocabulary)
    text = [token for token in tokens if token[0] != "["][:40]
    ids = np.array([vocabulary.index(token) for token in text])
    fates = np.random.default_rng(0).choice(4, (200, len(text)), p=(0.85, 0.12, 0.015, 0.015))
    masked = {0.15: {"fates": fates, "inputs": np.where(fates == 2, 3, ids)}}
    masked[0.3] = {"fates": fates[:50], "inputs": masked[0.15]["inputs"][:50]}
    more = {"draws": {"tokens": text, "masked": masked}, "rates": RATES, "run": Model()}
    return masking([sentence], vocabulary, **more)


def alone():
    """One model, without attention, pieces."""
    return masking([in_pieces(), in_pieces(title="again")], VOCABULARY, rates=RATES)


class Shown(Page):
    """This view, and what is its own."""

    @property
    def told(self):
        return self.root.locator(".told").inner_text()

    @property
    def state(self):
        return self.root.locator(".kernel .head span").inner_text()

    def chip(self, k):
        """The middle of a token's chip, from 0."""
        box = self.stage.locator("text.chip").nth(k).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, k):
        self.page.mouse.click(*self.chip(k))


@pytest.fixture
def show(open_page):
    return lambda view, **options: Shown(open_page(view.to_html(), **options))


# ---- pointer and keys: each test tells a story of one page


def test_click_masks_and_the_same_again_frees_and_hover_previews(show):
    shown = show(everything())
    assert shown["mask"] == "6"
    shown.click(2)
    assert shown["mask"] == "3"
    assert shown.sentence.startswith("The left side already tells “sat”")
    assert "[MASK]" in shown.drawn
    shown.click(2)
    assert shown["mask"] == "0"
    assert shown.sentence.startswith("Nothing is masked. The right side helps “bank”")
    shown.click(0)
    assert shown["mask"] == "0", "a special token cannot be masked"
    row = """s => { const row = [...s.querySelectorAll('.panes text')]
        .find(text => text.textContent === 'by').getBoundingClientRect();
        return [row.x + 5, row.y + row.height / 2]; }"""
    shown.page.mouse.click(*shown.stage.evaluate(row))
    assert shown["mask"] == "4", "a row of the overview masks its token"
    shown.click(5)
    dashes = "s => s.querySelectorAll('.sentence path[stroke-dasharray=\"7 5\"]').length"
    shown.page.mouse.move(*shown.chip(2))
    assert (shown["mask"], shown["over"]) == ("6", "3")
    assert shown.sentence.startswith("The left side already tells “sat”")
    assert shown.stage.evaluate(dashes) > 3
    assert shown.heard == "", "a pointer is not spoken of"
    shown.page.mouse.move(2, 2)
    assert (shown["over"], shown.sentence[:26]) == ("0", "The right side gives “bank")
    assert shown.stage.evaluate(dashes) == 0


def test_keys_preview_and_mask(show):
    shown = show(everything())
    shown.press("ArrowLeft")
    assert (shown["mask"], shown["over"]) == ("6", "5")
    assert shown.heard == "the, masked in preview: 0.30 from both sides, 0.10 from left only"
    shown.press("ArrowLeft", "ArrowLeft", "Enter")
    assert (shown["mask"], shown["over"]) == ("3", "0")
    assert shown.heard == f"Locked: {shown.sentence}"
    shown.press("End")
    assert shown["over"] == "7"
    shown.press("ArrowRight")
    assert shown["over"] == "7", "[SEP] cannot be masked"
    shown.press("Escape")
    assert (shown["mask"], shown["over"]) == ("3", "0")
    shown.press("Home", "ArrowLeft")
    assert shown["over"] == "2"
    shown.press("Escape", "Escape")
    assert shown["mask"] == "0"
    shown.press("ArrowRight", " ")
    assert shown["mask"] == "2"
    shown.press("Backspace", "ArrowLeft")
    assert (shown["mask"], shown["over"]) == ("0", "7")
    shown.root.get_by_role("button", name="Save").focus()
    assert shown["over"] == "0", "who leaves the sentence previews nothing"


def test_in_many_lines_no_mask_moves_a_token_and_no_click_is_lost(show):
    shown = show(forty(), width=833)
    places = """s => [...s.querySelectorAll('text.chip')].map(text => {
        const box = text.previousElementSibling.getBBox();
        return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    })"""
    before, height = shown.stage.evaluate(places), shown.height
    assert height <= 640
    for key in ("Home", *["ArrowRight"] * 6, "Enter", "ArrowRight"):
        shown.press(key)
        assert (shown.stage.evaluate(places), shown.height) == (before, height), key
    shown.press("Home")
    top = shown.chip(1)
    shown.press("ArrowDown")
    below = shown.chip(int(shown["over"]) - 1)
    assert below[1] > top[1] + 10
    assert abs(below[0] - top[0]) < 60
    shown.press("ArrowUp")
    assert abs(shown.chip(int(shown["over"]) - 1)[1] - top[1]) < 2
    shown.press("Escape", "Escape")
    for k in range(1, 21, 4):
        shown.tremble(*shown.chip(k))
        assert shown["mask"] == str(k + 1)


# ---- the second pane


def test_draws_come_one_after_another(show):
    shown = show(forty())
    shown.page.clock.install()
    shown.root.locator("summary").click()
    shown.page.wait_for_selector('.seqviz[data-training="true"]')
    assert shown["draw"] == "1"
    draw_all = shown.root.get_by_role("button", name="Draw all 200")
    draw_all.click()
    shown.page.clock.run_for(500)
    assert shown["draw"] == "1", "Python is not told of each"
    shown.root.get_by_role("button", name="Stop").click()
    assert 1 < int(shown["draw"]) < 200
    draw_all.click()
    shown.page.clock.run_for(3000)
    assert shown["draw"] == "200"
    shown.root.get_by_role("button", name="Draw again").click()
    assert shown["draw"] == "1", "after the last the first comes again"
    draw_all.click()
    shown.page.clock.run_for(100)
    shown.root.get_by_label("chosen").fill("1")  # another rate stops them
    shown.page.clock.run_for(3000)
    assert shown["rate"] == "0.3"
    assert int(shown["draw"]) <= 50
    shown.page.emulate_media(reduced_motion="reduce")
    shown.root.get_by_label("chosen").fill("0")
    draw_all.click()
    shown.page.clock.run_for(50)
    assert shown["draw"] == "200", "who wants no motion gets them at once"


def test_draws_travel_when_they_are_looked_at(show):
    view = everything()
    shown = show(view)
    other_kernel(shown.page)
    assert shown.page.evaluate("sent") == []
    shown.root.locator("summary").click()
    shown.page.wait_for_function("sent.length === 2")
    assert sorted(shown.page.evaluate("sent")) == ["draws 0", "rates"]
    shown.page.evaluate("answer('draws 0'); answer('rates')")
    shown.page.wait_for_function(
        "[...document.querySelectorAll('text')].some(t => t.textContent === 'Shares so far')"
    )
    shown.root.get_by_label("chosen").fill("1")
    assert shown.page.evaluate("sent")[2:] == ["draws 1"]


# ---- a kernel


@pytest.fixture
def live(show):
    return Live(show, everything())


def test_without_a_kernel_what_needs_one_says_so_and_what_python_ran_is_there(show):
    view = everything()
    view.mask, view.second = 3, 6
    shown = show(view)
    assert shown.state == "○ no kernel"
    assert shown.root.get_by_label("your own sentence").is_disabled()
    assert shown.root.get_by_label("Mask two tokens at once").is_disabled()
    assert shown.root.get_by_role("button", name="Ask").is_disabled()
    assert shown.sentence.startswith("Masking “bank” too hides evidence: “sat” falls from 0.90")
    assert shown.told.startswith("Two masks, one answer")
    shown.click(5)  # the other of both
    assert (shown["mask"], shown["second"]) == ("6", "3")
    assert shown.sentence.startswith("Masking “sat” too ")
    assert "left only" not in shown.drawn
    assert any("would read the token masked before it" in text for text in shown.drawn)
    shown.press("Escape")
    assert (shown["mask"], shown["second"]) == ("0", "0")
    assert shown.told == "Needs a kernel: open this in a running notebook. Single masks need none."


def test_two_masks_are_asked_for_and_shown(live):
    shown = live.shown
    assert shown.state == "● kernel"
    shown.root.get_by_label("Mask two tokens at once").check()
    shown.click(6)
    assert live.asked == [{"ask": 1, "sentence": 1, "masks": [6, 7]}]
    assert (shown["mask"], shown["second"], shown.state) == ("6", "0", "◐ the kernel is asked")
    assert shown.sentence.startswith("The right side gives “bank”"), "the last picture stays"
    live.tell(asked=1, done=0)
    assert shown.state == "◐ the model runs"
    live.answer()
    shown.page.wait_for_selector('.seqviz[data-second="7"]')
    assert shown.sentence == "Masking “.” too hides evidence: “bank” falls from 0.91 to 0.20."
    assert shown.told.startswith("Two masks, one answer")
    shown.click(6)  # the other one, without another question
    assert (shown["mask"], shown["second"], len(live.asked)) == ("7", "6", 1)
    shown.root.get_by_label("Mask two tokens at once").uncheck()
    assert (shown["mask"], shown["second"]) == ("7", "0")


def test_an_answer_that_comes_after_the_mask_moved_is_dropped(live):
    shown = live.shown
    shown.root.get_by_label("Mask two tokens at once").check()
    shown.click(6)
    shown.click(2)  # while the model runs, a single mask
    assert (shown["mask"], shown.sentence[:27]) == ("3", "The left side already tells")
    live.answer()
    assert (shown["mask"], shown["second"]) == ("3", "0")
    assert shown.sentence.startswith("The left side already tells “sat”")
    assert shown.told == "The mask moved on, so the answer was dropped."
    shown.click(6)
    live.page.evaluate("fromPython('mask', 4)")  # by Python
    live.answer()
    assert (shown["mask"], shown["second"]) == ("4", "0")


def test_a_sentence_of_ones_own(live):
    shown = live.shown
    shown.root.get_by_role("button", name="Ask").click()
    assert live.asked == [], "there is nothing to ask"
    field = shown.root.get_by_label("your own sentence")
    field.fill("he sat")
    for key in ("Home", "ArrowRight", "Backspace", "Escape", " "):
        field.press(key)
    assert (shown["mask"], shown["over"], field.input_value()) == ("6", "0", " e sat")
    field.fill("he sat by the river")
    field.press("Enter")
    assert live.asked == [{"ask": 1, "text": "he sat by the river"}]
    live.tell(asked=1, done=2, of=5)
    assert shown.root.locator(".line span").inner_text() == "2 of 5 masks"
    assert shown["sentence"] == "1"
    live.answer()
    shown.page.wait_for_selector('.seqviz[data-sentence="3"]')
    listed = shown.root.get_by_label("sentence", exact=True).locator("option")
    assert listed.count() == 3
    assert shown["mask"] == "2"
    assert shown.sentence.startswith("The right side gives “he” away: 0.007 from left only, 0.90 ")
    field.fill("he sat")
    shown.root.get_by_role("button", name="Ask").click()
    shown.click(2)
    live.answer()
    assert (shown["sentence"], shown["mask"], listed.count()) == ("3", "3", 4)
    assert shown.told == "Your sentence is in the list; the mask had moved on."


def test_a_word_that_the_model_cannot_read_is_named(show):
    def known(text):
        return ["[CLS]", *(word if word in VOCABULARY else "[UNK]" for word in text.split())]

    live = Live(show, everything(tokenize=known))
    field = live.shown.root.get_by_label("your own sentence")
    field.fill("he fishes by the river")
    field.press("Enter")
    live.answer()
    live.shown.page.wait_for_selector('.seqviz[data-sentence="3"]')
    assert live.shown.told == "“fishes” is not in the vocabulary: the model reads [UNK]."


def test_an_error_is_shown_and_the_last_picture_stays(live):
    shown = live.shown
    field = shown.root.get_by_label("your own sentence")
    before = shown.csv
    field.fill("he <b>fishes</b>")
    field.press("Enter")
    live.answer()
    assert shown.state == "▲ no answer"
    assert shown.told.startswith("Token 3 is '<b>fishes</b>', which is none of the 15")
    assert (shown.csv, field.input_value()) == (before, "he <b>fishes</b>")
    field.fill("he sat")
    shown.root.get_by_role("button", name="Try again").click()
    live.answer()
    shown.page.wait_for_selector('.seqviz[data-sentence="3"]')
    assert shown.state == "● kernel"


def test_a_kernel_that_is_there_is_not_said_to_be_gone(show):
    shown = show(everything())
    shown.page.clock.install()
    other_kernel(shown.page, deaf=False, gives=True)
    shown.page.clock.run_for(60_000)
    assert (shown.state, shown.told[:12]) == ("● kernel", "Tick the box")


def test_who_stops_waiting_gets_no_late_answer(live):
    shown = live.shown
    shown.root.get_by_label("your own sentence").fill("he sat")
    live.page.clock.install()
    shown.root.get_by_role("button", name="Ask").click()
    live.tell(asked=1, done=0)
    live.page.clock.run_for(60_000)
    assert shown.state == "◐ the model runs", "a slow model is waited for"
    shown.root.get_by_role("button", name="Stop waiting").click()
    assert shown.state == "● kernel"
    live.answer()
    assert (shown["sentence"], shown.told[:12]) == ("1", "Tick the box")


def test_a_long_word_ends_in_its_chip(open_page):
    words = ["W" * 28, "short"]
    shown = masking([{"tokens": words, "both": np.full((2, 2), 0.5)}], words)
    root = open_page(shown.to_html(), width=360).locator(".seqviz")
    word, chip = (root.locator(one).first.bounding_box() for one in ("text.chip", ".stage rect"))
    assert word["width"] <= chip["width"]
