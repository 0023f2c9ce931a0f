import numpy as np
import pytest
import torch
from traitlets import TraitError

from seqviz.view import gradients
from seqviz.views.shared.grid_values import MOST_NUMBERS

RADII = [0.5, 0.75, 1.0]


def matrix(radius, units=12, seed=0):
    W = np.random.default_rng(seed).normal(size=(units, units))
    return W * radius / np.abs(np.linalg.eigvals(W)).max()


def run(at):
    W = matrix(at["radius"])
    T = at["length"]
    cut = np.arange(T) < (3 if at["kind"] == "cut" else 0)
    norms = np.where(cut, 0, at["radius"] ** np.arange(T)[::-1])
    return {"Gaussian": {"norms": norms, "W": W}, "plain": norms + (norms > 0)}


OVER = {"radius": RADII, "length": [10, 100], "kind": ["whole", "cut"]}


def grid(**options):
    return gradients(run, over=OVER, **options)


def test_alt_names_models_settings_and_controls():
    view = grid(at={"length": 100})
    view.model, view.step = "plain", 40
    assert view.alt == (
        "Norm of the gradient at 100 time steps: 'Gaussian', 'plain'; "
        "radius 0.5, length 100, kind whole, model plain, step 40"
    )


def test_the_table_holds_logs_and_spectra_of_every_point():
    W = np.array([[0.0, -2.0], [2.0, 0.0]])
    view = gradients({"a": {"norms": [0, 0.01, 10], "W": W}}, labels=["x", "y", "z"])
    header, *rows = view.table()
    assert header == ["model", "what", "number", "label", "value"]
    assert rows[:3] == [
        ["a", "log10 of the norm", "1", "x", "no gradient"],
        ["a", "log10 of the norm", "2", "y", -2.0],
        ["a", "log10 of the norm", "3", "z", 1.0],
    ]
    assert [row[1:] for row in rows[3:5]] == [["singular value", n, "", 2.0] for n in "12"]
    assert [row[1] for row in rows[5::2]] == ["eigenvalue real part", "eigenvalue imaginary part"]
    assert sorted(abs(row[4]) for row in rows[5:]) == pytest.approx([0, 0, 2, 2])
    header, *rows = grid().table()
    assert header[5:] == list(OVER)
    assert {tuple(row[5:7]) for row in rows} == {
        (f"{r:g}", n) for r in RADII for n in ("10", "100")
    }


def test_one_setting_changes_and_the_others_stay():
    view = grid(at={"radius": 0.75, "kind": "cut"})
    assert view.at == {"radius": 0.75, "length": 10, "kind": "cut"}
    view.at = {"length": 100}
    assert view.at == {"radius": 0.75, "length": 100, "kind": "cut"}
    view.step = 40
    view.at = {"length": 10.0}
    assert (view.step, view.at["length"]) == (10, 10)
    view.set_state({"at": {"radius": 1.0, "length": 100, "kind": "whole"}, "step": 33})
    assert (view.step, view.at["radius"]) == (33, 1.0)
    with view.hold_trait_notifications():
        view.at = {"radius": 0.5}
    assert view.at == {"radius": 0.5, "length": 100, "kind": "whole"}


def test_a_wrong_setting_or_step_is_refused():
    view = grid()
    before = view.controls()
    for at, message in [
        ({"radius": 0.6}, r"at\['radius'\] must be one of \[0.5, 0.75, 1.0\]; got 0.6"),
        ({"radius": True}, "got True"),
        ({"depth": 2}, r"'depth'; its settings are \['radius', 'length', 'kind'\]"),
    ]:
        with pytest.raises(TraitError, match=message):
            view.at = at
        with pytest.raises(ValueError, match=message):
            gradients(lambda at: {"a": [1.0]}, over=OVER, at=at)
    for step in (0, 11, -1):
        with pytest.raises(TraitError, match="step: expected 1 to 10"):
            view.step = step
    assert view.controls() == before


def test_a_float_means_the_choice_it_was_computed_as():
    view = gradients(lambda at: {"a": [1.0]}, over={"rho": np.arange(0.5, 1.3, 0.1)})
    view.at = {"rho": 0.8}
    assert view.at["rho"] == pytest.approx(0.8)
    assert " ".join(view.facts["choices"][0]["texts"]) == "0.5 0.6 0.7 0.8 0.9 1 1.1 1.2"


def test_wrong_runs_are_named():
    for norms, message in [
        ([1, np.nan], r"runs\['a'\]: the norm at step 2 is nan; compute it in float64, or clip"),
        ([1, 2, -0.5], r"runs\['a'\]: the norm at step 3 is -0.5; a norm is at least 0"),
        ([], r"runs\['a'\]: expected shape \(T,\), not empty, came \(0,\)"),
        (np.ones(2001), "at most 2,000 steps, came 2,001"),
        (np.float32([0, 1e-24, 1]), "falls from 1.0e-24 to 0 at step 1: too small for float32"),
        ({"norms": [1.0], "W": np.eye(65)}, r"\['W'\]: expected shape \(H, H\), H at most 64"),
        ({"norms": [1.0], "W": [[np.nan]]}, r"\['W'\]: expected finite numbers"),
        ({"W": np.eye(2)}, r"expected 'norms' and, if there is one, 'W'; came \['W'\]"),
        ({"norms": [1.0], "W": 1e39 * np.eye(3)}, r"\['W'\]: its singular values .* float32"),
    ]:
        with pytest.raises(ValueError, match=message):
            gradients({"a": norms})


