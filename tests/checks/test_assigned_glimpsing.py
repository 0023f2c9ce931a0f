"""The solutions of assignment A8 beside the package, and what its text says of their results."""

import pytest
import torch

import seqviz as sv
from tests.checks.solutions import run_without_hidden_tests, solution


def drawn(*shape, seed=0):
    made = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=made, dtype=torch.float64)


def test_window_backward_is_autograd_through_the_package_s_window():
    pictures, dpatch = drawn(3, 5, 8), drawn(3, 4, 4, seed=1)
    windows = torch.tensor([[3.0, 2, 4], [7.5, 0.5, 2], [-1, 6, 9]]).double().requires_grad_()
    patch = sv.nn.read_window(pictures, windows, 4)
    (expected,) = torch.autograd.grad(patch, windows, dpatch)
    found = solution("window_backward")(dpatch, pictures, windows.detach())
    torch.testing.assert_close(found, expected)


def test_picture_logits_of_one_row_are_the_package_s_relative_scores():
    q, table = drawn(1, 6, 4), drawn(11, 4, seed=1)
    layer = sv.nn.RelativePositions(5, 1, 4).double()
    layer.load_state_dict({"table": table[None]})
    found = solution("picture_logits")(q, torch.zeros(1, 4).double(), table)
    torch.testing.assert_close(found, layer(q[None], 6)[0, 0])


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = run_without_hidden_tests("A8")
    assert names["found"](8.0, 6) < 0.5 < 0.8 < names["found"](24.0, 6)
    own, other, seen, other_seen, even = names["mean"]
    assert own > 0.6 > seen > 5 * other_seen
    assert max(other, other_seen) < even + 0.03
    parts = names["parts"], names["parts"][:, names["order"]]
    errors = {k: [names["error"](mask, p) for p in parts] for k, mask in names["masks"].items()}
    assert errors["blocks"][0] < errors["all"][0] + 0.005 < errors["line"][0]
    assert errors["blocks"][1] > errors["line"][1] + 0.01
    assert abs(errors["line"][1] - errors["line"][0]) < 0.005
    differ = names["differ"]
    assert differ[1:-1, 1:-1].max() < 1e-4 < 0.5 < differ.max()
    moved = sv.data.motifs(40, seed=10_000, notes=42)
    third, later = names["right_weight"](moved, 2)
    assert third < 0.3 < 0.95 < later
    assert names["right_weight"](moved, 1)[0] > 0.7 > names["right_weight"](moved, 2, True)[1]
    control = sv.data.motifs(40, seed=10_000, notes=42, control=True)
    assert max(names["right_weight"](control, 2)) < 0.05
