"""Causes as a person meets them: two texts, a state carried by pointer and by keys, a control."""

import pytest
import torch
from playwright.sync_api import expect

import seqviz as sv
from seqviz.running.causes import CauseModel
from seqviz.views.cause import cause
from seqviz.views.shared import page
from tests.bench.exploring import tokenizer
from tests.browser.machine_worlds import ANIMAL, MOUSE, model
from tests.browser.shown import OVERLAPS, SMALL, Page
from tests.browser.slowness import slowness
from tests.browser.test_machine import OUTSIDE

pytestmark = pytest.mark.browser
TEXTS = {
    "bert": (MOUSE, MOUSE.replace("mouse", "bone")),
    "gpt": ("JULIET : / Romeo , I pray", "MENENIUS : / Romeo , I pray"),
    "translator": (ANIMAL, ANIMAL.replace("animal", "street")),
}
HIT = """(stage, place) => {
    const {x, y, w, h} = stage.shown().hits.findLast(hit =>
        Object.entries(place).every(([name, value]) => hit.place[name] === value));
    return [x + 0.47 * w, y + 0.53 * h];
}"""
QUIET = "[data-ready='true'][data-pending='false']"


def view_of(name, **controls):
    return cause(CauseModel(model(name)), *TEXTS[name], **controls)


class Shown(Page):
    """This view, and what is its own."""

    def quiet(self):
        """Wait until all that was asked of the model has come."""
        expect(self.root.and_(self.page.locator(QUIET))).to_be_visible(
            timeout=20_000 * slowness(self.page.context.browser)
        )

    def press(self, *keys):
        super().press(*keys)
        self.quiet()

    def middle(self, **place):
        """The middle of what lies at a place, on the page."""
        x, y = self.stage.evaluate(HIT, place)
        box = self.stage.bounding_box()
        return box["x"] + x, box["y"] + y

    def drag(self, one, other):
        mouse = self.page.mouse
        mouse.move(*self.middle(**one))
        mouse.down()
        mouse.move(*self.middle(**other), steps=6)
        mouse.up()
        self.quiet()

    @property
    def faults(self):
        found = {
            "small": self.root.evaluate(SMALL),
            "over": self.stage.evaluate(OVERLAPS),
            "out": self.stage.evaluate(OUTSIDE),
        }
        return {name: where for name, where in found.items() if where}


MOUSE_TO_BONE = [{"stage": 1, "token": 2}]


@pytest.fixture(scope="module")
def opened(open_file):
    """A saved page of a model, opened once."""
    known = {}

    def of(name):
        if name not in known:
            known[name] = Shown(open_file(view_of(name).to_html(answers=True)))
        shown = known[name]
        shown.root.get_by_role("button", name="Reset").click()
        shown.page.mouse.move(2, 2)
        shown.quiet()
        return shown

    return of


def test_a_state_is_dragged_and_the_answer_turns(opened):
    shown = opened("bert")
    assert shown.sentence == "“[MASK]” says “purred” 0.64, in the other text “barked” 0.86"
    shown.drag({"text": 1, "stage": 1, "token": 2}, {"text": 0, "stage": 1, "token": 2})
    assert shown["carried"] == "1"
    turned = "“bone” after block 0 in place of “mouse”: “purred” 0.64 turns to “barked” 0.86"
    assert shown.sentence == turned
    shown.press("b")
    assert shown.sentence.startswith("“[MASK]” says “purred”")
    shown.press("b", "u")
    assert shown["carried"] == "0"


def test_by_keyboard_alone_with_its_control(opened):
    shown = opened("bert")
    shown.stage.focus()
    shown.press("ArrowRight", "ArrowRight", "Enter")
    assert shown["carried"] == "1"
    shown.press("r")
    expect(shown.root).to_have_attribute(
        "data-controls", "20", timeout=20_000 * slowness(shown.page.context.browser)
    )
    assert "20 of 20 other states say it" in shown.sentence
    rows = [line.split(",") for line in shown.csv.splitlines()]
    controls = [float(row[4]) for row in rows if row[0] == "control"]
    assert len(controls) == 20
    assert max(controls) < 5.95
    written = {row[1]: float(row[4]) for row in rows if row[0] == "wrote"}
    costs = {row[1]: float(row[4]) for row in rows if row[0] == "silencing costs"}
    assert written["Head 0.0"] == pytest.approx(1.02, abs=0.02)
    assert costs["Head 0.0"] == pytest.approx(5.21, abs=0.05)
    shown.press("Escape", "u")
    assert shown["carried"] == "0"


def test_a_control_of_several_states_names_them_all(script):
    place = {"stream": 0, "from_token": 0}
    world = {
        "far": {"real": 1, "low": 0},
        "facts": {"says": "", "streams": [{"tokens": "source"}]},
        "state": {"carried": [place, place]},
        "allLabels": [{"source": []}, {"source": ["it", "sat", "up"]}],
        "controls": [{"kind": "place", "difference": 0.5, "from": [
            {"stage": 0, "token": 1}, {"stage": 2, "token": 2},
        ]}],
        "over": {"control": 0}, "labels": [[], [], ["up"]], "answering": [0],
    }  # fmt: skip
    said = "world => sentenceOf(world).map(one => one.em ?? one.strong ?? one.b ?? one).join('')"
    one = script("cause/sentence.js", said, world)
    assert one.startswith("Control: “sat” as embedded, “up” after block 1 instead: ")
    every = script("cause/sentence.js", said, world | {"over": None, "lead": "control"})
    assert every.startswith("The 2 states move the last state of “up” by ")


