import random
import re

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest
import torch

import seqviz as sv
from seqviz.views.shared import palette


def draws():
    return random.random(), np.random.rand(), torch.rand(1).item()  # noqa: NPY002


def test_equal_seeds_give_equal_draws():
    sv.setup(seed=3)
    first = draws()
    sv.setup(seed=3)
    assert draws() == first
    sv.setup(seed=4)
    assert draws() != first


def test_threads_are_set():
    sv.setup(threads=2)
    assert torch.get_num_threads() == 2
    sv.setup()
    assert torch.get_num_threads() == 1


def test_plotly_draws_with_the_tokens():
    sv.setup()
    assert pio.templates.default == "seqviz"
    figure = go.Figure(go.Heatmap(z=[[0, 1]]))
    template = figure.layout.template.layout
    assert "sendChartToCloud" in template.modebar.remove  # nothing leaves the page
    assert list(template.colorway) == palette.colours()["cat"]
    assert [c for _, c in template.colorscale.sequential] == palette.colours()["seq"]


def test_what_pages_take_from_the_tokens_are_colours_sizes_and_faces_alone():
    for sheet in palette.declarations():
        parts = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL).split(";")
        assert len(parts) > 10
        assert [part for part in parts if part.strip() and not part.strip().startswith("--")] == []


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"seed": 2**64}, ValueError, r"seed must be at most 2\*\*64 - 1"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
    ],
)
def test_bad_input_is_named(given, error, words):
    with pytest.raises(error, match=words):
        sv.setup(**given)
