import numpy as np
import pytest

from seqviz.view import beam
from seqviz.views.beam.sentence import headline
from seqviz.views.shared.page import fragment
from tests.browser.shown import Page
from tests.browser.slowness import slowness
from tests.browser.test_curves import other_kernel
from tests.browser.test_gradients import HOSTILE
from tests.views.test_beam import letters, pie, random_tree, search

pytestmark = pytest.mark.browser
VOCABULARY = ["<END>", *(f"word{k}" * (1 + k % 3) for k in range(300))]


def large(widths=(1, 2, 3, 4, 5)):
    """Twenty steps with ten children each."""
    trees = {k: random_tree(2, k, 20, 10, 300, 0.12) for k in widths}
    view = beam(trees, VOCABULARY)
    view.width = widths[-1]
    return view


def hostile():
    words = ["", *HOSTILE, "\u202eabc", "x" * 10_000, "\n"]
    trees = {k: random_tree(7, k, 8, 5, len(words), 0.4) for k in (2, 3)}
    return beam(trees, words, prompt="<b>" * 50, title="<b>bold</b>")


def unfinished():
    return beam(random_tree(1, 3, 2, 4, 8, -50), letters(8))


def chain():
    """A long one with large scores: nothing is pruned, nothing ends."""
    return beam(search(lambda _: {0: -40.5}, 1, 150, 5), ["antidisestablishmentarianism"])


VIEWS = {"pie": pie, "large": large, "hostile": hostile, "unfinished": unfinished, "chain": chain}


class Shown(Page):
    """This view, and what is its own."""

    @property
    def value(self):
        return self.root.locator("output.value").inner_text()

    @property
    def csv(self):
        return self.root.evaluate("root => root.exported.csv()")

    def press(self, *keys):
        self.stage.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def slide(self, label, value):
        self.root.get_by_label(label, exact=True).fill(str(value))

    def label(self, text, nth=0):
        """Middle of a text in the drawing."""
        return self.stage.evaluate(
            """(s, [text, nth]) => {
                const found = [...s.querySelectorAll('text')].filter(t => t.textContent === text);
                const box = found[nth].getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }""",
            [text, nth],
        )


@pytest.fixture
def show(open_page):
    def show(view, **options):
        page = open_page(view.to_html(), **options)
        page.wait_for_selector('.seqviz[data-ready="true"]')
        return Shown(page)

    return show


