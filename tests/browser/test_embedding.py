"""Word vectors on a page, and with a kernel: pointer, keys, field, layers, looks."""

import numpy as np
import pytest

from seqviz.view import embedding
from tests.browser.kernel import Live
from tests.browser.shown import Page
from tests.views.test_embedding import SHOWN, WORDS, everything

pytestmark = pytest.mark.browser


def many(n=2000, shown=150, seed=0, **more):
    """As many words as a lecture shows, in clusters."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(5, 40))
    kinds = np.arange(n) % 5
    vectors = centres[kinds] * 0.6 + random.normal(size=(n, 40))
    words = [f"{'abcde'[k % 5]}word{k}" for k in range(n)]
    groups = {f"kind {g}": [words[k] for k in range(shown) if kinds[k] == g] for g in range(5)}
    sums = [(words[k], words[k + 1], words[k + 2], words[k + 3]) for k in range(0, 40, 4)]
    return embedding(words, vectors, groups=groups, analogies=sums, **more)


class Shown(Page):
    """This view, and what is its own."""

    @property
    def detail(self):
        return self.root.locator(".detail").text_content().replace("\u00a0", " ")

    @property
    def problem(self):
        return self.root.locator(".problem").inner_text()

    @property
    def field(self):
        return self.root.locator(".ask")

    def ask(self, text):
        self.field.fill(text)
        self.field.press("Enter")

    def hover(self, text, pane=".map"):
        self.page.mouse.move(*self.middle(text, pane))

    def click(self, text, pane=".map"):
        self.page.mouse.click(*self.middle(text, pane))

    def tab(self, name):
        self.root.get_by_label(name, exact=True).check(force=True)

    def layer(self, k):
        self.root.get_by_role("slider").fill(str(k))


@pytest.fixture
def show(open_page):
    def show(view, still=True, **options):
        page = open_page(view.to_html(), **options)
        if still:
            page.emulate_media(reduced_motion="reduce")
        return Shown(page)

    return show


# ---- pointer, keys, field: each test tells a story of one page


def test_hover_previews_click_locks_and_then_the_pointer_compares(show):
    shown = show(everything())
    opening = shown.sentence
    assert "“frog”" in opening
    shown.hover("queen")
    assert (shown["over"], shown["word"]) == ("queen", "")
    assert "“queen”" in shown.sentence
    shown.page.mouse.move(2, 2)
    assert (shown["over"], shown.sentence) == ("", opening)
    shown.click("queen")
    assert (shown["word"], shown.field.input_value()) == ("queen", "queen")
    shown.click("queen")
    assert shown["word"] == "", "the same again frees"
    shown.ask("king")
    rows = shown.root.locator(".side").inner_text()
    shown.root.get_by_label("Zoom").uncheck()
    shown.hover("frog")
    assert shown.sentence.startswith("“king” and “frog” ")
    assert "in all 8 directions; on the map" in shown.detail
    shown.hover("prince", ".side")
    assert shown.sentence.startswith("“king” and “prince” ")
    shown.page.mouse.move(2, 2)
    assert shown.root.locator(".side").inner_text() == rows
    shown.click("queen", ".side")
    assert shown["word"] == "queen"


def test_a_click_moves_closer_a_switch_keeps_the_whole_and_guests_are_walked_to(show):
    view = everything()
    shown = show(view)
    whole = shown.middle("rome", ".map")
    shown.ask("italy")
    assert shown.middle("rome", ".map") != whole
    shown.root.get_by_label("Zoom").uncheck()
    assert shown["zoom"] == "false"
    assert np.hypot(*np.subtract(shown.middle("rome", ".map"), whole)) < 40
    shown.ask("frog")
    shown.click("toad")
    assert shown["word"] == "toad"
    toad = WORDS.index("toad")
    shown.ask(next(w for w in SHOWN if toad not in view.shown.ten(WORDS.index(w))[0]))
    assert "toad" not in shown.drawn


def test_a_click_with_a_trembling_hand_is_never_lost(show):
    shown = show(many(), width=833)
    names = shown.root.locator(".map").evaluate(
        "s => [...s.querySelectorAll('text.halo')].map(t => t.textContent)"
        ".filter(name => !name.includes('…')).slice(0, 6)"
    )
    assert len(names) == 6
    for name in names:
        shown.tremble(*shown.middle(name, ".map"))
        assert shown["word"] == name
        shown.press("Escape", "Escape")


def test_arrows_move_enter_locks_escape_frees_one_step_after_another(show):
    shown = show(everything())
    shown.press("ArrowDown")
    first = shown["over"]
    shown.press("ArrowLeft", "Enter")
    locked = shown["word"]
    assert locked not in ("", first)
    assert shown["over"] == ""
    shown.press("ArrowUp")
    over = shown["over"]
    assert shown.sentence.startswith(f"“{locked}” and “{over}” ")
    shown.press("Escape")
    assert (shown["over"], shown["word"]) == ("", locked)
    shown.press("Escape")
    assert shown["word"] == ""
    shown.ask("king")
    side = shown.root.locator(".side")
    side.focus()
    for _ in range(2):
        shown.page.keyboard.press("ArrowDown")
    second = WORDS[everything().shown.ten(WORDS.index("king"))[0][1]]
    assert shown["over"] == second
    assert shown.sentence.startswith(f"“king” and “{second}” ")
    shown.page.keyboard.press("Enter")
    assert shown["word"] == second
    assert side.get_attribute("aria-label").startswith(f"Nearest to “{second}”: 1 ")


def test_the_field_takes_a_word_a_sum_and_a_proportion(show):
    shown = show(everything())
    shown.ask("King")
    assert (shown["word"], shown["question"]) == ("king", "")
    shown.ask("man : king :: woman : ?")
    assert (shown["word"], shown["question"]) == ("", "king - man + woman")
    assert shown.field.input_value() == "king - man + woman"
    assert shown.sentence == "“king” − “man” + “woman” lands nearest to “queen”."
    assert shown.root.locator("path.cross").count() == 1
    struck = "s => [...s.querySelectorAll('[text-decoration]')].map(t => t.textContent).sort()"
    assert shown.stage.evaluate(struck) == ["king", "man", "woman"]
    shown.root.locator(".presets").select_option("paris - france + italy")
    assert "gives ✗ “italian”; “rome” is " in shown.sentence
    shown.ask("")
    assert (shown["word"], shown["question"]) == ("", "")
    shown.ask("king")
    before = shown.sentence
    for text, said in {  # there is no kernel
        "pizza": "“pizza” is not among the 16 words whose neighbours are kept in this page: it "
        "needs a running kernel, which has all 16.",
        "boy - man + woman": "This sum needs a running kernel. The list beside the field has 2 "
        "that do not.",
    }.items():
        shown.ask(text)
        assert shown.problem.endswith(said)
        assert (shown.sentence, shown.field.input_value()) == (before, text)
        shown.field.press("Escape")
        assert shown.field.input_value() == "king"
    shown.ask("queen")
    assert shown.problem == ""


def test_with_a_kernel_any_word_and_any_sum_are_answered(show):
    view = many(shown=6)
    words, shown = view.lexicon.words, show(view)
    guest = words[view.shown.near[0][0]]
    ids = view.shown.ten(words.index(guest))[0]
    beyond = words[next(k for k in ids if not view.shown.holds(k))]
    live = Live(show, view)
    shown = live.shown
    shown.ask(guest)
    shown.click(beyond, ".side")
    live.answer()
    shown.page.wait_for_selector(f'.seqviz[data-word="{beyond}"]')
    assert f"“{beyond}”" in shown.sentence
    sum_ = f"{words[1500]} - {words[1501]} + {words[1502]}"
    shown.ask(f"{words[1501]} : {words[1500]} :: {words[1502]} : ?")
    live.answer()
    shown.page.wait_for_selector(f'.seqviz[data-question="{sum_}"]')
    first = words[view.answers[sum_].first]
    assert shown.sentence.endswith(f" lands nearest to “{first}”.")
    shown.ask("aword00")
    live.answer()
    assert shown.problem.startswith("'aword00' is none of the 2,000 words: nearest in spelling: 'a")
    assert shown["question"] == sum_
    shown.press("Escape", "Escape")
    assert shown["question"] == ""


# ---- senses


def test_layers_by_slider_keys_and_chart_and_a_sentence_draws_its_way(show):
    shown = show(everything())
    shown.tab("Senses")
    assert (shown["tab"], shown["layer"]) == ("senses", "2")
    assert shown.sentence.endswith("5 of 5.")
    shown.layer(0)
    assert "apart: 1 of 5." in shown.sentence
    shown.press("ArrowRight")
    assert shown["layer"] == "1"
    shown.press("Home")
    shown.hover("2", ".side")
    assert (shown["layer"], shown.sentence[-8:]) == ("0", " 5 of 5.")
    shown.page.mouse.move(2, 2)
    assert "1 of 5." in shown.sentence
    shown.click("2", ".side")
    assert shown["layer"] == "2"
    shown.press("ArrowDown", "ArrowDown")
    assert shown.sentence.startswith("After 2 layers sentence 2 is nearest to ")
    assert shown["sentence"] == "0"
    shown.press("Enter")
    assert shown["sentence"] == "2"
    shown.press("Escape")
    assert shown["sentence"] == "0"
    shown.click("4")
    assert shown["sentence"] == "4"
    shown.root.get_by_label("Word", exact=True).select_option("club")
    assert (shown["sense-word"], shown["sentence"]) == ("club", "0")


# ---- how it looks


def test_the_map_glides_and_comes_to_rest_where_it_would_jump_to(show):
    view = everything()
    shown = show(view)
    shown.ask("frog")
    goal = shown.middle("frog", ".map")
    shown.ask("")
    shown.page.emulate_media(reduced_motion="no-preference")
    begin = shown.middle("frog", ".map")
    shown.ask("frog")
    assert shown.middle("frog", ".map") != goal, "it is on its way"
    exported = "root => root.exported.svg()"
    assert shown.root.evaluate(exported) == shown.root.evaluate(exported), "it is taken at rest"
    assert begin != goal
    assert shown.middle("frog", ".map") == pytest.approx(goal, abs=1)
