"""The atlas as a person uses it: pointed at, opened, sorted, searched, by hand and by keys."""

import itertools
import re

import pytest

from seqviz.exploring.sentences import as_bytes
from seqviz.view import atlas
from tests.browser.shown import OVERLAPS, SMALL, Page
from tests.browser.slowness import slowness
from tests.views.test_atlas import everything, found, given
from tests.views.views import small_atlas

pytestmark = pytest.mark.browser
# Texts that are outside of the stage, but for those of the list, which scrolls.
OUT = """root => {
    const box = root.querySelector('.stage').getBoundingClientRect();
    return [...root.querySelectorAll('.stage text')].filter(text => {
        const at = text.getBoundingClientRect();
        const list = text.closest('.fall');
        return at.width && (at.left < box.left - 4 || at.right > box.right + 4
            || !list && (at.top < box.top - 4 || at.bottom > box.bottom + 4));
    }).map(text => text.textContent);
}"""


def opened(open_page, view, width=833):
    shown = Page(open_page(view.to_html(), width=width))
    shown.page.evaluate("() => { window.go = link => { location.hash = link; }; }")
    return shown


def go(shown, link):
    shown.page.evaluate("link => go(link)", link)
    shown.page.evaluate("() => new Promise(r => requestAnimationFrame(r))")


def middle(shown, text, pane=".main"):
    """The middle of a text of a pane."""
    exact = re.compile(f"^{re.escape(text)}$")
    box = shown.root.locator(f"{pane} text", has_text=exact).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_dot_is_previewed_opened_and_left(open_page):
    shown = opened(open_page, everything())
    start = shown.sentence
    assert start.startswith("Of 12 heads ")
    row = middle(shown, "1.2", ".fall")
    shown.page.mouse.move(*row)
    assert shown["over"] == "1.2"
    assert shown.sentence.startswith("Head 1.2 attends most to ")
    shown.page.mouse.move(2, 2)
    assert shown.sentence == start
    shown.page.mouse.click(*row)
    assert (shown["head"], shown["sentence"]) == ("1.2", "0")
    assert shown.root.locator(".main text", has_text=re.compile("^strongest$")).count() == 1
    shown.press("Escape")
    assert (shown["head"], shown["over"]) == ("", "1.2"), "the dot stays in focus"
    shown.root.get_by_label("Find").fill("1.1")
    shown.press("Escape", "Escape")
    assert (shown["over"], shown["find"]) == ("", "")


def test_keys_move_open_and_change_axes(open_page):
    shown = opened(open_page, everything())
    shown.press("ArrowRight")
    first = shown["over"]
    seen = {first}
    for key in ["ArrowRight", "ArrowDown"] * 6:
        shown.press(key)
        seen.add(shown["over"])
    assert len(seen) > 3
    shown.press("Home", "Enter")
    assert shown["head"] == "0.0"
    shown.press("ArrowRight")
    assert shown["head"] == "0.1", "the next one of the list"
    shown.press("ArrowDown", "ArrowDown")
    assert shown["sentence"] == "2"
    shown.press("ArrowLeft", "ArrowLeft")
    assert shown["head"] == "2.3", "round the end of the list"
    shown.press("Escape")
    before = shown["x"]
    shown.press("x")
    assert shown["x"] != before
    shown.press("y")
    assert shown.root.get_by_label("y axis", exact=True).input_value() == shown["y"]


def test_a_word_shows_its_own_links_and_a_click_holds_them(open_page):
    shown = opened(open_page, everything())
    go(shown, "head=2.1")
    example = found().arrays["sentence"][9, 0]
    word = found().told["texts"][example][2]
    before = shown.sentence
    place = middle(shown, word)
    shown.page.mouse.move(*place)
    assert shown.sentence.startswith(f"“{word}” attends to “")
    assert shown.root.locator(".note").inner_text().startswith("[CLS] ")
    shown.page.mouse.click(*place)
    shown.page.mouse.move(2, 2)
    assert shown["locked"] == "true"
    assert shown.sentence.startswith(f"“{word}”")
    shown.press("Escape")
    assert (shown["locked"], shown["head"], shown.sentence) == ("false", "2.1", before)


