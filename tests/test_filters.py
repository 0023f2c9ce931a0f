"""What each filter keeps of a distribution, and drawing through them."""

import math

import pytest
import torch

from seqviz.decoding import nucleus, sample, top_k, with_temperature
from tests.refusing import refused

SHARES = torch.tensor([[0.1, 0.4, 0.2, 0.3], [0.25, 0.25, 0.25, 0.25]])
LOGITS = SHARES.double().log()


def kept(logits):
    return [row.nonzero().flatten().tolist() for row in logits.isfinite()]


def test_top_k_keeps_the_highest_and_the_first_of_equal_ones():
    assert kept(top_k(LOGITS, 2)) == [[1, 3], [0, 1]]
    assert torch.equal(top_k(LOGITS, 4), LOGITS)
    assert torch.equal(top_k(LOGITS, 2)[0, [1, 3]], LOGITS[0, [1, 3]])


@pytest.mark.parametrize(
    ("p", "expected"), [(0.3, [1]), (0.5, [1, 3]), (0.75, [1, 2, 3]), (0.95, [0, 1, 2, 3])]
)
def test_a_nucleus_is_the_fewest_that_reach_p(p, expected):
    assert kept(nucleus(LOGITS, p))[0] == expected


def test_a_nucleus_of_one_keeps_what_is_next_to_impossible():
    logits = torch.tensor([[0.0, -700.0, -torch.inf]])
    assert torch.equal(nucleus(logits, 1), logits)
    assert kept(nucleus(logits, 0.999)) == [[0]]


def test_filters_take_any_number_of_axes_and_change_nothing():
    logits = torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(0))
    before = logits.clone()
    for one in (top_k(logits, 2), nucleus(logits, 0.6), with_temperature(logits, 0.5)):
        assert one.shape == logits.shape
    assert torch.equal(logits, before)
    expected = (logits.double() / 0.5).softmax(-1)
    torch.testing.assert_close(with_temperature(logits, 0.5).softmax(-1), expected)


def always(ids, state):
    return LOGITS[:1].expand(len(ids), -1), state


def test_sample_draws_from_what_is_kept():
    draw = torch.Generator().manual_seed(0)
    new = torch.tensor(sample(always, [[0]] * 400, 10, top_k=3, top_p=0.7, generator=draw))
    share = new.flatten().bincount(minlength=4) / new.numel()
    expected = torch.tensor([0.0, 4 / 7, 0.0, 3 / 7])  # of the three best these two have 0.78
    torch.testing.assert_close(share, expected, rtol=0, atol=0.03)


def test_what_cannot_be_kept():
    def drawn(**options):
        return lambda: sample(always, [0], 3, **options)

    wrong = {
        "k must be at most 4": drawn(top_k=5),
        "top_p must be above 0": drawn(top_p=0),
        "sv.decoding.greedy": drawn(temperature=0),
        "^k must": lambda: top_k(LOGITS, 0),
        "^p must": lambda: nucleus(LOGITS, math.nan),
        "logits must be": lambda: top_k(torch.ones(2, 0), 1),
        "^logits must": lambda: with_temperature(torch.tensor(1.0), 1),
    }
    refused(ValueError, wrong)
    wrong = {
        "top_p must be a number": drawn(top_p="1"),
    }
    refused(TypeError, wrong)
