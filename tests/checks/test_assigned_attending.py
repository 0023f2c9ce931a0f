"""The visible checks of assignment A4, and its solutions beside the package."""

import pytest
import torch

import seqviz as sv
from seqviz import checks
from tests.checks.solutions import run_without_hidden_tests, solution
from tests.checks.styles import refuse


def test_a_link_is_two_whole_numbers():
    refuse(checks.both_ways, lambda there, back: {(0, 0.0)}, "whole numbers")
    refuse(checks.both_ways, lambda there, back: {(*torch.zeros(2).int(),)}, "whole numbers")
    refuse(checks.both_ways, lambda there, back: {(0, 0, 0)}, "expected links")


def drawn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def test_attend_is_the_package_s_general_attention():
    torch.manual_seed(0)
    layer = sv.nn.Attention(4, 6, "general").double()
    s, h = drawn(3, 5, 4), drawn(3, 7, 6)
    padding = torch.arange(7) >= torch.tensor([[7], [3], [0]])
    W = layer.score.W.weight
    context, weights = solution("attend")(s, h, W, padding)
    expected = layer(s, h, padding)
    torch.testing.assert_close(context, expected[0])
    torch.testing.assert_close(weights, expected[1])


def test_attend_backward_is_autograd_through_the_package():
    torch.manual_seed(1)
    layer = sv.nn.Attention(4, 6, "general").double()
    s, h, dc = drawn(3, 5, 4).requires_grad_(), drawn(3, 7, 6).requires_grad_(), drawn(3, 5, 6)
    padding = torch.arange(7) >= torch.tensor([[7], [3], [0]])
    context, weights = layer(s, h, padding)
    W = layer.score.W.weight
    expected = torch.autograd.grad(context, (s, h, W), dc)
    inputs = (x.detach() for x in (dc, s, h, W, weights))
    for got, want in zip(solution("attend_backward")(*inputs), expected, strict=True):
        torch.testing.assert_close(got, want)


def test_error_table_s_error_is_the_package_s():
    pairs = sv.data.load("en-fr").test[:40]
    found = [{(t, min(t, len(p.source) - 1)) for t in range(len(p.target))} for p in pairs]
    sure, possible = [set(p.sure) for p in pairs], [set(p.possible) for p in pairs]
    error = solution("error_table")(found, sure, possible)[2]
    assert error == pytest.approx(sv.metrics.alignment_error_rate(found, sure, possible))


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = run_without_hidden_tests("A4")
    *_, both = names["links"]
    rates = {
        name: names["error_table"](a, names["sure"], names["possible"])
        for name, a in names["links"].items()
    }
    assert rates[both][0] > 0.98
    assert rates[both][2] < 0.06
    assert rates["French words ask in a window"][2] < rates["French words ask everywhere"][2] - 0.05
    assert names["share"] > 0.8
