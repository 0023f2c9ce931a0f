"""record of recurrent nets under what else torch has: autocast, transforms, exports, threads."""

import warnings

import pytest
import torch
from torch import nn

from seqviz.recording import record

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


@pytest.mark.filterwarnings("ignore:LSTM with projections")  # torch's own words
def test_a_projection_does_not_block_the_other_nets():
    model = nn.ModuleDict({"small": nn.LSTM(3, 4, proj_size=2), "gru": nn.GRU(2, 3)})
    x = torch.randn(5, 2, 3)
    expected, _ = model["gru"](model["small"](x)[0])
    with (
        pytest.warns(UserWarning, match=r"module 'small' has proj_size=2; .*is not rec") as one,
        record(model) as rec,
    ):
        output, _ = model["gru"](model["small"](x)[0])
    assert one[0].filename == __file__
    assert list(rec.hidden) == ["gru"]
    torch.testing.assert_close(output, expected)


def test_every_projection_is_named():
    several = nn.ModuleList([nn.RNN(3, 3), *(nn.LSTM(3, 3, proj_size=k) for k in (1, 2))])
    words = "'1' has proj_size=1, module '2' has proj_size=2;"
    with pytest.warns(UserWarning, match=words), record(several) as rec:
        pass
    assert list(rec.hidden) == ["0"]


def test_a_projection_is_not_named_where_no_net_is_asked_for():
    both = nn.ModuleList([nn.LSTM(3, 3, proj_size=1), nn.MultiheadAttention(4, 2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with record(both, keep=("attention",)) as rec:
            pass
    assert rec.kinds == ["attention"]
