"""One notebook that holds every view, in JupyterLab: drawn, by keyboard, in both themes, saved."""

import pytest

from tests.browser.in_lab.lecture import DARK, ERRORS, READY
from tests.browser.test_saved_page import saved, screen

pytestmark = pytest.mark.browser

IMPORTS = """import numpy as np
import torch
import seqviz as sv
sv.setup(seed=0)
rng = np.random.default_rng(0)"""

ATTENTION = """def read(text):
    words = text.split()
    if "gree" in words:
        raise ValueError("unknown word 'gree': near are green, greek")
    return {"weights": rng.dirichlet(np.ones(len(words)), 3),
            "tokens": ["un", "deux", "trois"], "key_tokens": words}
view = sv.view.attention(read, text="one two three")
view.step = 2
view"""

MASKING = """import time
words = ["he", "sat", "by", "the", "river"]
def run(tokens, positions):
    time.sleep(0.3)
    p = 0.14 + 0.3 * np.eye(5)[[words.index(tokens[k]) for k in positions]]
    return {"both": p, "attention": np.full((len(positions), len(tokens)), 1 / len(tokens))}
given = {"tokens": words, "both": 0.05 + 0.75 * np.eye(5), "attention": np.full((5, 5), 0.2)}
masks = sv.view.masking([given], words, run=run)
masks.mask = 2
masks"""

GENERATION = """after = rng.dirichlet(np.full(30, 0.3), 30)
def expected(ids):
    if len(ids) > 6:
        raise IndexError("6 positions")
    return after[ids[-1]]
names = [f"w{k}" for k in range(30)]
writes = sv.view.generation(expected, names, [0], steps=4, depth=1, branch=2)
writes"""

REGIONS = """def film(words, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(16), len(words)).reshape(-1, 4, 4)
    return {"picture": np.full((8, 8), 0.5), "words": words, "weights": weights}
films = sv.view.regions([film(["a", "red", "dog"], 0), film(["blue", "cat"], 1)])
films.step = 2
films"""

ROLL = """pieces = {name: {
    "notes": [sv.data.Note(60 + (k * shift) % 12, 30 * k, 30 * k + 25) for k in range(12)],
    "weights": np.tril(rng.dirichlet(np.ones(12), (2, 12))),
    "sound": (np.sin(np.arange(24000) / 5), 6000)} for name, shift in (("a", 7), ("b", 5))}
roll = sv.view.piano_roll(pieces)
roll.note = 5
roll"""

VIEWS = {
    "unroll": "sv.view.unroll(sv.nn.LanguageModel(4, hidden_size=6).matrices(), 'helo', 'hello')",
    "text": "sv.view.text('to be or not', np.sin(np.arange(36.0)).reshape(12, 3))",
    "gates": """lstm = torch.nn.LSTM(4, 6)
with sv.record(lstm) as rec:
    lstm(torch.randn(5, 1, 4))
sv.view.gates(rec.traces(), "hello")""",
    "gradients": "sv.view.gradients({'a': np.geomspace(1e-6, 1, 20)})",
    "curves": "sv.view.curves(lambda at: {'a': at['n'] * np.arange(9.0)}, over={'n': [1, 2, 5]})",
    "attention": ATTENTION,
    "masking": MASKING,
    "generation": GENERATION,
    "regions": REGIONS,
    "piano_roll": ROLL,
    "embedding": """table = [f"word{k}" for k in range(900)]
sums = [("word0", "word1", "word2", "word3")]
many = sv.view.embedding(table, rng.normal(size=(900, 30)), shown=table[:12], analogies=sums)
many.word = "word4"
many""",
    "beam": """model = sv.nn.Seq2Seq(6, 6, embed_dim=8, hidden_size=16, attention="additive")
state = model.encode(torch.tensor([[2, 3, 4]]))
tree = sv.decoding.beam(model.step, [0], 6, width=3, stop=1, state=state, select=model.select)
sv.view.beam(tree, ["<start>", "<stop>", *"abcd"])""",
}
TWICE = """from IPython.display import display
twice = sv.view.curves(lambda at: {"a": at["n"] * np.arange(9.0)}, over={"n": [1, 2]}, x="place")
display(twice, twice)"""


