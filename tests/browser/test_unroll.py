import re

import numpy as np
import pytest
import torch

from seqviz.view import unroll
from seqviz.views.shared.page import fragment
from tests.browser.shown import Page

pytestmark = pytest.mark.browser
HOSTILE = [
    "<script>window.hit=1</script>",
    "<img/src=x/onerror=hit=1>",
    "שלום",
    "👍🏽",
    "=1+1",
    'a,"b',
]


def weights(units=8, tokens=4, seed=0, learned=False):
    """Random weights by their names on the slide."""
    rng = np.random.default_rng(seed)
    shapes = {
        "W_xh": (units, tokens),
        "W_hh": (units, units),
        "b": units,
        "W_hy": (tokens, units),
        "b_y": tokens,
    }
    if learned:
        shapes["h_0"] = units
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def opened(view):
    """The view with its equation."""
    view.equation = True
    return view


def stages():
    return {"0 updates": weights(seed=1), "60 updates": weights(seed=2)}


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

    def read(self, text):
        self.root.get_by_label("text that the net reads").fill(text)

    def cell(self, label, unit):
        """Middle of a state cell under the header `t = label`."""
        return self.stage.evaluate(
            """(s, [label, unit]) => {
                const box = node => node.getBoundingClientRect(), mid = r => r.x + r.width / 2;
                const texts = [...s.querySelectorAll('text')];
                const x = mid(box(texts.find(t => t.textContent === label)));
                const cells = [...s.querySelector('svg').querySelectorAll('rect')].map(box)
                    .filter(r => Math.abs(mid(r) - x) < 1 && Math.abs(r.width - 46) < 0.5);
                return [x, cells[unit - 1].y + cells[unit - 1].height / 2];
            }""",
            [label, unit],
        )


@pytest.fixture
def show(open_page):
    def show(view, **options):
        page = open_page(view.to_html(), **options)
        page.wait_for_selector('.seqviz[data-ready="true"]')
        return Shown(page)

    return show


def test_probabilities_equal_torch(show):
    torch.manual_seed(0)
    rnn, out = torch.nn.RNN(5, 16), torch.nn.Linear(16, 5)
    torch.nn.init.normal_(rnn.weight_hh_l0, std=0.5)
    h_0 = torch.randn(1, 16)
    net = {"W_xh": rnn.weight_ih_l0, "W_hh": rnn.weight_hh_l0, "W_hy": out.weight}
    net |= {"b": rnn.bias_ih_l0 + rnn.bias_hh_l0, "b_y": out.bias, "h_0": h_0[0]}
    ids = torch.randint(5, (60,))
    text = "".join("abcde"[i] for i in ids)
    page = show(unroll(net, "abcde", text)).page

    def difference(start):
        p = out(rnn(torch.eye(5)[ids[:-1]], start)[0]).softmax(-1)
        drawn = page.evaluate("document.querySelector('.seqviz').probabilities")
        return np.abs(np.array(drawn) - p.detach().numpy()).max()

    assert difference(h_0) < 1e-5
    page.get_by_label("learned start h₀").uncheck()
    assert difference(torch.zeros(1, 16)) < 1e-5


def test_keys_move_step_and_unit(show):
    view = opened(unroll(weights(), "helo", "hello"))
    shown = show(view)
    states = [row[5:] for row in view.table()[1:]]

    def value(step, unit, more=""):
        number = f"{states[step - 1][unit - 1]:.2f}".replace("-", "−").replace("−0.00", "0.00")
        return f"unit {unit} = {number}{more}"

    unit = view.unit
    assert (shown["step"], shown.value) == ("4", value(4, unit))
    for key, step in [("ArrowLeft", 3), ("Home", 1), ("ArrowLeft", 1), ("ArrowRight", 2)]:
        shown.press(key)
        assert (shown["step"], shown.value) == (str(step), value(step, unit))
        assert f"t = {step}" in shown.drawn
    shown.press("End", "ArrowRight")
    assert (shown["step"], shown.value) == ("4", value(4, unit))
    for key, change in [("ArrowDown", 1), ("ArrowUp", -1), ("ArrowUp", -1)]:
        shown.press(key)
        unit = (unit - 1 + change) % 8 + 1
        assert (shown["unit"], shown.value) == (str(unit), value(4, unit))
        assert f"unit {unit} through time" in shown.drawn
    shown.press("Enter")
    assert (shown["locked"], shown.value) == ("true", value(4, unit, ", locked"))
    shown.press("Escape")
    assert (shown["locked"], shown.value) == ("false", value(4, unit))


