"""Checks of notebook 02: one step back, the gradient of W as one product, and where detach stands.

Vectors are rows, as in the notebook: h_t = tanh(h_{t-1} W^T + x_t U^T + b).
"""

from collections.abc import Callable

import torch

from seqviz.checks.verdict import Verdict, call, compare, ramp


def step_back(student: Callable) -> Verdict:
    """Check `step_back(dh, h, W)`: from dL/dh_t and h_t to what dL/dh_{t-1} gets through time.

    Source: deck 003, "Gradient Computation in RNN", the first term of the recursion.
    """
    dh, h = ramp(2, 3, low=0.9, high=-0.4), ramp(2, 3, low=-0.7, high=0.8)
    W = ramp(3, 3, low=0.6, high=-0.9) + torch.eye(3, dtype=torch.float64)
    slope = 1 - h**2
    mistakes = {
        "tanh's slope 1 - h_t² is missing": dh @ W,
        "W is transposed; with rows you go forward by W.T and back by W": (dh * slope) @ W.T,
        "the slope stands after the product; it belongs to h_t, so it comes before W": (dh @ W)
        * slope,
        "tanh's slope is 1 - h_t², not 1 - h_t": (dh * (1 - h)) @ W,
        "the slope is that of tanh(h_t), but h_t is the tanh already": (
            (dh * (1 - torch.tanh(h) ** 2)) @ W
        ),
        "this is dL/da_t, at the inside of the tanh; W is missing": dh * slope,
        "dh is not used": slope @ W,
    }
    answer = call(student, dh=dh, h=h, W=W)
    return compare("step_back", answer, (dh * slope) @ W, mistakes)


def recurrent_gradient(student: Callable) -> Verdict:
    """Check `recurrent_gradient(da, h)`: dL/dW of all steps as one matrix product.

    `da` is (time, unit), the gradients inside the tanh of steps 1 to T; `h` is (time + 1, unit),
    the states h_0 to h_T.

    Source: deck 003, "Gradient Computation in RNN", the sum for W.
    """
    da, h = ramp(4, 3, low=0.5, high=-0.8), ramp(5, 3, low=-0.6, high=0.9)
    before, after = h[:-1], h[1:]
    mistakes = {
        "each step met the state before it, h_{t-1}: leave out the last state, not the first": (
            da.T @ after
        ),
        "this is the transpose; W's rows are the units that come out": before.T @ da,
        "this is the transpose, and with the states after each step": after.T @ da,
        "this is the mean over the steps; every step adds its share": da.T @ before / len(da),
    }
    answer = call(student, da=da, h=h)
    return compare("recurrent_gradient", answer, da.T @ before, mistakes)


def truncated(student: Callable) -> Verdict:
    """Check `truncated(chunks, state, run, learn)`: the state is carried on, the gradient is cut.

    `run(chunk, state) -> (loss, state)` is the forward pass, `learn(loss)` the backward pass and
    the update. The function goes through the chunks in order and returns the last state.

    Source: deck 000, "Truncated Backpropagation Through Time".
    """
    chunks = [ramp(3, low=0.2, high=0.9), ramp(3, low=-0.5, high=0.4), ramp(3, low=0.8, high=-0.3)]
    start = ramp(1, low=0.5)

    def lesson(loop) -> tuple:
        """What `loop` returns, and the gradient of w that each of its lessons gave."""
        w, learned = torch.tensor(0.7, dtype=torch.float64, requires_grad=True), []

        def run(chunk, state):
            loss = 0.0
            for x in chunk:
                state = torch.tanh(w * state + x)
                loss = loss + (state**2).sum()
            return loss, state

        def learn(loss):
            (gradient,) = torch.autograd.grad(loss, w)
            learned.append(gradient)

        answer = call(loop, chunks=chunks, state=start, run=run, learn=learn)
        return answer, torch.stack(learned) if learned else torch.zeros(0)

    try:
        answer, learned = lesson(student)
    except RuntimeError as error:
        if "second time" in str(error):
            cause = (
                "learn went backward through a chunk a second time; the state still hangs on the "
                "graph of the chunk before it. Detach it."
            )
        elif "does not require grad" in str(error):
            cause = "the loss has no graph; detach the state, not the loss."
        else:
            raise
        return Verdict(False, f"truncated: {cause}")
    if isinstance(answer, Verdict):
        return answer
    state, expected = lesson(_carried)
    if len(learned) != len(expected):
        return Verdict(
            False, f"truncated calls learn {len(learned)} times, expected once a chunk: 3 times."
        )
    mistakes = {"the state starts anew at each chunk; carry it on": lesson(_reset)[1]}
    verdict = compare("truncated: the gradient of the three lessons", learned, expected, mistakes)
    if not verdict:
        return verdict
    if isinstance(answer, torch.Tensor):
        answer = answer.detach()
    last = compare(
        "truncated: the state returned",
        answer,
        state.detach(),
        {"this is the state it started with": start},
    )
    return last if not last else Verdict(True, "truncated: carried on and cut, right to 1e-10.")


def _carried(chunks, state, run, learn):
    for chunk in chunks:
        loss, state = run(chunk, state.detach())
        learn(loss)
    return state


def _reset(chunks, state, run, learn):
    start = state
    for chunk in chunks:
        loss, state = run(chunk, start)
        learn(loss)
    return state
