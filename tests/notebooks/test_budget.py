"""What a notebook may cost: 60 seconds, 700 MB, and for 01 450 MB."""

import time

import pytest
import torch

from seqviz.execution import execute
from tests.notebooks.executed import LECTURES, NOTEBOOKS, run_of

MOST_MEMORY = {"01_rnn_hello": 450}
STEP = 0.02  # seconds of torch's own training step on the machine that the 60 are meant for


def slowness():
    """How many times as long as there a training step of torch's GRU takes here, now; at least 1.

    A machine that is shared is at times half as fast.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    net, x, seconds = torch.nn.GRU(64, 128, bidirectional=True), torch.randn(25, 64, 64), []
    for _ in range(40):
        began = time.perf_counter()
        net(x)[0].square().sum().backward()
        seconds.append(time.perf_counter() - began)
    torch.set_num_threads(threads)
    return max(1, sorted(seconds)[20] / STEP)


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_needs_little_memory(name):
    memory = run_of(name).memory
    if memory is None:
        pytest.skip("this system does not tell how much memory a process has held")
    assert memory <= MOST_MEMORY.get(name, 700)


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_runs_in_a_minute(name):
    assert execute(NOTEBOOKS / f"{name}.ipynb").seconds <= 60 * slowness()
