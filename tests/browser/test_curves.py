import numpy as np
import pytest

from seqviz.view import curves
from tests.browser.kernel import other_kernel

pytestmark = pytest.mark.browser
WORDS = ["exciting", "boring", "good", "bad", "a very long last word indeed"]


def forcing():
    t = np.arange(1, 21)

    def run(at):
        gone = 1 - at["forcing ratio"]
        return {
            "given the truth": 0.05 + 0.2 * gone * np.exp(-t / 9),
            "running free": 0.9 - 0.8 * np.exp(-t / (4 + 20 * gone)),
        }

    ratios = np.round(np.linspace(0, 1, 11), 1)
    return curves(run, over={"forcing ratio": ratios}, at={"forcing ratio": 1}, y="share wrong")


def polarity():
    def run(at):
        end = WORDS.index(at["last word"]) / 4
        return {"forward": [0.5, 0.5, end], "backward": [end, 0.4, np.nan], "none": [np.nan] * 3}

    return curves(
        run,
        over={"last word": WORDS},
        labels=lambda at: ["was", "terribly", at["last word"]],
        marks={2: "here"},
        bounds=(0, 1),
        x="word",
    )


def test_a_cursor_on_a_mark_goes_where_the_mark_goes(show_grid):
    delays = [2, 5, 7]
    view = curves(
        lambda _: {"a": range(9)}, over={"delay": delays}, marks=lambda at: {at["delay"]: "bit"}
    )
    shown = show_grid(view)
    for k in (2, 0, 1):
        shown.slide("delay", k)
        assert shown["step"] == str(delays[k])
    shown.press("ArrowRight")
    shown.slide("delay", 2)
    assert shown["step"] == "6", "it did not stand on the mark"


def test_a_list_for_many_words_and_the_table_of_what_is_on_screen(show_grid):
    shown = show_grid(polarity())
    shown.root.get_by_label("last word").select_option(WORDS[1])
    assert shown["step"] == "2"
    assert shown.sentence == ("At word 2, terribly: forward 0.500, backward 0.400, none no value.")
    assert "boring" in shown.drawn
    assert shown.csv.splitlines() == [
        "word,label,forward,backward,none,last word",
        "1,was,0.500000,0.250000,,boring",
        "2,terribly,0.500000,0.400000,,boring",
        "3,boring,0.250000,,,boring",
    ]


GHOSTS = """s => [...s.querySelectorAll('path[stroke-dasharray="2 4"]')]
    .map(p => p.getAttribute('d'))"""
LINES = """s => [...s.querySelectorAll('path[stroke-width="2"]')].map(p => p.getAttribute('d'))"""


def test_the_curves_before_stay_as_ghosts_and_a_drag_compares_with_where_it_began(show_grid):
    shown = show_grid(forcing())
    assert shown.stage.evaluate(GHOSTS) == []
    first = shown.stage.evaluate(LINES)
    shown.slide("forcing ratio", 5)
    assert shown.stage.evaluate(GHOSTS) == first
    assert "dotted: before, forcing ratio 1" in shown.drawn
    assert any(text.startswith("was 0.") for text in shown.drawn)
    second = shown.stage.evaluate(LINES)
    shown.slide("forcing ratio", 2)
    assert shown.stage.evaluate(GHOSTS) == second
    shown.press("Escape")
    assert shown.stage.evaluate(GHOSTS) == []
    shown.slide("forcing ratio", 10)
    box = shown.root.get_by_label("forcing ratio").bounding_box()
    y = box["y"] + box["height"] / 2
    shown.page.mouse.move(box["x"] + box["width"] - 8, y)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + 10, y, steps=12)
    shown.page.mouse.up()
    assert shown["settings"] == "0"
    assert shown.stage.evaluate(GHOSTS) == first


def test_gaps_and_bounds_cut_the_line(show_grid):
    values = [0, 1, np.nan, 1, 5, 1, -5, 9]
    shown = show_grid(curves({"a": values}, bounds=(-2, 3)))
    path = shown.stage.evaluate(LINES)[0]
    points = [tuple(map(float, p[1:].split("h")[0].split())) for p in path.replace("L", "\nL")
              .replace("M", "\nM").split("\n") if p]  # fmt: skip
    top, bottom = shown.stage.evaluate(
        """s => ['3', '−2'].map(v => Number([...s.querySelectorAll('text')]
            .find(t => t.textContent === v).getAttribute('y')) - 4)"""
    )
    heights = [y for _, y in points]
    assert [min(heights), max(heights)] == pytest.approx([top, bottom], abs=0.11)
    assert path.count("M") >= 4
    assert "NaN" not in path
    assert "Infinity" not in path


def test_a_change_from_python_is_drawn_with_its_ghosts(show_grid):
    shown = show_grid(forcing())
    other_kernel(shown.page)
    first = shown.stage.evaluate(LINES)
    shown.page.evaluate("fromPython('at', {'forcing ratio': 0.2})")
    assert shown["settings"] == "0.2"
    assert shown.root.get_by_label("forcing ratio").input_value() == "2"
    assert shown.stage.evaluate(GHOSTS) == first
    shown.page.evaluate("fromPython('step', 3)")
    assert shown["step"] == "3"
