"""The visible checks of assignment A2, and its solutions beside the package."""

import pytest
import torch
from torch import nn

import seqviz as sv
from seqviz import checks
from tests.checks.assigned import Assignment
from tests.checks.styles import accept, refuse

A2 = Assignment("A2", "given-gates")


@pytest.mark.parametrize("name", A2.exercises)
def test_solutions_pass_in_every_style(name):
    accept(getattr(checks, name), A2.solutions[name])


@pytest.mark.parametrize(("name", "cause"), A2.right_ones())
def test_right_answers_pass(name, cause):
    verdict = getattr(checks, name)(A2.named(name, cause))
    assert verdict, verdict


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [
        ("lstm_states", "only the last states are given", "give all of them"),
        ("lstm_states", "the input and the forget gate are swapped", "gate are swapped"),
        ("lstm_states", "h has no tanh around c", "lacks the tanh"),
        ("lstm_states", "h is made of the old c", "of the old c"),
        ("lstm_states", "H and C stand in the wrong order", "wrong order"),
        ("lstm_states", "each sentence loses its last word", "one word too few"),
        ("lstm_states", "each sentence reads one word of padding", "one word too many"),
        ("lstm_states", "padding moves the states", "padding moves the states"),
        ("lstm_states", "padding is read as a word of zeros", "a word of zeros"),
        ("lstm_states", "the states become 0 where a sentence is over", "become 0"),
        ("lstm_states", "h is held and c moves on", "c moves on"),
        ("lstm_states", "c is held and h moves on", "h moves on"),
        ("lstm_states", "the first states come back where a sentence is over", "come back"),
        ("lstm_states", "the given states are not used", "given as h and c"),
        ("lstm_states", "the first states are left out", "missing in front"),
        ("lstm_states", "the whole batch ends with its shortest sentence", "the shortest"),
        ("step_backward", "the way through h is missing", "through h'; it is missing"),
        ("step_backward", "the slope of the tanh around c is missing", "the slope of the tanh"),
        ("step_backward", "o is missing between h and c", "o is missing"),
        ("step_backward", "the slope of tanh is taken at c, not at tanh(c)", "1 - c'²"),
        ("step_backward", "i and g are swapped", "i and g are swapped"),
        ("step_backward", "o meets c without its tanh", "o meets tanh(c')"),
        ("step_backward", "the candidate has the slope of a sigmoid", "g is a tanh"),
        ("step_backward", "the slopes of the gates are missing", "slopes of the sigmoids"),
        ("step_backward", "the blocks stand as i, f, o, g", "W has them as"),
        ("step_backward", "dh and dx change places", "the gradient at h"),
        ("step_backward", "dW is transposed", "its transpose"),
        ("step_backward", "x is stacked on h", "belong to h first"),
        ("step_backward", "the gradient from later steps is missing", "comes from later steps"),
        ("step_backward", "what arrives is changed in place", "changed its input dc"),
        ("step_backward", "the forget gate meets the new c", "f meets the old c"),
        ("step_backward", "f is missing on the way to the old c", "stands f"),
        ("step_backward", "only what later steps send goes on to the old c", "a second way"),
        ("step_backward", "dW is a mean over the sentences", "no mean"),
        ("step_backward", "db is a mean over the sentences", "no mean"),
        ("lstm_backward", "dh from later steps is lost", "dh from later steps"),
        ("lstm_backward", "dc from later steps is lost", "dc from later steps"),
        ("lstm_backward", "the states after each word are taken", "before word t"),
        ("lstm_backward", "dW and db are those of the first word", "the first alone"),
        ("lstm_backward", "dW and db are means over the words", "no mean"),
        ("lstm_backward", "dH is taken one step too early", "the state after word t"),
        ("lstm_backward", "the loss sends to the last state alone", "to each state"),
        ("lstm_backward", "padding is read as words", "as if it were words"),
        (
            "lstm_backward",
            "what the loss sends to held states is left out",
            "to the last real one",
        ),
        ("lstm_backward", "dh and dc become 0 at padding", "they are handed on"),
        ("lstm_backward", "dc at the last state is left out", "is missing"),
        ("lstm_backward", "dc at the last state is added at each step", "arrives once"),
        ("memory_bias", "one over e is left, not one half", "leaves 1/e"),
        ("memory_bias", "the gates' values are given for their biases", "the gates' values"),
        ("memory_bias", "only the forget gate's block is given", "give all four"),
        ("memory_bias", "g and o get the value of a gate that is half open", "a bias of 0"),
        ("memory_bias", "f is 1 - 1 / k", "f is 1 - 1/k"),
        ("memory_bias", "the blocks stand as f, i, g, o", "i, f, g, o is wanted"),
        ("memory_bias", "the input gate is as open as the forget gate", "i is 1 - f"),
        ("memory_bias", "the input gate is left half open", "bias is missing"),
        ("memory_bias", "the half is taken to the k", "after one step"),
        ("memory_bias", "f falls with the half-life, not its k-th power", "multiplied k times"),
        ("memory_bias", "a loss of one half over k steps in equal parts", "equal parts"),
        ("memory_bias", "the blocks are mixed, unit by unit", "the units alternate"),
        ("memory_bias", "the log is to base 2", "natural"),
        ("surviving", "the word's own f is counted", "own f is counted"),
        ("surviving", "the shares are upside down", "upside down"),
        ("surviving", "the share that is lost is given", "share that is lost"),
        ("surviving", "the f are added up", "multiplied"),
        ("surviving", "the f of padding are counted", "f of padding"),
        ("surviving", "padding holds 1", "padding holds nothing"),
        ("surviving", "all sentences end with the longest", "with the longest"),
        ("surviving", "the product of all is divided by that of the front", "a gate may be 0"),
        ("both_ends", "c is given for h", "give h"),
        ("both_ends", "the backward net has read one word", "has read one word"),
        ("both_ends", "the backward half reads from left to right", "from left to right"),
        ("both_ends", "both halves have the forward net's weights", "weights of its own"),
        ("both_ends", "the whole batch is turned round", "the last are cut"),
        ("both_ends", "the whole batch is turned round and all of it is read", "in the padding"),
        ("both_ends", "both nets read the padding", "padding is read"),
        ("both_ends", "the backward half stands first", "stands first"),
        ("peephole_step", "h and c stand in the wrong order", "wrong order"),
        ("peephole_step", "h has no tanh around c", "lacks the tanh"),
        ("peephole_step", "the candidate has no tanh", "has no tanh"),
        ("peephole_step", "the blocks stand as i, f, o, g", "W has them as i, f, g, o"),
        ("peephole_step", "h is made of the old c", "of the old c"),
        ("peephole_step", "x is stacked on h", "belong to h first"),
        ("peephole_step", "the output gate sees the old c", "it sees the new one"),
        ("peephole_step", "no gate sees c", "p is not used"),
        ("peephole_step", "the output gate has no peephole", "has a peephole too"),
        ("peephole_step", "the rows of p are read as i, o, f", "f and o are swapped"),
        ("peephole_step", "the gates see tanh(c)", "see c itself"),
        ("peephole_step", "the peepholes stand outside the sigmoid", "belongs into it"),
        ("peephole_step", "the candidate has a peephole too", "only the gates do"),
        ("peephole_step", "the peepholes meet h", "they meet c"),
        ("peephole_step", "the peepholes are added without c", "the weight of c"),
    ],
)
def test_slips_are_named(name, cause, words):
    refuse(getattr(checks, name), A2.named(name, cause), words)


