"""Positions: the paper's sines, their shift as a matrix, and a learned table."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from seqviz.nn import LearnedPositions, SinusoidalPositions, sinusoids


def test_the_table_is_the_papers():
    table = sinusoids(50, 6)
    for pos in (0, 1, 7, 49):
        for i in range(3):
            angle = pos / 10000 ** (2 * i / 6)
            assert table[pos, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-7)
            assert table[pos, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-7)


@given(k=st.integers(0, 40), half=st.integers(1, 16))
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


@pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])
def test_wrong_input(kind):
    positions = kind(9, 4)
    with pytest.raises(ValueError, match="within the table's 9 positions, got 10 of them: cut it"):
        positions(torch.zeros(10, 4))
    with pytest.raises(ValueError, match="got 11 of them"):
        positions(torch.zeros(1, 4), start=10)
    with pytest.raises(ValueError, match=r"x must be \(\.\.\., time, 4\), got shape \(3, 5\)"):
        positions(torch.zeros(3, 5))
    with pytest.raises(TypeError, match=r"got torch\.int64: embed ids first"):
        positions(torch.zeros(3, 4).long())
    with pytest.raises(ValueError, match="max_len must be at least 1"):
        kind(0, 4)
    with pytest.raises(TypeError, match="d_model must be an integer"):
        kind(9, 4.0)


def test_an_odd_size_has_no_pairs():
    with pytest.raises(ValueError, match=r"d_model must be even.* got 5: take 6, or Learned"):
        sinusoids(9, 5)
    assert LearnedPositions(9, 5).table.shape == (9, 5)
