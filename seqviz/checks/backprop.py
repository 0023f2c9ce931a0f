"""Checks of notebook 02: one step back, the gradient of U from letters, and where detach stands.

Vectors are rows, as in the notebook: h_t = tanh(h_{t-1} W^T + x_t U^T + b).
"""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import Refused, ramp


@check("right for three sizes, with states at 0, below 1 and above.")
def step_back() -> Cases:
    """Check `step_back(dh_next, h_next, do, W, V)`: dL/dh_t in a net with ReLU in tanh's place.

    `dh_next` is dL/dh_{t+1} and `h_next` is h_{t+1}, (batch, unit) each; `do` is dL/do_t,
    (batch, out).

    Source: deck 003, "Gradient Computation in RNN", the recursion.
    """
    for batch, units, out in ((2, 3, 4), (4, 3, 3), (1, 5, 2)):
        dh, do = ramp(batch, units, low=0.9, high=-0.4), ramp(batch, out, low=-0.6, high=0.5)
        h = 1.8 * (5 * ramp(batch, units)).sin().clamp(min=0)  # 0, below 1, above 1
        W, V = ramp(units, units, low=0.6, high=-0.9), ramp(out, units, low=-0.3, high=0.7)
        W = W + torch.eye(units, dtype=torch.float64)
        own, up = do @ V, h > 0
        right = own + (dh * up) @ W
        slips = {
            "ReLU's slope is missing; it is 0 where h_{t+1} is 0, and h >= 0 holds everywhere": (
                own + dh @ W
            ),
            "this is tanh's slope 1 - h²; ReLU's is 1 above 0 and 0 elsewhere": (
                own + (dh * (1 - h**2)) @ W
            ),
            "this is ReLU itself; its slope is 1 above 0 and 0 elsewhere": own + (dh * h) @ W,
            "ReLU has no upper end; its slope is 1 above 1 as well": own + (dh * up * (h < 1)) @ W,
            "W is transposed; with rows you go forward by W.T and back by W": own + (dh * up) @ W.T,
            "the slope stands after W; it belongs to h_{t+1}, so it comes before": (
                own + (dh @ W) * up
            ),
            "the slope is applied to both terms; the own output does not pass it": right * up,
            "h_t's own output is missing": right - own,
            "what comes through h_{t+1} is missing": own,
        }
        given = {"dh_next": dh, "h_next": h, "do": do, "W": W, "V": V}
        yield Case(f", a batch of {batch},", given, right, slips)


@check("right for three texts.")
def input_gradient() -> Cases:
    """Check `input_gradient(da, tokens, vocab_size)`: dL/dU from the letters read.

    `da` is (time, batch, unit), the gradients inside the tanh; `tokens` is (time, batch), int64.
    The inputs were the one-hot vectors of the tokens, so each step adds to one column.

    Source: deck 003, "Gradient Computation in RNN", the sum for U.
    """
    for rows, units, size in (  # some letters twice and more, the last never
        ([[0, 1], [2, 2], [2, 0], [3, 1]], 3, 5),
        ([[6, 1, 1], [2, 6, 6], [0, 3, 1]], 3, 8),
        ([[1, 0, 1, 1]], 6, 3),
    ):
        tokens = torch.tensor(rows)
        da = ramp(*tokens.shape, units, low=0.5, high=-0.8)

        def added(da: Tensor, letters: Tensor) -> Tensor:
            columns = da.new_zeros(units, size)
            return columns.index_add(1, letters.flatten(), da.flatten(0, 1).T)

        dU, once = added(da, tokens), da.new_zeros(units, size)
        once[:, tokens.flatten()] += da.flatten(0, 1).T
        read = torch.bincount(tokens.flatten(), minlength=size).clamp(min=1)
        slips = {
            "a letter that is read twice counts once; every reading adds its share": once,
            "this is the transpose; U has a row for each unit and a column for each letter": dU.T,
            "this is the mean over the readings of a letter; they add up": dU / read,
            "this is the mean over the steps; every step adds its share": dU / len(da),
            "this is the mean over the batch; every sequence adds its share": dU / tokens.shape[1],
            "da and tokens are flattened in different orders": added(da, tokens.T),
            "only the first sequence is counted": added(da[:, :1], tokens[:, :1]),
        }
        given = {"da": da, "tokens": tokens, "vocab_size": size}
        yield Case(f", a vocabulary of {size},", given, dU, slips)


