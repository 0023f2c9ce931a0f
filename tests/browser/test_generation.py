"""How a language model writes: on a page of its own, and with a kernel that answers when told."""

import numpy as np
import pytest

from seqviz.view import generation
from tests.browser.kernel import other_kernel
from tests.browser.shown import Page
from tests.views.test_generation import LETTERS, Model, everything, run_of, view_of

pytestmark = pytest.mark.browser


def stopping():
    return view_of(Model(positions=4), depth=2)


class Shown(Page):
    """This view, and what is its own."""

    @property
    def written(self):
        return [int(k) for k in self["written"].split()]

    def row(self, rank):
        """A place in a row of bars, from 1."""
        x, y = self.middle(str(rank), ".dist")
        return x + 60, y

    def wait_for(self, **data):
        for name, value in data.items():
            self.page.wait_for_selector(f'.seqviz[data-{name}="{value}"]', timeout=5000)

    @property
    def sent(self):
        return self.page.evaluate("window.sent")


@pytest.fixture
def show(open_page):
    def show(view, **options):
        page = open_page(view.to_html(), **options)
        page.emulate_media(reduced_motion="reduce")
        return Shown(page)

    return show


# ---- by hand: each test tells a story of one page


def test_keys_and_buttons_take_and_take_back_and_the_pointer_previews(show):
    view = everything()
    shown = show(view)
    first, second = map(int, view.place.ids[:2])
    back = shown.root.get_by_role("button", name="Back")
    shown.press("Enter")
    assert shown.written == [first]
    view.written = [first]
    shown.press("ArrowDown", "Enter")
    both = [first, int(view.place.ids[1])]
    assert shown.written == both
    shown.press("Backspace", "ArrowLeft")
    assert shown.written == []
    assert back.is_disabled()
    shown.press("ArrowRight", "ArrowRight")  # to where one was
    assert shown.written == both
    shown.press("Backspace", "ArrowDown", "ArrowDown")
    assert shown["focus"] == "3"
    shown.press("Escape")
    assert shown["focus"] == "1"
    back.press("Enter")
    assert shown.written == []
    before = shown.sentence
    x, y = shown.row(2)
    shown.page.mouse.move(x, y)
    assert (shown["at"], shown["focus"]) == ("2", "1")
    assert shown.sentence != before
    assert "previewing" in shown.root.get_attribute("class")
    shown.page.mouse.move(5, 5)
    assert (shown["at"], shown.sentence) == ("1", before)
    shown.tremble(x, y)
    assert shown.written == [second]
    shown.press("Backspace")
    shown.root.get_by_role("button", name="Take").click()
    assert shown.written == [first]


def test_a_token_of_the_text_and_a_node_of_the_tree_go_there(show):
    view = everything()
    shown = show(view)
    shown.press("Enter", "Enter", "Enter")
    third = shown.written
    word = LETTERS[third[0]]
    shown.page.mouse.click(*shown.middle(word, ".text"))
    assert shown.written == third[:1]
    node = LETTERS[int(view.place.ids[1])]
    shown.page.mouse.click(*shown.middle(node, ".tree"))
    assert shown.written == [LETTERS.index(node)]
    shown.page.mouse.click(*shown.middle(word, ".tree"))  # opens where it was left
    assert shown.written == third


