"""What a notebook may cost: 60 seconds, and for 01 450 MB."""

import pytest

MOST_MEMORY = {"01_rnn_hello": 450}

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_every_notebook_stays_in_its_budget(published):
    runs, _ = published
    for name, run in runs.items():
        assert run.seconds <= 60, f"{name} took {run.seconds:.0f} s, at most 60"
        if run.memory is not None:
            most = MOST_MEMORY.get(name, 700)
            assert run.memory <= most, f"{name} held {run.memory:.0f} MB, at most {most}"
