"""Learning rates by step, and the mean of checkpoints."""

import pytest
import torch

from seqviz.training import average_weights, noam_rate
from tests.refusing import refused


@pytest.mark.parametrize(("d_model", "warmup"), [(1, 1), (64, 10), (512, 4000)])
def test_the_rate_is_the_papers(d_model, warmup):
    highest = (d_model * warmup) ** -0.5
    for step in (1, warmup, 3 * warmup):
        expected = highest * (step / warmup if step <= warmup else (warmup / step) ** 0.5)
        assert noam_rate(step, d_model, warmup) == pytest.approx(expected)


def test_wrong_rates():
    with pytest.raises(ValueError, match="warmup must be at least 1, got 0"):
        noam_rate(1, 8, 0)
    with pytest.raises(TypeError, match="step must be an integer"):
        noam_rate(0.5, 8, 4)


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
    bare = {"weight": one["weight"]}
    wrong = {
        r"number 1 differs .* 'bias': \(4,\) and \(3,\)": lambda: average_weights([one, other]),
        "number 1 differs from number 0 in 'bias': not": lambda: average_weights([one, bare]),
        "at least one state dict, got none": lambda: average_weights([]),
    }
    refused(ValueError, wrong)
    wrong = {
        "checkpoints must be a list of state dicts": lambda: average_weights(one),
        "each of checkpoints must be": lambda: average_weights([torch.nn.Linear(2, 3)]),
    }
    refused(TypeError, wrong)