def test_s_walks_along_what_each_method_wrote(show):
    view = everything()
    shown = show(view)
    for label, method in (("k", "top-k"), ("temperature", "temperature"), ("p", "nucleus")):
        slider = shown.root.locator(f'input[type="range"][aria-label="{label}"]')
        slider.press("ArrowLeft")
        assert shown["method"] == method, "a card is method and knob"
        slider.press("ArrowRight")
    for name, method in {"Greedy": "greedy", "Sample": "sample", "Nucleus p": "nucleus"}.items():
        shown.root.get_by_role("radio", name=name).check(force=True)
        for k in range(3):
            shown.press("s")
            assert shown["rolls"] == "true"
            shown.press("s")  # lands it at once
            assert shown.written == list(run_of(view, method).ids[: k + 1]), method
        shown.page.keyboard.press("r")
    numbers = []
    for _ in range(2):
        shown.press("s")
        numbers.append(shown.root.locator(".fell").inner_text().split()[0])
        shown.press("s", "Backspace")
    assert len(set(numbers)) == 2, "a second draw at a place has another number"
    shown.page.keyboard.press("r")
    shown.press("s")
    assert shown.root.locator(".fell").inner_text().split()[0] == numbers[0]
    shown.press("s", "Backspace", "r")
    shown.page.emulate_media(reduced_motion="no-preference")
    before = shown.sentence
    shown.press("s")
    assert shown.sentence == before  # nothing is told before it lies still
    shown.page.wait_for_function("document.querySelector('.fell').innerText.includes('falls on')")
    shown.wait_for(written=run_of(view, "nucleus").ids[0])


def test_what_stands_side_by_side_is_what_python_wrote(show):
    view = everything()
    view.compare = True
    shown = show(view)
    assert {"Greedy", "Sample", "Temperature 1.5", "Top-k 10", "Nucleus 0.90"} < {*shown.drawn}
    for name in ("greedy", "top-k"):
        knob, run = view.draws[name].knob, run_of(view, name)
        pane = f"{name} {knob:g}" if knob else name
        for k, (token, rank, p) in enumerate(zip(run.ids, run.ranks, run.p, strict=True), 1):
            start = f"{pane},{k},{LETTERS[token]}"
            assert f"{start},rank,{rank:.6f}\n{start},probability,{p:.6f}\n" in shown.csv
    place = view.place
    assert f"next,1,w5,model,{place.p[0]:.6f}\nnext,1,w5,nucleus," in shown.csv
    assert f'next,,,"doubt, bits",{place.doubt:.6f}\nnext,,,kept tokens,2.000000\n' in shown.csv
    view.written, view.k = [30], 4
    shown = show(view)
    assert "Top-k 10" in shown.drawn, "from the prompt, as nobody ran the model from there"
    view.write()
    assert "Top-k 4" in show(view).drawn


def test_the_address_of_a_page_sets_controls(open_page):
    view = everything()
    page = open_page(view.to_html())
    first = int(view.place.ids[0])
    page.evaluate(f"location.hash = 'written={first}&method=top-k&k=3&compare=true'")
    page.wait_for_selector(f'.seqviz[data-written="{first}"][data-method="top-k"][data-kept="3"]')
    page.evaluate("location.hash = 'written=1,2,3'")
    page.wait_for_function("document.querySelector('.problem').textContent.includes('no written')")


# ---- places that are not there


def test_a_place_that_is_not_computed_says_so_and_offers_others(show):
    view = everything()
    shown = show(view)
    assert shown.drawn.count("›") == 4
    shown.press(*["ArrowDown"] * 8, "Enter")
    assert shown["place"] == "absent"
    assert "not in this page" in shown.sentence
    offers = shown.root.locator(".offers button")
    names = [LETTERS[int(k)] for k in view.place.ids[:4]]
    assert set(names) <= set(offers.all_inner_texts())
    offers.first.click()
    assert shown["place"] == "here"
    assert shown.written == [int(view.place.ids[0])]


def test_a_model_that_stops_is_told_and_the_rest_works(show):
    view = stopping()
    shown = show(view)
    ids = list(run_of(view, "nucleus").ids)
    for _ in range(len(ids)):
        shown.press("s", "s")
    assert shown.written == ids
    assert shown["place"] == "absent"
    assert shown.sentence == "Here the model stops: IndexError: 5 tokens, 4 positions"
    shown.press("Backspace")
    assert shown["place"] == "here"


