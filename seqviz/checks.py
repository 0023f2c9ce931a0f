"""Checks of the exercises: fixed inputs, and a verdict that says what differs and by how much."""

from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Verdict:
    """What a check found. True in a condition when the exercise is solved."""

    passed: bool
    message: str

    def __bool__(self) -> bool:
        """Whether the exercise is solved."""
        return self.passed

    def __repr__(self) -> str:
        """The message, with a sign that does not rest on colour."""
        return f"{'✓' if self.passed else '✗'} {self.message}"


def ramp(*shape: int, low: float = -1.0, high: float = 1.0) -> torch.Tensor:
    """Evenly spaced float64 numbers in the given shape: an input without a random generator."""
    size = torch.Size(shape).numel()
    return torch.linspace(low, high, size, dtype=torch.float64).reshape(shape)


def rnn_step(student: Callable) -> Verdict:
    """Check one step of an Elman RNN, `rnn_step(x, h, W_xh, W_hh, b) -> h`.

    Source: deck 000, "(Vanilla) Recurrent Neural Networks"; deck 003, "Update Equations".
    """
    x, h, b = ramp(4, low=0.1), ramp(3, low=-0.5), ramp(3, low=0.2, high=0.4)
    W_xh, W_hh = ramp(3, 4, low=-0.8, high=0.9), ramp(3, 3, low=0.7, high=-0.6)
    inside = W_hh @ h + W_xh @ x + b
    mistakes = {
        "tanh is missing": inside,
        "the bias b is missing": torch.tanh(inside - b),
        "the previous state h is not used": torch.tanh(W_xh @ x + b),
        "the input x is not used": torch.tanh(W_hh @ h + b),
        "W_hh is transposed": torch.tanh(W_hh.T @ h + W_xh @ x + b),
        "the squashing function is a sigmoid, not tanh": torch.sigmoid(inside),
        "the matrices stand in one order, h and x in the other": torch.tanh(
            torch.cat([W_hh, W_xh], dim=1) @ torch.cat([x, h]) + b
        ),
    }
    answer = _call(student, x=x, h=h, W_xh=W_xh, W_hh=W_hh, b=b)
    return _compare("rnn_step", answer, torch.tanh(inside), mistakes)


def one_hot_column(student: Callable) -> Verdict:
    """Check `column(W, k)`: what W times the one-hot vector of `k` gives, without a product.

    Source: deck 000, "Matrix multiply with a one-hot vector just extracts a column".
    """
    W = ramp(3, 4)
    for k in range(4):
        expected = W @ torch.eye(4, dtype=torch.float64)[k]
        mistakes = {
            "this is the column before, Python counts from 0": W[:, k - 1],
            "this is a row, not a column": W[k % 3],
        }
        verdict = _compare(f"column(W, {k})", _call(student, W=W, k=k), expected, mistakes)
        if not verdict:
            return verdict
        unread = torch.full_like(W, torch.inf)  # in a product inf * 0 is NaN
        unread[:, k] = expected
        if not _compare(f"column(W, {k})", _call(student, W=unread, k=k), expected, {}):
            return Verdict(
                False, f"column(W, {k}): a product was used; look the column up, W has it already."
            )
    return Verdict(True, "column: right for all four letters, to 1e-10.")


def sampling_loop(student: Callable) -> Verdict:
    """Check `generate(step, first, length, choose)`: each choice is the next input.

    `step(token, state) -> (scores, state)`; `choose(scores) -> token`; the loop starts from
    `state=None` and returns the list of the `length` chosen tokens, without `first`.

    Source: deck 000, "At test-time sample characters one at a time, feed back to model".
    """

    def step(token, state):
        count = 0 if state is None else state
        scores = torch.linspace(1, 2, 7, dtype=torch.float64)
        scores[(2 * int(token) + count) % 7] = 0.0
        return scores, count + 1

    def choose(scores):  # the lowest score: a loop that takes the highest does not pass
        return int(scores.argmin())

    def run(first, length, feed_back=True, keep_state=True, choose=choose):
        tokens, token, state = [], first, None
        for _ in range(length):
            scores, state = step(token, state)
            tokens.append(choose(scores))
            token = tokens[-1] if feed_back else first
            state = state if keep_state else None
        return tokens

    for first, length in ((1, 6), (3, 4), (2, 1)):
        answer = _call(student, step=step, first=first, length=length, choose=choose)
        if isinstance(answer, Verdict):
            return answer
        call, expected = f"generate(step, {first}, {length}, choose)", run(first, length)
        try:
            answer = None if isinstance(answer, str) else [int(token) for token in answer]
        except (TypeError, ValueError):
            answer = None
        if answer is None:
            return Verdict(False, f"{call} must give a list of {length} tokens, each an integer.")
        if answer == expected:
            continue
        seen = {
            "the chosen token is not fed back as the next input": run(first, length, False),
            "the state is not carried to the next step": run(first, length, keep_state=False),
            "the first token must not be in the result": [first, *expected],
            "the highest score is taken; call choose(scores)": run(
                first, length, choose=lambda scores: int(scores.argmax())
            ),
        }
        cause = next((text for text, tokens in seen.items() if answer == tokens), None)
        return Verdict(
            False,
            f"{call} gives {answer}, expected {expected}"
            + (f": {cause}." if cause else f" ({len(expected)} tokens, each fed back)."),
        )
    return Verdict(True, "generate: right for three starts, with the state carried on.")


def _call(student: Callable, **inputs):
    """Run the student's function on copies; an unsolved stub gives a verdict, an error its trace.

    So does a function that changes an input in place.
    """
    tensors = {name: x for name, x in inputs.items() if isinstance(x, torch.Tensor)}
    copies = {name: x.clone() for name, x in tensors.items()}
    name = getattr(student, "__name__", "your function")
    try:
        answer = student(*(inputs | copies).values())
    except NotImplementedError:
        answer = None
    if answer is None or answer is Ellipsis:
        return Verdict(False, f"{name} is not solved yet: it gives back nothing.")
    changed = [key for key, x in tensors.items() if not torch.equal(x, copies[key])]
    if changed:
        return Verdict(
            False,
            f"{name} changed its input {' and '.join(changed)} in place; make a new tensor, "
            "h = h + ... rather than h += ...",
        )
    return answer


def _compare(
    name: str, answer, expected: torch.Tensor, mistakes: dict[str, torch.Tensor]
) -> Verdict:
    """Compare to 1e-10 and name the likely mistake where one explains the difference."""
    if isinstance(answer, Verdict):
        return answer
    try:
        answer = torch.as_tensor(answer, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError):
        return Verdict(
            False,
            f"{name} gives a {type(answer).__name__} that is no tensor of numbers, expected one of "
            f"shape {tuple(expected.shape)}.",
        )
    cause = next((text for text, tensor in mistakes.items() if _equal(answer, tensor)), None)
    if _equal(answer, expected):
        return Verdict(True, f"{name}: right to 1e-10.")
    if answer.shape != expected.shape:
        found = f"has shape {tuple(answer.shape)}, expected {tuple(expected.shape)}"
        if _equal(answer.squeeze(), expected):
            cause = "the values are right, there is one dimension too many"
    else:
        found = f"is off by up to {(answer - expected).abs().max().item():.3g}"
    detail = f": {cause}" if cause else f": got {_digits(answer)}, expected {_digits(expected)}"
    return Verdict(False, f"{name} {found}{detail}.")


def _equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=1e-10)


def _digits(tensor: torch.Tensor) -> str:
    return "[" + ", ".join(f"{value:.4f}" for value in tensor.flatten().tolist()) + "]"
