"""What the gates compute and decide before they draw, as plain functions."""

import numpy as np
import pytest
import torch

from seqviz.view import gates
from seqviz.views.gates.values import WEIGHTS
from tests.views.test_gates import GATED, KINDS, read_out, recorded, words

ROOM = "gates/"
# What the page makes of the models as the controls stand: `models`, `focus`, `hold`, `t`, `facts`.
NOW = """const [facts, parts, {step, unit, second_unit, model, ...controls}] = given;
const taken = part => Object.fromEntries(
    Object.entries(part).map(([name, values]) => [name, Float32Array.from(values)]));
const models = modelsOf(facts, name => taken(parts[name]));
const focus = models.findIndex(({label}) => label === model);
models.forEach((one, k) => { one.u = (k ? second_unit : unit) - 1; });
const hold = holdOf(controls, models[focus].u);
runAgain(models, focus, hold);
const now = {models, focus, hold, t: step - 1, facts, show: controls.show};"""


def parts_of(view):
    """What travels to the page, by name."""
    for k, (label, layer) in enumerate(view.layers.items()):
        arrays = dict(zip(layer.kind.rows, layer.curves, strict=True))
        arrays |= dict(zip(("h_0", "c_0"), layer.start, strict=True))
        arrays |= {name: getattr(layer, name) for name in WEIGHTS if layer.live}
        yield f"layer {k}", arrays
        if label in view.answers:
            yield f"answers {k}", {name: getattr(view.answers[label], name) for name in "Wb"}


def of_view(script, view, result, **controls):
    """What a page of a view computes, from its models as the controls stand."""
    parts = {
        part: {name: array.ravel().tolist() for name, array in arrays.items()}
        for part, arrays in parts_of(view)
    }
    call = f"(...given) => {{ {NOW} return {result}; }}"
    return script(ROOM + "view.js", call, view.facts, parts, view.controls() | controls)


def said(script, view, **controls):
    return of_view(script, view, "spoken(headline(now))", **controls)


# ---- what is computed


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("cell", GATED)
def test_a_held_gate_gives_what_torch_gives(script, cell, reverse):
    view = gates(recorded(cell, reverse=reverse), words())
    downstream = range(4) if reverse else range(3, 7)
    for gate in KINDS[cell].holds:
        for units in ("all units", "this unit"):
            value = -0.35 if gate in "gn" else 0.8

            def held(t, name, values, gate=gate, units=units, value=value):
                values = values.clone()
                if name == gate and t in downstream:
                    values[slice(None) if units == "all units" else 2] = value
                return values

            want = recorded(cell, reverse=reverse, held=held)
            controls = {"gate": gate, "value": value, "units": units, "unit": 3, "since": 4}
            curves = (
                "Object.fromEntries(Object.entries(models[0].after).map(([k, v]) => [k, [...v]]))"
            )
            got = of_view(script, view, curves, hold=True, **controls)
            for row, name in enumerate(KINDS[cell].rows):
                after, before = np.reshape(got[name], (7, 5)), view.layer.curves[row]
                np.testing.assert_allclose(after, want[name], atol=1e-5, err_msg=f"{gate} {units}")
                upstream = [t for t in range(7) if t not in downstream]
                np.testing.assert_array_equal(after[upstream], before[upstream])
            assert np.abs(after - before).max() > 1e-3


def test_answers_are_softmax_of_the_read_out(script):
    traces, out = recorded("GRU"), read_out()
    view = gates(traces, words(), read_out=out)
    logits = torch.tensor(traces["h"]) @ torch.tensor(out["W"]).T + torch.tensor(out["b"])
    got = of_view(script, view, "models[0].answers")
    np.testing.assert_allclose([one["p"] for one in got], logits.softmax(-1), atol=1e-6)
    assert [one["best"] for one in got] == logits.argmax(-1).tolist()


def test_the_hold_acts_on_the_model_in_focus(script):
    view = gates({"a": recorded("LSTM", 5), "b": recorded("GRU", 3)}, words())
    moved = "models.map(({layer, after}) => layer.curves.h.some((v, k) => v !== after.h[k]))"
    assert of_view(script, view, moved, hold=True) == [True, False]
    assert of_view(script, view, moved, hold=True, model="b", gate="z") == [False, True]


def test_what_is_saved_follows_the_hold(script):
    view = gates(recorded("LSTM"), words(), read_out=read_out())
    hold = {"gate": "o", "hold": True, "value": 0.5, "since": 4}

    def values(**controls):
        _, *rows = of_view(script, view, "tableOf(now)", **controls)
        assert len(rows) == 7 * (6 * 5 + 3)
        return np.array([row[5] for row in rows if row[3] in ("h", "p(no)")])

    before, after = values(), values(**hold)
    np.testing.assert_array_equal(values(**hold, show="before"), before)
    np.testing.assert_allclose(values(**hold, show="change"), after - before, atol=1e-12)
    assert np.abs(after - before).max() > 1e-3
    wanted = view.layer.curves[5].ravel()
    np.testing.assert_allclose(before[: wanted.size], wanted)


# ---- what is said


