"""Whole numbers: NumPy's are taken, truth values and fractions are not."""

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.arguments import checked_flag, checked_integer


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_an_integer_becomes_pythons(value):
    number = checked_integer("length", value, 3)
    assert type(number) is int
    assert number == 3


def test_what_is_no_integer_and_no_truth_value():
    for value in (True, np.True_, torch.tensor(True), 3.0, torch.tensor(2.9), "3", [2], None):
        with pytest.raises(TypeError, match="length must be an integer, got"):
            checked_integer("length", value)
    for value in ("False", 0, 0.5, None, torch.tensor(True)):
        with pytest.raises(TypeError, match="bias must be True or False, got"):
            checked_flag("bias", value)


def test_limits_and_names_of_arguments():
    assert checked_integer("stop", -3) == -3
    with pytest.raises(ValueError, match="length must be at least 1, got 0"):
        checked_integer("length", np.int64(0), 1)
    with pytest.raises(ValueError, match=r"length must be at most 2\*\*63 - 1, the largest"):
        checked_integer("length", 2**64)


def test_numpys_integers_are_taken_everywhere():
    one, two, three = np.int64(1), np.int64(2), np.int64(3)
    for make in (sv.data.adding, sv.data.recall, sv.data.counter):
        for ours, theirs in zip(make(three, two, seed=one), make(3, 2, seed=1), strict=True):
            assert torch.equal(ours, theirs)
    assert torch.equal(sv.data.echo(three, one, two, one)[0], sv.data.echo(3, 1, 2, 1)[0])
    assert len(sv.data.windows(torch.arange(9), two, two)) == 2
    model = sv.nn.LanguageModel(three, two, embedding_dim=two, num_layers=one)
    assert "np.int64" not in repr(model)
    assert "np.int64" not in repr([sv.nn.GRU(two, two), sv.nn.DenseBlock(two, one)])
    assert len(sv.decoding.greedy(model.step, [0], two, stop=three)) == 2
