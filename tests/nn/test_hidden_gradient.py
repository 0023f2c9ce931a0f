import pytest
import torch

from seqviz import nn as ours

X = torch.linspace(-1, 1, 30, dtype=torch.float64).reshape(5, 2, 3)


def lstm():
    torch.manual_seed(0)
    return ours.LSTM(3, 4, dtype=torch.float64)


def gradients(model, scale=1.0):
    model.zero_grad()
    (scale * model(X)[0].pow(2).sum()).backward()
    return {name: p.grad for name, p in model.named_parameters()}


def test_a_matrix_that_is_computed_hands_its_gradient_on():
    model, scale = lstm(), torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    weights = {name: p.detach() for name, p in model.named_parameters()}
    weights["weight_hh_l0"] = scale * weights["weight_hh_l0"]
    torch.func.functional_call(model, weights, (X,))[0].pow(2).sum().backward()
    expected = (gradients(lstm())["weight_hh_l0"] * model.weight_hh_l0).sum().detach()
    torch.testing.assert_close(scale.grad, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_gradients_have_gradients(kind):
    model = getattr(ours, kind)(3, 2, dtype=torch.float64)
    x = X[:2].clone().requires_grad_()
    assert torch.autograd.gradgradcheck(lambda x: model(x)[0], x)
