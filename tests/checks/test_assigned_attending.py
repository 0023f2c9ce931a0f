"""The visible checks of assignment A4, and its solutions beside the package."""

import pytest
import torch

import seqviz as sv
from seqviz import checks
from tests.checks.assigned import Assignment
from tests.checks.styles import ODD, accept, refuse, refuse_odd, with_a_part

A4 = Assignment("A4")


@pytest.mark.parametrize("name", A4.exercises)
def test_solutions_pass_in_every_style(name):
    accept(getattr(checks, name), A4.solutions[name])


@pytest.mark.parametrize("name", A4.exercises)
def test_what_is_no_answer_is_refused_in_words(name):
    refuse_odd(getattr(checks, name))


@pytest.mark.parametrize("name", ["attend", "attend_backward", "error_table", "coverage_penalty"])
def test_a_part_that_is_none_is_refused_in_words(name):
    for odd in ODD:
        for k in (0, 1):
            refuse_odd(getattr(checks, name), with_a_part(A4.solutions[name], k, odd))


@pytest.mark.parametrize(("name", "cause"), A4.right_ones())
def test_right_answers_pass(name, cause):
    verdict = getattr(checks, name)(A4.named(name, cause))
    assert verdict, verdict


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [
        ("masked_softmax", "hidden places still get weight", "still gets weight"),
        (
            "masked_softmax",
            "the mask comes after the softmax, rows no longer add up to 1",
            "mask before the softmax",
        ),
        ("masked_softmax", "a score of 0 is taken for a weight of 0", "exp(0) is 1"),
        ("masked_softmax", "the softmax runs over the first dimension", "over the last"),
        ("masked_softmax", "the second dimension is taken for the last", "over the last"),
        ("masked_softmax", "the mask is the wrong way round", "wrong way round"),
        ("masked_softmax", "the masked scores are given back", "take their softmax"),
        ("masked_softmax", "shown, not given back", "gives back nothing"),
        ("masked_softmax", "a row that is all hidden is NaN", "It must be all 0"),
        ("masked_softmax", "a row that is all hidden shares its weight out", "must be all 0"),
        ("masked_softmax", "a large number is taken off, and NaN stays NaN", "0 times NaN"),
        ("masked_softmax", "exp of a large score is infinite", "differences of scores"),
        ("masked_softmax", "the scores are changed in place", "changed its input e"),
        ("attend", "padding gets weight", "padding still gets weight"),
        ("attend", "the context is the mean of W h", "it is of h"),
        ("attend", "the weights come first", "it comes first"),
        ("attend", "the softmax runs over the French words", "over the English ones"),
        ("attend", "the mask is the wrong way round", "wrong way round"),
        ("attend", "the scores are divided by a root", "root of the size of h"),
        ("attend_backward", "the softmax is missing on the way back", "takes da for de"),
        ("attend_backward", "the mean is not taken off", "the mean is not taken off"),
        ("attend_backward", "the softmax is taken for a sigmoid", "each pair of words"),
        ("attend_backward", "the plain mean is taken off", "the weighted one belongs there"),
        ("attend_backward", "the sign is turned round", "sign is turned round"),
        ("attend_backward", "W is missing on the way to s", "W is missing"),
        ("attend_backward", "h is not read", "its first way"),
        ("attend_backward", "h is not scored", "its second way"),
        ("attend_backward", "dW is averaged over the sentences", "no mean"),
        ("attend_backward", "dW is averaged over the French words", "all French words share W"),
        ("attend_backward", "dW is transposed", "transpose"),
        ("local_weights", "there is no Gaussian", "the Gaussian is missing"),
        ("local_weights", "sigma is D", "half of D"),
        ("local_weights", "the 2 below the square is missing", "the 2 under the square"),
        ("local_weights", "the distance is not squared", "not squared"),
        ("local_weights", "the rows are made to add up to 1", "takes weight away for good"),
        ("local_weights", "the ends of the window are left out", "ends of the window"),
        ("local_weights", "the softmax runs over the whole sentence", "only the window counts"),
        (
            "local_weights",
            "there is no window, the Gaussian alone keeps far words small",
            "there is no window",
        ),
        ("local_weights", "padding in the window gets weight", "padding in the window"),
        ("local_weights", "p is rounded for the window", "p was rounded"),
        ("local_weights", "an empty window is NaN", "no word in it"),
        ("both_ways", "the number of links is given", "expected a set of links"),
        ("both_ways", "the links of either net", "give those of both"),
        ("both_ways", "the links of the first net alone", "first net alone"),
        ("both_ways", "the links of the second net are not turned", "turn them first"),
        ("both_ways", "the links come out as (source, target)", "wrong way round"),
        ("both_ways", "the largest of each column counts in the second net", "each column"),
        (
            "both_ways",
            "the first net's rows and columns, the second is left out",
            "back was not read",
        ),
        ("both_ways", "a row of zeros makes a link", "a row of zeros makes no link"),
        ("both_ways", "of equal weights all make links", "only the first counts"),
        ("both_ways", "of equal weights the last counts", "the first counts"),
        ("error_table", "precision and recall change places", "precision comes first"),
        ("error_table", "the share that agrees is given for the error", "take it from 1"),
        ("error_table", "only sure links are right", "possible ones are"),
        ("error_table", "the recall asks for all possible links", "only the sure ones"),
        ("error_table", "the error is 1 minus the harmonic mean", "harmonic mean"),
        ("error_table", "the mean over the sentences", "mean over the sentences"),
        ("error_table", "the links of all sentences are thrown together", "fell into one set"),
        ("error_table", "the precision is 0 where nothing is found", "the precision is 1"),
        ("error_table", "the recall is 0 where nothing is sure", "the recall is 1"),
        ("coverage_penalty", "beta is missing", "beta is missing"),
        ("coverage_penalty", "the sign is turned round", "at most 0"),
        ("coverage_penalty", "the logs are averaged", "no mean"),
        ("coverage_penalty", "the coverages are added up before the log", "before the log"),
        ("coverage_penalty", "the log is to base 2", "base 2"),
        ("coverage_penalty", "coverage above 1 is not cut off", "not cut off at 1"),
        ("coverage_penalty", "the coverage itself is cut off", "only the penalty does"),
        ("coverage_penalty", "the log of padding is minus infinity", "log of 0"),
        ("coverage_penalty", "the log of padding is multiplied by 0", "0 times the log of 0"),
        ("coverage_penalty", "the padded French words are counted", "among the French words"),
        (
            "coverage_penalty",
            "all sentences of the batch are added up",
            "each sentence has a penalty",
        ),
        ("coverage_penalty", "the log is of each weight, before the sum", "of each weight"),
    ],
)
def test_slips_are_named(name, cause, words):
    refuse(getattr(checks, name), A4.named(name, cause), words)


