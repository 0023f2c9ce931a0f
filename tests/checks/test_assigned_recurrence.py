import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from seqviz import checks
from tests.checks.solutions import solution


def test_a_loss_that_is_called_for_ever_ends_with_a_sentence():
    def forever(loss, w, step):
        while True:
            loss(w)

    verdict = checks.numeric_gradient(forever)
    assert "without an end" in verdict.message


def test_a_state_kept_through_padding_is_that_of_a_packed_batch():
    torch.manual_seed(0)
    ours, theirs = sv.nn.RNN(3, 5, dtype=torch.float64), nn.RNN(3, 5, dtype=torch.float64)
    theirs.load_state_dict(ours.state_dict())
    x, lengths = torch.randn(6, 4, 3, dtype=torch.float64), torch.tensor([6, 3, 1, 5])
    mask = torch.arange(6)[:, None] < lengths
    U, W, b, c = (p.detach() for p in ours.parameters())
    h_0 = torch.randn(4, 5, dtype=torch.float64)
    states = solution("masked_states")(x, mask, h_0, U, W, b + c)
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    _, last = theirs(packed, h_0[None])
    torch.testing.assert_close(states[-1], last[0], rtol=0, atol=1e-12)
    whole, _ = ours(x, h_0[None])
    torch.testing.assert_close(states[1:, 0], whole[:, 0], rtol=0, atol=1e-12)


def test_the_loss_is_that_of_cross_entropy_without_padding():
    torch.manual_seed(0)
    scores = torch.randn(5, 3, 7, dtype=torch.float64, requires_grad=True)
    targets = torch.randint(7, (5, 3))
    targets[3:, 1] = -100
    loss = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=-100)
    (gradient,) = torch.autograd.grad(loss, scores)
    mine, d_scores = solution("token_loss")(scores.detach(), targets, targets >= 0)
    torch.testing.assert_close(mine, loss.detach(), rtol=0, atol=1e-12)
    torch.testing.assert_close(d_scores, gradient, rtol=0, atol=1e-12)


def test_the_gradients_are_those_of_the_language_model():
    torch.manual_seed(0)
    model = sv.nn.LanguageModel(6, 4, learn_h_0=True).double()
    nn.init.normal_(model.rnn.h_0)
    ids = torch.randint(6, (7, 3))
    mask = torch.arange(6)[:, None] < torch.tensor([6, 2, 4])
    targets = ids[1:].where(mask, -100)
    scores, _ = model(ids[:-1])
    F.cross_entropy(scores.flatten(0, 1), targets.flatten()).backward()
    rnn, output = model.rnn, model.output
    U, W, b, V = rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0, output.weight
    h_0, both = rnn.h_0[0].expand(3, -1).detach(), (b + rnn.bias_hh_l0).detach()
    x = F.one_hot(ids[:-1], 6).double()
    states = solution("masked_states")(x, mask, h_0, U.data, W.data, both)
    _, d_scores = solution("token_loss")(states[1:] @ V.data.T + output.bias, targets, mask)
    mine = solution("bptt")(d_scores.detach(), x, mask, states, W.data, V.data)
    theirs = [U.grad, W.grad, b.grad, V.grad, output.bias.grad, rnn.h_0.grad[0, 0]]
    for found, wanted in zip((*mine[:5], mine[5].sum(dim=0)), theirs, strict=True):
        torch.testing.assert_close(found, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("a", [1.0, 0.3])
def test_the_norms_are_those_of_autograd(a):
    torch.manual_seed(0)
    W, x, g = torch.randn(4, 4).double(), torch.randn(6, 4).double(), torch.randn(4).double()
    h = torch.randn(4, dtype=torch.float64, requires_grad=True)
    states = [h]
    for x_t in x:
        states.append((1 - a) * states[-1] + a * torch.tanh(W @ states[-1] + x_t))
    wanted = torch.stack([v.norm() for v in torch.autograd.grad(states[-1] @ g, states)])
    mine = solution("leaky_norms")(torch.stack(states).detach(), g, W, a)
    torch.testing.assert_close(mine, wanted, rtol=0, atol=1e-12)


def test_a_push_is_near_the_gradient_of_autograd():
    w = torch.tensor([[0.3, -1.2], [2.0, 0.7]], dtype=torch.float64, requires_grad=True)

    def loss(w):
        return (w.sin() * w.exp()).sum() + w.prod()

    (wanted,) = torch.autograd.grad(loss(w), w)
    mine = solution("numeric_gradient")(loss, w.detach(), 1e-5)
    torch.testing.assert_close(mine, wanted, rtol=1e-8, atol=1e-8)


def test_every_step_is_counted_once_and_reads_enough():
    for length in range(1, 14):
        for every in range(1, 6):
            for back in range(every, 9):
                found = solution("update_windows")(length, every, back)
                counted = [t for _, first, end in found for t in range(first, end)]
                assert counted == list(range(length))
                assert all(end - begin == min(back, end) for begin, _, end in found)