@check("carried on and cut, for two, four and six chunks.")
def truncated() -> Cases:
    """Check `truncated(chunks, state, run, learn)`: two chunks at a time, then a cut.

    `run(chunk, state) -> (loss, state)` is the forward pass, `learn(loss)` the backward pass and
    the update. The function learns from the summed loss of each pair of chunks and returns the
    last state. The gradient goes through both chunks of a pair and no further.

    Source: deck 000, "Truncated Backpropagation Through Time".
    """
    for count, length, units in ((4, 3, 1), (6, 2, 4), (2, 1, 3)):
        lows = (0.2, -0.5, 0.8, -0.1, 0.4, -0.7)[:count]
        chunks = [ramp(length, low=low, high=0.9 - low) for low in lows]
        start = ramp(units, low=0.5, high=-0.3)
        run, learn, learned = _lessons(count)

        def taught(loop: Callable) -> tuple[Tensor, Tensor]:
            """The gradient of w that each lesson of a loop gives, and the state it returns."""
            run, learn, learned = _lessons(count)
            state = loop(chunks, start, run, learn)
            return torch.stack(learned), state

        def read(state):
            if len(learned) != count // 2:
                raise Refused(
                    f"truncated calls learn {len(learned)} times for {count} chunks, expected once "
                    f"for two chunks: {count // 2}."
                )
            return torch.stack(learned), state

        lessons, state = taught(_pairs)
        of_lessons = {text: taught(loop)[0] for text, loop in WRONG_LOOPS.items()}
        of_state = {"this is the state it started with": start}
        slips = by_part({"gradient of the lessons": of_lessons, "state": of_state})
        right = {"gradient of the lessons": lessons, "state": state}
        given = {"chunks": chunks, "state": start, "run": run, "learn": learn}
        yield Case(f", {count} chunks,", given, right, slips, read=read)


def _lessons(count: int) -> tuple[Callable, Callable, list]:
    """`run` and `learn` of a net with one weight, and the list of the gradients learned from."""
    w, learned = torch.tensor(0.7, dtype=torch.float64, requires_grad=True), []
    began = []  # whether the state hung on a graph, for each chunk since the last lesson

    def run(chunk, state):
        began.append(state.requires_grad)
        loss = 0.0
        for x in chunk:
            state = torch.tanh(w * state + x)
            loss = loss + (state**2).sum()
        return loss, state

    def learn(loss):
        if not isinstance(loss, Tensor) or loss.numel() != 1:
            kind = type(loss).__name__
            raise Refused(f"truncated: learn wants the sum of two losses of run, got a {kind}.")
        try:
            (gradient,) = torch.autograd.grad(loss, w)
        except RuntimeError as error:
            if "second time" in str(error):
                left = "the total holds its losses; begin each pair with 0"
                if began and began[0]:
                    left = "the state hangs on it; detach the state after learn"
                cause = f"learn went through the pair before a second time: {left}."
                raise Refused(f"truncated: {cause}") from None
            if "does not require grad" in str(error):
                cause = "the loss has no graph; detach the state, not the loss."
                raise Refused(f"truncated: {cause}") from None
            raise
        learned.append(gradient)
        began.clear()

    runs_on = f"truncated runs on: there are {count} chunks, run each once."
    return at_most(20 + count, run, runs_on), at_most(20 + count, learn, runs_on), learned


def _pairs(chunks, state, run, learn, within=lambda h: h, between=Tensor.detach, both=torch.add):
    for one, two in zip(chunks[::2], chunks[1::2], strict=True):
        first, state = run(one, state)
        second, state = run(two, within(state))
        learn(both(first, second))
        state = between(state)
    return state


def _from_the_start(chunks, state, run, learn):
    return _pairs(chunks, state, run, learn, between=lambda _: state)


WRONG_LOOPS = {
    "the gradient is cut between the two chunks of a pair; detach only after learn": (
        partial(_pairs, within=Tensor.detach)
    ),
    "the state is reset to zeros after each pair; carry it on": (
        partial(_pairs, between=torch.zeros_like)
    ),
    "the state is reset to zeros after each chunk; carry it on": (
        partial(_pairs, within=torch.zeros_like, between=torch.zeros_like)
    ),
    "each pair starts from the very first state; carry the state on": _from_the_start,
    "only the second loss of each pair is learned from; add both": (
        partial(_pairs, both=lambda first, second: second)
    ),
    "only the first loss of each pair is learned from; add both": (
        partial(_pairs, both=lambda first, second: first)
    ),
    "the mean of the two losses is learned from; add them": (
        partial(_pairs, both=lambda first, second: (first + second) / 2)
    ),
}
