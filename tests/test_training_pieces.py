"""Learning rates by step, and the mean of checkpoints."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from seqviz.training import average_weights, noam_rate


@given(d_model=st.integers(1, 1024), warmup=st.integers(1, 5000), step=st.integers(1, 20000))
def test_the_rate_is_the_papers(d_model, warmup, step):
    rate = noam_rate(step, d_model, warmup)
    highest = (d_model * warmup) ** -0.5
    expected = highest * (step / warmup if step <= warmup else (warmup / step) ** 0.5)
    assert rate == pytest.approx(expected)
    assert noam_rate(warmup, d_model, warmup) == pytest.approx(highest)


@pytest.mark.parametrize("name", ["step", "d_model", "warmup"])
def test_wrong_rates(name):
    given = {"step": 1, "d_model": 8, "warmup": 4}
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        noam_rate(**given | {name: 0})
    with pytest.raises(TypeError, match=f"{name} must be an integer"):
        noam_rate(**given | {name: 0.5})


def test_the_mean_of_weights():
    net = torch.nn.BatchNorm1d(3)
    checkpoints = []
    for k in range(3):
        with torch.no_grad():
            net.weight.fill_(k)
        net(torch.randn(4, 3))
        checkpoints.append({name: value.clone() for name, value in net.state_dict().items()})
    mean = average_weights(checkpoints)
    assert mean["weight"].tolist() == [1, 1, 1]
    assert mean["num_batches_tracked"] == 3
    net.load_state_dict(mean)
    assert average_weights(checkpoints[:1])["weight"] is not checkpoints[0]["weight"]


def test_wrong_checkpoints():
    one, other = torch.nn.Linear(2, 3).state_dict(), torch.nn.Linear(2, 4).state_dict()
    with pytest.raises(ValueError, match=r"number 1 differs .* 'bias': \(4,\) and \(3,\)"):
        average_weights([one, other])
    with pytest.raises(ValueError, match="number 1 differs from number 0 in 'bias': nothing"):
        average_weights([one, {"weight": one["weight"]}])
    with pytest.raises(ValueError, match="at least one state dict, got none"):
        average_weights([])
    with pytest.raises(TypeError, match="checkpoints must be a list of state dicts"):
        average_weights(one)
    with pytest.raises(TypeError, match="each of checkpoints must be a state dict"):
        average_weights([torch.nn.Linear(2, 3)])
