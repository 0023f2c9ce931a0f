from xml.etree import ElementTree

import numpy as np
import pytest

from seqviz.view import gradients
from seqviz.views.shared.page import fragment
from tests.browser.shown import Grid
from tests.browser.slowness import slowness

pytestmark = pytest.mark.browser
HOSTILE = ["<script>window.hit=1</script>", "<img/src=x/onerror=hit=1>", "שלום", "👍🏽", "=1+1"]
SIZES = """s => [...s.querySelectorAll('text')].flatMap(t => {
    const stage = s.getBoundingClientRect(), {left, right} = t.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(t).fontSize);
    return left < stage.left - 4 || right > stage.right + 4 || size < 11 ? [t.textContent] : [];
})"""


def matrix(radius, orthogonal, units=16):
    W = np.random.default_rng(1).normal(size=(units, units))
    W = np.linalg.qr(W)[0] if orthogonal else W / np.abs(np.linalg.eigvals(W)).max()
    return W * radius


def norms(W, steps):
    g, found = np.ones(len(W)), []
    for _ in range(steps):
        found.append(np.linalg.norm(g))
        g = W.T @ g
    return found[::-1]


def run(at):
    found = {}
    for label in ("orthogonal", "Gaussian"):
        W = matrix(at["radius"], label == "orthogonal")
        found[label] = {"norms": norms(W, at["length"]), "W": W}
    return found


OVER = {"radius": [0.5, 0.75, 1.0, 1.25], "length": [10, 60], "kind": ["linear", "also linear"]}


def spectra(**options):
    return gradients(run, over=OVER, **{"at": {"radius": 0.75, "length": 60}, **options})


def chunks():
    full = np.linspace(0.1, 5, 20)
    return gradients(
        lambda at: {"RNN": np.where(np.arange(20) < 20 - at["chunk"], 0, full)},
        over={"chunk": list(range(1, 21))},
        at={"chunk": 5},
        marks={12: "the bit to echo"},
    )


def hostile():
    runs = {bad: np.where(np.arange(5) < k, 0, 0.5**k) for k, bad in enumerate(HOSTILE)}
    return gradients(runs, labels=HOSTILE, marks={2: HOSTILE[0]}, title="<b>bold</b>")


def test_page_and_python_say_the_same_at_every_point(show_grid):
    view = spectra()
    shown = show_grid(view)
    for r, radius in enumerate(OVER["radius"]):
        for n, length in enumerate(OVER["length"]):
            shown.slide("radius", r)
            shown.slide("length", n)
            view.at = {"radius": radius, "length": length}
            for model in ("orthogonal", "Gaussian"):
                view.model = model
                assert shown["model"] == model
                assert shown.sentence == view.headline
                shown.press("ArrowDown")
            assert shown.csv == view.to_csv()
    assert "spectral radius is 1.25" in shown.sentence
    shown.root.get_by_label("also linear").check(force=True)
    assert shown["settings"] == "1.25 60 also linear"


@pytest.mark.parametrize("chunk", [1, 2, 6, 7, 8, 9, 20])
def test_truncation_is_hatched_and_said(show_grid, chunk):
    view, shown = chunks(), show_grid(chunks())
    shown.slide("chunk", chunk - 1)
    view.at = {"chunk": chunk}
    assert shown.sentence == view.headline
    assert ("no gradient" in shown.sentence) == (chunk < 9)
    assert shown.csv == view.to_csv()
    assert ("no gradient reaches here" in shown.drawn) == (chunk < 15)
    assert shown.drawn.count("the bit to echo") == 1


@pytest.mark.parametrize(
    "view",
    [
        hostile(),
        gradients({"a": [0, 0, 0]}),
        gradients({"a": [3.0]}),
        gradients({"a": np.geomspace(1e-300, 1e300, 2000)}),
        gradients({"a": [0, 1, 0, 1e-5, 0]}, labels=HOSTILE),
        gradients({str(k): np.geomspace(1e-9, 1, 30) + k for k in range(6)}),
    ],
    ids=["hostile", "zero", "single", "huge", "holes", "six"],
)
def test_csv_and_sentence_are_the_same_in_python_and_in_the_page(show_grid, view):
    shown = show_grid(view)
    assert shown.csv == view.to_csv()
    assert shown.sentence == view.headline


def test_keys_move_cursor_and_model(show_grid):
    view = spectra()
    shown = show_grid(view)
    for key, step in [
        ("ArrowRight", 2),
        ("End", 60),
        ("ArrowRight", 60),
        ("ArrowLeft", 59),
        ("Home", 1),
        ("ArrowLeft", 1),
    ]:
        shown.press(key)
        view.step = step
        norm = view.alt.split("orthogonal ")[-1].split(",")[0]
        assert shown["step"] == str(step)
        assert shown.value == f"step {step} of 60: {norm}"
        assert norm in shown.drawn
    shown.press("ArrowDown")
    assert shown["model"] == "Gaussian"
    shown.press("ArrowDown")
    assert shown["model"] == "orthogonal"
    shown.press("ArrowUp")
    assert shown["model"] == "Gaussian"