def test_sentence_compares_the_same_letter(show):
    view = unroll(weights(), "helo", "hello")
    shown = show(view)
    _, *rows = view.table()
    third, fourth = rows[2], rows[3]
    differ = sum(abs(a - b) > 0.5 for a, b in zip(third[5:], fourth[5:], strict=True))
    assert shown["compare"] == "3"
    assert shown.sentence.startswith(
        f"Same letter, other state ({differ} of 8 units differ): it says"
    )
    assert f" {third[3]}" in shown.sentence
    shown.press("Home")
    assert shown["compare"] == ""
    assert shown.sentence.startswith(
        f"Step 1: reads h, says {rows[0][3]} (p = {rows[0][4]:.2f})".replace("0.", ".")
    )


def test_hover_previews_and_click_locks(show):
    shown = show(unroll(weights(), "helo", "hello", step=4))
    mouse, unit = shown.page.mouse, shown["unit"]
    other = 2 if unit != "2" else 3
    mouse.move(*shown.cell("t = 2", other))
    assert (shown["unit"], shown["step"]) == (str(other), "4")
    mouse.move(2, 2)
    assert shown["unit"] == unit
    mouse.click(*shown.cell("t = 2", other))
    assert (shown["unit"], shown["step"], shown["locked"]) == (str(other), "2", "true")
    mouse.move(*shown.cell("t = 3", 7))
    assert shown["unit"] == str(other)
    mouse.click(*shown.cell("t = 2", other))
    assert shown["locked"] == "false"
    shown.press("Escape")
    mouse.move(*shown.cell("t = 3", 7))
    assert shown["unit"] == "7"


def test_the_same_cursor_runs_through_equation_and_trace(show):
    shown = show(opened(unroll(weights(), "helo", "hello", step=4)))
    box = shown.stage.locator("svg").nth(1).bounding_box()
    shown.page.mouse.move(box["x"] + 30, box["y"] + 36 + 16 * 5.5)
    assert (shown["unit"], "unit 6 through time" in shown.drawn) == ("6", True)
    dot = shown.stage.locator("svg").nth(1).locator("circle").nth(1).bounding_box()
    shown.page.mouse.click(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    assert (shown["unit"], shown["locked"], shown["step"]) == ("6", "true", "4")


def test_a_shaky_click_is_not_lost(show):
    shown = show(unroll(weights(), "helo", "hello", step=4))
    page = shown.page
    for step, unit in [(1, 5), (3, 2), (2, 8)]:
        x, y = shown.cell(f"t = {step}", unit)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 1, y)
        page.evaluate("new Promise(requestAnimationFrame)")
        page.mouse.up()
        assert (shown["step"], shown["unit"], shown["locked"]) == (str(step), str(unit), "true")


def test_another_word_without_a_kernel(show):
    view = unroll(weights(), "helo", "hello")
    shown = show(view)
    shown.read("olehole")
    view.text, view.step = "olehole", 6
    assert shown["step"] == "6"
    assert shown.csv == view.to_csv()
    shown.read("h")
    assert shown.sentence.startswith("Step 1: reads h, says")
    assert "none" in shown.drawn


