"""The machine as a person meets it: one cursor through all depths, by keyboard and by pointer."""

import pytest
from playwright.sync_api import expect

from seqviz.views.machine.entry import machine
from tests.browser.machine_worlds import TEXTS, model
from tests.browser.shown import OVERLAPS, SMALL, Page, settled
from tests.browser.slowness import slowness

pytestmark = pytest.mark.browser
OUTSIDE = """stage => {
    const edge = stage.getBoundingClientRect();
    return [...stage.querySelectorAll('text')].filter(text => {
        const {left, right, top, bottom, width} = text.getBoundingClientRect();
        const out = left < edge.left - 4 || right > edge.right + 4 || bottom > edge.bottom + 2;
        return width && (out || top < edge.top - 4);
    }).map(text => text.textContent);
}"""
# What does not fit into its box under or over the picture.
CUT = """root => [...root.querySelectorAll('.say, .equation p, .answer, .crumb')].filter(node =>
    node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 3
).map(node => node.textContent)"""
SIDEWAYS = """root => [root, ...root.querySelectorAll('*')].filter(node =>
    /auto|scroll/.test(getComputedStyle(node).overflowX) && node.scrollWidth > node.clientWidth
).map(node => node.className)"""
HIT = """(stage, place) => {
    const {x, y, w, h} = stage.shown().hits.findLast(hit =>
        Object.entries(place).every(([name, value]) => hit.place[name] === value));
    return [x + 0.47 * w, y + 0.53 * h]; // in a cell, not between two
}"""
CELL = """(stage, [token, key]) => {
    const {x, y, w, h, down, across} = stage.shown().hits.findLast(({across, does, down}) =>
        across?.[0] === 'key' && down?.[0] === 'token' && does.depth === 2);
    return [x + w * (key - across[1] + 0.5) / across[2], y + h * (token - down[1] + 0.5) / down[2]];
}"""


def bert(**controls):
    return machine(model("bert"), TEXTS["bert"], **controls)


def alone(view):
    """The same without the model in its page, which holds all numbers instead."""
    view.model_in_pages = ""
    return view


def whole():
    return alone(bert(stage="0.1.0.update"))


def mouse():
    """Head 3 of the last block, which finds the mouse for the word that is masked."""
    view = bert(depth=1, block=1, head=3, token=9)
    view.facts = {**view.facts, "pair": "one bone <b>"}
    return alone(view)


def gpt():
    return alone(machine(model("gpt"), TEXTS["gpt"]))


def translated():
    return alone(machine(model("translator"), TEXTS["translator"]))


class Shown(Page):
    """This view, and what is its own."""

    def press(self, *keys):
        super().press(*keys)
        settled(self.page)

    @property
    def place(self):
        names = ("depth", "stream", "block", "token", "head", "key")
        return {name: int(self[name]) for name in names}

    @property
    def equation(self):
        """The title and the equation under the picture."""
        return [
            p.inner_text().replace("\u00a0", " ") for p in self.root.locator(".equation p").all()
        ]

    @property
    def way(self):
        return [one.strip() for one in self.root.locator(".crumb").all_inner_texts()]

    @property
    def answer(self):
        return self.root.locator(".answer").inner_text()

    @property
    def table(self):
        """The table for a screen reader: its caption, and the rows."""
        return self.spoken.locator("table").evaluate(
            """table => [table.caption.textContent, [...table.rows].map(row =>
                [...row.cells].map(cell => cell.textContent))]"""
        )

    @property
    def outlined(self):
        """How many parts of the picture are outlined as inputs of the number in focus."""
        return self.stage.locator('svg rect[stroke-dasharray="3 2"]').count()

    @property
    def strip(self):
        """The title over the numbers of one vector."""
        return next(text for text in reversed(self.drawn) if " numbers" in text)

    @property
    def problem(self):
        return self.root.locator(".problem").inner_text()

    @property
    def faults(self):
        """Texts that are small, over another, or reach over the edge of the picture."""
        found = {
            "small": self.root.evaluate(SMALL),
            "over": self.stage.evaluate(OVERLAPS),
            "out": self.stage.evaluate(OUTSIDE),
            "cut": self.root.evaluate(CUT),
        }
        return {name: where for name, where in found.items() if where}

    def on_page(self, x, y):
        """A point of the picture, in its own pixels, on the page."""
        box = self.stage.bounding_box()
        return box["x"] + x, box["y"] + y

    def point(self, x, y):
        self.page.mouse.move(*self.on_page(x, y))
        settled(self.page)

    def hit(self, **place):
        """The middle of what is previewed as a place, in pixels of the picture."""
        return self.stage.evaluate(HIT, place)

    def cell_of_map(self, token, key):
        """The middle of a cell of the map in focus."""
        return self.stage.evaluate(CELL, [token, key])