@pytest.mark.parametrize(
    ("link", "words"),
    [((0, 0.0), "whole numbers"), ((torch.tensor(0), torch.tensor(0)), "whole numbers")],
)
def test_links_are_whole_numbers(link, words):
    refuse(checks.both_ways, lambda there, back: {link}, words)


def test_a_link_has_two_ends():
    refuse(checks.both_ways, lambda there, back: {(0, 0, 0)}, "expected links")


def drawn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def test_attend_is_the_package_s_general_attention():
    torch.manual_seed(0)
    layer = sv.nn.Attention(4, 6, "general").double()
    s, h = drawn(3, 5, 4), drawn(3, 7, 6)
    padding = torch.arange(7) >= torch.tensor([[7], [3], [0]])
    W = layer.score.W.weight
    context, weights = A4.solutions["attend"](s, h, W, padding)
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
    for got, want in zip(A4.solutions["attend_backward"](*inputs), expected, strict=True):
        torch.testing.assert_close(got, want)


def test_error_table_s_error_is_the_package_s():
    pairs = sv.data.load("en-fr").test[:40]
    found = [{(t, min(t, len(p.source) - 1)) for t in range(len(p.target))} for p in pairs]
    sure, possible = [set(p.sure) for p in pairs], [set(p.possible) for p in pairs]
    error = A4.solutions["error_table"](found, sure, possible)[2]
    assert error == pytest.approx(sv.metrics.alignment_error_rate(found, sure, possible))


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = A4.run_without_hidden_tests()
    *_, both = names["links"]
    rates = {
        name: names["error_table"](a, names["sure"], names["possible"])
        for name, a in names["links"].items()
    }
    assert rates[both][0] > 0.98
    assert rates[both][2] < 0.06
    assert rates["French words ask in a window"][2] < rates["French words ask everywhere"][2] - 0.05
    assert names["share"] > 0.8