def test_kinds_light_their_heads_and_the_list_sorts(open_page):
    shown = opened(open_page, everything())
    kind = middle(shown, "none of these", ".side")
    shown.page.mouse.click(*kind)
    held = found().arrays["held"].any(axis=1)
    rows = shown.root.locator(".fall text.bold")
    assert shown["kind"] == "none of these"
    assert rows.count() == (~held).sum()
    shown.press("Escape")
    assert rows.count() == len(held)
    shown.page.mouse.click(*middle(shown, "usual in", ".heading"))
    assert shown["sort"] == "usual"
    usual = found().arrays["values"][:, found().told["scores"].index("usual")]
    order = [found().heads[k] for k in (-usual).argsort(kind="stable")]
    assert rows.all_text_contents() == order
    shown.page.mouse.click(*middle(shown, "usual in ▾", ".heading"))
    assert shown["sort"] == "-usual"
    assert rows.first.text_content() == found().heads[usual.argmin()]


def test_a_pattern_finds_heads_and_sentences(open_page):
    shown = opened(open_page, everything())
    values, told = found().arrays["values"], found().told
    field, lit = shown.root.get_by_label("Find"), shown.root.locator(".fall text.bold")

    def heads(column, cut):
        return int((values[:, told["scores"].index(column)] > cut).sum())

    cases = {
        "distance > 3": heads("distance", 3),
        "Layer 1": 4,
        "layer 1, distance > 0": 4,
        "1.2": 1,
        "* -> *": 12,
        "nowhere": 0,
        "not -> nowhere": 0,
    }
    for pattern, count in cases.items():
        field.fill(pattern)
        assert lit.count() == count, pattern
        assert f"{count} of 12" in shown.sentence, pattern
    words = told["texts"][found().arrays["sentence"][5, 0]]
    field.fill(f"{words[1]} -> *")
    assert lit.count() > 0
    go(shown, f"head=1.1&find={words[1]}")
    assert shown.root.locator(".main line[stroke-width='2']").count() > 0, "it is underlined"


def test_all_pairs_of_axes_and_all_heads_can_be_read(open_page):
    """No text is under 12 pixels, outside or over another; fast, all in one page."""
    shown = opened(open_page, everything())
    axes = shown.page.evaluate("() => document.querySelectorAll('select')[0].options.length")
    names = everything().axes
    assert axes == len(names)
    faults = shown.page.evaluate(
        f"""async ([names, heads]) => {{
            const root = document.querySelector('.seqviz'), faults = [];
            const links = names.flatMap(x => names.map(y => `head=&x=${{x}}&y=${{y}}`));
            for (const link of [...links, ...heads.map(head => `head=${{head}}`)]) {{
                location.hash = link;
                await new Promise(requestAnimationFrame);
                const wrong = [...({SMALL})(root), ...({OUT})(root),
                    ...({OVERLAPS})(root.querySelector('.main')).map(String)];
                if (wrong.length) faults.push([link, ...wrong]);
            }}
            return faults;
        }}""",
        [names, found().heads],
    )
    assert faults == []


def sized(layers, heads):
    """An atlas of other sizes, of the same numbers again and again."""
    one = given()
    told = dict(found().told)
    names = [*itertools.product(range(layers), range(heads))]
    pick = [k % 12 for k in range(len(names))]
    per_head = ("values", "held", "most", "profile", "reach", "sentence", "does", "link", "begins")
    for name in per_head:
        one[name] = one[name][pick]
    lists = {name: [told[name][k] for k in pick] for name in ("queries", "keys")}
    told |= {"heads": [list(name) for name in names], **lists}
    return atlas({**one, "told": as_bytes(told)})


@pytest.mark.parametrize("size", [(1, 1), (12, 12), (24, 16)], ids=str)
def test_one_head_and_hundreds_have_room(open_page, size):
    shown = opened(open_page, sized(*size))
    last = f"{size[0] - 1}.{size[1] - 1}"
    for link in ("head=", f"head={last}"):
        go(shown, link)
        assert shown.root.evaluate(OUT) == []
        assert shown.root.evaluate(SMALL) == []
        assert shown.root.bounding_box()["height"] <= 640
    assert opened(open_page, atlas(small_atlas())).sentence == (
        "Of 2 heads 1 attends most to words 5 or more away, 1 to [CLS]."
    )


@pytest.mark.alone
@pytest.mark.slow
def test_what_is_pointed_at_is_drawn_within_a_frame(browser, open_page):
    for link, keys in (
        ("head=", ("ArrowRight", "ArrowLeft")),
        ("head=1.1", ("ArrowDown", "ArrowUp")),
    ):
        shown = opened(open_page, sized(24, 16))
        go(shown, link)
        assert shown.repainting(*keys) < 16 * slowness(browser), link