def made(seed, *shapes):
    draw = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=draw, dtype=torch.float64) for shape in shapes]


def in_package(x, W, b, kind=sv.nn.LSTM):
    """A layer of the package with the weights of an exercise."""
    size = len(b) // 4
    cell = kind(x.shape[2], size, dtype=torch.float64)
    weights = (W[:, size:], W[:, :size], b, 0 * b)
    cell.load_state_dict(dict(zip(cell.state_dict(), weights, strict=True)))
    return cell


def padded_batch():
    x, W, b = made(0, (6, 3, 4), (20, 9), (20,))
    return x, torch.tensor([6, 2, 4]), W, b


@pytest.mark.parametrize("kind", [sv.nn.LSTM, nn.LSTM])
def test_states_are_the_packages(kind):
    x, lengths, W, b = padded_batch()
    zero = torch.zeros(3, 5, dtype=torch.float64)
    H, C = A2.solutions["lstm_states"](x, lengths, zero, zero, W, b)
    cell = in_package(x, W, b, kind)
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    out, (h, c) = cell(packed)
    out, _ = nn.utils.rnn.pad_packed_sequence(out)
    real = torch.arange(6)[:, None] < lengths
    torch.testing.assert_close(H[1:][real], out[real], rtol=0, atol=1e-12)
    torch.testing.assert_close(H[-1], h[0], rtol=0, atol=1e-12)
    torch.testing.assert_close(C[-1], c[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", [sv.nn.LSTM, nn.LSTM])
def test_gradients_by_hand_are_those_of_the_package(kind):
    x, lengths, W, b = padded_batch()
    dH, dc = made(1, (6, 3, 5), (3, 5))
    zero = torch.zeros(3, 5, dtype=torch.float64)
    H, C = A2.solutions["lstm_states"](x, lengths, zero, zero, W, b)
    dx, _, _, dW, db = A2.solutions["lstm_backward"](dH, dc, x, lengths, H, C, W, b)
    cell, leaf = in_package(x, W, b, kind), x.clone().requires_grad_()
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
    found = A2.solutions["both_ends"](x, lengths, (W, b), (W_back, b_back))
    torch.testing.assert_close(found, torch.cat([h[0], h[1]], dim=1).detach())


def test_a_layer_with_the_bias_forgets_half_in_the_half_life():
    half_life = torch.tensor([1.0, 5, 12], dtype=torch.float64)
    cell = sv.nn.LSTM(2, 3, dtype=torch.float64)
    for weight in cell.parameters():
        nn.init.zeros_(weight)
    with torch.no_grad():
        cell.bias_ih_l0.copy_(A2.solutions["memory_bias"](half_life))
    start = torch.zeros(1, 1, 3).double(), torch.ones(1, 1, 3).double()
    for unit, steps in enumerate((1, 5, 12)):
        _, (_, c) = cell(torch.zeros(steps, 1, 2).double(), start)
        torch.testing.assert_close(c[0, 0, unit].item(), 0.5)


def test_without_other_paths_what_survives_is_the_gradient_along_c():
    x, lengths, W, b = padded_batch()
    W[:, :5] = 0.0
    zero = torch.zeros(3, 5, dtype=torch.float64)
    i, f, g, o = A2.names["gates"](x, torch.zeros(6, 3, 5).double(), W, b)
    left = A2.solutions["surviving"](f, lengths)
    _, C = A2.solutions["lstm_states"](x, lengths, zero, zero, W, b)
    torch.testing.assert_close((left * i * g).sum(dim=0), C[-1])
    assert o.shape == left.shape


def test_without_peepholes_the_step_is_that_of_the_cell():
    x, h, c, W, b = made(3, (4, 3), (4, 2), (4, 2), (8, 5), (8,))
    p = torch.zeros(3, 2, dtype=torch.float64)
    found = A2.solutions["peephole_step"](x, h, c, W, b, p)
    _, (expected_h, expected_c) = in_package(x[None], W, b)(x[None], (h[None], c[None]))
    torch.testing.assert_close(found[0], expected_h[0].detach())
    torch.testing.assert_close(found[1], expected_c[0].detach())


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = A2.run_without_hidden_tests()
    fresh, long = (names["right_answers"](r, names["test"]) for r in names["readers"].values())
    assert fresh[0] < 0.7 < 0.95 < long[0]
    assert min(fresh[1], long[1]) > 0.95
    kept, order = names["who_without"], names["order"]
    assert kept(order[:6]) < kept(order[6:]) - 0.1
    assert names["clock"](-50.0, steps=7) == ["0.2", "0.4", "0.6", "0.8", "1.0", "0.2", "0.4"]
