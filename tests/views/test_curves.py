import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from seqviz.view import curves
from seqviz.views.shared.widget import cell

LAST = {"exciting": 0.9, "boring": 0.1}


def probe(at):
    end = LAST[at["last word"]]
    return {"forward": [0.5, 0.5, end], "both ways": [end, end, end]}


def polarity(**options):
    return curves(
        probe,
        over={"last word": list(LAST)},
        labels=lambda at: ["was", "terribly", at["last word"]],
        x="word",
        **options,
    )


def test_alt_by_hand():
    view = polarity(bounds=(0, 1), y="p(positive)")
    assert view.alt == (
        "2 curves of p(positive) over 3 places at last word exciting. "
        "At word 3, exciting: forward 0.900, both ways 0.900."
    )
    view.step, view.at = 2, {"last word": "boring"}
    assert view.headline == "At word 2, terribly: forward 0.500, both ways 0.100."
    one = curves({"a": [1.0, np.nan]})
    assert one.alt == "1 curve of value over 2 places. At step 2: a no value."


def test_table_holds_the_curves_on_screen_and_their_settings():
    view = polarity()
    high, low, text = float(np.float32(0.9)), float(np.float32(0.1)), view.at["last word"]
    assert view.table() == [
        ["word", "label", "forward", "both ways", "last word"],
        ["1", "was", 0.5, high, text],
        ["2", "terribly", 0.5, high, text],
        ["3", "exciting", high, high, text],
    ]
    view.at = {"last word": "boring"}
    assert view.table()[3][1:] == ["boring", low, low, "boring"]


@settings(max_examples=40, deadline=None)
@given(
    arrays(
        np.float32,
        st.tuples(st.integers(1, 6), st.integers(1, 30)),
        elements=st.floats(-1e6, 1e6, width=32) | st.just(np.nan),
    )
)
def test_any_curves_are_kept_as_they_are(values):
    given_curves = {f"c{k}": row for k, row in enumerate(values)}
    if np.isnan(values).all():
        with pytest.raises(ValueError, match="every value is NaN"):
            curves(given_curves)
        return
    view = curves(given_curves)
    _, *rows = view.table()
    found = [[np.nan if v == "" else v for v in row[2:]] for row in rows]
    np.testing.assert_array_equal(np.array(found, np.float32).T, values)
    assert view.facts["range"] == [np.nanmin(values), np.nanmax(values)]
    lines = [line.split(",") for line in view.to_csv().splitlines()]
    assert lines == [[cell(value) for value in row] for row in view.table()]


def test_the_axis_spans_the_grid_or_the_bounds():
    assert polarity().facts["range"] == pytest.approx([0.1, 0.9])
    assert not polarity().facts["fixed"]
    assert polarity(bounds=[0, 1]).facts["range"] == [0, 1]
    assert polarity(bounds=np.array([-1, 2])).facts["fixed"]


def moving_mark():
    return curves(
        lambda at: {"a": range(9)},
        over={"delay": [2, 5, 7], "side": ["left", "none"]},
        marks=lambda at: {} if at["side"] == "none" else {at["delay"]: "the bit"},
    )


def test_a_cursor_on_a_mark_goes_where_the_mark_goes():
    view = moving_mark()
    assert view.step == 2
    view.at = {"delay": 7}
    assert view.step == 7
    view.at = {"side": "none"}
    assert view.step == 7
    view.step = 4
    view.at = {"delay": 5, "side": "left"}
    assert view.step == 4, "it did not stand on the mark"


def test_the_cursor_starts_at_the_mark_or_at_the_end():
    assert polarity().step == 3
    assert polarity(marks={2: "here", 3: "there"}).step == 2
    shorter = curves(lambda at: {"a": [1.0] * at["T"]}, over={"T": [5, 9]})
    assert shorter.step == 5
    shorter.at = {"T": 9}
    assert shorter.step == 5


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"bounds": (1, 0)}, ValueError, "low < high"),
        ({"bounds": (0, 0)}, ValueError, "low < high"),
        ({"bounds": (0, np.inf)}, ValueError, "two finite numbers"),
        ({"bounds": (0, 1, 2)}, ValueError, r"came \(0, 1, 2\)"),
        ({"bounds": "01"}, TypeError, "bounds: expected floats"),
        ({"bounds": 3}, ValueError, "bounds: expected shape"),
        ({"x": ""}, ValueError, "x: expected a word"),
        ({"y": 3}, TypeError, "y: expected a string"),
        ({"x": "a\nb"}, ValueError, "x: expected one line"),
        ({"title": 3}, TypeError, "title: expected a string"),
        ({"marks": {9: "x"}}, ValueError, "marks: expected steps from 1 to 3, came 9"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=message):
        curves({"a": [1.0, 2, 3]}, **options)


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e39])
def test_infinite_values_are_named(value):
    with pytest.raises(ValueError, match=r"\['a'\]: the value at step 2 is -?inf in float32"):
        curves({"a": [1.0, value]})


def test_curves_that_fail_name_the_settings():
    with pytest.raises(RuntimeError, match=r"curves\(\{'T': 0\}\) failed with ZeroDivisionError"):
        curves(lambda at: {"a": [1 / at["T"]]}, over={"T": [1, 0]})
    with pytest.raises(TypeError, match="curves: expected a mapping of label to run, came list"):
        curves([1])