@pytest.fixture
def show(once):
    return lambda make: once(Shown, make).again()


def test_by_keyboard_from_the_whole_to_one_product_and_back(show):
    shown = show(whole)
    start = shown.place
    assert start["depth"] == 0
    assert shown.way == ["BERTForMaskedLM"]
    shown.press("ArrowLeft", "ArrowRight", "Enter")
    assert shown.place == {**start, "depth": 1}
    assert shown.way[1:] == ["block 1"]
    shown.press("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown")
    assert shown.place == {**start, "depth": 1}
    shown.press("Enter")
    assert shown.way[2].startswith(f"head {start['head']}: [MASK] → ")
    key = shown.place["key"]
    shown.press("ArrowRight")
    assert shown.place["key"] == key + 1
    shown.press("ArrowLeft", "Enter")
    assert shown["locked"] == "true"
    title, product = shown.equation
    assert "[MASK] asks, mouse answers" in title
    assert " × " in product
    shown.press("ArrowRight")
    assert shown.equation[1] != product
    assert shown.place["key"] == key
    shown.press("Escape")
    assert (shown["locked"], shown["depth"]) == ("false", "2")
    shown.press("Escape", "Escape")
    assert shown.place == start
    shown.press("Escape")
    assert shown.place == start, "there is nothing above the whole"


def test_the_pointer_previews_a_click_holds_and_escape_frees(show):
    shown = show(whole)
    start, equation = shown.place, shown.equation
    at = shown.hit(token=3, stage="0.x")
    shown.point(*at)
    assert (shown["preview"], shown.place) == ("true", start)
    title, previewed = shown.equation
    assert title.startswith("x")
    assert "lay" in title
    assert "x" in shown.strip
    shown.point(2, 2)
    assert (shown["preview"], shown.equation) == ("false", equation)
    shown.page.mouse.click(*shown.on_page(*at))
    assert (shown["locked"], shown.place["token"]) == ("true", 3)
    assert shown.equation[1] == previewed
    assert shown.outlined
    shown.point(*shown.hit(token=5, stage="0.x"))
    assert shown.equation[1] == previewed, "what is held takes no previews"
    shown.press("Escape")
    assert (shown["locked"], shown["depth"]) == ("false", "0")


def test_a_click_on_a_map_opens_the_weight_and_the_way_leads_up(show):
    shown = show(mouse)
    x, y = shown.cell_of_map(9, 2)
    shown.page.mouse.click(*shown.on_page(x, y))
    settled(shown.page)
    assert shown.place == {**shown.place, "depth": 2, "head": 3, "token": 9, "key": 2}
    assert shown.way[2] == "head 3: [MASK] → mouse"
    shown.root.get_by_role("button", name="block 1", exact=True).click()
    assert shown.place == {**shown.place, "depth": 1, "head": 3, "token": 9}


