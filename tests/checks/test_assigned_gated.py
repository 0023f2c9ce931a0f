"""The visible checks of assignment A2, and its solutions beside the package."""

import pytest
import torch
from torch import nn

import seqviz as sv
from tests.checks.solutions import EXERCISES, run_without_hidden_tests, solution


def made(seed, *shapes):
    draw = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=draw, dtype=torch.float64) for shape in shapes]


def in_torch(x, W, b):
    """A layer of torch with the weights of an exercise."""
    size = len(b) // 4
    cell = nn.LSTM(x.shape[2], size, dtype=torch.float64)
    weights = (W[:, size:], W[:, :size], b, 0 * b)
    cell.load_state_dict(dict(zip(cell.state_dict(), weights, strict=True)))
    return cell


def padded_batch():
    x, W, b = made(0, (6, 3, 4), (20, 9), (20,))
    return x, torch.tensor([6, 2, 4]), W, b


def test_states_are_those_of_torch():
    x, lengths, W, b = padded_batch()
    zero = torch.zeros(3, 5, dtype=torch.float64)
    H, C = solution("lstm_states")(x, lengths, zero, zero, W, b)
    cell = in_torch(x, W, b)
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    out, (h, c) = cell(packed)
    out, _ = nn.utils.rnn.pad_packed_sequence(out)
    real = torch.arange(6)[:, None] < lengths
    torch.testing.assert_close(H[1:][real], out[real], rtol=0, atol=1e-12)
    torch.testing.assert_close(H[-1], h[0], rtol=0, atol=1e-12)
    torch.testing.assert_close(C[-1], c[0], rtol=0, atol=1e-12)


def test_gradients_by_hand_are_those_of_torch():
    x, lengths, W, b = padded_batch()
    dH, dc = made(1, (6, 3, 5), (3, 5))
    zero = torch.zeros(3, 5, dtype=torch.float64)
    H, C = solution("lstm_states")(x, lengths, zero, zero, W, b)
    dx, _, _, dW, db = solution("lstm_backward")(dH, dc, x, lengths, H, C, W, b)
    cell, leaf = in_torch(x, W, b), x.clone().requires_grad_()
    packed = nn.utils.rnn.pack_padded_sequence(leaf, lengths, enforce_sorted=False)
    out, (h, c) = cell(packed)
    out, _ = nn.utils.rnn.pad_packed_sequence(out)
    over = (torch.arange(6)[:, None] >= lengths)[:, :, None]
    held = (dH * over).sum(dim=0)  # what the loss sends to the held states
    loss = (out * dH).masked_fill(over, 0.0).sum() + (h[0] * held).sum() + (c[0] * dc).sum()
    loss.backward()
    both = torch.cat([cell.weight_hh_l0.grad, cell.weight_ih_l0.grad], dim=1)
    for found, expected in ((dx, leaf.grad), (dW, both), (db, cell.bias_ih_l0.grad)):
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-10)


def test_both_ends_are_the_last_states_of_a_bidirectional_layer():
    x, lengths, W, b = padded_batch()
    W_back, b_back = made(2, (20, 9), (20,))
    cell = sv.nn.LSTM(4, 5, bidirectional=True, dtype=torch.float64)
    weights = []
    for w, bias in ((W, b), (W_back, b_back)):
        weights += [w[:, 5:], w[:, :5], bias, 0 * bias]
    cell.load_state_dict(dict(zip(cell.state_dict(), weights, strict=True)))
    _, (h, _) = cell(x, lengths=lengths)
    found = solution("both_ends")(x, lengths, (W, b), (W_back, b_back))
    torch.testing.assert_close(found, torch.cat([h[0], h[1]], dim=1).detach())


def test_a_layer_with_the_bias_forgets_half_in_the_half_life():
    half_life = torch.tensor([1.0, 5, 12], dtype=torch.float64)
    cell = sv.nn.LSTM(2, 3, dtype=torch.float64)
    for weight in cell.parameters():
        nn.init.zeros_(weight)
    with torch.no_grad():
        cell.bias_ih_l0.copy_(solution("memory_bias")(half_life))
    start = torch.zeros(1, 1, 3).double(), torch.ones(1, 1, 3).double()
    for unit, steps in enumerate((1, 5, 12)):
        _, (_, c) = cell(torch.zeros(steps, 1, 2).double(), start)
        torch.testing.assert_close(c[0, 0, unit].item(), 0.5)


def test_without_other_paths_what_survives_is_the_gradient_along_c():
    x, lengths, W, b = padded_batch()
    W[:, :5] = 0.0
    zero = torch.zeros(3, 5, dtype=torch.float64)
    i, f, g, o = EXERCISES["surviving"].solved("")["gates"](x, torch.zeros(6, 3, 5).double(), W, b)
    left = solution("surviving")(f, lengths)
    _, C = solution("lstm_states")(x, lengths, zero, zero, W, b)
    torch.testing.assert_close((left * i * g).sum(dim=0), C[-1])
    assert o.shape == left.shape


def test_without_peepholes_the_step_is_that_of_the_cell():
    x, h, c, W, b = made(3, (4, 3), (4, 2), (4, 2), (8, 5), (8,))
    p = torch.zeros(3, 2, dtype=torch.float64)
    found = solution("peephole_step")(x, h, c, W, b, p)
    _, (expected_h, expected_c) = in_torch(x[None], W, b)(x[None], (h[None], c[None]))
    torch.testing.assert_close(found[0], expected_h[0].detach())
    torch.testing.assert_close(found[1], expected_c[0].detach())


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = run_without_hidden_tests("A2")
    fresh, long = (names["right_answers"](r, names["test"]) for r in names["readers"].values())
    assert fresh[0] < 0.7 < 0.95 < long[0]
    assert min(fresh[1], long[1]) > 0.95
    kept, order = names["who_without"], names["order"]
    assert kept(order[:6]) < kept(order[6:]) - 0.1
    assert names["clock"](-50.0, steps=7) == ["0.2", "0.4", "0.6", "0.8", "1.0", "0.2", "0.4"]
