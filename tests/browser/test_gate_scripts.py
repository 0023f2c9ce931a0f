"""What the gates decide before they draw, as plain functions."""

import pytest

SCENE = "gates/scene.js"
KIND = {"holds": "ifgo", "keeps": "f", "rows": "ifgoch", "memory": "c"}
LSTM = {"label": "LSTM", "layer": {"kind": KIND, "live": True}}
PLAIN = {"holds": "", "keeps": "", "rows": "h", "memory": "h"}
RNN = {"label": "RNN", "layer": {"kind": PLAIN, "live": True}}
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
    found = script(SCENE, "handOver", model, {**controls, "row": "f"})
    assert (found["model"], found["gate"], found["value"], found["hold"]) == (model["label"], *want)
    assert found["row"] == ("h" if model is RNN else "f")


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


@pytest.mark.parametrize(("width", "T"), [(801, 26), (801, 33), (616, 26), (528, 26), (1200, 8)])
def test_a_step_has_14_pixels_before_the_window_moves(script, width, T):
    found = script("gates/plan.js", "columns", width, T)
    assert found["cw"] >= 14
    wanted = found["W"] - 82 - 34 >= T * 14
    assert (found["n"] == T) == wanted
    assert found["stacked"] == (width < 616)


@pytest.mark.parametrize("width", [528, 616, 801, 968, 1200])
@pytest.mark.parametrize("units", [1, 12, 40, 256])
@pytest.mark.parametrize("answering", [0, 1, 2])
def test_all_stands_in_the_height_that_there_is(script, width, units, answering):
    across = script("gates/plan.js", "columns", width, 26)
    for height in (484, 415):
        given = {"height": height, "words": 70, "answering": answering, "units": units, "rows": 6}
        place = script(
            "gates/plan.js", "plan", across, {**given, "holds": True, "T": 26, "from": 0}
        )
        assert place["height"] <= height + 50 * (answering == 2 and height == 415)
        tops = [
            place[name]
            for name in ("answers", "caption", "block", "change", "unit", "rows", "line")
        ]
        assert tops == sorted(tops)
        assert place["pitch"] * units >= min(60, 6 * units)


def layer(**memory):
    """An LSTM's layer of some units, with their c."""
    c = list(zip(*memory.values(), strict=True))
    T, H = len(c), len(memory)
    flat = [value for row in c for value in row]
    keeps = [0.9 if u == 1 else 0.5 for _ in range(T) for u in range(H)]
    kind = {"memory": "c", "keeps": "f"}
    return {"H": H, "order": list(range(T)), "kind": kind, "curves": {"c": flat, "f": keeps}}


def test_units_that_turn_stand_above_those_that_keep(script):
    found = layer(a=[-1, -1, -1, -1], b=[1, 1, 2, 1], c=[1, -1, 1, -1], d=[0, 0.1, -0.1, 0])
    orders = {
        how: script("gates/order.js", "orderOf", found, how)
        for how in ("grouped", "keeps", "stored")
    }
    assert orders["grouped"] == {"units": [2, 1, 3, 0], "split": 1}
    assert orders["keeps"] == {"units": [1, 0, 2, 3], "split": 0}
    assert orders["stored"] == {"units": [0, 1, 2, 3], "split": 0}
