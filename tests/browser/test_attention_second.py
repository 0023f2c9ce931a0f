"""Two texts under the map: the same head reads both, and their words are lined up."""

from functools import partial

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_kernel import with_kernel
from tests.browser.attention_shown import softmax, text_of
from tests.views.attention.silencing import TEXT, WIDE, run, speaker

pytestmark = pytest.mark.browser

WORDS, OTHER = TEXT.split(), WIDE.split()
LAB = 833  # JupyterLab at 1280 x 800 with its sidebar open
FIELD = "second text, which the same head reads"


@pytest.fixture
def live(open_page):
    return partial(with_kernel, open_page)


def view_of(**controls):
    return attention(speaker(), **{"text": TEXT, "second": WIDE, "layer": 3, "head": 2, **controls})


def pane(shown):
    return shown.root.locator(".compared")


def weights(shown, line):
    """The weights of a line of words, as its boxes are shaded."""
    boxes = pane(shown).locator(f'[data-line="{line}"][data-weight]')
    found = boxes.evaluate_all("all => all.map(b => [b.dataset.at, b.dataset.weight].map(Number))")
    assert [at for at, _ in found] == list(range(len(found)))
    return np.array([weight for _, weight in found])


def numbers(shown, line):
    return pane(shown).locator(f'[data-number="{line}"]').all_text_contents()


def words(shown, line):
    return pane(shown).locator(f'[data-word="{line}"]').all_text_contents()


def told(shown):
    return "".join(pane(shown).locator("[data-said]").all_text_contents())


def ringed(shown):
    """The words with a ring, of each line."""
    return pane(shown).evaluate(
        """node => Object.fromEntries([...node.querySelectorAll('[data-ring]')].map(ring => {
            const x = Number(ring.getAttribute('x')), y = Number(ring.getAttribute('y'));
            const box = [...node.querySelectorAll('[data-line]')].find(one =>
                Number(one.getAttribute('x')) === x + 2 && Number(one.getAttribute('y')) === y + 2);
            return [ring.dataset.ring, Number(box.dataset.at)];
        }))"""
    )


def same(shown, here, there):
    for line, want in (("first", here), ("second", there)):
        np.testing.assert_allclose(weights(shown, line), want, atol=5e-3)
        near = np.abs(np.asarray(want) - 0.05) < 5e-3
        if not near.any():
            assert len(numbers(shown, line)) == int((np.asarray(want) >= 0.05).sum())


def test_each_word_is_shaded_by_the_weight_that_it_gets(explore):
    shown = explore(view_of(query="it"))
    here, there = run(WORDS)[0][3, 2], run(OTHER)[0][3, 2]
    same(shown, here[8], there[8])
    assert ringed(shown) == {"first": 8, "second": 8}
    assert pane(shown).locator("[data-differs]").all_text_contents() == ["≠"]
    row = int(shown["key"]) - 1
    said = f"“it” attends to “{WORDS[row]}” with {text_of(here[8, row])}; in the second text "
    assert told(shown).startswith(said)
    assert told(shown).endswith(f"with {text_of(there[8, row])}")
    shown.click(shown.column(11))  # “tired”
    same(shown, here[:, 11], there[:, 11])
    assert ringed(shown) == {"first": 11, "second": 11}
    assert told(shown).startswith("“tired” is attended to by ")
    assert "in the second text “wide”, in its place, with " in told(shown)
    # hover, lock, head and step by keys are followed
    here, there = run(WORDS)[0], run(OTHER)[0]
    shown.click(shown.token("query", 5))
    shown.hover((2, 2))
    same(shown, here[3, 2, 5], there[3, 2, 5])
    shown.hover(shown.head(1, 0))
    same(shown, here[1, 0, 5], there[1, 0, 5])
    shown.click(shown.head(2, "mean"))
    same(shown, here[2, :, 5].mean(0), there[2, :, 5].mean(0))
    shown.click(shown.head(2, 1))
    shown.press("stage", "ArrowDown", "Enter", "Escape")
    # pointing at a word previews it and a click locks it
    pane(shown).evaluate("node => node.scrollIntoView({block: 'end'})")
    for line, at in (("first", 4), ("second", 7)):
        box = pane(shown).locator(f'[data-line="{line}"][data-at="{at}"]').bounding_box()
        shown.hover((box["x"] + 5, box["y"] + 5))
        same(shown, here[2, 1, at], there[2, 1, at])
        assert shown["locked"] == "false"
    shown.click((box["x"] + 5, box["y"] + 5))
    assert (shown["query"], shown["locked"]) == ("8", "true")
    assert ringed(shown) == {"first": 7, "second": 7}


def test_a_word_without_a_partner_is_said_to_have_none(explore):
    shown = explore(view_of(second="the animal was wide", query="it"))
    assert ringed(shown) == {"first": 8}
    assert len(weights(shown, "second")) == 0
    assert told(shown).endswith("; in the second text no word is in the place of “it”")
    for line, gaps in (("first", 1), ("second", 9)):
        assert pane(shown).locator(f'[data-gap="{line}"]').count() == gaps
    said = pane(shown).get_attribute("aria-label")
    assert "different: “did” – no word" in said


PIECES = ["[CLS]", "it", "was", "un", "##able", "[SEP]"]
THOSE = ["[CLS]", "it", "was", "not", "un", "##able", "[SEP]"]


