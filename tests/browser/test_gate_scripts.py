"""What the gates decide before they draw, as plain functions."""

import pytest

SCENE = "gate_traces/scene.js"
LSTM = {"label": "LSTM", "layer": {"kind": {"holds": "ifgo", "keeps": "f"}, "live": True}}
RNN = {"label": "RNN", "layer": {"kind": {"holds": "", "keeps": ""}, "live": True}}
STILL = {"label": "old", "layer": {**LSTM["layer"], "live": False}}


@pytest.mark.parametrize(
    ("model", "controls", "want"),
    [
        (LSTM, {"gate": "o", "value": 0.2, "hold": True}, ("o", 0.2, True)),
        (LSTM, {"gate": "z", "value": -1, "hold": True}, ("f", 0, True)),
        (LSTM, {"gate": "g", "value": -1, "hold": False}, ("g", -1, False)),
        (STILL, {"gate": "o", "value": 1, "hold": True}, ("o", 1, False)),
        (RNN, {"gate": "f", "value": 1, "hold": True}, ("", 1, False)),
    ],
)
def test_the_hold_goes_along_to_a_model_that_can_take_it(script, model, controls, want):
    found = script(SCENE, "handOver", model, controls)
    assert (found["model"], found["gate"], found["value"], found["hold"]) == (model["label"], *want)


@pytest.mark.parametrize(("units", "unit"), [("all units", None), ("this unit", 2)])
def test_a_hold_counts_units_and_steps_from_0(script, units, unit):
    controls = {"hold": True, "gate": "f", "value": 1, "units": units, "since": 3}
    assert script(SCENE, "holdOf", controls, 2) == {
        "gate": "f", "value": 1, "unit": unit, "since": 2,
    }  # fmt: skip
    assert script(SCENE, "holdOf", {**controls, "hold": False}, 2) is None


@pytest.mark.parametrize(("start", "t", "want"), [(0, 5, 0), (0, 9, 2), (8, 9, 7), (0, 25, 16)])
def test_the_cursor_stands_two_steps_inside_the_window(script, start, t, want):
    assert script(SCENE, "firstInSight", start, t, 10, 26) == want


def test_a_model_with_fewer_rows_begins_lower_beside_one_with_more(script):
    layers = [{"kind": {"rows": "ifgoch"}, "H": 16}, {"kind": {"rows": "h"}, "H": 16}]
    wide, narrow = (script(SCENE, "lowered", layers, width) for width in (800, 700))
    assert wide[0] == 0
    assert wide[1] == 5 * 95  # rows of 64 pixels, a strip of 17 and 14 between
    assert narrow == [0, 0]