def test_an_unknown_letter_keeps_the_last_good_picture(show):
    shown = show(unroll(weights(), "helo", "hello"))
    before = shown.drawn
    shown.read("help")
    problem = shown.root.locator(".problem")
    assert problem.inner_text().replace("\u2068", "").replace("\u2069", "") == (
        "“p” is not in the vocabulary: h e l o"
    )
    assert shown.drawn == before
    shown.press("Home")
    assert shown["step"] == "1"
    assert problem.is_visible()
    shown.read("")
    assert "Nothing to read" in problem.inner_text()
    shown.read("hole")
    assert problem.is_hidden()
    assert shown["step"] == "3"


def test_stages_come_when_asked_for(show):
    view = unroll(stages(), "helo", "hello")
    shown = show(view)
    assert shown["stage"] == "60 updates"
    shown.root.get_by_label("0 updates", exact=True).check(force=True)
    shown.page.wait_for_selector('.seqviz[data-stage="0 updates"]')
    view.stage = "0 updates"
    assert shown.csv == view.to_csv()


def test_buttons_and_slider(show):
    shown = show(unroll(weights(), "helo", "hello", step=2))
    shown.root.get_by_label("one step on").click()
    assert shown["step"] == "3"
    shown.root.get_by_label("one step back").click()
    assert shown["step"] == "2"
    shown.root.locator("input[type=range]").fill("4")
    assert shown["step"] == "4"
    shown.root.get_by_role("button", name="Play").click()  # at the end it starts again
    assert shown["step"] == "1"
    assert shown.root.get_by_role("button", name="Pause").is_visible()
    shown.page.wait_for_selector('.seqviz[data-step="2"]')
    shown.press("ArrowRight")  # a hand on the keys stops it
    assert shown["step"] == "3"
    assert shown.root.get_by_role("button", name="Play").is_visible()


@pytest.mark.parametrize(
    "view",
    [
        unroll(weights(), "helo", "hello"),
        unroll(weights(6, 6, 1), HOSTILE, HOSTILE * 3),
        unroll(
            weights(64, 30, 2, learned=True),
            "abcdefghijklmnopqrstuvwxyz \n\t\r",
            "a b\nc\td\re" * 40,
        ),
        unroll({k: v * 0 for k, v in weights().items()}, "helo", "hello"),
        unroll({k: np.sign(v) / 128 for k, v in weights().items()}, "helo", "hello"),
        unroll({k: v * 1e30 for k, v in weights().items()}, "helo", "hello"),
    ],
    ids=["hello", "hostile", "large", "zero", "tiny", "huge"],
)
def test_csv_is_the_same_in_python_and_in_the_page(show, view):
    shown = show(view)
    assert shown.csv == view.to_csv()


def test_csv_is_the_same_where_a_small_difference_would_grow(show):
    chaotic = {k: v * 3 for k, v in weights(32, 4, 3).items()}
    text = "".join(np.random.default_rng(0).choice(list("helo"), 2000))
    view = unroll(chaotic, "helo", text)
    shown = show(view)
    assert shown.csv == view.to_csv()


def test_hostile_tokens_are_text(show):
    shown = show(unroll(weights(6, 6), HOSTILE, HOSTILE * 3, step=1, title="<b>bold</b>"))
    for _ in range(6):
        shown.press("ArrowRight")
    assert shown.page.evaluate("window.hit") is None
    assert shown.root.locator("script, img, h2 b").count() == 0
    assert shown.root.locator("h2").inner_text() == "<b>bold</b>"
    shown.press("Home")
    assert f"reads {HOSTILE[0][:39]}" in shown.sentence
    svg = shown.page.evaluate("document.querySelector('.seqviz').exported.svg()")
    assert "<script" not in svg
    assert shown.page.evaluate(
        """async text => { const image = new Image();
            image.src = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
            await image.decode(); return image.width > 900; }""",
        svg,
    )