def flat(cell, **gates):
    """A layer of one unit whose gates we choose: nothing but the curves."""
    c, h, rows = 0.0, 0.0, {name: [] for name in KINDS[cell].rows}
    for t in range(len(next(iter(gates.values())))):
        now = {name: values[t] for name, values in gates.items()}
        if cell == "LSTM":
            c = now["f"] * c + now["i"] * now["g"]
            h = now["o"] * np.tanh(c)
            now |= {"c": c, "h": h}
        else:
            h = (1 - now["z"]) * now["n"] + now["z"] * h
            now |= {"h": h}
        for name, value in now.items():
            rows[name].append([value])
    return {"cell": cell, **{name: np.array(values) for name, values in rows.items()}}


def test_the_sentence_of_a_memory(script):
    for f, step, sentence in [
        ([0.5, 0.9, 0.8], 3, "At “b” unit 1 still has 0.72 of its cell of “a”"),
        ([0.5, 0.4, 0.8], 3, "At “b” unit 1 still has 0.80 of its cell of “n”"),
        ([0.5, 0.9, 0.25], 3, "At “b” unit 1 lets go: 0.25 of its cell stays"),
        ([0.5, 0.9, 0.8], 1, "At “a” unit 1 starts: its cell is 0.30"),
    ]:
        view = gates(flat("LSTM", i=[0.5] * 3, f=f, g=[0.6] * 3, o=[1, 1, 1]), "anb")
        assert said(script, view, step=step) == sentence
    gru = flat("GRU", r=[1, 1, 1], z=[0.2, 0.9, 0.9], n=[0.5, 0.4, 0.3])
    stays = "unit 1 still has 0.81 of its state of"
    assert said(script, gates(gru, "anb")) == f"At “b” {stays} “a”"
    assert said(script, gates(gru, "aba")) == f"At “a”₃ {stays} “a”₁"
    pair = gates({"gated": gru, "plain": {"cell": "RNN tanh", "h": [[0.1], [0.2], [-0.3]]}}, "anb")
    assert said(script, pair) == f"gated: at “b” {stays} “a”"
    rewritten = "plain: at “b” unit 1 is −0.30: no gate, rewritten at every step"
    assert said(script, pair, model="plain") == rewritten


def asked(targets):
    """An LSTM of one unit that says a, a, b, b, b, as its h grows beyond one half."""
    steps = len(targets)
    traces = flat("LSTM", i=[0.5] * steps, f=[0.8] * steps, g=[0.6] * steps, o=[1.0] * steps)
    x = np.array([[0, np.log(4), np.arctanh(0.6), 40]] * steps)
    again = {"from_input": x, "W_hh": np.zeros((4, 1)), "b_hh": np.zeros(4), "h_0": [0.0]}
    out = {"W": [[-40], [40]], "b": [20, -20], "labels": ["a", "b"]}
    traces |= {**again, "c_0": [0.0]}
    return gates(traces, words(steps), read_out=out, targets=list(targets))


def test_the_sentence_says_what_a_hold_breaks(script):
    for targets, held, sentence in [
        ("aabbb", {"gate": "o"}, "o held at 0 from “w3” on: “b” is lost, 2 of 5 right"),
        ("aabbb", {"since": 5}, "f held at 0 from “w5” on: “b” is lost, 4 of 5 right"),
        ("aabbb", {"value": 1}, "f held at 1 from “w3” on: no answer turns wrong, 5 of 5 right"),
        ("aabbb", {"gate": "i", "since": 4}, " on: 1 answer turns wrong, 4 of 5 right"),
        ("aabaa", {"gate": "o", "since": 4}, " on: 2 answers turn right, 5 of 5 right"),
    ]:
        now = said(script, asked(targets), **{"value": 0, "since": 3, "hold": True} | held)
        assert now.endswith(sentence), (targets, held)
    view = gates(recorded("LSTM", reverse=True), words())
    held = {"hold": True, "since": 5, "step": 1, "unit": 2, "units": "this unit", "value": 0.5}
    before = f"{view.layer.curves[4, 0, 1]:.2f}".replace("-", "−")
    assert said(script, view, **held).startswith(
        f"f of unit 2 held at 0.5 from “w5” leftwards: c of unit 2 at “w1” {before} → "
    )


# ---- what is held, and what is in sight


def test_units_that_turn_stand_above_those_that_keep(script):
    c = np.transpose([[-1, -1, -1, -1], [1, 1, 2, 1], [1, -1, 1, -1], [0, 0.1, -0.1, 0]])
    keeps = np.where(np.arange(4) == 1, 0.9, np.full((4, 4), 0.5))
    layer = {"H": 4, "order": [0, 1, 2, 3], "kind": {"memory": "c", "keeps": "f"}}
    layer["curves"] = {"c": c.ravel().tolist(), "f": keeps.ravel().tolist()}
    orders = [
        script("gates/order.js", "orderOf", layer, how) for how in ("grouped", "keeps", "stored")
    ]
    assert orders == [
        {"units": [2, 1, 3, 0], "split": 1},
        {"units": [1, 0, 2, 3], "split": 0},
        {"units": [0, 1, 2, 3], "split": 0},
    ]