@pytest.fixture(scope="module")
def page(browser, lab):
    page, errors = lab.run(browser, "every_view", IMPORTS, *VIEWS.values(), TWICE)
    page.wait_for_function(
        "([ready, n]) => document.querySelectorAll(ready).length === n", arg=[READY, len(VIEWS) + 2]
    )
    assert page.evaluate(ERRORS) == []
    yield page
    page.context.close()
    assert errors == []


def root_of(page, name):
    root = page.locator(f'.seqviz[data-view="{name}"]').first
    root.scroll_into_view_if_needed()
    return root


IN_KERNEL = """async code => {
    const {kernel} = jupyterapp.shell.currentWidget.sessionContext.session;
    const asked = kernel.requestExecute({code});
    let printed = '';
    asked.onIOPub = ({content}) => { printed += content.text ?? ''; };
    await asked.done;
    return printed.trim();
}"""


def test_python_hears_what_the_picture_says(page):
    root = root_of(page, "masking")
    said = root.locator(".say").inner_text().replace("\u00a0", " ")
    assert "sat" in said
    assert page.evaluate(IN_KERNEL, "print(masks.said)") == said


def test_arrows_move_the_cursor(page):
    drawn = "root => [JSON.stringify(root.dataset), root.querySelector('.stage').innerHTML].join()"
    for name in VIEWS:
        root = root_of(page, name)
        root.locator(".stage").first.focus()
        page.keyboard.press("Home")
        before = root.evaluate(drawn)
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            f"([root, before]) => ({drawn})(root) !== before", arg=[root.element_handle(), before]
        )


def test_all_follow_the_theme(page):
    for theme, name in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        page.evaluate(DARK, theme)
        page.wait_for_function(
            """name => [...document.querySelectorAll('.seqviz')].every(
                view => view.dataset.theme === name)""",
            arg=name,
        )


def test_a_saved_page_is_what_is_on_screen(page, open_page, tmp_path):
    root = '.seqviz[data-view="attention"]'
    page.locator(f"{root} .stage").focus()
    for key in ("End", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    before = screen(page, root)
    assert screen(open_page(saved(page, tmp_path / "one.html", root))) == before


def test_a_view_that_is_alive_in_two_places_is_one(page):
    first, second = page.locator('.seqviz[data-view="curves"]').all()[1:]
    seen = "root => [root.dataset.step, root.querySelector('.say').textContent]"
    for here, there in ((first, second), (second, first)):
        here.locator(".stage").press("Home")
        for key in ("ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        page.wait_for_function(
            f"([here, there]) => String(({seen})(here)) === String(({seen})(there))",
            arg=[here.element_handle(), there.element_handle()],
        )
        assert here.get_attribute("data-step") == "3"
        here.locator(".stage").press("End")


def test_the_model_goes_on_at_any_place_until_it_stops(page):
    root = root_of(page, "generation")
    root.locator(".stage").press("Home")
    while root.get_attribute("data-written"):
        before = root.get_attribute("data-written")
        root.locator(".stage").press("Backspace")
        page.wait_for_function(
            "([root, before]) => root.dataset.written !== before",
            arg=[root.element_handle(), before],
        )
    for n in range(1, 7):
        for _ in range(7):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "([root, n]) => root.dataset.written.split(' ').length === n",
            arg=[root.element_handle(), n],
        )
    page.wait_for_function("root => root.dataset.place === 'absent'", arg=root.element_handle())
    assert root.locator(".say").inner_text() == "Here the model stops: IndexError: 6 positions"
    root.locator(".stage").press("Backspace")
    page.wait_for_function("root => root.dataset.place === 'here'", arg=root.element_handle())


def test_another_text_runs_the_model_again(page):
    root = root_of(page, "attention")
    field = root.get_by_label("text that the model reads")
    columns, problem = "root => root.shown().columns", root.locator(".problem")
    assert root.evaluate(columns) == ["one", "two", "three"]
    field.fill("four <b>five</b> six seven")
    field.press("Enter")
    page.wait_for_function(
        "document.querySelector('[data-view=attention]').shown?.().columns.length === 4"
    )
    assert root.evaluate(columns) == ["four", "<b>five</b>", "six", "seven"]
    assert page.evaluate("document.activeElement.ariaLabel") == "text that the model reads"
    assert root.get_attribute("data-step") == "0"
    field.fill("gree grapes")
    field.press("Enter")
    problem.filter(has_text="near are green").wait_for()
    assert root.evaluate(columns) == ["four", "<b>five</b>", "six", "seven"]
    assert field.input_value() == "gree grapes"