def test_two_thousand_tokens_in_a_window(show):
    shown = show(unroll(weights(), "helo", "hello" * 400, step=1000))
    headers = [text for text in shown.drawn if text.startswith("t = ")]
    assert len(headers) <= 9
    assert "t = 1000" in headers
    shown.press("Home")
    assert "t = 1" in shown.drawn
    shown.press("End")
    assert (shown["step"], "t = 1999" in shown.drawn) == ("1999", True)
    box = shown.stage.bounding_box()
    shown.page.mouse.click(box["x"] + 130, box["y"] + 20)  # the strip of all steps, at its left
    assert int(shown["step"]) < 20
    shown.page.mouse.click(box["x"] + box["width"] - 47, box["y"] + 20)
    assert int(shown["step"]) > 1980


def test_arrows_walk_on_while_the_window_stands(show):
    shown = show(unroll(weights(), "helo", "hello" * 20, step=50))
    start = shown["from"]
    shown.press("ArrowLeft", "ArrowLeft")
    assert shown["from"] == start


CUT_OR_TINY = """s => {
    const stage = s.getBoundingClientRect(), wrong = [];
    const fault = (kind, text) => wrong.push(kind + ': ' + text.textContent);
    for (const t of s.querySelectorAll('text')) {
        const {left, right} = t.getBoundingClientRect();
        const size = getComputedStyle(t).fontSize;
        if (parseFloat(size) < 11) fault('tiny', t);
        if (left < stage.left - 4 || right > stage.right + 4) fault('cut', t);
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push('scrolls sideways');
    return wrong;
}"""


@pytest.mark.parametrize("width", [420, 560, 760, 1000, 1400])
@pytest.mark.parametrize("text", ["hello", "hello" * 10])
def test_nothing_is_cut_and_no_text_is_tiny(show, width, text):
    shown = show(opened(unroll(weights(learned=True), "helo", text)), width=width)
    assert shown.stage.evaluate(CUT_OR_TINY) == []


@pytest.mark.parametrize("width", [900, 1000, 1100, 1200])
def test_nothing_is_cut_in_a_wide_font(open_page, width):
    page = open_page(
        opened(unroll(weights(), "helo", "hello"))
        .to_html()
        .replace("<body>", '<body style="--jp-ui-font-family: DejaVu Sans, Verdana, sans-serif">'),
        width=width,
    )
    page.wait_for_selector('.seqviz[data-compare="3"]')
    assert page.locator(".stage").evaluate(CUT_OR_TINY.replace("+ 4", "+ 1")) == []


def test_themes_and_a_neighbour(open_page):
    one, two = unroll(stages(), "helo", "hello"), unroll(stages(), "helo", "hole")
    page = open_page(fragment(one) + fragment(two), dark=True)
    page.wait_for_function("document.querySelectorAll('.seqviz[data-ready=true]').length === 2")
    first, second = page.locator(".seqviz").all()
    assert first.get_attribute("data-theme") == "dark"
    first.locator(".stage").focus()
    page.keyboard.press("Home")
    first.get_by_label("0 updates", exact=True).check(force=True)
    assert first.get_attribute("data-step") == "1"
    assert second.get_attribute("data-step") == "3"
    assert second.get_attribute("data-stage") == "60 updates"
    assert second.get_by_label("60 updates", exact=True).is_checked()
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    page.wait_for_selector('.seqviz[data-theme="light"]')


def test_a_theme_that_changes_while_hidden(show):
    shown = show(unroll(weights(), "helo", "hello"))
    shown.page.evaluate(
        """async () => {
            const host = document.querySelector('.seqviz').parentElement;
            host.style.display = 'none';
            document.body.dataset.jpThemeLight = 'false';
            await Promise.resolve();  // the theme is heard before the next frame
            host.style.display = 'block';
        }"""
    )
    shown.page.wait_for_selector('.seqviz[data-theme="dark"]')
    shown.page.wait_for_function(
        """document.querySelector('.stage svg').querySelectorAll('rect')[1]
            .getAttribute('fill') === '#ff9a5c'"""
    )


