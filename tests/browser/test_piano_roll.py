"""A piano roll on a page: it sounds, and answers to pointer and keys."""

import numpy as np
import pytest

from seqviz.view import piano_roll
from tests.browser.shown import Page
from tests.views.test_piano_roll import everything, plain, tune

pytestmark = pytest.mark.browser


class Shown(Page):
    """This view, and what is its own."""

    @property
    def audio(self):
        return self.root.locator("audio")

    def place(self, note):
        """Where the bar of a note stands in the window."""
        bars = self.stage.locator("svg rect[fill-opacity]")
        box = bars.nth(note - 1).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def wait(self, **data):
        wanted = "".join(f'[data-{name}="{value}"]' for name, value in data.items())
        self.page.wait_for_selector(f".seqviz{wanted}")


@pytest.fixture
def show(open_page):
    return lambda view, **options: Shown(open_page(view.to_html(), **options))


# ---- pointer


def test_a_note_in_focus_has_its_arc_until_escape(show):
    view = piano_roll(tune())
    view.note = 0
    shown = show(view)
    assert shown.stage.locator("path[stroke-linecap=round]").count() == 0
    shown.page.mouse.move(*shown.place(21))
    assert (shown["note"], shown.sentence[:16]) == ("21", "In head 1, F4 at")
    assert shown.stage.locator("path[stroke-linecap=round]").count() == 1
    shown.press("Enter")
    for locked, note in [("false", "21"), ("false", "0")]:
        shown.page.mouse.move(2, 2)
        shown.press("Escape")
        assert (shown["locked"], shown["note"]) == (locked, note)


# ---- keys


def test_arrows_walk_over_notes_and_heads(show):
    shown = show(piano_roll(tune(3)))
    shown.press("Home", "ArrowRight", "ArrowRight")
    assert shown["note"] == "3"
    shown.press("ArrowLeft", "ArrowDown")
    assert (shown["note"], shown["head"]) == ("2", "2")
    shown.press("ArrowDown", "ArrowDown", "ArrowUp", "End")
    assert (shown["note"], shown["head"]) == ("36", "2")
    shown.press("Escape", "ArrowRight")
    assert shown["note"] == "1", "from none to the first"
    shown.root.get_by_role("button", name="Save", exact=True).focus()
    shown.page.keyboard.press("PageDown")
    assert shown["note"] == "2", "a presenter's clicker"
    shown.press("r")
    assert (shown["note"], shown["head"]) == (str(piano_roll(tune(3)).note), "1")


def test_pieces_are_chosen(show):
    view = everything()
    shown = show(view)
    shown.choose("plain")
    assert (shown["piece"], shown["note"], shown["head"]) == ("2", "0", "1")
    assert shown.root.locator(".player").is_hidden()
    assert shown.root.get_by_role("radio", name="2", exact=True).is_hidden(), "it has no heads"
    shown.choose("a tune")
    assert shown["note"] == str(view.note)


# ---- the sound

EVENTS = """audio => {
    window.events = [];
    for (const name of ['playing', 'timeupdate', 'pause', 'ended']) {
        audio.addEventListener(name, () => window.events.push(name));
    }
}"""
FOLLOWED = """async last => {
    const root = document.querySelector('.seqviz'), seen = [];
    while (Number(root.dataset.note) < last || root.dataset.playing !== 'true') {
        const line = root.querySelector('.playhead line');
        if (root.dataset.playing === 'true') {
            seen.push([Number(root.dataset.note), Number(line.getAttribute('x1'))]);
        }
        await new Promise(requestAnimationFrame);
    }
    return seen;
}"""


def test_the_sound_plays_and_the_arcs_follow(show):
    shown = show(piano_roll(tune()))
    shown.audio.evaluate(EVENTS)
    assert shown.stage.locator(".playhead line").count() == 0
    shown.press("Home", " ")
    notes, places = zip(*shown.page.evaluate(FOLLOWED, 4), strict=True)
    assert list(notes) == sorted(notes)
    assert list(places) == sorted(places)
    assert {*notes} >= {2, 3}
    assert len({*places}) > 5, "it glides"
    assert {"playing", "timeupdate"} <= {*shown.page.evaluate("window.events")}
    assert shown.root.locator(".say").get_attribute("aria-live") == "off"
    shown.root.get_by_role("button", name="Pause").click()
    shown.wait(playing="false")
    note, time = int(shown["note"]), shown.audio.evaluate("audio => audio.currentTime")
    assert tune()["notes"][note - 1].start / 100 <= time <= 0.31 + 0.3 * (note - 1)
    at, _, of = shown.root.locator(".player output").inner_text().partition(" ")
    assert (float(at), of) == (pytest.approx(time, abs=0.1), "of 11.9 s")
    shown.press("ArrowRight")
    assert shown["note"] == str(note + 1)


def test_it_begins_at_a_locked_note_and_ends(show):
    view = piano_roll(tune())
    view.note, view.locked = 36, True
    shown = show(view)
    shown.audio.evaluate(EVENTS)
    shown.press(" ")
    shown.page.wait_for_function("() => events.includes('playing')")  # over in a moment
    assert shown.audio.evaluate("audio => audio.currentTime") >= 11.45
    assert shown["note"] == "36"
    shown.wait(playing="false")
    assert "ended" in shown.page.evaluate("window.events")
    assert shown.stage.locator(".playhead").is_hidden()
    assert shown.root.get_by_role("button", name="Play").is_visible()


def test_another_piece_is_silent_and_has_its_own_sound(show):
    long = {**plain(), "sound": (np.zeros(40_000), 3000)}
    shown = show(piano_roll({"a": {**tune(), "weights": None}, "b": long}))
    shown.press("Home", *["ArrowRight"] * 19, "Enter", " ")
    shown.wait(playing="true")
    line, roll = (shown.stage.locator(name) for name in (".playhead line", "svg >> nth=0"))
    ticks = 1190 / (roll.bounding_box()["width"] - 62)
    assert 630 <= round(ticks * (float(line.get_attribute("x1")) - 52)) < 1000
    shown.choose("b")
    assert (shown["playing"], shown["note"]) == ("false", "0")
    assert shown.audio.get_attribute("src") is None
    shown.press(" ")
    shown.wait(playing="true", note="1")
    assert shown.audio.evaluate("audio => audio.duration") == pytest.approx(40_000 / 3000, abs=0.01)