def test_two_masks_and_a_sentence_of_ones_own_run_the_model(page):
    root = root_of(page, "masking")
    said, told = root.locator(".say"), root.locator(".told")
    root.locator(".stage").press("Home")
    page.keyboard.press("Enter")
    root.get_by_label("Mask two tokens at once").check()
    root.locator(".stage").press("End")
    page.keyboard.press("Enter")
    root.locator(".head span", has_text="the model runs").wait_for()
    page.wait_for_selector('[data-view="masking"][data-second="5"]')
    assert said.inner_text() == "Masking “river” too hides evidence: “he” falls from 0.80 to 0.44."
    field = root.get_by_label("your own sentence")
    field.fill("the <river> sat")
    field.press("Enter")
    told.filter(has_text="Token 2 is '<river>', which is none of the 5").wait_for()
    assert said.inner_text().startswith("Masking “river” too"), "the last picture stays"
    field.fill("the river sat")
    root.get_by_role("button", name="Try again").click()
    root.locator(".line span", has_text="of 3 masks").wait_for()
    page.wait_for_selector('[data-view="masking"][data-sentence="2"]')
    assert root.locator("text.chip").all_text_contents() == ["[MASK]", "river", "sat"]


def test_a_sound_comes_from_the_kernel_and_plays(page):
    root = root_of(page, "piano_roll")
    root.get_by_role("button", name="Play").click()
    page.wait_for_selector('[data-view="piano_roll"][data-playing="true"]')
    page.wait_for_function(
        "root => root.querySelector('audio').currentTime > 0.1", arg=root.element_handle()
    )
    root.get_by_role("radio", name="b", exact=True).check()
    page.wait_for_selector('[data-view="piano_roll"][data-piece="2"][aria-busy="false"]')
    assert root.get_attribute("data-playing") == "false"
    assert root.get_attribute("data-locked") == "false"


def test_a_view_fills_the_screen_and_follows_the_presentation_mode(page):
    root = root_of(page, "gradients")
    root.locator(".stage").press("f")
    page.wait_for_selector('.seqviz.full[data-view="gradients"]')
    size = page.viewport_size
    box = root.bounding_box()
    assert (box["width"], box["height"]) == (size["width"], size["height"])
    assert root.evaluate("root => root.currentCSSZoom") > 1.2
    for key in ("c", "f"):  # Lab has these, too
        page.keyboard.press(key)
    page.wait_for_function("document.fullscreenElement === null")
    zoomed = """wanted => {
        const root = document.querySelector('[data-view="gradients"]');
        const room = root.parentElement.clientWidth / 740; // its columns stay beside each other
        return Math.abs(root.currentCSSZoom - Math.min(wanted, room)) < 0.01;
    }"""
    for wanted in (17 / 14, 1):
        page.evaluate("window.jupyterapp.commands.execute('application:toggle-presentation-mode')")
        page.wait_for_function(zoomed, arg=wanted)


def test_jupyters_command_keys_do_not_act_from_inside_a_view(page):
    cells = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
    before, view = page.evaluate(cells), root_of(page, "unroll")
    for inside in (view.locator(".stage"), view.locator('input[type="range"]').first):
        inside.focus()
        for key in ("a", "b", "x", "d", "d"):
            page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert page.evaluate(cells) == before
    assert view.is_visible()


def test_jupyters_own_chords_act_from_inside_a_view(page):
    page.evaluate(
        """() => {
            window.executed = [];
            window.jupyterapp.commands.commandExecuted.connect((_, {id}) => executed.push(id));
        }"""
    )
    view = root_of(page, "unroll")
    commands = {"Control+s": "docmanager:save", "Control+b": "application:toggle-left-area"}
    for inside in (view.locator(".stage"), view.locator('input[type="range"]').first):
        for key, command in commands.items():
            inside.focus()
            page.keyboard.press("a")  # the view's: no command
            page.keyboard.press(key)
            page.wait_for_function("executed.length > 0")
            assert page.evaluate("executed.splice(0)") == [command]