def test_a_view_that_was_hidden_for_the_new_theme_has_its_colours(open_page):
    page = open_page(unroll(weights(), "helo", "hello").to_html(), width=900)
    matrices = """[...document.querySelectorAll('.stage svg image')]
        .map(image => image.getAttribute('href'))"""
    light = page.evaluate(matrices)
    page.evaluate(
        """async () => {
            const host = document.querySelector('.seqviz').parentElement;
            const frame = () => new Promise(requestAnimationFrame);
            host.style.display = 'none';
            await frame();
            document.body.dataset.jpThemeLight = 'false';
            await frame();
            await frame();
            host.style.cssText = 'display: block; width: 800px';
        }"""
    )
    page.wait_for_function(f"({matrices}).every(one => !{light}.includes(one))")


def test_a_change_from_python_is_drawn_and_a_closed_view_is_silent(show):
    shown = show(unroll(weights(), "helo", "hello"))
    seen = shown.page.evaluate(
        """async () => {
            const script = document.querySelector('script[type="application/json"]');
            const page = JSON.parse(script.textContent);
            const host = document.querySelector('.seqviz-page'), {content} = host;
            const code = await host.getText(content.script);
            const module = new Blob([code], {type: 'text/javascript'});
            const view = await import(URL.createObjectURL(module));
            const parts = {}, first = {};
            for (const name of Object.keys(content.parts)) parts[name] = await host.getPart(name);
            for (const name of page.first) first[name] = parts[name];
            const state = {facts: content.facts, ...page.controls, first}, heard = [];
            const model = {
                get: name => state[name],
                set(name, value) {
                    state[name] = value;
                    heard.filter(h => h[0] === 'change:' + name).forEach(h => h[1]());
                },
                on: (event, f) => heard.push([event, f]),
                off: (event, f) => heard.splice(heard.findIndex(h => h[1] === f), 1),
                save_changes() {}, send() {},
            };
            const el = document.body.appendChild(document.createElement('div'));
            const watching = new Set();
            for (const kind of [MutationObserver, ResizeObserver]) {
                const {observe, disconnect} = kind.prototype;
                kind.prototype.observe = function (...given) {
                    watching.add(this);
                    return observe.apply(this, given);
                };
                kind.prototype.disconnect = function () {
                    watching.delete(this);
                    return disconnect.apply(this);
                };
            }
            const end = view.default.render({model, el}), watched = watching.size;
            await new Promise(r => setTimeout(r, 100));
            const steps = [];
            model.set('step', 2);
            steps.push(el.firstChild.dataset.step);
            model.set('text', 'he');
            steps.push(el.firstChild.dataset.step);
            steps.push(el.querySelector('input[type=text]').value);
            [...el.querySelectorAll('button')].find(b => b.textContent === 'Play').click();
            model.set('text', 'hello');
            const last = state.step;
            end();
            await new Promise(r => setTimeout(r, 1500));
            const left = [heard.length, el.childElementCount, watching.size];
            return [...steps, state.step - last, watched, ...left];
        }"""
    )
    assert seen == ["2", "1", "he", 0, 3, 0, 0, 0]


def test_a_hidden_view_is_drawn_when_it_is_shown(open_page):
    view = unroll(weights(), "helo", "hello")
    page = open_page(f'<div id="tab" style="display:none">{fragment(view)}</div>')
    page.wait_for_selector(".seqviz", state="attached")
    assert page.locator('.seqviz[data-ready="true"]').count() == 0
    page.evaluate("document.getElementById('tab').style.display = 'block'")
    page.wait_for_selector('.seqviz[data-ready="true"]')


