"""The nets built in the open stay near torch's fused ones; the goals are 2.0 and 1.3."""

import pytest

import seqviz as sv
from tests.bench.recurrent import step_times


@pytest.mark.slow
@pytest.mark.parametrize(("size", "most"), [((32, 64, 64, 128), 2.0), ((32, 128, 128, 256), 1.3)])
def test_a_training_step_of_the_lstm(size, most):
    sv.setup(seed=0)
    ratios = []
    for _ in range(5):  # the best of five runs: other work on the machine only adds
        ours, theirs = step_times("LSTM", *size, rounds=7)
        ratios.append(ours / theirs)
    assert min(ratios) <= 1.2 * most, f"{ratios} times torch's, the goal is {most}"