def test_what_is_made_of_what_is_outlined_once_a_part(show):
    shown = show(mouse)
    shown.point(*shown.hit(stage=shown["stage"], token=9))
    frames = shown.outlined
    assert 0 < frames < 12, "a row of inputs is one frame, not 64"


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_table_says_what_each_depth_shows(show, depth):
    shown = show(whole)
    shown.press(*["Enter"] * depth)
    caption, rows = shown.table
    assert caption.startswith(["What is added", "Weights of [MASK]", "Why head 3"][depth])
    lines = [line.split(",") for line in shown.csv.splitlines()]
    assert [len(row) for row in rows] == [len(rows[0])] * len(rows)
    assert len(lines) == len(rows)
    weight = {1: ("mouse", 4), 2: ("mouse", 5)}
    if depth in weight:
        name, column = weight[depth]
        (row,) = [row for row in rows if row[0] == name]
        assert row[column] == "0.963"


def test_another_text_and_a_silent_head_run_in_the_saved_page(open_file):
    shown = Shown(open_file(bert().to_html()))
    field = shown.root.get_by_label("text that the model reads")
    before = shown.answer
    shown.press("Enter", "s")
    shown.page.wait_for_selector('.seqviz:not([data-silent=""])')
    assert "without head 1.3" in shown.answer
    assert "sv.ablate(model, layer=1, head=3)" in " ".join(shown.equation)
    shown.press("s")
    shown.page.wait_for_selector('.seqviz[data-silent=""]')
    assert shown.answer == before
    shown.press("ArrowUp")
    field.fill("near the oven lay one bone . something [MASK] by the fire .")
    field.press("Enter")
    expect(shown.root.locator(".spoken")).to_contain_text("bone")
    assert shown["token"] == "9"
    assert shown.problem == ""
    field.fill("")
    field.press("Enter")
    expect(shown.root.locator(".problem")).to_contain_text("empty")
    assert field.get_attribute("aria-invalid") == "true"


LOOKS = [(833, 700, "light", False), (833, 700, "dark", False), (1280, 720, "light", True),
         (390, 844, "light", False)]  # fmt: skip


@pytest.mark.parametrize("make", [whole, translated, pytest.param(gpt, marks=pytest.mark.slow)])
def test_nothing_is_small_or_cut_or_over_another(show, make):
    shown = show(make)
    for width, height, theme, full in LOOKS:
        shown.page.set_viewport_size({"width": width, "height": height})
        shown.page.emulate_media(color_scheme=theme)
        if full:
            shown.press("f")
        for depth in range(3):
            settled(shown.page)
            where = (width, theme, depth)
            assert shown["depth"] == str(depth), where
            assert shown.faults == {}, where
            assert shown.root.evaluate(SIDEWAYS) == [], where
            if width > 390:
                assert shown.root.evaluate("root => root.scrollHeight <= innerHeight"), where
            shown.press("Enter" if depth < 2 else "Tab")
        shown.press("Escape", "Escape", *["f"] * full)


def test_a_saved_picture_has_the_matrices_as_images(show):
    shown = show(mouse)
    drawing = shown.root.evaluate("root => root.exported.svg()")
    assert drawing.count("<image") == 2
    assert "› block 1" in drawing
    assert "and “one bone <b>”" in shown.root.locator(".live").inner_text()
    assert shown.has_no_markup()


HOVER = """async stage => {
    const box = stage.getBoundingClientRect(), times = [];
    for (let k = 0; k < 90; k++) {
        const clientX = box.x + box.width * (k * 37 % 101) / 101;
        const clientY = box.y + box.height * (k * 53 % 97) / 97;
        const start = performance.now();
        stage.dispatchEvent(new PointerEvent('pointermove', {clientX, clientY, bubbles: true}));
        stage.getBoundingClientRect();
        times.push(performance.now() - start);
        if (k % 9 === 0) await new Promise(requestAnimationFrame);
    }
    return times.sort((a, b) => a - b)[45];
}"""


@pytest.mark.alone
@pytest.mark.slow
def test_what_is_under_the_pointer_is_drawn_within_a_frame(browser, show):
    shown = show(whole)
    for depth in range(3):
        shown.press(*["Enter"] * (depth > 0))
        assert shown.stage.evaluate(HOVER) < 16 * slowness(browser), depth


