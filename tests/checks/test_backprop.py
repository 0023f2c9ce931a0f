import pytest
import torch

from seqviz import checks


def right_step(dh, h, W):
    return (dh * (1 - h**2)) @ W


def by_units(dh, h, W):
    back = torch.zeros_like(dh)
    for n in range(len(dh)):
        for i in range(3):
            for j in range(3):
                back[n, j] += dh[n, i] * (1 - h[n, i] ** 2) * W[i, j]
    return back


def by_autograd(dh, h, W):
    before = torch.zeros_like(h, requires_grad=True)
    inside = before @ W.T + torch.atanh(h)
    (gradient,) = torch.autograd.grad((torch.tanh(inside) * dh).sum(), before)
    return gradient


def detach_after(chunks, state, run, learn):
    for chunk in chunks:
        loss, state = run(chunk, state)
        learn(loss)
        state = state.detach()
    return state


def detach_before(chunks, state, run, learn):
    for chunk in chunks:
        loss, state = run(chunk, state.detach())
        learn(loss)
    return state


def test_right_answers_pass():
    for answer in (right_step, by_units, by_autograd):
        assert checks.step_back(answer)
    assert checks.recurrent_gradient(lambda da, h: da.T @ h[:-1])
    assert checks.recurrent_gradient(lambda da, h: torch.einsum("ti,tj->ij", da, h[:-1]))
    assert checks.recurrent_gradient(
        lambda da, h: sum(torch.outer(da[t], h[t]) for t in range(len(da)))
    )
    assert checks.truncated(detach_after)
    assert checks.truncated(detach_before)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda dh, h, W: dh @ W, "slope 1 - h_t² is missing"),
        (lambda dh, h, W: (dh * (1 - h**2)) @ W.T, "W is transposed"),
        (lambda dh, h, W: (dh @ W) * (1 - h**2), "the slope stands after the product"),
        (lambda dh, h, W: (dh * (1 - h)) @ W, "not 1 - h_t"),
        (lambda dh, h, W: (dh * (1 - torch.tanh(h) ** 2)) @ W, "tanh already"),
        (lambda dh, h, W: dh * (1 - h**2), "W is missing"),
        (lambda dh, h, W: (1 - h**2) @ W, "dh is not used"),
        (lambda dh, h, W: dh[0], r"shape (3,), expected (2, 3)"),
        (lambda dh, h, W: dh * 0 + 7, "off by up to"),
        (lambda dh, h, W: dh.mul_(1 - h**2) @ W, "in place"),
        (lambda dh, h, W: None, "not solved yet"),
    ],
)
def test_a_wrong_step_back_fails_with_its_cause(wrong, words):
    verdict = checks.step_back(wrong)
    assert not verdict
    assert words in verdict.message


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda da, h: da.T @ h[1:], "leave out the last state"),
        (lambda da, h: h[:-1].T @ da, "this is the transpose;"),
        (lambda da, h: h[1:].T @ da, "states after each step"),
        (lambda da, h: da.T @ h[:-1] / 4, "mean over the steps"),
        (lambda da, h: da @ h[:-1].T, "shape (4, 4), expected (3, 3)"),
        (lambda da, h: None, "not solved yet"),
    ],
)
def test_a_wrong_gradient_of_w_fails_with_its_cause(wrong, words):
    verdict = checks.recurrent_gradient(wrong)
    assert not verdict
    assert words in verdict.message


def no_detach(chunks, state, run, learn):
    for chunk in chunks:
        loss, state = run(chunk, state)
        learn(loss)
    return state


def loss_detached(chunks, state, run, learn):
    for chunk in chunks:
        loss, state = run(chunk, state)
        learn(loss.detach())
    return state


def state_reset(chunks, state, run, learn):
    first = state
    for chunk in chunks:
        loss, state = run(chunk, first)
        learn(loss)
    return state


def one_lesson(chunks, state, run, learn):
    total = 0.0
    for chunk in chunks:
        loss, state = run(chunk, state)
        total = total + loss
    learn(total)
    return state


def backwards(chunks, state, run, learn):
    return detach_after(chunks[::-1], state, run, learn)


def step_by_step(chunks, state, run, learn):
    for chunk in chunks:
        total = 0.0
        for x in chunk:
            loss, state = run([x], state.detach())
            total = total + loss
        learn(total)
    return state


def returns_the_start(chunks, state, run, learn):
    detach_after(chunks, state, run, learn)
    return state


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (no_detach, "second time"),
        (loss_detached, "not the loss"),
        (state_reset, "carry it on"),
        (one_lesson, "calls learn 1 times"),
        (backwards, "off by up to"),
        (step_by_step, "off by up to"),
        (returns_the_start, "the state returned"),
        (lambda chunks, state, run, learn: None, "not solved yet"),
    ],
)
def test_a_wrong_loop_fails_with_its_cause(wrong, words):
    verdict = checks.truncated(wrong)
    assert not verdict
    assert words in verdict.message


def test_an_error_of_the_students_own_keeps_its_trace():
    def broken(chunks, state, run, learn):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        checks.truncated(broken)
