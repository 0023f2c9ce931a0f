"""The two-directional language model: what each side sees, padding, and the mix of its layers."""

import torch
from torch.nn import functional as F

from seqviz.nn import BiLM, LayerMix
from tests.refusing import refused

IDS = torch.tensor([[5, 9, 3, 7, 4], [8, 6, 2, 0, 0], [1, 3, 0, 0, 0]])
LENGTHS = torch.tensor([5, 3, 2])


def bilm(layers=2):
    torch.manual_seed(0)
    return BiLM(10, 6, layers).double()


def test_no_direction_sees_what_it_must_predict():
    model = bilm()
    before = model(IDS[:1])
    for t in (0, 2, 4):
        other = IDS[:1].clone()
        other[0, t] = (other[0, t] + 1) % 10
        after = model(other)
        same = torch.isclose(before.forward_logits, after.forward_logits).all(dim=2)[0]
        assert same.tolist() == [k < t for k in range(5)]
        same = torch.isclose(before.backward_logits, after.backward_logits).all(dim=2)[0]
        assert same.tolist() == [k > t for k in range(5)]


def test_layers_are_the_two_directions_side_by_side():
    model = bilm()
    found = model(IDS[:1])
    x = model.embedding(IDS[:1])
    torch.testing.assert_close(found.layers[0], torch.cat([x, x], dim=2))
    first, _ = model.ahead[0](x)
    second, _ = model.ahead[1](first)
    torch.testing.assert_close(found.layers[2][:, :, :6], first + second)
    last, _ = model.back[0](x.flip(1))
    torch.testing.assert_close(found.layers[1][:, :, 6:], last.flip(1))
    torch.testing.assert_close(found.forward_logits, model.output(found.layers[2][:, :, :6]))


def test_padding_changes_nothing():
    model = bilm()
    whole = model(IDS, LENGTHS)
    for row, n in enumerate(LENGTHS.tolist()):
        alone = model(IDS[row : row + 1, :n])
        for padded, own in zip(whole.layers, alone.layers, strict=True):
            torch.testing.assert_close(padded[row, :n], own[0])
        torch.testing.assert_close(whole.backward_logits[row, :n], alone.backward_logits[0])
    other = IDS.clone()
    other[1, 3:] = 9
    torch.testing.assert_close(model.loss(other, LENGTHS), model.loss(IDS, LENGTHS))


def test_the_loss_is_the_mean_over_real_neighbours():
    model = bilm()
    found, ahead, back = model(IDS, LENGTHS), [], []
    for row, n in enumerate(LENGTHS.tolist()):
        for t in range(n - 1):
            ahead.append(F.cross_entropy(found.forward_logits[row, t], IDS[row, t + 1]))
            back.append(F.cross_entropy(found.backward_logits[row, t + 1], IDS[row, t]))
    expected = (torch.stack(ahead).mean() + torch.stack(back).mean()) / 2
    torch.testing.assert_close(model.loss(IDS, LENGTHS), expected)


def test_a_mix_is_gamma_times_the_weighted_sum():
    layers = torch.randn(3, 2, 5, 4, generator=torch.Generator().manual_seed(0)).double()
    mix = LayerMix(3).double()
    torch.testing.assert_close(mix(list(layers)), layers.mean(dim=0))
    with torch.no_grad():
        mix.s.copy_(torch.tensor([0.0, 1, -1]))
        mix.gamma.fill_(2.5)
    share = torch.tensor([0.0, 1, -1]).double().softmax(dim=0)
    expected = 2.5 * sum(s * h for s, h in zip(share, layers, strict=True))
    torch.testing.assert_close(mix(layers), expected)
    torch.testing.assert_close(mix.weights, share)
    mix(layers).sum().backward()
    assert mix.s.grad.abs().sum() > 0
    assert abs(mix.s.grad.sum()) < 1e-9


def test_bad_input_is_told():
    wrong = {
        "ids must lie": lambda: bilm()(IDS + 5),
        "two tokens": lambda: bilm().loss(IDS[:, :1]),
        "layers must be 3 tensors": lambda: LayerMix(3)([torch.ones(2)] * 2),
        "of one shape": lambda: LayerMix(2)([torch.ones(2), torch.ones(3)]),
    }
    refused(ValueError, wrong)
    refused(TypeError, {"ids must": lambda: bilm()(IDS.float())})