@pytest.mark.parametrize("name", VIEWS)
def test_page_and_python_say_the_same(show, name):
    view = VIEWS[name]()
    shown = show(view)
    for k, width in enumerate(view.trees):
        if len(view.trees) > 1:
            shown.slide("width", k)
            shown.page.wait_for_selector(f'.seqviz[data-width="{width}"]')
            view.width = width
        for step in {0, 1, 2, view.tree.steps // 2, view.tree.steps}:
            shown.slide("step", step)
            view.step = step
            assert shown.sentence == headline(view).replace("\u00a0", " ")
            assert shown.csv == view.to_csv()
        for penalty in (0.0, 0.35, 0.6, 1.5):
            shown.slide("length penalty", penalty)
            view.length_penalty = penalty
            assert shown.sentence == headline(view)


@pytest.mark.parametrize("name", VIEWS)
def test_page_and_python_say_the_same_of_any_node(show, name):
    view = VIEWS[name]()
    shown = show(view)
    other_kernel(shown.page)
    for node in np.random.default_rng(0).choice(view.tree.step.size, 20).tolist():
        view.step, view.length_penalty = 0, round(node / view.tree.step.size, 2)
        view.node = node
        for control, value in view.controls().items():
            shown.page.evaluate("([name, value]) => fromPython(name, value)", [control, value])
        assert (shown["node"], shown["step"]) == (str(node), str(view.step))
        assert shown.sentence == headline(view)
        assert shown.value.startswith(f"node {node}: log p ")


def test_keys_step_and_walk(show):
    shown = show(pie())
    shown.press("Home")
    assert (shown["step"], shown["node"], shown.drawn[:2]) == ("0", "-1", ["prompt", "step 1"])
    assert "he" not in shown.drawn
    for step in (1, 2):
        shown.press("ArrowRight")
        assert shown["step"] == str(step)
    assert shown.sentence.startswith("Step 2 of width 2: “I was” leads")
    shown.press("ArrowDown")
    assert (shown["node"], shown.sentence[:18]) == ("5", "“I got” is pruned ")
    shown.press("ArrowRight")
    assert (shown["node"], shown["step"]) == ("5", "2"), "a pruned node has no child"
    shown.press("ArrowUp", "ArrowUp", "ArrowUp")
    assert shown.sentence.startswith("“he hit” stays with −1.70")
    shown.press("ArrowRight")
    assert (shown["step"], shown.sentence[:12]) == ("3", "“he hit me” ")
    shown.press("ArrowLeft", "ArrowLeft")
    assert (shown["step"], shown.sentence[:5]) == ("3", "“he” ")
    shown.press("ArrowLeft")
    assert shown.sentence.startswith("“he” "), "the prompt is no node"
    shown.press("Enter")
    assert (shown["locked"], shown.value[:14]) == ("true", "node 0, locked")
    shown.press("Escape")
    assert (shown["locked"], shown["node"]) == ("false", "-1")
    shown.press("End", "Enter")
    assert (shown["step"], shown["node"], shown["locked"]) == ("7", "16", "true")
    shown.press("ArrowUp")
    assert shown["node"] != "16"


def test_hover_previews_and_click_locks(show):
    shown = show(pie())
    mouse = shown.page.mouse
    mouse.move(*shown.label("got"))
    assert shown.sentence.startswith("“I got” is pruned at −1.80")
    assert shown["locked"] == "false"
    mouse.move(2, 2)
    assert shown.sentence.startswith("After 7 steps")
    x, y = shown.label("struck")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 1, y)
    shown.page.evaluate("new Promise(requestAnimationFrame)")
    mouse.up()
    assert (shown["node"], shown["locked"]) == ("3", "true")
    mouse.move(*shown.label("got"))
    assert shown["node"] == "3"
    mouse.click(x, y)
    assert (shown["node"], shown["locked"]) == ("-1", "false")
    mouse.move(*shown.label("got"))
    assert shown["node"] == "5"


def test_the_list_and_the_tree_share_the_cursor(show):
    shown = show(pie())
    shown.page.mouse.move(*shown.label("he hit me with a pie <END>"))
    assert shown.sentence.startswith("“he hit me with a pie <END>” is finished with −4.50, rank 2")
    shown.page.mouse.click(*shown.label("he hit a pie <END>"))
    assert (shown["node"], shown["locked"]) == ("16", "true")


def test_a_penalty_moves_the_ranks(show):
    shown = show(pie())
    shown.slide("width", 2)
    first = "s => s.querySelectorAll('svg')[1].textContent"
    assert "▲" not in shown.stage.evaluate(first)
    shown.slide("length penalty", 1)
    assert shown["penalty"] == "1"
    assert {"▲2", "▼2", "−0.64", "Finished, ranked by score / length^1.00"} <= set(shown.drawn)
    shown.slide("step", 5)
    assert "Finished, ranked by score / length^1.00" in shown.drawn
    assert "−0.64" not in shown.drawn, "it is not finished yet"
    shown.slide("step", 2)
    assert "Nothing is finished yet" in shown.drawn


EDGES = """s => [...s.querySelectorAll('path.edge')].map(path => ({
    width: Number(path.getAttribute('stroke-width')), dash: path.getAttribute('stroke-dasharray'),
    stroke: path.getAttribute('stroke')}))"""


def test_lines_say_what_is_likely_and_what_is_pruned(show):
    shown = show(pie(), width=1400)
    shown.slide("step", 2)
    edges = shown.stage.evaluate(EDGES)
    log_p = [-0.7, -0.9, -1.0, -2.2, -0.7, -0.9]
    pruned = [edge for edge in edges if edge["dash"]]
    assert (len(edges), len(pruned)) == (6, 2)
    assert {edge["width"] for edge in pruned} == {1.2}
    focus = "#c2410c"
    for edge in edges:
        if not edge["dash"]:
            likely = [1 + 7 * np.exp(value) for value in log_p]
            assert min(abs(edge["width"] - value) for value in likely) < 1e-6
    assert sum(edge["stroke"] == focus for edge in edges) == 2
    shown.press("ArrowDown")
    (path,) = [
        edge for edge in shown.stage.evaluate(EDGES) if edge["dash"] and edge["stroke"] == focus
    ]
    assert path["width"] > 1.2
    assert {"↓0.10", "↓1.20", "2 of 4 stay", "2 of 2 stay"} <= set(shown.drawn)