def test_a_held_state_is_previewed_and_a_click_puts_it(opened):
    shown = opened("bert")
    shown.page.mouse.click(*shown.middle(text=1, stage=0, token=2))
    assert shown["held"] == "true"
    shown.page.mouse.move(*shown.middle(text=0, stage=0, token=2))
    expect(shown.root).to_have_attribute(
        "data-preview", "true", timeout=10_000 * slowness(shown.page.context.browser)
    )
    assert "turns to “barked”" in shown.sentence
    shown.page.mouse.click(*shown.middle(text=0, stage=0, token=2))
    shown.quiet()
    assert (shown["carried"], shown["held"]) == ("1", "false")


def test_which_state_carries_the_answer(opened):
    shown = opened("bert")
    shown.press("m")
    shown.root.and_(shown.page.locator("[data-tone='carries']")).wait_for()
    said = shown.page.locator(".say")
    expect(said).to_contain_text(
        "carries the answer", timeout=20_000 * slowness(shown.page.context.browser)
    )
    first = "“bone” carries the answer at first, 100 %; from block 1 on “[MASK]” does, 100 %"
    assert shown.sentence == first


class Pooled(torch.nn.Module):
    """A classifier of letters, by the mean of their last states."""

    def __init__(self):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.letters, self.name = torch.nn.Embedding(6, 8), torch.nn.Linear(8, 3)
        self.encoder = torch.nn.TransformerEncoder(layer, 2)

    def forward(self, ids):
        return self.name(self.encoder(self.letters(ids)).mean(1))


def test_what_carries_through_all_blocks_is_told_by_its_least_share(open_file):
    torch.manual_seed(49)
    letters = sv.data.Vocabulary("abcdef")
    view = sv.cause(Pooled().eval(), letters, "abcde", "abfde", precision="full")
    shown = Shown(open_file(view.to_html(answers=True)))
    shown.quiet()
    shown.press("m")
    assert shown.sentence == "“f” carries the answer through all blocks, at least 24 %"


def test_other_texts_run_in_the_page_and_a_wrong_one_is_told(opened):
    shown = opened("bert")
    field = shown.root.get_by_label("other text", exact=True).first
    field.fill("one worm lay near the oven . something [MASK] .")
    field.press("Enter")
    expect(shown.page.locator(".say")).to_contain_text(
        "chirped", timeout=20_000 * slowness(shown.page.context.browser)
    )
    field.fill(" ")
    field.press("Enter")
    problem = shown.page.locator(".problem")
    expect(problem).to_have_text(
        "Is empty: write at least one word", timeout=20_000 * slowness(shown.page.context.browser)
    )


@pytest.mark.parametrize(
    ("name", "size"),
    [("bert", (833, 700)), ("gpt", (833, 700)), ("translator", (1280, 720)), ("bert", (390, 800))],
)
def test_nothing_is_small_or_over_another_or_outside(opened, name, size):
    shown = opened(name)
    shown.page.set_viewport_size({"width": size[0], "height": size[1]})
    shown.stage.focus()
    shown.press("ArrowRight", "Enter")
    assert shown["carried"] == "1"
    assert shown.faults == {}
    shown.page.set_viewport_size({"width": 833, "height": 900})


@pytest.fixture(scope="module")
def wordless():
    """An encoder without logits."""
    torch.manual_seed(0)
    encoder = sv.nn.BERT(30, 16, 2, 2).eval()
    with torch.no_grad():
        for weights in encoder.parameters():
            weights.mul_(3)
    return sv.cause(encoder, tokenizer(), "w9 w5 w17 w8", "w9 w6 w17 w8 w11")


def test_without_words_it_is_told_how_far_the_last_state_goes(open_file, wordless):
    shown = Shown(open_file(wordless.to_html(answers=True), viewport={"width": 833, "height": 660}))
    said = shown.page.locator(".say")
    expect(said).to_contain_text("the last state of “w9”", timeout=20_000)
    shown.quiet()
    shown.drag({"text": 1, "stage": 0, "token": 1}, {"text": 0, "stage": 0, "token": 1})
    assert "of the way to the other text's" in shown.sentence
    shown.press("r")
    assert 0 < int(shown["controls"]) < 20  # of so few words many orders are alike
    assert "other states by" in shown.sentence
    shown.page.mouse.click(*shown.middle(text=0, token=2))
    shown.quiet()
    expect(shown.stage).to_contain_text("Last state of w17")
    assert shown.faults == {}


def test_a_head_is_carried_alone(opened):
    shown = opened("bert")
    shown.page.mouse.click(*shown.middle(bar="1 0 2"))
    expect(shown.page.locator(".note")).to_contain_text("head 1.2 alone")
    shown.drag({"text": 1, "stage": 1, "token": 2}, {"text": 0, "stage": 1, "token": 9})
    assert shown.sentence.startswith("head 1.2 of “")
    shown.press("u")


def test_of_a_translator_states_of_the_encoder_can_be_carried(opened):
    shown = opened("translator")
    shown.root.get_by_role("radio", name="encoder").check(force=True)
    expect(shown.root.and_(shown.page.locator("[data-ready='true']"))).to_be_visible()
    shown.stage.focus()
    shown.press("ArrowRight", "Enter")
    assert shown["carried"] == "1"
    assert "in place of" in shown.sentence


def test_a_kept_page_without_its_model_has_what_its_first_picture_shows(open_file):
    view = view_of("bert", carried=MOUSE_TO_BONE, seed=1)
    view.model_in_pages = ""
    shown = Shown(open_file(page.kept(view, set())["page"]))
    assert shown.root.get_attribute("data-controls") == "20"
    expect(shown.stage).to_contain_text("1.2")