def test_a_tensor_and_what_float32_could_not_hold_are_read():
    half = torch.tensor([0.5, 2.0], dtype=torch.bfloat16, requires_grad=True)
    assert gradients({"a": half}).table()[1][4] == pytest.approx(np.log10(0.5))
    assert gradients({"a": np.array([0, 1e-24, 1])}).table()[2][4] == -24


def test_wrong_arguments():
    for runs, options, error, message in [
        (run, {}, TypeError, "came function; a function of the settings needs over="),
        ({"a": [1]}, {"over": {"x": [1]}}, TypeError, "with over=, expected a function"),
        ({}, {}, ValueError, "expected 1 to 6 labels, came 0"),
        ({"": [1]}, {}, ValueError, "a label is empty"),
        ({"a": [1], "b": [1, 2]}, {}, ValueError, r"one length, came \{'a': 1, 'b': 2\}"),
        ({"a": [1]}, {"marks": {2: "x"}}, ValueError, "marks: expected steps from 1 to 1, came 2"),
        ({"a": [1]}, {"marks": [1]}, TypeError, "marks: expected a mapping"),
    ]:
        with pytest.raises(error, match=message):
            gradients(runs, **options)


def test_wrong_settings():
    for over, error, message in [
        ({}, TypeError, "over: expected a mapping"),
        ({"x": "abc"}, TypeError, r"over\['x'\]: expected a list of choices, came 'abc'"),
        ({"x": []}, ValueError, r"over\['x'\]: expected 1 to 60 choices, came 0"),
        ({"x": [False, True]}, TypeError, "for a switch write 'off' and 'on'"),
        ({"x": [np.nan]}, ValueError, "finite numbers, came nan"),
        ({"x": [1, 2, 1]}, ValueError, "each choice once"),
        ({"x": range(60), "y": range(60), "z": [1, 2]}, ValueError, "7,200 points are too many"),
    ]:
        with pytest.raises(error, match=message):
            gradients(lambda at: {"a": [1.0]}, over=over)


def test_what_goes_wrong_at_a_point_names_it():
    def broken(at):
        return {"a": [1 / at["x"]]} if at["x"] < 2 else {"b": [np.inf]}

    with pytest.raises(RuntimeError, match=r"runs\(\{'x': 0\}\) failed with ZeroDivisionError"):
        gradients(broken, over={"x": [1, 0]})
    with pytest.raises(ValueError, match=r"runs\(\{'x': 2\}\)\['b'\]: the norm at step 1 is inf"):
        gradients(broken, over={"x": [1, 2]})
    other = {1: {"a": [1.0]}, 2: {"b": [1.0]}}
    with pytest.raises(ValueError, match=r"runs\(\{'x': 2\}\) has the labels \['b'\]"):
        gradients(lambda at: other[at["x"]], over={"x": [1, 2]})
    with pytest.raises(ValueError, match=r"labels\(\{'x': 2\}\): expected 2 strings"):
        gradients(lambda at: {"a": [1.0] * at["x"]}, over={"x": [1, 2]}, labels=lambda at: ["t"])
    with pytest.raises(ValueError, match=r"marks\(\{'x': 2\}\): expected steps from 1 to 1"):
        gradients(lambda at: {"a": [1.0]}, over={"x": [2]}, marks=lambda at: {2: "late"})


def test_labels_and_marks_follow_the_settings():
    view = gradients(
        lambda at: {"a": [1.0] * at["x"]},
        over={"x": [2, 3]},
        labels=lambda at: list("abc"[: at["x"]]),
        marks=lambda at: {at["x"]: "end"},
    )
    assert view.step == 2
    view.at = {"x": 3}
    assert view.step == 3
    assert [row[3] for row in view.table()[1:]] == ["a", "b", "a", "b", "c"]


def test_too_much_is_refused_and_a_large_grid_is_sent_in_parts():
    long = gradients(
        lambda at: {"a": np.full(2000, 1.0 + at["x"]), "b": np.ones(2000)},
        over={"x": list(range(60)), "y": list(range(5))},
        at={"x": 30},
    )
    assert len(long.parts) > 10
    assert list(long.first) == long.needs()
    first = long.needs()
    long.at = {"x": 59, "y": 4}
    assert long.needs() != first
    assert long.needs() == [list(long.parts)[-1]]
    assert max(map(len, long.parts.values())) <= 2 * 4 * (1 << 16)
    small = grid()
    assert set(small.first) == set(small.parts)
    with pytest.raises(ValueError, match="more than 40 MB at point"):
        gradients(
            lambda at: {str(k): np.ones(2000) for k in range(6)},
            over={"x": list(range(60)), "y": list(range(50))},
        )
    assert MOST_NUMBERS < 6 * 2000 * 60 * 50


def test_the_axis_stays_while_a_number_changes():
    ranges = grid().facts["ranges"]
    assert set(ranges) == {f"{T}\n{kind}" for T in (10, 100) for kind in ("whole", "cut")}
    assert ranges["100\nwhole"] == pytest.approx([99 * np.log10(0.5), np.log10(2)])
    assert gradients({"a": [0, 0]}).facts["ranges"] == {"2": [-1.0, 0.0]}