def test_hover_previews_click_locks_escape_frees(show_grid):
    shown = show_grid(spectra())
    mouse = shown.page.mouse
    x, y = shown.middle("30")
    mouse.move(x, y - 200)
    assert shown["step"] == "30"
    mouse.move(2, 2)
    assert shown["step"] == "1"
    mouse.click(x, y - 200)
    assert (shown["step"], shown["locked"]) == ("30", "true")
    mouse.move(*shown.middle("10"))
    assert shown["step"] == "30"
    shown.press("Escape")
    assert shown["locked"] == "false"
    mouse.move(x, y)
    mouse.move(*shown.middle("50"))
    assert shown["step"] == "50"
    shown.press("Enter")
    assert (shown["step"], shown["locked"]) == ("50", "true")


def test_a_panel_and_a_label_choose_the_model(show_grid):
    shown = show_grid(spectra())
    gaussian = shown.stage.locator("text", has_text="Gaussian")
    assert gaussian.count() == 2
    for k in (0, 1):
        box = gaussian.nth(k).bounding_box()
        shown.press("Escape", "Home")
        shown.page.mouse.click(box["x"] + 5, box["y"] + 5)
        assert (shown["model"], shown["step"], shown["locked"]) == ("Gaussian", "1", "true")
        shown.press("Escape", "ArrowUp")
        shown.page.mouse.move(2, 2)
        assert shown["model"] == "orthogonal"


def test_a_shorter_length_takes_the_cursor_along(show_grid):
    shown = show_grid(spectra())
    shown.press("End")
    shown.slide("length", 0)
    assert (shown["step"], "1" in shown.drawn, "60" in shown.drawn) == ("10", True, False)


def test_eigenvalues_and_singular_values_stand_where_they_are(show_grid):
    W = np.array([[0.0, -0.5], [0.5, 0.0]])
    shown = show_grid(gradients({"a": {"norms": [1.0, 2.0], "W": W}}))
    unit, own, dots = shown.stage.evaluate(
        """s => {
            const [unit, own] = [...s.querySelectorAll('circle')].map(c =>
                ['cx', 'cy', 'r'].map(name => Number(c.getAttribute(name))));
            const path = [...s.querySelectorAll('path[stroke-linecap=round][stroke-width="6"]')];
            const dots = [...path[0].getAttribute('d').matchAll(/M(\\S+) ([\\d.]+)/g)];
            return [unit, own, dots.map(d => [Number(d[1]), Number(d[2])])];
        }"""
    )
    cx, cy, r = unit
    assert own[2] == pytest.approx(r / 2, abs=0.1)
    expected = [[cx, cy - r / 2], [cx, cy + r / 2]]
    np.testing.assert_allclose(sorted(dots, key=lambda d: d[1]), expected, atol=0.15)
    assert {"0.500", "spectral radius"} <= set(shown.drawn)


def test_hostile_text_is_text(show_grid):
    shown = show_grid(hostile())
    shown.press("ArrowDown", "End", "ArrowUp")
    assert shown.page.evaluate("window.hit") is None
    assert shown.root.locator("script, img, h2 b").count() == 0
    assert shown.root.locator("h2").inner_text() == "<b>bold</b>"
    svg = shown.root.evaluate("root => root.exported.svg()")
    assert "<script" not in svg
    ElementTree.fromstring(svg)


@pytest.mark.parametrize("view", [spectra, chunks, hostile], ids=["spectra", "chunks", "hostile"])
def test_nothing_is_cut_and_no_text_is_tiny(show_grid, view):
    shown = show_grid(view())
    for width in shown.at_widths(360, 480, 760, 1000, 1400):
        assert shown.stage.evaluate(SIZES) == [], width
        assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_dark_and_hidden(open_page):
    page = open_page(f'<div id="tab" style="display:none">{fragment(spectra())}</div>', dark=True)
    page.wait_for_selector(".seqviz", state="attached")
    assert page.locator('.seqviz[data-ready="true"]').count() == 0
    page.evaluate("document.getElementById('tab').style.display = 'block'")
    page.wait_for_selector('.seqviz[data-ready="true"][data-theme="dark"]')
    strokes = "[...document.querySelectorAll('.stage path')].map(p => p.getAttribute('stroke'))"
    assert "#4aa8e0" in page.evaluate(strokes)
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    page.wait_for_function(f"{strokes}.includes('#0072b2')")