def test_backtracking_goes_from_the_end_to_the_prompt(show):
    shown = show(pie())
    shown.page.clock.install()
    button = shown.root.get_by_title("follow the parents")
    button.click()
    assert button.inner_text() == "Stop"
    orange = "s => s.querySelectorAll('path.edge[stroke=\"#c2410c\"]').length"
    said = []
    for found in range(1, 6):
        said.append(shown.sentence)
        assert shown.stage.evaluate(orange) == found
        shown.page.clock.run_for(900)
    assert said[0] == "Backtracking, 1 of 5: “… <END>”; its parent is “pie”."
    assert said[3] == "Backtracking, 4 of 5: “… hit a pie <END>”; its parent is “he”."
    assert said[4] == "Backtracking, 5 of 5: “he hit a pie <END>”; the whole path is found."
    assert shown.sentence.startswith("After 7 steps")
    assert button.inner_text() == "Backtrack"
    button.click()
    button.click()
    shown.page.clock.run_for(2000)
    assert shown.sentence.startswith("After 7 steps")
    shown.slide("step", 0)
    assert button.is_disabled()


def test_play_and_buttons(show):
    shown = show(pie())
    shown.page.clock.install()
    shown.root.get_by_label("one step back").click()
    assert shown["step"] == "6"
    shown.root.get_by_label("one step on").click()
    assert shown["step"] == "7"
    shown.root.get_by_role("button", name="Play").click()
    assert shown["step"] == "0"
    for step in range(1, 8):
        shown.page.clock.run_for(1200)
        assert shown["step"] == str(step)
    assert shown.root.get_by_role("button", name="Play").is_visible()
    shown.press("Home", " ")
    shown.page.clock.run_for(1200)
    shown.press("ArrowRight")  # a hand on the keys stops it
    shown.page.clock.run_for(5000)
    assert shown["step"] == "2"


def test_pruned_ones_are_folded_where_they_are_many(show):
    shown = show(large(), width=1400)
    shown.slide("step", 3)
    assert "prompt" in shown.drawn
    tree = large().tree
    folded = [int(text[1:-7]) for text in shown.drawn if text.endswith(" pruned")]
    seen = sum(text.startswith("−") for text in shown.drawn)
    assert folded
    assert sum(folded) + seen == (tree.step <= 3).sum()
    names = "s => [...s.querySelectorAll('text.token')].length"
    before = shown.stage.evaluate(names)
    fold = next(text for text in shown.drawn if text.endswith(" pruned"))
    shown.page.mouse.move(*shown.label(fold))
    assert "is pruned at" in shown.sentence
    assert shown.stage.evaluate(names) == before, "a preview moves nothing"
    shown.page.mouse.click(*shown.label(fold))
    assert shown.stage.evaluate(names) > before
    shown.press("Escape")
    assert shown.stage.evaluate(names) == before


def test_a_window_on_many_steps(show):
    shown = show(large())
    count = int(shown["count"])
    assert count < 10
    shown.slide("step", 12)
    assert int(shown["from"]) <= 12 < int(shown["from"]) + count
    box = shown.stage.bounding_box()
    shown.page.mouse.click(box["x"] + 20, box["y"] + 20)
    assert (shown["from"], shown["step"], "prompt" in shown.drawn) == ("0", "12", True)
    shown.press("ArrowRight")
    assert int(shown["from"]) > 0
    shown.press("Home")
    assert shown["from"] == "0"


OVERLAPS = """s => {
    const texts = [...s.querySelectorAll('text')].filter(t => t.textContent.trim()), wrong = [];
    const boxes = texts.map(t => t.getBoundingClientRect());
    for (const [i, a] of boxes.entries()) for (const [j, b] of boxes.entries()) {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (i < j && x > 1 && y > 4) wrong.push([texts[i].textContent, texts[j].textContent]);
    }
    return wrong;
}"""
TINY_OR_CUT = """s => [...s.querySelectorAll('text')].flatMap(t => {
    const stage = s.getBoundingClientRect(), {left, right} = t.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(t).fontSize);
    return left < stage.left - 1 || right > stage.right + 1 || size < 12 ? [t.textContent] : [];
})"""


