"""What notebook 10 promises beyond running: its functions, its solutions and its tables hold."""

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


def test_a_stack_grows_until_its_last_output_reads_the_first_input():
    scope = {"torch": torch}
    for start in ("def before(", "def stacked("):
        exec(NOTEBOOK.cell(start).split("\n\n\nview")[0], scope)
    for n in range(2, 41):
        for k, name in ((3, "convolutions"), (5, "convolutions"), (4, "restricted")):
            assert len(scope[name](n, k)["layers"]) == -(-(n - 1) // (k - 1)), (name, n, k)
        dilated = scope["convolutions"](n, 3, dilated=True)["layers"]
        assert len(dilated) == sum(3**depth < n for depth in range(9))


def test_the_table_holds_every_run():
    script, table = study("10_race")
    found = [tuple(row[field] for field in script.KEY) for row in table]
    assert sorted(found) == sorted(tuple(map(str, key)) for key in script.runs())
    assert sum(float(row["seconds"]) for row in table) < 900


def shares(part, name, steps):
    rows = [row for row in study("10_race")[1] if (row["part"], row["name"]) == (part, name)]
    return [float(row["value"]) for row in rows if (row["n"], row["steps"]) == ("12", steps)]


@pytest.mark.parametrize(
    ("part", "name", "steps", "least", "most"),
    [
        ("fetch", "RNN", "400", 0.09, 0.17),
        ("fetch", "RNN", "2000", 0.17, 0.25),
        ("fetch", "GRU", "400", 0.35, 0.45),
        ("fetch", "GRU", "2000", 0.7, 0.85),
        ("carry", "RNN", "2000", 0.4, 1),
        ("carry", "GRU", "400", 0.99, 1),
    ],
)
def test_one_symbol_is_carried_where_a_queue_is_not(part, name, steps, least, most):
    found = shares(part, name, steps)
    assert len(found) == 3
    assert all(least <= share <= most for share in found), found


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("10_race")
    short = [row for row in table if row["steps"] == str(script.STEPS)]
    chaotic = ("carry", "RNN")  # another machine's rounding is another result
    old = any_row([row for row in short if (row["part"], row["name"]) != chaotic])
    n, steps, seed = (int(old[field]) for field in ("n", "steps", "seed"))
    share = script.trained(old["part"], old["name"], n, steps, seed)
    assert share == pytest.approx(float(old["value"]), abs=0.1), old