def test_two_views_do_not_meet(open_page):
    page = open_page(fragment(chunks()) + fragment(chunks()))
    page.wait_for_function("document.querySelectorAll('.seqviz[data-ready=true]').length === 2")
    first, second = (Grid(page) for _ in range(2))
    second.root, second.stage = page.locator(".seqviz").nth(1), page.locator(".stage").nth(1)
    first.slide("chunk", 19)
    first.press("End")
    assert (first["settings"], first["step"]) == ("20", "20")
    assert (second["settings"], second["step"]) == ("5", "12")


def test_the_sentence_does_not_move_the_slider(show_grid):
    shown = show_grid(spectra(), width=620)
    slider = shown.root.get_by_label("length")
    top = slider.evaluate("s => s.offsetTop")
    shown.slide("length", 0)
    shown.press("ArrowDown")
    shown.slide("radius", 2)
    assert slider.evaluate("s => s.offsetTop") == top


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize(
    ("view", "slider"), [(spectra, "radius"), (spectra, "length"), (chunks, "chunk")]
)
def test_a_slider_redraws_within_a_frame(browser, show_grid, view, slider):
    p95, pictures, places = show_grid(view()).slide_through(slider)
    assert pictures == places
    assert p95 <= 16 * slowness(browser)


LIVE = """
import numpy as np
from seqviz.view import gradients
view = gradients(
    lambda at: {k: np.geomspace(1e-9 * at["x"], 1, 2000) for k in "abcdef"},
    over={"y": list(range(1, 13)), "x": list(range(1, 61))},
)
view
"""
DRAG = """async row => {
    const [other, slider] = document.querySelectorAll('.seqviz input[type=range]'), times = [];
    const root = document.querySelector('.seqviz');
    other.value = row - 1;
    slider.value = 0;
    for (const input of [other, slider]) input.dispatchEvent(new Event('input'));
    for (let k = 1; k < 60; k++) {
        const start = performance.now();
        slider.value = k;
        slider.dispatchEvent(new Event('input'));
        while (!root.dataset.settings.endsWith(` ${k + 1}`)) {
            await new Promise(done => setTimeout(done));
        }
        times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[56];
}"""


@pytest.mark.alone
@pytest.mark.slow
def test_with_a_kernel_a_part_that_was_not_there_comes_in_time(browser, lab):
    page, errors = lab.run(browser, "live", LIVE)
    p95 = []
    for row in range(1, 13):  # each is fetched once; what else the machine does is not measured
        p95.append(page.evaluate(DRAG, row))
        if p95[-1] <= 100:
            break
    page.context.close()
    assert errors == []
    assert min(p95) <= 100 * slowness(browser), p95


def test_a_single_step_with_a_gradient_is_drawn(show_grid):
    shown = show_grid(gradients({"cut": [0.0] * 11 + [0.003]}))
    paths = shown.stage.evaluate(
        "s => [...s.querySelectorAll('path')].map(p => p.getAttribute('d'))"
    )
    assert any("a4 4" in path for path in paths), "a marker of radius 4"


@pytest.mark.parametrize(
    ("norms", "axis"),
    [
        (np.geomspace(0.0015, 0.006, 9), ["0.001", "0.002", "0.005", "0.01"]),
        (np.geomspace(1e-6, 4e-6, 9), ["1e−6", "2e−6", "5e−6"]),
    ],
)
def test_a_narrow_axis_has_round_numbers(show_grid, norms, axis):
    drawn = show_grid(gradients({"a": norms})).drawn
    assert set(axis) <= set(drawn)


def test_six_long_names_stay_inside(show_grid):
    names = [f"a model with a long name, number {k}" for k in range(6)]
    shown = show_grid(
        gradients({name: np.geomspace(1e-6, 10.0**-k, 9) for k, name in enumerate(names)})
    )
    tops = shown.stage.evaluate("s => [...s.querySelectorAll('text')].map(t => t.getBBox().y)")
    assert min(tops) >= 0


def test_the_ends_of_the_axis_are_numbers(show_grid):
    drawn = show_grid(gradients({"a": np.geomspace(1e-300, 1e300, 30)})).drawn
    assert not {"Infinity", "NaN", "0e0"} & set(drawn)


def test_a_click_beside_everything_locks_nothing_and_a_lock_is_told(show_grid):
    shown = show_grid(gradients({"a": np.geomspace(1e-6, 1, 9)}))
    box = shown.stage.bounding_box()
    shown.page.mouse.click(box["x"] + 2, box["y"] + box["height"] - 2)
    assert shown["locked"] == "false"
    shown.press("Enter")
    assert "Locked" in shown.root.locator(".foot").inner_text()


def test_a_hover_does_not_speak(show_grid):
    shown = show_grid(gradients({"a": np.geomspace(1e-6, 1, 9)}))
    said = shown.root.locator(".say")
    assert said.get_attribute("aria-live") == "polite"
    box = shown.stage.bounding_box()
    shown.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    assert said.get_attribute("aria-live") == "off"
    shown.page.mouse.move(0, 0)
    assert said.get_attribute("aria-live") == "polite"
