"""What notebook 10 promises beyond running: its functions, its solutions and its tables hold."""

from itertools import product

import pytest
import torch
from torch.nn import functional as F

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("10_beyond_recurrence")


def built(start):
    """What a cell defines before its own lines run."""
    scope = {"torch": torch, "sv": sv}
    exec(NOTEBOOK.cell(start).split("\n\n\n")[0], scope)
    return scope


def test_the_notebooks_convolution_is_sv_nns():
    torch.manual_seed(0)
    ours, x = sv.nn.CausalConv1d(3, 5, 4), torch.randn(3, 8)
    mine = built("def causal_loop(")["causal_loop"](x, ours.weight, ours.bias)
    torch.testing.assert_close(mine, ours(x[None])[0])


def test_the_notebooks_attention_is_sv_nns():
    torch.manual_seed(0)
    X, *W = torch.randn(5, 6), *torch.randn(3, 6, 4)
    mine, alpha = built("def self_attention(")["self_attention"](X, *W)
    ours = F.scaled_dot_product_attention(*((X @ w)[None] for w in W))[0]
    torch.testing.assert_close(mine, ours)
    torch.testing.assert_close(alpha.sum(-1), torch.ones(5))


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "causal_conv", sv.checks.causal_conv),
        ("### Exercise 2", "attention_matrix", sv.checks.attention_matrix),
        ("### Exercise 3", "window_mask", sv.checks.window_mask),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch})


def test_the_table_holds_every_run():
    script, table = study("10_race")
    found = [(row["part"], row["name"], int(row["n"]), int(row["seed"])) for row in table]
    timed = product(["time"], script.LAYERS, [*script.LENGTHS, script.WIDE[0]], script.SEEDS)
    fetched = product(["fetch"], script.NETS, script.DISTANCES, script.SEEDS)
    assert set(found) == {*timed, *fetched}
    assert len(found) == len(set(found))
    assert sum(float(row["seconds"]) for row in table) < 600


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("10_race")
    old = any_row([row for row in table if row["part"] == "fetch"])
    share = script.fetch(old["name"], int(old["n"]), int(old["seed"]))
    assert share == pytest.approx(float(old["value"]), abs=0.1), old
