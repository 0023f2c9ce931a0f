import random

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv


@given(st.integers(1, 20), st.integers(1, 6), st.floats(0, 1), st.integers(0, 2**40))
def test_the_count_goes_on_by_the_step(length, batch, glitch, seed):
    steps, symbols, counts = sv.data.counter(length, batch, glitch, seed)
    assert steps.shape == (batch,)
    assert symbols.shape == counts.shape == (length, batch)
    assert steps.dtype == symbols.dtype == counts.dtype == torch.int64
    assert set(steps.tolist()) <= {1, 2, 3}
    for numbers in (symbols, counts):
        assert ((numbers >= 0) & (numbers <= 9)).all()
    assert torch.equal(counts[1:], (counts[:-1] + steps) % 10)


@pytest.mark.parametrize(("glitch", "share"), [(0, 0), (0.1, 0.1), (0.5, 0.5), (1, 1)])
def test_glitches_are_as_frequent_as_asked(glitch, share):
    _, symbols, counts = sv.data.counter(20, 2000, glitch)
    assert (symbols != counts).float().mean(1).tolist() == pytest.approx([share] * 20, abs=0.04)


def test_a_glitch_is_any_other_symbol_equally_often():
    _, symbols, counts = sv.data.counter(20, 2000, glitch=1.0)
    by = ((symbols - counts) % 10).flatten().bincount(minlength=10) / symbols.numel()
    assert by.tolist() == pytest.approx([0] + [1 / 9] * 9, abs=0.01)


def test_glitches_are_independent_of_each_other():
    _, symbols, counts = sv.data.counter(20, 5000, glitch=0.2)
    wrong = (symbols != counts).float()
    assert (wrong[1:] * wrong[:-1]).mean() == pytest.approx(0.04, abs=0.004)


def wrong_answers(answers, counts):
    return (answers % 10 != counts).float().mean(1)


def test_the_controls_of_the_datasheet():
    steps, symbols, counts = sv.data.counter(12, 20_000, seed=7)
    one_for_all = wrong_answers(torch.zeros_like(counts[1:]), counts[1:])
    without_context = wrong_answers(symbols[:-1] + 2, counts[1:])
    last_symbol = wrong_answers(symbols[:-1] + steps, counts[1:])
    starts = (symbols - steps * torch.arange(12)[:, None]) % 10  # the start each symbol speaks for
    majority = F.one_hot(starts, 10).cumsum(0).argmax(2)
    voted = (majority[:-1] != counts[0]).float().mean(1)
    assert one_for_all.tolist() == pytest.approx([0.9] * 11, abs=0.01)
    assert without_context.tolist() == pytest.approx([0.7] * 11, abs=0.02)
    assert last_symbol.tolist() == pytest.approx([0.1] * 11, abs=0.01)
    assert voted[:3].tolist() == pytest.approx([0.1, 0.1, 0.02], abs=0.01)
    assert voted[4:].max() < 0.005


def test_the_symbols_share_no_memory_with_the_counts():
    _, symbols, counts = sv.data.counter(5, 3, glitch=0.0)
    kept = counts.clone()
    symbols.zero_()
    assert torch.equal(counts, kept)


def test_the_seed_decides_and_nothing_else():
    random.seed(1)
    torch.manual_seed(1)
    before = random.getstate(), torch.get_rng_state()
    first = sv.data.counter(12, 5)
    assert before[0] == random.getstate()
    assert torch.equal(before[1], torch.get_rng_state())
    random.seed(2)
    torch.manual_seed(2)
    for a, b in zip(first, sv.data.counter(12, 5), strict=True):
        assert torch.equal(a, b)
    assert not torch.equal(first[1], sv.data.counter(12, 5, seed=1)[1])


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"length": 0}, ValueError, "^length must be at least 1, got 0"),
        ({"length": 8.0}, TypeError, "^length must be an integer, got 8.0"),
        ({"batch": 0}, ValueError, "^batch must be at least 1, got 0"),
        ({"batch": True}, TypeError, "^batch must be an integer, got True"),
        ({"seed": -1}, ValueError, "^seed must be at least 0, got -1"),
        ({"seed": None}, TypeError, "^seed must be an integer, got None"),
        ({"glitch": 1.5}, ValueError, "^glitch must lie between 0 and 1, got 1.5"),
        ({"glitch": -0.1}, ValueError, "^glitch must lie between 0 and 1"),
        ({"glitch": float("nan")}, ValueError, "^glitch must lie between 0 and 1"),
        ({"glitch": "0.1"}, TypeError, "^glitch must be a number, got '0.1'"),
        ({"glitch": True}, TypeError, "^glitch must be a number, got True"),
    ],
)
def test_bad_input(arguments, error, says):
    with pytest.raises(error, match=says):
        sv.data.counter(**{"length": 8, "batch": 2} | arguments)