def test_the_title_of_a_saved_picture_is_broken_into_lines(open_page):
    page = open_page(unroll(weights(), "helo", "hello", step=4).to_html(), width=420)
    lines = page.evaluate(
        """() => {
            const root = document.querySelector('.seqviz'), host = document.createElement('div');
            host.innerHTML = root.exported.svg();
            document.body.append(host);
            const width = host.firstChild.getBoundingClientRect().width;
            return [...host.querySelectorAll('svg > rect ~ text')]
                .filter(text => text.parentNode === host.firstChild)
                .map(text => [text.textContent, parseFloat(text.getAttribute('font-size')),
                    text.getBoundingClientRect().width <= width]);
        }"""
    )
    heading = "".join(text for text, size, _ in lines if size == 14)
    sentence = [text for text, size, _ in lines if size == 18]
    assert heading == page.locator("h2").text_content()
    assert "".join(sentence) == page.locator(".say").text_content()
    assert len(sentence) > 1
    assert all(size >= 11 and fits for _, size, fits in lines)


def test_reduced_motion(show):
    shown = show(unroll(weights(), "helo", "hello", step=2))
    running = "document.getAnimations().length"
    shown.press("ArrowRight")
    assert shown.page.evaluate(running) == 1
    shown.page.emulate_media(reduced_motion="reduce")
    shown.press("ArrowRight")
    assert shown.page.evaluate(running) == 0


def test_the_pointer_hits_what_it_sees_in_a_narrow_window(show):
    shown = show(opened(unroll(weights(), "helo", "hello", step=4)), width=360)
    shown.page.set_viewport_size({"width": 360, "height": 1600})
    cells = shown.stage.locator("svg").first.locator("rect + text[style]")
    texts = shown.stage.evaluate(
        """s => [...s.querySelectorAll('rect + text[style]')].map(t => {
            const r = t.previousElementSibling.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2, r.width];
        })"""
    )
    wide = [(x, y) for x, y, w in texts if abs(w - 46 * 328 / 380) < 0.5][:8]
    assert cells.count() >= 8
    for unit, (x, y) in enumerate(wide, 1):
        shown.page.mouse.move(x, y)
        assert shown["unit"] == str(unit)
    equation = [(x, y) for x, y, w in texts if abs(w - 42 * 328 / 380) < 0.5][:8]
    for unit, (x, y) in enumerate(equation, 1):
        shown.page.mouse.move(x, y)
        assert shown["unit"] == str(unit)
    assert len(wide) == len(equation) == 8


def test_a_large_net_is_light(show):
    words = [f"w{k}" for k in range(200)]
    shown = show(unroll(weights(64, 200), words, words), width=1400)
    assert shown.stage.evaluate("s => s.innerHTML.length") < 1_000_000
    assert shown.stage.locator("image").count() >= 6
    drawn = shown.root.evaluate("root => root.exported.svg()")
    assert 'image-rendering="pixelated"' in drawn
    assert set(re.findall(r'href="([^"]{11})', drawn)) == {"data:image/"}


def test_a_matrix_has_a_pixel_for_each_weight(show):
    net = weights() | {"W_xh": np.array([[1.0, 0, -1, 0]] * 8)}
    shown = show(unroll(net, "helo", "hello"))
    pixels = shown.stage.evaluate(
        """async s => {
            const image = new Image();
            image.src = s.querySelector('image').getAttribute('href');
            await image.decode();
            const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');
            pen.drawImage(image, 0, 0);
            return [image.width, image.height, ...pen.getImageData(0, 7, 3, 1).data];
        }"""
    )
    rust, paper, violet = (143, 61, 12, 255), (245, 245, 242, 255), (74, 44, 131, 255)
    assert pixels == [4, 8, *rust, *paper, *violet]


@pytest.mark.parametrize("font", ["sans-serif", "monospace"])
def test_the_equation_has_room_in_a_narrow_window(show, font):
    shown = show(opened(unroll(weights(), "helo", "hello")), width=390)
    shown.page.add_style_tag(content=f":root {{ --jp-ui-font-family: {font} }}")
    shown.press("ArrowLeft")
    gap, end = shown.stage.evaluate(
        """s => {
            const formula = s.querySelectorAll('svg')[1];
            const texts = [...formula.querySelectorAll('text')];
            const sign = texts.find(t => t.textContent === '= tanh(');
            const W_hh = formula.querySelector('image').getBoundingClientRect();
            const right = Math.max(...texts.map(t => t.getBoundingClientRect().right));
            return [W_hh.left - sign.getBoundingClientRect().right, right];
        }"""
    )
    assert gap > 5.3
    assert end <= 378


