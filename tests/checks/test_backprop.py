import torch
import torch.nn.functional as F

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

detach_after = of_lectures()["truncated"]


def by_autograd(dh_next, h_next, do, W, V):
    state = torch.zeros_like(h_next, requires_grad=True)
    inside = state @ W.T + torch.where(h_next > 0, h_next, -1.0)
    loss = (torch.relu(inside) * dh_next).sum() + (state @ V.T * do).sum()
    return torch.autograd.grad(loss, state)[0]


def by_one_hot(da, tokens, vocab_size):
    return da.flatten(0, 1).T @ F.one_hot(tokens.flatten(), vocab_size).to(da.dtype)


def detach_before(chunks, state, run, learn):
    for one, two in zip(chunks[::2], chunks[1::2], strict=True):
        first, state = run(one, state.detach())
        second, state = run(two, state)
        learn(first + second)
    return state


def test_right_answers_pass():
    for check, answer in (
        (checks.step_back, by_autograd),
        (checks.input_gradient, by_one_hot),
        (checks.truncated, detach_before),
    ):
        accept(check, answer)


def as_handed_out(chunks, state, run, learn):
    total = 0.0
    for number, chunk in enumerate(chunks, start=1):
        loss, state = run(chunk, state)
        total = total + loss
        state = state.detach()
        if number % 2 == 0:
            learn(total)
    return state


def loop(within=None, after=None, losses=lambda one, two: one + two):
    """A loop over pairs; `within` and `after` change the state inside and between the pairs."""

    def wrong(chunks, state, run, learn):
        for one, two in zip(chunks[::2], chunks[1::2], strict=True):
            first, state = run(one, state)
            second, state = run(two, within(state) if within else state)
            learn(losses(first, second))
            state = after(state) if after else state
        return state

    return wrong


def every_chunk(chunks, state, run, learn):
    for chunk in chunks:
        loss, state = run(chunk, state.detach())
        learn(loss)
    return state


def backwards(chunks, state, run, learn):
    return detach_after(chunks[::-1], state, run, learn)


def never_ending(chunks, state, run, learn):
    while chunks:
        _, state = run(chunks[0], state)


cut = torch.Tensor.detach


def test_a_wrong_loop_fails_with_its_cause():
    for wrong, words in (
        (as_handed_out, "second time: the total holds its losses"),
        (loop(), "second time: the state hangs on it"),
        (loop(after=cut, losses=lambda one, two: (one + two).detach()), "not the loss"),
        (every_chunk, "calls learn 4 times"),
        (backwards, "off by up to"),
        (lambda chunks, *others: detach_before(chunks[:4], *others), "learn 2 times for 6 chunks"),
        (loop(after=cut, losses=lambda one, two: (one + two).item()), "learn wants the sum"),
        (never_ending, "runs on: there are 4 chunks"),
    ):
        refuse(checks.truncated, wrong, words)
