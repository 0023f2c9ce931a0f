"""The nets built in the open stay near torch's fused ones; the goals are 2.0 and 1.3."""

import pytest

import seqviz as sv
from tests.bench.recurrent import step_times


@pytest.mark.alone
@pytest.mark.parametrize(("size", "most"), [((32, 64, 64, 128), 2.0), ((32, 128, 128, 256), 1.3)])
def test_a_training_step_of_the_lstm(size, most):
    sv.setup(seed=0)
    ratios = []
    while len(ratios) < 5 and min(ratios, default=most + 1) > most:  # other work only adds
        ours, theirs = step_times("LSTM", *size, rounds=25)
        ratios.append(ours / theirs)
    assert min(ratios) <= most, f"{ratios} times torch's, the goal is {most}"