@pytest.mark.parametrize("name", VIEWS)
def test_no_text_is_tiny_or_cut_or_overlaps(show, name):
    view = VIEWS[name]()
    shown = show(view)
    for width in shown.at_widths(360, 480, 760, 1000, 1400):
        for step in (view.tree.steps, view.tree.steps // 2, 1):
            shown.slide("step", step)
            shown.slide("length penalty", 1.1)
            for key in ("Escape", "ArrowUp"):
                shown.press(key)
                assert shown.stage.evaluate(TINY_OR_CUT) == [], width
                assert shown.stage.evaluate(OVERLAPS) == [], width
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_text_is_text(show):
    shown = show(hostile())
    for _ in range(8):
        shown.press("ArrowLeft")
    shown.press("Enter", "ArrowDown", "ArrowDown")
    assert shown.page.evaluate("window.hit") is None
    assert shown.root.locator("script, img, h2 b").count() == 0
    assert any(text.endswith("…") for text in shown.drawn)
    assert max(map(len, shown.drawn)) < 200
    svg = shown.root.evaluate("root => root.exported.svg()")
    assert "<script" not in svg
    assert shown.page.evaluate(
        """async text => { const image = new Image();
            image.src = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
            await image.decode(); return image.width > 900; }""",
        svg,
    )


def test_themes_and_a_neighbour(open_page):
    page = open_page(fragment(pie()) + fragment(large((2,))), dark=True)
    page.wait_for_function("document.querySelectorAll('.seqviz[data-ready=true]').length === 2")
    first, second = page.locator(".seqviz").all()
    fill = "root => root.querySelector('.stage rect').getAttribute('stroke')"
    dark = first.evaluate(fill)
    first.locator(".stage").focus()
    page.keyboard.press("Home")
    assert (first.get_attribute("data-step"), second.get_attribute("data-step")) == ("0", "20")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    page.wait_for_selector('.seqviz[data-theme="light"]')
    page.wait_for_function(f"old => ({fill})(document.querySelector('.seqviz')) !== old", arg=dark)


def test_a_hidden_view_is_drawn_when_it_is_shown(open_page):
    page = open_page(f'<div id="tab" style="display:none">{fragment(pie())}</div>')
    page.wait_for_selector(".seqviz", state="attached")
    assert page.locator('.seqviz[data-ready="true"]').count() == 0
    page.evaluate("document.getElementById('tab').style.display = 'block'")
    page.wait_for_selector('.seqviz[data-ready="true"]')


def test_reduced_motion(show):
    shown = show(pie())
    running = "document.getAnimations().length"
    shown.press("Home", "ArrowRight")
    assert shown.page.evaluate(running) > 0
    shown.page.emulate_media(reduced_motion="reduce")
    shown.press("ArrowRight")
    assert shown.page.evaluate(running) == 0


def test_a_width_that_is_not_there_is_asked_for_and_drawn_when_it_comes(show):
    view = pie()
    shown = show(view)
    other_kernel(shown.page)
    shown.slide("width", 2)
    shown.slide("width", 0)
    assert shown.page.evaluate("sent") == ["width 3", "width 1"]
    assert (shown.root.get_attribute("aria-busy"), shown["width"]) == ("true", "2")
    shown.page.evaluate("answer('width 1')")
    shown.page.wait_for_selector('.seqviz[data-width="1"]')
    shown.page.evaluate("answer('width 3')")
    assert shown["width"] == "1", "the slider had gone on"
    view.width = 1
    assert shown.sentence == headline(view)
    assert shown.root.get_attribute("aria-busy") == "false"
    shown.page.evaluate("fromPython('width', 3)")
    assert (shown["width"], shown.root.get_by_label("width", exact=True).input_value()) == (
        "3",
        "2",
    )


def test_a_closed_view_leaves_no_listener(show):
    shown = show(pie())
    other_kernel(shown.page)
    shown.root.get_by_role("button", name="Play").click()
    assert shown.page.evaluate("(end(), [heard.length, document.body.childElementCount])") == [0, 0]


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize("slider", ["step", "length penalty", "width"])
def test_a_slider_is_drawn_within_a_frame(browser, show, slider):
    p95, pictures, places = show(large()).slide_through(slider)
    assert pictures == places
    assert p95 <= 16 * slowness(browser)
