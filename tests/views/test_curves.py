"""Curves over steps: what is kept of them, where the cursor stands, what is refused."""

import numpy as np
import pytest

from seqviz.view import curves

LAST = {"exciting": 0.9, "boring": 0.1}


def probe(at):
    end = LAST[at["last word"]]
    return {"forward": [0.5, 0.5, end], "both ways": [end, end, np.nan]}


def polarity(**options):
    return curves(
        probe,
        over={"last word": list(LAST)},
        labels=lambda at: ["was", "terribly", at["last word"]],
        x="word",
        y="p(positive)",
        **options,
    )


def test_alt_names_curves_settings_and_cursor():
    view = polarity(marks={2: "here"})
    view.at = {"last word": "boring"}
    assert view.alt == (
        "Curves of p(positive) over 3 steps: 'forward', 'both ways'; last word boring, word 2"
    )
    turned = curves({"a": [1]}, x="\u202e").alt
    assert turned == "Curves of value over 1 step: 'a'; U+202E 1"
    assert curves({"a\u202e": [1]}).alt == "Curves of value over 1 step: 'a\\u202e'; step 1"


def test_the_table_holds_every_value_of_the_grid_as_float32():
    view = polarity()
    high, low = float(np.float32(0.9)), float(np.float32(0.1))
    header, *rows = view.table()
    assert header == ["word", "label", "curve", "p(positive)", "last word"]
    assert rows[:6] == [
        ["1", "was", "forward", 0.5, "exciting"],
        ["2", "terribly", "forward", 0.5, "exciting"],
        ["3", "exciting", "forward", high, "exciting"],
        ["1", "was", "both ways", high, "exciting"],
        ["2", "terribly", "both ways", high, "exciting"],
        ["3", "exciting", "both ways", "", "exciting"],
    ]
    assert rows[8] == ["3", "boring", "forward", low, "boring"]
    view.at = {"last word": "boring"}
    assert view.table()[1:] == rows, "whatever is on screen"


def test_the_axis_spans_the_grid_or_the_bounds():
    assert polarity().facts["range"] == pytest.approx([0.1, 0.9])
    assert not polarity().facts["fixed"]
    assert polarity(bounds=[0, 1]).facts["range"] == [0, 1]
    assert polarity(bounds=np.array([-1, 2])).facts["fixed"]


def test_the_cursor_starts_at_the_mark_or_at_the_end_and_goes_where_its_mark_goes():
    assert polarity().step == 3
    assert polarity(marks={2: "here", 3: "there"}).step == 2
    shorter = curves(lambda at: {"a": [1.0] * at["T"]}, over={"T": [5, 9]})
    shorter.at = {"T": 9}
    assert shorter.step == 5
    view = curves(
        lambda at: {"a": range(9)},
        over={"delay": [2, 5, 7], "side": ["left", "none"]},
        marks=lambda at: {} if at["side"] == "none" else {at["delay"]: "the bit"},
    )
    steps = [view.step]
    for at in ({"delay": 7}, {"side": "none"}):
        view.at = at
        steps.append(view.step)
    view.step, view.at = 4, {"delay": 5, "side": "left"}
    assert [*steps, view.step] == [2, 7, 7, 4], "at last it did not stand on the mark"


def test_wrong_options():
    for options, error, message in [
        ({"bounds": (1, 0)}, ValueError, "low < high"),
        ({"y": 3}, TypeError, "y: expected a string"),
        ({"curves": {"a": [1, -np.inf]}}, ValueError, r"\['a'\]: the value at step 2 is -inf"),
        ({"curves": {"a": [np.nan]}}, ValueError, "every value is NaN"),
    ]:
        with pytest.raises(error, match=message):
            curves(**{"curves": {"a": [1.0, 2, 3]}, **options})
