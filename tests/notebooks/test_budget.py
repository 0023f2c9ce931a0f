"""What a notebook may cost: 60 seconds, and for 01 450 MB."""

import time

import pytest
import torch

MOST_MEMORY = {"01_rnn_hello": 450}
STEP = 0.02  # seconds of torch's own training step on the machine that the 60 are meant for

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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


def test_every_notebook_stays_in_its_budget(published):
    runs, _ = published
    seconds = 60 * slowness()
    for name, run in runs.items():
        assert run.seconds <= seconds, f"{name} took {run.seconds:.0f} s, at most {seconds:.0f}"
        if run.memory is not None:
            most = MOST_MEMORY.get(name, 700)
            assert run.memory <= most, f"{name} held {run.memory:.0f} MB, at most {most}"