STAGE = {"stream": 0, "place": {"node": "x"}, "depth0": True}
ATTENTION = {"is": "attention", "heads": 2, "cross": False, "attention": 0, "weights": "w"}
STATE = {"depth": 1, "stream": 0, "block": 0, "part": 0, "token": 1, "head": 1, "key": 0}
STATE |= {"stage": "0.x", "number": "", "sort": False}
# A model of one block, whose head 0 attends to the token itself and head 1 to the one before.
AROUND = """given => {
    const weights = (part, head, query) => [0, 1, 2].map(key => Number(key === query - head));
    return {...given, numbers: {attended: weights}};
}"""


@pytest.fixture
def cursor(script):
    """What calls a function of the cursor over a tiny model, with a state."""
    facts = {"anatomy": {"streams": [{"tokens": "source", "blocks": [{"parts": [
        ATTENTION, {"is": "feed"}]}]}]}, "tokens": {"source": ["a", "b", "c"]}}  # fmt: skip
    stages = [{**STAGE, "id": "0.x", "block": None, "part": None},
              {**STAGE, "id": "0.0.0.update", "block": 0, "part": 0, "role": "update"},
              {**STAGE, "id": "0.0.1.update", "block": 0, "part": 1, "role": "update"}]  # fmt: skip
    given = {"facts": facts, "stages": stages}
    return lambda call, **state: script(
        "machine/cursor.js",
        f"(given, state) => {{ const around = ({AROUND})(given); return {call}; }}",
        given,
        {**STATE, **state},
    )


def test_the_key_follows_token_and_head(cursor):
    for call, token, head, key in [
        ("moved(around, state, 1, 0)", 1, 0, 1),
        ("moved(around, state, 0, 1)", 2, 1, 1),
        ("clicked(around, state, {place: {}, does: {token: 2}})", 2, 1, 1),
        ("clicked(around, state, {place: {}, does: {key: 2, depth: 2}})", 1, 1, 2),
    ]:
        came = cursor(call)
        assert (came["token"], came["head"], came["key"]) == (token, head, key), call


def test_a_number_is_held_and_free_again(cursor):
    click = "clicked(around, state, {place: {node: 'x', index: 3}, does: null}).number"
    assert cursor(click) == "x 3"
    assert cursor(click, number="x 3") == ""
    assert cursor("left(around, state)", number="x 3")["depth"] == 1
    assert cursor("left(around, state)")["depth"] == 0
    assert cursor("left(around, state)", depth=0) is None


def test_another_text_keeps_the_cursor_in_its_bounds(cursor):
    came = cursor("clampedState(around, state)", token=9, head=7, key=5, block=3, stage="0.9.0.x")
    place = {"token": 2, "head": 1, "key": 2, "block": 0, "stage": "0.0.0.update"}
    assert came == {**came, **place}
    came = cursor("clampedState(around, state)", depth=2, part=1)
    assert came["depth"] == 1, "a feed-forward layer has no weights"
    assert cursor("entered(around, state)", part=1)["part"] == 0


def test_another_text_has_the_cursor_where_it_is_asked(cursor):
    read = """(() => {
        const {kind} = state;
        const of = source => ({...around.facts, kind, mask: '?', tokens: {source}});
        around.facts = of(state.now);
        return readAnew(around, state, of(['a', 'b', 'c']));
    })()"""
    for now, kind, token in [
        (["a", "?", "b", "c"], "masked", 1),
        (["a", "b", "c", "d"], "next", 3),
        (["x", "b"], "other", 1),
        (["b", "a"], "other", 0),
    ]:
        came = cursor(read, now=now, kind=kind, number="x 3")
        assert (came["token"], came["key"], came["number"]) == (token, max(0, token - 1), ""), now


def test_a_silenced_head_speaks_again(cursor):
    assert cursor("silenced(around.facts, state, [])") == [[0, 1]]
    assert cursor("silenced(around.facts, state, [[0, 1], [0, 0]])") == [[0, 0]]
    assert cursor("silenced(around.facts, state, [])", part=1) is None