def test_a_number_that_falls_below_the_named_ones_needs_a_kernel(show):
    names = [f"v{k}" for k in range(3000)]
    view = generation(lambda ids: np.full(3000, 1 / 3000), names, [0], steps=3, keep=12, depth=1)
    shown = show(view)
    shown.press("s", "s")  # along the run: it is named
    assert shown.written == [run_of(view, "nucleus").ids[0]]
    shown.press("Backspace", "s")
    assert "needs a kernel" in shown.root.locator(".fell").inner_text()
    assert shown.written == []


def test_a_token_below_the_named_ones_stands_in_the_tree_and_is_gone_after_reset(show):
    names = [f"v{k}" for k in range(300)]
    p = np.linspace(2, 1, 300) / np.linspace(2, 1, 300).sum()
    view = generation(lambda ids: p, names, [0], steps=5, keep=12, depth=1)
    view.method = "sample"
    shown = show(view)
    shown.press("s", "s", "s", "s")
    assert shown.written == list(run_of(view, "sample").ids[:2])
    assert min(shown.written) > 12
    drawn = shown.root.locator(".tree text").all_text_contents()
    assert {names[k] for k in shown.written} <= set(drawn)
    shown.root.get_by_role("button", name="Reset").click()
    assert shown.written == []
    assert shown.root.locator(".fell").inner_text() == ""


# ---- with a kernel


def test_one_run_at_a_time_is_asked_for_and_the_picture_is_grey_only_while_it_waits(show):
    shown = show(everything())
    shown.page.emulate_media(reduced_motion="no-preference")
    other_kernel(shown.page)
    shown.set(compare=True)
    shown.set(k=7, p=0.5, temperature=1.2)
    written = "sent.filter(name => /^run (top-k 7|nucleus 0.5|temperature 1.2)/.test(name)).length"
    shown.page.wait_for_function(f"{written} > 0")
    shown.page.wait_for_timeout(400)
    assert shown.page.evaluate(written) == 1
    delay = "node => getComputedStyle(node).transitionDelay"
    assert shown.stage.evaluate(delay) == "0s"
    shown.set(written=[33])
    assert (shown.root.get_attribute("aria-busy"), shown.stage.evaluate(delay)) == ("true", "0.3s")


def test_the_kernel_is_asked_once_and_an_error_can_be_tried_again(show):
    view = everything()
    view.written = [30, 31]  # held by the page, but not sent with the first
    view.written = []
    shown = show(view)
    other_kernel(shown.page)
    before = shown.drawn
    shown.set(written=[30])
    assert "after 30" in shown.sent
    assert shown.root.get_attribute("aria-busy") == "true"
    assert shown.drawn == before, "the last picture stays"
    shown.set(focus=2)
    assert shown.sent.count("after 30") == 1
    shown.set(focus=1)
    shown.page.evaluate("answer('after 30')")
    shown.wait_for(written=30)
    assert shown.root.get_attribute("aria-busy") == "false"
    shown.set(written=[33])
    tell = """() => heard.filter(h => h[0] === 'msg:custom').forEach(h =>
        h[1]({part: 'after 33', problem: 'OSError: no weights'}, []))"""
    shown.page.evaluate(tell)
    shown.wait_for(place="absent")
    assert shown.sentence == "Here the model stops: OSError: no weights"
    count = shown.sent.count("after 33")
    shown.root.get_by_role("button", name="Try again").click()
    assert shown.sent.count("after 33") == count + 1


def test_what_is_only_pointed_at_is_asked_for_when_the_pointer_rests(show):
    view = everything()
    shown = show(view)
    other_kernel(shown.page)
    shown.page.clock.install(time=0)
    shown.page.clock.pause_at(1)
    for rank in (8, 9, 10, 11):
        shown.page.mouse.move(*shown.row(rank))
        shown.page.clock.run_for(40)
        assert shown["at"] == str(rank)
    wanted = [f"after {int(view.place.ids[rank - 1])}" for rank in (8, 9, 10, 11)]
    assert not set(wanted) & set(shown.sent)
    shown.page.clock.run_for(200)
    assert set(wanted) & set(shown.sent) == {wanted[-1]}
