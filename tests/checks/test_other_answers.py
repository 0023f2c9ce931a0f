"""Right answers by another way than the folded solution's: a check takes them too."""

import math

import pytest
import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept


def step_back_by_autograd(dh_next, h_next, do, W, V):
    state = torch.zeros_like(h_next, requires_grad=True)
    inside = state @ W.T + torch.where(h_next > 0, h_next, -1.0)
    loss = (torch.relu(inside) * dh_next).sum() + (state @ V.T * do).sum()
    return torch.autograd.grad(loss, state)[0]


def detach_before(chunks, state, run, learn):
    for one, two in zip(chunks[::2], chunks[1::2], strict=True):
        first, state = run(one, state.detach())
        second, state = run(two, state)
        learn(first + second)
    return state


def loop_that_steps_once_more(step, first, length, choose):
    tokens = []
    scores, state = step(first, None)
    while len(tokens) < length:
        tokens.append(choose(scores))
        scores, state = step(tokens[-1], state)
    return torch.tensor(tokens)


def mix_by_loop(step, before, state, true, coin, ratio, draw):
    scores, state = step(before, state)
    own = draw(scores)
    chosen = [t if c < ratio else o for t, c, o in zip(true, coin, own, strict=True)]
    return [scores, state, torch.stack(chosen)]


def decode_by_for(step, state, start, stop, most):
    ids = [torch.tensor(start)]
    for _ in range(most):
        logits, state = step(ids[-1].view(1), state)
        ids.append(logits[0].topk(1).indices[0])
        if ids[-1] == stop:
            break
    return torch.stack(ids[1:])


def halves_by_steps(ahead, back, X):
    """Each step runs alone, with the state of the one before."""
    rows = {}
    for net, order in ((ahead, range(len(X))), (back, reversed(range(len(X))))):
        state = None
        for t in order:
            out, state = net(X[t : t + 1], state)
            rows[net, t] = out[0]
    return torch.stack([torch.cat([rows[ahead, t], rows[back, t]], 1) for t in range(len(X))])


def radius_rescaled(W, steps):
    size = W.abs().max()
    v = torch.linalg.matrix_power(W / size, steps) @ torch.ones(len(W), dtype=W.dtype)
    return size * (v.norm() / math.sqrt(len(W))) ** (1 / steps)


def growth_by_rows(W, states):
    """Take every unit gradient back at once, as a batch of rows; no Jacobian is formed."""
    G, factors = torch.eye(len(W), dtype=W.dtype), []
    for h in reversed(states[1:]):
        G = (G * (1 - h * h)) @ W
        factors.append(torch.linalg.eigvalsh(G.T @ G).max().sqrt())
    return factors


def nucleus_from_below(probabilities, p):
    """Keeps the last of equal tokens."""
    ranked, places = probabilities.sort(stable=True)
    kept = torch.where(ranked.flip(0).cumsum(0).flip(0) - ranked < p, ranked, 0)
    return torch.zeros_like(kept).scatter(0, places, kept / kept.sum())


ANSWERS = [
    (checks.step_back, step_back_by_autograd),
    (checks.truncated, detach_before),
    (checks.sampling_loop, loop_that_steps_once_more),
    (checks.mixed_step, mix_by_loop),
    (checks.greedy_decode, decode_by_for),
    (checks.two_directions, halves_by_steps),
    (checks.spectral_radius, radius_rescaled),
    (checks.worst_growth, growth_by_rows),
    (checks.nucleus, nucleus_from_below),
]


@pytest.mark.parametrize(("check", "answer"), ANSWERS, ids=lambda one: one.__name__)
def test_another_way_is_accepted(check, answer):
    accept(check, answer)


def test_names_may_come_one_by_one():
    def names(tags):
        yield from of_lectures()["bio_names"](tags)

    assert checks.bio_names(names)