def test_line_ends_in_the_vocabulary_survive_typing(show):
    view = unroll(weights(4, 4), "ab\r\n", "a\rb\n")
    shown = show(view)
    field = shown.root.get_by_label("text that the net reads")
    assert field.input_value() == "a␍b↵"
    field.fill("b␍␍a↵")
    view.text, view.step = "b\r\ra\n", 4
    assert shown.csv == view.to_csv()


def test_a_probability_is_never_rounded_to_one(show):
    net = {"W_xh": [[1, -1]], "W_hh": [[0]], "b": [0], "W_hy": [[4], [-4]], "b_y": [0, 0]}
    shown = show(unroll(net, "ab", "abb"))
    assert 0.995 < shown.page.evaluate("document.querySelector('.seqviz').probabilities[0][0]") < 1
    assert {">.99", "<.01"} <= set(shown.drawn)
    assert "(p > .99)" in shown.sentence


def start_without_kernel(page, send):
    """Show a view whose model has another stage only in Python."""
    return page.evaluate(
        """async send => {
            const script = document.querySelector('script[type="application/json"]');
            const page = JSON.parse(script.textContent);
            const host = document.querySelector('.seqviz-page'), {content} = host;
            const code = await host.getText(content.script);
            const module = new Blob([code], {type: 'text/javascript'});
            const view = await import(URL.createObjectURL(module));
            const parts = {}, first = {};
            for (const name of Object.keys(content.parts)) parts[name] = await host.getPart(name);
            for (const name of page.first) first[name] = parts[name];
            const state = {facts: content.facts, ...page.controls, first}, heard = [];
            const fail = () => { throw new Error('Cannot send'); };
            window.sent = [];
            window.answer = name => heard.filter(h => h[0] === 'msg:custom')
                .forEach(h => h[1]({part: name}, [parts[name]]));
            const model = {
                get: name => state[name], set(name, value) { state[name] = value; },
                on: (event, f) => heard.push([event, f]), off() {},
                save_changes: send ? () => {} : fail,
                send: send ? message => window.sent.push(message.want) : fail,
            };
            document.querySelector('.seqviz-page').remove();
            const style = document.head.appendChild(document.createElement('style'));
            style.textContent = await host.getText(content.style);
            view.default.render({model, el: document.body});
        }""",
        send,
    )


def test_a_dead_kernel_is_told_and_the_rest_works(show):
    shown = show(unroll(stages(), "helo", "hello", step=2))
    start_without_kernel(shown.page, False)
    shown.press("ArrowRight")
    assert shown["step"] == "3"
    problem = shown.root.locator(".problem")
    assert "needs a running kernel. (Cannot send)" in problem.inner_text()
    assert shown.stage.evaluate("s => getComputedStyle(s).opacity") == "1"
    shown.root.get_by_label("0 updates", exact=True).check(force=True)
    assert "needs a running kernel" in problem.inner_text()


def test_a_silent_kernel_is_told_and_a_late_answer_is_drawn(show):
    view = unroll(stages(), "helo", "hello", step=2)
    shown = show(view)
    shown.page.clock.install()
    start_without_kernel(shown.page, True)
    shown.root.get_by_label("0 updates", exact=True).check(force=True)
    assert shown.root.locator(".problem").inner_text() == ""
    shown.page.clock.fast_forward(11_000)
    assert "needs a running kernel" in shown.root.locator(".problem").inner_text()
    shown.page.evaluate("answer('0 updates')")
    shown.page.wait_for_selector('.seqviz[data-stage="0 updates"]')
    assert shown.root.locator(".problem").inner_text() == ""
    view.stage = "0 updates"
    assert shown.csv == view.to_csv()
    assert shown.page.evaluate("sent") == ["0 updates"]
