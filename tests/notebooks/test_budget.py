"""What a notebook may cost: 60 seconds and 700 MB; less for 01, more for a real encoder."""

import time

import pytest
import torch

from seqviz.execution import execute
from tests.notebooks.executed import LECTURES, NOTEBOOKS, run_of

# 18 writes the pages of two real encoders, which a reader's kernel does not.
MOST_MEMORY = {"01_rnn_hello": 450, "15a_contextual_transfer": 740, "18_bert_finetuning": 1000}
MOST_SECONDS = {"18_bert_finetuning": 90}
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
    seconds = execute(NOTEBOOKS / f"{name}.ipynb").seconds
    assert seconds <= MOST_SECONDS.get(name, 60) * slowness()