def test_words_and_special_tokens_are_as_in_the_map(explore):
    texts = {"a": (PIECES, softmax(1, 2, 6, 6)), "b": (THOSE, softmax(1, 2, 7, 7, seed=1))}

    def read(text):
        tokens, weights = texts[text]
        return {"tokens": tokens, "weights": weights}

    view = attention(read, text="a", second="b", query=2, precision="half")
    shown = explore(view)
    same(shown, texts["a"][1][0, 0, 1], texts["b"][1][0, 0, 1])
    shown.check("Pieces as words")
    shown.choose("Special tokens", "renormalised")
    want = []
    for tokens, maps in texts.values():
        row = maps[0, 0, 1, 1:-1].copy()
        row[-2] += row[-1]
        want.append(row[:-1] / row[:-1].sum())
        assert len(tokens) == len(row) + 2
    same(shown, *want)
    assert words(shown, "first") == ["it", "was", "unable"]
    assert words(shown, "second") == ["it", "was", "not", "unable"]


def test_silenced_heads_are_silent_in_both_texts(explore):
    view = view_of(silent=[("self", 1, 1)], query="it")
    shown = explore(view)
    for show, silent, note in (
        ("before", [], "Both texts with all heads."),
        ("difference", [(1, 1)], "Both texts after, without layer 1, head 1: the difference is"),
        ("after", [(1, 1)], "Both texts without layer 1, head 1."),
    ):
        shown.root.get_by_label(show.title(), exact=True).check(force=True)
        shown.settle()
        same(shown, run(WORDS, silent)[0][3, 2, 8], run(OTHER, silent)[0][3, 2, 8])
        assert note in " ".join(pane(shown).locator("text").all_text_contents())


def test_where_queries_look_at_another_text_the_query_stands_before_the_keys(explore):
    cross = {"a": softmax(2, 2, 3, 4), "b": softmax(2, 2, 4, 4, seed=1)}
    targets = {"a": ["the", "black", "cat"], "b": ["the", "white", "black", "cat"]}

    def read(text):
        keys = ["le", "chat", "noir" if text == "a" else "blanc", "."]
        return {"cross": cross[text], "encoder_tokens": keys, "decoder_tokens": targets[text]}

    view = attention(read, text="a", second="b", query="black")
    shown = explore(view)
    same(shown, cross["a"][0, 0, 1], cross["b"][0, 0, 2])
    assert words(shown, "first")[0] == words(shown, "second")[0] == "black"
    assert pane(shown).locator("[data-ring]").count() == 2
    view.step = 2
    shown = explore(view)  # “cat” is not written yet, in neither
    shown.click(shown.column(1))
    same(shown, cross["a"][0, 0, :2, 1], cross["b"][0, 0, :2, 1])


def test_the_map_and_both_texts_are_on_one_screen(explore):
    shown = explore(view_of(query="it"), width=LAB)
    for name in (".heat", ".compared"):
        box = shown.root.locator(name).bounding_box()
        assert box["y"] + box["height"] <= 679, name  # of JupyterLab at 1280 x 800
    assert not shown.root.locator(".grid").is_visible()
    drawn = shown.root.evaluate("root => root.exported.svg()")
    assert "; in the second text " in drawn
    assert "Compared with" not in drawn
    shown.check("Heads")
    assert shown.root.locator(".grid").is_visible()
    shown.check("Lines")
    assert (shown.root.locator(".lines").is_visible(), pane(shown).is_visible()) == (True, False)
    assert explore(view_of(second="", beside="texts")).root.locator(".grid").is_visible()


def test_without_a_kernel_the_field_is_dead_and_says_so(explore):
    shown = explore(view_of(second=""))
    assert shown.root.get_by_label(FIELD).is_disabled()
    assert "a second text needs a running kernel" in shown.root.locator(".compare").inner_text()
    assert not pane(shown).is_visible()
    assert shown.root.get_by_role("button", name="Take away").count() == 0
    assert explore(attention([[1.0]], "a")).root.locator(".compare").count() == 0


def test_enter_reads_a_second_text_and_a_button_takes_it_away(live):
    shown, kernel = live(view_of(second="", query="it"), width=1240)
    field = shown.root.get_by_label(FIELD)
    assert not pane(shown).is_visible()
    field.fill(WIDE)
    field.press("ArrowLeft")  # moves in the field, not in the map
    field.press("Enter")
    assert shown.root.locator(".compare .runs").inner_text() == "runs …"
    assert [wish["second"] for wish in kernel.runs()] == [WIDE]
    shown.settle()
    same(shown, run(WORDS)[0][3, 2, 8], run(OTHER)[0][3, 2, 8])
    assert (shown["query"], field.input_value()) == ("9", WIDE)
    assert shown.page.evaluate("document.activeElement.dataset.focus") == "second"
    shown.click(shown.head(1, 0))
    same(shown, run(WORDS)[0][1, 0, 8], run(OTHER)[0][1, 0, 8])
    shown.root.get_by_role("button", name="Take away").click()
    assert [wish["second"] for wish in kernel.runs()] == [""]
    shown.settle()
    assert not pane(shown).is_visible()
    assert (field.input_value(), kernel.view.second) == ("", "")
    assert shown.page.evaluate("document.activeElement.dataset.focus") == "second"
