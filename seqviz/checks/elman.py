"""Checks of notebook 01: one step, one column, one loop."""

from collections.abc import Callable

import torch

from seqviz.checks.verdict import Verdict, call, compare, ramp


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
    answer = call(student, x=x, h=h, W_xh=W_xh, W_hh=W_hh, b=b)
    return compare("rnn_step", answer, torch.tanh(inside), mistakes)


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
        verdict = compare(f"column(W, {k})", call(student, W=W, k=k), expected, mistakes)
        if not verdict:
            return verdict
        unread = torch.full_like(W, torch.inf)  # in a product inf * 0 is NaN
        unread[:, k] = expected
        if not compare(f"column(W, {k})", call(student, W=unread, k=k), expected, {}):
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
        answer = call(student, step=step, first=first, length=length, choose=choose)
        if isinstance(answer, Verdict):
            return answer
        asked, expected = f"generate(step, {first}, {length}, choose)", run(first, length)
        try:
            answer = None if isinstance(answer, str) else [int(token) for token in answer]
        except (TypeError, ValueError):
            answer = None
        if answer is None:
            return Verdict(False, f"{asked} must give a list of {length} tokens, each an integer.")
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
            f"{asked} gives {answer}, expected {expected}"
            + (f": {cause}." if cause else f" ({len(expected)} tokens, each fed back)."),
        )
    return Verdict(True, "generate: right for three starts, with the state carried on.")
