"""Memory tasks, drawn when asked for: what must be carried, and that nothing else tells it."""

import random

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv
from tests.refusing import refused

TASKS = {
    "echo": lambda seed: sv.data.echo(30, 8, 5, seed=seed),
    "recall": lambda seed: sv.data.recall(30, 5, seed=seed),
    "adding": lambda seed: sv.data.adding(30, 5, seed=seed),
    "counter": lambda seed: sv.data.counter(30, 5, seed=seed),
}
seeds = st.integers(0, 2**40)
batches = st.integers(1, 6)


@given(st.integers(1, 20), batches, seeds, st.data())
def test_echo_says_each_bit_again(length, batch, seed, data):
    delay = data.draw(st.integers(0, length - 1))
    inputs, targets = sv.data.echo(length, delay, batch, seed)
    assert inputs.shape == targets.shape == (length, batch)
    assert inputs.dtype == targets.dtype == torch.int64
    assert set(inputs.unique().tolist()) <= {0, 1}
    assert (targets[:delay] == -100).all()
    assert torch.equal(targets[delay:], inputs[: length - delay])


def test_echo_bits_tell_nothing_of_each_other():
    inputs, targets = sv.data.echo(400, 8, 100)
    assert inputs.float().mean() == pytest.approx(0.5, abs=0.01)
    for lag in (0, 1, 7, 9):  # any step but the right one is at chance
        same = targets[20:] == inputs[20 - lag : 400 - lag]
        assert same.float().mean() == pytest.approx(0.5, abs=0.02)
    knows = F.one_hot(torch.roll(inputs, 8, dims=0), 2).float() * 50
    assert F.cross_entropy(knows.flatten(0, 1), targets.flatten()) < 1e-6


@given(st.integers(2, 20), batches, st.integers(2, 9), seeds)
def test_recall_asks_for_the_first_symbol(length, batch, symbols, seed):
    inputs, targets = sv.data.recall(length, batch, symbols, seed)
    assert inputs.shape == (length, batch)
    assert inputs.dtype == targets.dtype == torch.int64
    assert torch.equal(targets, inputs[0])
    assert ((targets >= 0) & (targets < symbols)).all()
    assert ((inputs[1:] >= symbols) & (inputs[1:] < 2 * symbols)).all()


def test_recall_without_memory_is_at_chance():
    for symbols in (2, 7):
        inputs, targets = sv.data.recall(6, 20_000, symbols)
        assert targets.bincount().tolist() == pytest.approx([20_000 / symbols] * symbols, rel=0.06)
        for distractors in inputs[1:]:
            for seen in range(symbols, 2 * symbols):
                told = targets[distractors == seen].bincount(minlength=symbols)
                assert (told / told.sum()).max() == pytest.approx(1 / symbols, abs=0.03)


@given(st.integers(2, 20), batches, seeds)
def test_adding_marks_one_number_in_each_half(length, batch, seed):
    inputs, targets = sv.data.adding(length, batch, seed)
    assert inputs.shape == (length, batch, 2)
    assert inputs.dtype == targets.dtype == torch.float32
    values, marks = inputs.unbind(2)
    assert ((values >= 0) & (values <= 1)).all()
    assert ((marks == 0) | (marks == 1)).all()
    assert (marks[: length // 2].sum(0) == 1).all()
    assert (marks[length // 2 :].sum(0) == 1).all()
    assert torch.allclose((values * marks).sum(0), targets)


@given(st.integers(1, 20), batches, st.floats(0, 1), seeds)
def test_the_count_goes_on_by_the_step(length, batch, glitch, seed):
    steps, symbols, counts = sv.data.counter(length, batch, glitch, seed)
    assert steps.shape == (batch,)
    assert symbols.shape == counts.shape == (length, batch)
    assert steps.dtype == symbols.dtype == counts.dtype == torch.int64
    assert {*steps.tolist()} <= {1, 2, 3}
    assert {*symbols.flatten().tolist(), *counts.flatten().tolist()} <= {*range(10)}
    assert torch.equal(counts[1:], (counts[:-1] + steps) % 10)


def test_glitches_are_as_frequent_as_asked_independent_and_of_any_symbol():
    for glitch in (0, 0.1, 0.5, 1):
        _, symbols, counts = sv.data.counter(20, 2000, glitch)
        wrong = (symbols != counts).float()
        assert wrong.mean(1).tolist() == pytest.approx([glitch] * 20, abs=0.04)
        assert (wrong[1:] * wrong[:-1]).mean() == pytest.approx(glitch**2, abs=0.01)
    by = ((symbols - counts) % 10).flatten().bincount(minlength=10) / symbols.numel()
    assert by.tolist() == pytest.approx([0] + [1 / 9] * 9, abs=0.01)


def test_the_controls_of_the_counter_are_those_of_its_datasheet():
    def wrong(answers):
        return (answers % 10 != counts[1:]).float().mean(1).tolist()

    steps, symbols, counts = sv.data.counter(12, 20_000, seed=7)
    assert wrong(torch.zeros_like(counts[1:])) == pytest.approx([0.9] * 11, abs=0.01)
    assert wrong(symbols[:-1] + 2) == pytest.approx([0.7] * 11, abs=0.02)
    assert wrong(symbols[:-1] + steps) == pytest.approx([0.1] * 11, abs=0.01)
    starts = (symbols - steps * torch.arange(12)[:, None]) % 10  # the start each symbol speaks for
    majority = F.one_hot(starts, 10).cumsum(0).argmax(2)
    voted = (majority[:-1] != counts[0]).float().mean(1)
    assert voted[:3].tolist() == pytest.approx([0.1, 0.1, 0.02], abs=0.01)
    assert voted[4:].max() < 0.005


@pytest.mark.parametrize("name", TASKS)
def test_the_seed_decides_and_nothing_else(name):
    torch.manual_seed(1)
    random.seed(1)
    before = torch.get_rng_state(), random.getstate()
    first = TASKS[name](0)
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1] == random.getstate()
    torch.manual_seed(2)
    random.seed(2)
    torch.set_default_dtype(torch.float64)
    try:
        again = TASKS[name](0)
    finally:
        torch.set_default_dtype(torch.float32)
    for a, b in zip(first, again, strict=True):
        assert a.dtype == b.dtype
        assert torch.equal(a, b)
    assert not torch.equal(first[0], TASKS[name](1)[0])
    first[-2].zero_()  # inputs share no memory with answers
    assert torch.equal(first[-1], again[-1])


def test_bad_input():
    data = sv.data
    wrong = {
        "^length must be at least 1, got 0": lambda: data.echo(0, 0, 2),
        "^delay must be less than length = 8.*at least 9": lambda: data.echo(8, 8, 2),
        "^symbols must be at least 2, got 1": lambda: data.recall(8, 2, symbols=1),
        "^glitch must lie between 0 and 1, got 1.5": lambda: data.counter(8, 2, glitch=1.5),
        "^glitch must lie between": lambda: data.counter(8, 2, glitch=float("nan")),
    }
    refused(ValueError, wrong)
    wrong = {
        "^length must be an integer, got 8.0": lambda: data.adding(8.0, 2),
        "^seed must be an integer, got None": lambda: data.counter(8, 2, seed=None),
    }
    refused(TypeError, wrong)
