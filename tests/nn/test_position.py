"""Positions: the paper's sines, their shift as a matrix, and a learned table."""

import math

import pytest
import torch

from seqviz.nn import LearnedPositions, SinusoidalPositions, sinusoids
from tests.refusing import refused


def test_the_table_is_the_papers():
    table = sinusoids(50, 6)
    for pos in (0, 1, 7, 49):
        for i in range(3):
            angle = pos / 10000 ** (2 * i / 6)
            assert table[pos, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-7)
            assert table[pos, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-7)


@pytest.mark.parametrize(("k", "half"), [(0, 1), (7, 4), (40, 16)])
def test_a_shift_turns_each_pair(k, half):
    table = sinusoids(100, 2 * half).double()
    M = torch.zeros(2 * half, 2 * half, dtype=torch.float64)
    for i in range(half):
        angle = k / 10000 ** (2 * i / (2 * half))
        c, s = math.cos(angle), math.sin(angle)
        M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, s], [-s, c]])
    torch.testing.assert_close(table[:60] @ M.T, table[k : 60 + k], rtol=0, atol=1e-6)


@pytest.mark.parametrize("positions", [SinusoidalPositions(9, 4), LearnedPositions(9, 4)])
def test_a_row_is_added_to_each_position(positions):
    x = torch.randn(3, 5, 4)
    torch.testing.assert_close(positions(x), x + positions.table[:5])
    torch.testing.assert_close(positions(x, start=4), x + positions.table[4:9])
    torch.testing.assert_close(positions(x[0]), positions(x)[0])
    assert positions(x.half()).dtype == torch.half


def test_sines_have_no_weights_and_a_learned_table_has():
    fixed, learned = SinusoidalPositions(9, 4), LearnedPositions(9, 4)
    assert not list(fixed.parameters())
    assert not fixed.state_dict()
    assert [*learned.state_dict()] == ["table"]
    learned(torch.zeros(1, 5, 4)).sum().backward()
    assert learned.table.grad[:5].eq(1).all()
    assert learned.table.grad[5:].eq(0).all()


def test_what_does_not_fit():
    positions = LearnedPositions(9, 4)
    wrong = {
        "the table's 9 positions, got 10 of them: cut it": lambda: positions(torch.zeros(10, 4)),
        "got 11 of them": lambda: positions(torch.zeros(1, 4), start=10),
        r"x must be \(\.\.\., time, 4\), got .*\(3, 5\)": lambda: positions(torch.zeros(3, 5)),
        r"d_model must be even.* got 5: take 6, or Learned": lambda: sinusoids(9, 5),
        "max_len must be at least 1": lambda: SinusoidalPositions(0, 4),
    }
    refused(ValueError, wrong)
    wrong = {r"got torch\.int64: embed ids first": lambda: positions(torch.zeros(3, 4).long())}
    refused(TypeError, wrong)
