"""Words of any script: drawn in whole letters and in their order, none wider than its room."""

import re

import pytest

from seqviz.view import curves
from tests.browser.conftest import cut_off
from tests.browser.shown import OVERLAPS, settled
from tests.views.scripts import FAMILY, PILE, TEXTS, VIEWS

pytestmark = pytest.mark.browser
# Boxes of other scripts are taller than their letters; those of slanted texts are wider.
CLOSE = OVERLAPS.replace("y > 4", "y > 10").replace("startsWith('rotate')", "includes('rotate')")
# What is wrong with the texts of a view that shows these words, each with its fault.
FAULTS = f"""(root, words) => {{
    const stage = root.querySelector('.stage'), {{left, right}} = stage.getBoundingClientRect();
    const plain = text => text.replace(/[\\u2066-\\u2069]/g, '');
    const piled = /([\\p{{Mn}}\\p{{Me}}]{{4}})[\\p{{Mn}}\\p{{Me}}]+/gu;
    const known = words.map(word => word.replace(piled, '$1…'));
    const segmenter = new Intl.Segmenter('en', {{granularity: 'grapheme'}});
    const ends = word => [...segmenter.segment(word)].map(({{index}}) => index).concat(word.length);
    const leftward = /[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]/;
    const isolated = /[\\u2066-\\u2068][^\\u2066-\\u2069]*\\u2069/g;
    const within = text => {{
        for (let before = ''; before !== text;) [before, text] = [text, text.replace(isolated, '')];
        return text;
    }};
    const inside = text => [...text.matchAll(/…/g)].some(({{index}}) => known.some(word => {{
        const [kept] = /[^\\s“(:+]*$/u.exec(text.slice(0, index));
        return kept && word.startsWith(kept) && !ends(word).includes(kept.length);
    }}));
    const beyond = text => {{
        const box = text.getBoundingClientRect();
        return box.width && (box.left < left - 4 || box.right > right + 4);
    }};
    const outside = text => {{
        const svg = text.ownerSVGElement, box = text.getBoundingClientRect();
        const room = svg.getBoundingClientRect();
        const hidden = getComputedStyle(svg).overflow === 'hidden';
        return hidden && box.width && (box.left < room.left - 4 || box.right > room.right + 4);
    }};
    const drawn = [...stage.querySelectorAll('text')];
    const said = [...root.querySelectorAll('.say, .note, .foot, option, output, legend, label')]
        .filter(node => !node.closest('.spoken'));
    const all = [...drawn, ...said].map(node => [node.textContent, node]);
    return [
        ...all.filter(([text]) => inside(plain(text))).map(([text]) => ['cut in a letter', text]),
        ...all.filter(([text]) => leftward.test(within(text))).map(([text]) => ['turns', text]),
        ...all.filter(([text]) => /^[\\p{{M}}\\p{{EMod}}\\u200d]/u.test(text))
            .map(([text]) => ['begins in a letter', text]),
        ...all.filter(([text]) => /[\\p{{Mn}}\\p{{Me}}]{{5}}/u.test(text))
            .map(([text]) => ['a pile', text]),
        ...drawn.filter(text => beyond(text) || outside(text))
            .map(text => ['beyond its room', text.textContent]),
        ...({CLOSE})(stage).map(pair => ['over another', pair.join(' and ')]),
    ].map(fault => fault.join(': '));
}}"""


@pytest.fixture(scope="module", params=VIEWS)
def view(request):
    return request.param


@pytest.fixture(scope="module")
def pages(browser):
    with cut_off(browser) as open_page:
        yield open_page


WIDE = pytest.mark.chromium("without a font its boxes are 13 pixels wide at any size of text")


@pytest.mark.parametrize("way", ["to the left", pytest.param("to the right", marks=WIDE)])
def test_letters_are_whole_in_their_order_and_have_room(pages, view, way):
    page = pages(VIEWS[view](TEXTS[way]).to_html(), width=833)
    page.emulate_media(reduced_motion="reduce")
    found = {}
    for key in ("Home", "ArrowRight", "ArrowDown", "Enter"):
        page.locator(".stage").first.press(key)
        settled(page)
        faults = page.locator(".seqviz").evaluate(FAULTS, TEXTS[way])
        found |= dict.fromkeys(faults, key)
    page.close()
    assert found == {}, f"{view}, {way}"


def test_a_text_is_cut_between_letters(script):
    read = "([text, most]) => readable(text, most)"
    whole = "เสื่อ น้ำ"
    for text, most, short in [
        ("👩‍👩‍👧‍👦" * 4, 3, "👩‍👩‍👧‍👦" * 2 + "…"),
        ("🇩🇪🇫🇷🇯🇵", 2, "🇩🇪…"),
        ("e\u0301" * 4, 3, "e\u0301e\u0301…"),
        ("קְטַנָּה", 3, "\u2068קְטַ…\u2069"),
        (whole, 40, whole),
        (PILE, 40, PILE[:5] + "…" + PILE[41:]),
        ("\u0301", 9, "◌\u0301"),
        ("\u093f", 9, "\u2068\u093f\u2069"),
        ("🏽", 9, "\u2068🏽\u2069"),
        ("\u2068שלום\u2069", 9, "\u2068שלום\u2069"),
        ("“\u2068שלום עולם\u2069” too", 7, "\u2068“\u2068שלום…\u2069\u2069"),
    ]:
        assert script("shared/texts.js", read, [text, most]) == short
    cut = "([text, room]) => cutTo(text, room, text => graphemes(text).length)"
    for text, room, short in [
        (FAMILY, 4, "👩‍👩‍👧‍👦👨🏿‍🚀🧑🏽‍🚒…"),
        ("\u2068שלום\u2069 is", 4, "\u2068ש…\u2069"),
    ]:
        assert script("shared/texts.js", cut, [text, room]) == short
    lines = "text => wrapped(text, 3, text => graphemes(text).length)"
    assert script("shared/texts.js", lines, "e\u0301" * 5) == ["e\u0301" * 3, "e\u0301" * 2]
    assert script("shared/texts.js", lines, "\u2068שלום\u2069") == [
        "\u2068שלו\u2069",
        "\u2068ם\u2069",
    ]


@pytest.mark.chromium("Firefox writes their numbers into the boxes, see lacking.js")
def test_letters_without_a_font_are_told(open_page):
    page = open_page(curves({"a \U0010fffd": [3, 2], "b": [2, 1]}).to_html())
    told = page.locator(".lacking")
    told.wait_for()
    assert re.fullmatch(r"No font on this computer has U\+10FFFD: a box.*", told.inner_text())
    page = open_page(curves({"a": [3, 2], "é": [2, 1]}).to_html())
    page.wait_for_timeout(500)
    assert page.locator(".lacking").count() == 0
