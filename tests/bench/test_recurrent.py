"""The nets built in the open stay near torch's own; the goals are 2.0 and 1.3.

On some processors torch takes the LSTM of oneDNN, which is up to 2.7 times as fast there as torch's
own; the ratio would be one of processors.
"""

import pytest
import torch

import seqviz as sv
from tests.bench.recurrent import step_times


@pytest.mark.alone
@pytest.mark.filterwarnings("ignore:TF32")
@pytest.mark.parametrize(("size", "most"), [((32, 64, 64, 128), 2.0), ((32, 128, 128, 256), 1.3)])
def test_a_training_step_of_the_lstm(size, most):
    sv.setup(seed=0)
    ratios = []
    while len(ratios) < 5 and min(ratios, default=most + 1) > most:  # other work only adds
        with torch.backends.mkldnn.flags(enabled=False):
            ours, theirs = step_times("LSTM", *size, rounds=25)
        ratios.append(ours / theirs)
    assert min(ratios) <= most, f"{ratios} times torch's, the goal is {most}"
