"""What notebook 06 promises beyond running: its nets, its solutions and its tables hold."""

import csv
import math
import re

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.notebooks.parts import NOTEBOOKS, Notebook, any_row, letters_of, study

NOTEBOOK = Notebook("06_teacher_forcing")


def scope_with(*starts):
    """The notebook's own names, from the cells that begin so."""
    scope = {"math": math, "nn": nn, "torch": torch, "F": F, "sv": sv}
    for start in starts:
        exec(NOTEBOOK.cell(start), scope)
    return scope


@pytest.mark.parametrize("cut", [(), ("W",), ("R",)])
def test_the_notebooks_chain_is_the_packages_rnn(cut):
    scope = scope_with("class Chain")
    torch.manual_seed(0)
    mine = scope["Chain"](8).double()
    for name in cut:
        nn.init.zeros_(getattr(mine, name))
    rnn = sv.nn.RNN(14, 8, dtype=torch.float64)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(torch.cat([mine.R, mine.U], dim=1))
        rnn.weight_hh_l0.copy_(mine.W)
        rnn.bias_ih_l0.copy_(mine.b)
        rnn.bias_hh_l0.zero_()
    before, steps = torch.tensor([[10, 10, 10], [4, 0, 9], [5, 3, 1]]), torch.tensor([1, 3, 2])
    x = torch.cat([F.one_hot(before, 11), F.one_hot(steps - 1, 3).expand(3, 3, 3)], dim=2)
    states, _ = rnn(x.double())
    h = None
    for t in range(3):
        scores, h = mine.step(before[t], steps, h)
        torch.testing.assert_close(h, states[t], rtol=0, atol=1e-10)
        torch.testing.assert_close(scores, F.linear(states[t], mine.V, mine.c))
    h.sum().backward()
    states[-1].sum().backward()
    gradient = rnn.weight_ih_l0.grad
    torch.testing.assert_close(mine.R.grad, gradient[:, :11], rtol=0, atol=1e-10)
    torch.testing.assert_close(mine.U.grad, gradient[:, 11:], rtol=0, atol=1e-10)


def test_the_letters_of_the_shared_table_are_those_of_the_formulas():
    here = letters_of("06")
    ends = ("context to state", "symbol before to state", "state to state", "state to scores")
    U, R, W, V = (here[what] for what in ends)
    text = NOTEBOOK.cell("### Two arrows")
    assert f"\\tanh({U} x + {R}\\, y_{{t-1}} + {W} h_{{t-1}} + b)" in text
    assert f"o_t = {V} h_t + c" in text


def test_the_gap_has_as_many_causes_as_are_announced_and_recalled():
    (page,) = (cell.source for cell in NOTEBOOK.cells if "has three causes" in cell.source)
    recap = NOTEBOOK.cell("## Recap")
    causes = re.findall(r"The \*(\w+)\*:", page)
    assert causes == ["data", "wiring", "training"]
    assert all(f"by the {cause}" in recap for cause in causes)


def test_step_means_time_and_nothing_else():
    others = re.compile(r"counter's step|at step 0|training step|, steps\b|\bsteps, symbols")
    for cell in NOTEBOOK.cells:
        text = " ".join([cell.source, *(o.get("text", "") for o in cell.get("outputs", []))])
        assert not others.search(text), text


def perfect_by_enumeration(symbols, step, glitch=0.1):
    """p(next symbol | symbols) by summing over the ten starts."""
    weights = [
        math.prod(
            1 - glitch if y == (start + t * step) % 10 else glitch / 9
            for t, y in enumerate(symbols)
        )
        for start in range(10)
    ]
    p = torch.zeros(10, dtype=torch.float64)
    for start, weight in enumerate(weights):
        likely = torch.full((10,), glitch / 9, dtype=torch.float64)
        likely[(start + len(symbols) * step) % 10] = 1 - glitch
        p += weight / sum(weights) * likely
    return p


def test_the_perfect_reader_is_perfect():
    perfect = scope_with("START = 10")["perfect"]
    shown, step, state = [4, 5, 6, 2, 8], 1, None
    for t, before in enumerate([10, *shown]):
        scores, state = perfect(torch.tensor([before]), torch.tensor([step]), state)
        expected = perfect_by_enumeration(shown[:t], step)
        torch.testing.assert_close(scores[0].exp().double(), expected, rtol=0, atol=1e-5)


def test_rolling_forces_and_frees():
    roll = scope_with("START = 10", "def roll(")["roll"]

    def always_nine(before, steps, state):
        return F.one_hot(torch.full_like(before, 9), 10) * 100.0, state

    steps, symbols = torch.tensor([1] * 400), torch.arange(8).repeat(400, 1).T
    scores, fed = roll(always_nine, steps, symbols, ratio=1)
    assert scores.shape == (8, 400, 10)
    assert torch.equal(fed, symbols)
    for given in (0, 1, 3):
        _, fed = roll(always_nine, steps, symbols, ratio=0, given=given)
        assert torch.equal(fed[:given], symbols[:given])
        assert (fed[given:] == 9).all()
    _, fed = roll(always_nine, steps, symbols, ratio=0.25)
    assert (fed[1:] == symbols[1:]).float().mean().item() == pytest.approx(0.25, abs=0.04)


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "inputs_and_targets", sv.checks.inputs_and_targets),
        ("### Exercise 2", "sequence_log_likelihood", sv.checks.sequence_log_likelihood),
        ("### Exercise 3", "mixed_step", sv.checks.mixed_step),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    scope = {"torch": torch}
    NOTEBOOK.hold_to(heading, name, check, scope)


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("06_forcing")
    assert len(table) == len(script.grid()) * len(script.SEEDS)
    old = any_row(table)
    names = ("wiring", "context", "forcing")
    new = script.row(*(old[name] for name in names), float(old["lr"]), int(old["seed"]))
    assert new.keys() == old.keys()
    where = {name: old[name] for name in (*names, "lr", "seed")}
    # another processor rounds otherwise, and draws then differ
    for column, margin in (("given", 0.08), ("free", 0.08), ("goes_on", 0.08)):
        assert abs(float(new[column]) - float(old[column])) < margin, where
    assert float(new["log_likelihood"]) == pytest.approx(float(old["log_likelihood"]), rel=0.1)


@pytest.mark.slow
def test_a_row_of_the_exposure_comes_out_again():
    script, _ = study("06_forcing")
    path = NOTEBOOKS / "studies" / "06_exposure.csv"
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(script.EXPOSED) * len(script.EXPOSURE_SEEDS)
    old = any_row([row for row in table if row["forcing"] == "1"])
    new = script.exposure("1", int(old["seed"]))
    assert new.keys() == old.keys()
    for column in ("kl_data", "kl_perfect", "kl_own"):
        assert float(new[column]) == pytest.approx(float(old[column]), abs=0.01), old["seed"]
    assert float(new["kl_own"]) > float(new["kl_data"]) + 0.005


@pytest.mark.slow
def test_a_cost_of_the_study_comes_out_again():
    sv.setup(seed=0)  # one thread, as in the study: two count the time they wait for each other
    script, _ = study("06_forcing")
    path = NOTEBOOKS / "studies" / "06_output_recurrence.csv"
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    old = {(row["wiring"], row["way"], row["length"]): float(row["milliseconds"]) for row in table}
    once, loop = (script.cost("output", way, 48) for way in ("one call", "loop"))
    assert float(once["milliseconds"]) < float(loop["milliseconds"]) / 1.5
    assert old["output", "one call", "48"] < old["output", "loop", "48"] / 1.5
