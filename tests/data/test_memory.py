import random

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv

seeds = st.integers(0, 2**40)
batches = st.integers(1, 6)
GENERATORS = {
    "echo": lambda seed: sv.data.echo(30, 8, 5, seed=seed),
    "recall": lambda seed: sv.data.recall(30, 5, seed=seed),
    "adding": lambda seed: sv.data.adding(30, 5, seed=seed),
}


@given(st.integers(1, 20), batches, seeds, st.data())
def test_echo_says_each_bit_again(length, batch, seed, data):
    delay = data.draw(st.integers(0, length - 1))
    inputs, targets = sv.data.echo(length, delay, batch, seed)
    assert inputs.shape == targets.shape == (length, batch)
    assert inputs.dtype == targets.dtype == torch.int64
    assert set(inputs.unique().tolist()) <= {0, 1}
    assert (targets[:delay] == -100).all()
    for t in range(delay, length):
        assert torch.equal(targets[t], inputs[t - delay])


def test_cross_entropy_leaves_out_the_steps_without_an_echo():
    inputs, targets = sv.data.echo(12, 4, 3)
    knows = F.one_hot(torch.roll(inputs, 4, dims=0), 2).float() * 50
    assert F.cross_entropy(knows.flatten(0, 1), targets.flatten()) < 1e-6


def test_echo_bits_tell_nothing_of_each_other():
    inputs, targets = sv.data.echo(400, 8, 100)
    assert inputs.float().mean() == pytest.approx(0.5, abs=0.01)
    for lag in (0, 1, 7, 9):  # any step but the right one is at chance
        same = targets[20:] == inputs[20 - lag : 400 - lag]
        assert same.float().mean() == pytest.approx(0.5, abs=0.02)


@given(st.integers(2, 20), batches, st.integers(2, 9), seeds)
def test_recall_asks_for_the_first_symbol(length, batch, symbols, seed):
    inputs, targets = sv.data.recall(length, batch, symbols, seed)
    assert inputs.shape == (length, batch)
    assert inputs.dtype == targets.dtype == torch.int64
    assert torch.equal(targets, inputs[0])
    assert ((targets >= 0) & (targets < symbols)).all()
    assert ((inputs[1:] >= symbols) & (inputs[1:] < 2 * symbols)).all()


@pytest.mark.parametrize("symbols", [2, 4, 7])
def test_recall_without_memory_is_at_chance(symbols):
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
    assert targets.shape == (batch,)
    assert inputs.dtype == targets.dtype == torch.float32
    values, marks = inputs.unbind(2)
    assert ((values >= 0) & (values <= 1)).all()
    assert ((marks == 0) | (marks == 1)).all()
    assert (marks[: length // 2].sum(0) == 1).all()
    assert (marks[length // 2 :].sum(0) == 1).all()
    assert torch.allclose((values * marks).sum(0), targets)


def test_adding_with_one_answer_for_all_has_an_error_of_a_sixth():
    inputs, targets = sv.data.adding(10, 20_000)
    assert ((targets - 1) ** 2).mean() == pytest.approx(1 / 6, rel=0.03)
    assert targets.mean() == pytest.approx(1, abs=0.01)
    marks = inputs[..., 1].sum(1)
    assert marks.tolist() == pytest.approx([4000] * 10, rel=0.08)  # every place in its half


@pytest.mark.parametrize("name", GENERATORS)
def test_the_seed_decides_and_nothing_else(name):
    torch.manual_seed(1)
    random.seed(1)
    first = GENERATORS[name](0)
    torch.manual_seed(2)
    random.seed(2)
    torch.set_default_dtype(torch.float64)
    try:
        again = GENERATORS[name](0)
    finally:
        torch.set_default_dtype(torch.float32)
    for a, b in zip(first, again, strict=True):
        assert a.dtype == b.dtype
        assert torch.equal(a, b)
    assert not torch.equal(first[0], GENERATORS[name](1)[0])


@pytest.mark.parametrize("name", GENERATORS)
def test_answers_and_inputs_share_no_memory(name):
    inputs, targets = GENERATORS[name](0)
    kept = targets.clone()
    inputs.zero_()
    assert torch.equal(targets, kept)


@pytest.mark.parametrize("name", GENERATORS)
def test_the_global_generators_are_left_alone(name):
    torch.manual_seed(0)
    random.seed(0)
    before = torch.get_rng_state(), random.getstate()
    GENERATORS[name](3)
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1] == random.getstate()


@pytest.mark.parametrize(
    ("name", "arguments", "error", "says"),
    [
        ("echo", {"length": 0}, ValueError, "^length must be at least 1, got 0"),
        ("echo", {"length": 8.0}, TypeError, "^length must be an integer, got 8.0"),
        ("echo", {"delay": -1}, ValueError, "^delay must be at least 0, got -1"),
        ("echo", {"delay": 8}, ValueError, "^delay must be less than length = 8.*at least 9"),
        ("echo", {"delay": None}, TypeError, "^delay must be an integer, got None"),
        ("echo", {"batch": 0}, ValueError, "^batch must be at least 1, got 0"),
        ("recall", {"length": 0}, ValueError, "^length must be at least 2, got 0"),
        ("recall", {"length": 1}, ValueError, "^length must be at least 2, got 1"),
        ("recall", {"symbols": 1}, ValueError, "^symbols must be at least 2, got 1"),
        ("recall", {"symbols": "4"}, TypeError, "^symbols must be an integer, got '4'"),
        ("recall", {"batch": True}, TypeError, "^batch must be an integer, got True"),
        ("adding", {"length": 1}, ValueError, "^length must be at least 2, got 1"),
        ("adding", {"length": float("nan")}, TypeError, "^length must be an integer, got nan"),
        ("adding", {"batch": -3}, ValueError, "^batch must be at least 1, got -3"),
    ],
)
def test_bad_input(name, arguments, error, says):
    good = {"length": 8, "batch": 2, **({"delay": 3} if name == "echo" else {})}
    with pytest.raises(error, match=says):
        getattr(sv.data, name)(**good | arguments)


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize(
    ("seed", "error"), [(-1, ValueError), (0.5, TypeError), ("0", TypeError), (None, TypeError)]
)
def test_bad_seeds(name, seed, error):
    # Python's generator takes -1 for 1, text and None: a test batch could be a training batch
    with pytest.raises(error, match=r"^seed must be"):
        GENERATORS[name](seed)
