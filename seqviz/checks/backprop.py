"""Checks of notebook 02: one step back, the gradient of U from letters, and where detach stands.

Vectors are rows, as in the notebook: h_t = tanh(h_{t-1} W^T + x_t U^T + b).
"""

from collections.abc import Callable
from functools import partial

import torch

from seqviz.checks.verdict import Verdict, call, compare, ramp


def step_back(student: Callable) -> Verdict:
    """Check `step_back(dh_next, h_next, do, W, V)`: dL/dh_t in a net with ReLU in tanh's place.

    `dh_next` is dL/dh_{t+1} and `h_next` is h_{t+1}, (batch, unit) each; `do` is dL/do_t,
    (batch, out).

    Source: deck 003, "Gradient Computation in RNN", the recursion.
    """
    dh, do = ramp(2, 3, low=0.9, high=-0.4), ramp(2, 4, low=-0.6, high=0.5)
    h = torch.tensor([[0.8, 0.0, 0.3], [0.0, 0.5, 0.0]], dtype=torch.float64)
    W, V = ramp(3, 3, low=0.6, high=-0.9), ramp(4, 3, low=-0.3, high=0.7)
    W = W + torch.eye(3, dtype=torch.float64)
    own, passes = do @ V, h > 0
    right = own + (dh * passes) @ W
    mistakes = {
        "ReLU's slope is missing; it is 0 where h_{t+1} is 0, and h >= 0 holds everywhere": (
            own + dh @ W
        ),
        "this is tanh's slope 1 - h²; ReLU's is 1 above 0 and 0 elsewhere": (
            own + (dh * (1 - h**2)) @ W
        ),
        "this is ReLU itself; its slope is 1 above 0 and 0 elsewhere": own + (dh * h) @ W,
        "W is transposed; with rows you go forward by W.T and back by W": (
            own + (dh * passes) @ W.T
        ),
        "the slope stands after W; it belongs to h_{t+1}, so it comes before": (
            own + (dh @ W) * passes
        ),
        "the slope is applied to both terms; the own output does not pass it": right * passes,
        "h_t's own output is missing": right - own,
        "what comes through h_{t+1} is missing": own,
    }
    answer = call(student, dh_next=dh, h_next=h, do=do, W=W, V=V)
    return compare("step_back", answer, right, mistakes)


def input_gradient(student: Callable) -> Verdict:
    """Check `input_gradient(da, tokens, vocab_size)`: dL/dU from the letters read.

    `da` is (time, batch, unit), the gradients inside the tanh; `tokens` is (time, batch), int64.
    The inputs were the one-hot vectors of the tokens, so each step adds to one column.

    Source: deck 003, "Gradient Computation in RNN", the sum for U.
    """
    da, size = ramp(4, 2, 3, low=0.5, high=-0.8), 5
    tokens = torch.tensor([[0, 1], [2, 2], [2, 0], [3, 1]])  # some twice and more, 4 never

    def added(rows, letters):
        return rows.new_zeros(3, size).index_add(1, letters.flatten(), rows.flatten(0, 1).T)

    right = added(da, tokens)
    once = torch.zeros_like(right)
    once[:, tokens.flatten()] += da.flatten(0, 1).T
    read = torch.bincount(tokens.flatten(), minlength=size)
    mistakes = {
        "a letter that is read twice counts once; every reading adds its share": once,
        "this is the transpose; U has a row for each unit and a column for each letter": right.T,
        "this is the mean over the readings of a letter; they add up": right / read.clamp(min=1),
        "this is the mean over the steps; every step adds its share": right / len(da),
        "this is the mean over the batch; every sequence adds its share": right / tokens.shape[1],
        "da and tokens are flattened in different orders": added(da, tokens.T),
        "only the first sequence is counted": added(da[:, :1], tokens[:, :1]),
    }
    answer = call(student, da=da, tokens=tokens, vocab_size=size)
    return compare("input_gradient", answer, right, mistakes)


def truncated(student: Callable) -> Verdict:
    """Check `truncated(chunks, state, run, learn)`: two chunks at a time, then a cut.

    `run(chunk, state) -> (loss, state)` is the forward pass, `learn(loss)` the backward pass and
    the update. The function learns from the summed loss of each pair of chunks and returns the
    last state. The gradient goes through both chunks of a pair and no further.

    Source: deck 000, "Truncated Backpropagation Through Time".
    """
    ends = ((0.2, 0.9), (-0.5, 0.4), (0.8, -0.3), (-0.1, 0.6))
    chunks, start = [ramp(3, low=low, high=high) for low, high in ends], ramp(1, low=0.5)

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

        own = [chunk.clone() for chunk in chunks]  # a loop may use its list up
        answer = call(loop, chunks=own, state=start, run=run, learn=learn)
        return answer, torch.stack(learned) if learned else torch.zeros(0)

    try:
        answer, learned = lesson(student)
    except RuntimeError as error:
        if "second time" in str(error):
            cause = "learn went through a chunk a second time; what still hangs on the pair before?"
        elif "does not require grad" in str(error):
            cause = "the loss has no graph; detach the state, not the loss."
        else:
            raise
        return Verdict(False, f"truncated: {cause}")
    if isinstance(answer, Verdict):
        return answer
    state, expected = lesson(_pairs)
    if len(learned) != len(expected):
        return Verdict(
            False,
            f"truncated calls learn {len(learned)} times, expected once for two chunks: "
            f"{len(expected)} times.",
        )
    mistakes = {text: lesson(loop)[1] for text, loop in WRONG_LOOPS.items()}
    verdict = compare("truncated: the gradient of the two lessons", learned, expected, mistakes)
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


def _pairs(chunks, state, run, learn, within=lambda state: state, between=torch.Tensor.detach):
    for one, two in zip(chunks[::2], chunks[1::2], strict=True):
        first, state = run(one, state)
        second, state = run(two, within(state))
        learn(first + second)
        state = between(state)
    return state


def _from_the_start(chunks, state, run, learn):
    return _pairs(chunks, state, run, learn, between=lambda _: state)


def _last_loss_only(chunks, state, run, learn):
    for one, two in zip(chunks[::2], chunks[1::2], strict=True):
        _, state = run(one, state)
        loss, state = run(two, state)
        learn(loss)
        state = state.detach()
    return state


WRONG_LOOPS = {
    "the gradient is cut between the two chunks of a pair; detach only after learn": partial(
        _pairs, within=torch.Tensor.detach
    ),
    "the state is reset to zeros after each pair; carry it on": partial(
        _pairs, between=torch.zeros_like
    ),
    "the state is reset to zeros after each chunk; carry it on": partial(
        _pairs, within=torch.zeros_like, between=torch.zeros_like
    ),
    "each pair starts from the very first state; carry the state on": _from_the_start,
    "only the second loss of each pair is learned from; add both": _last_loss_only,
}
