"""Checks of notebook 01: one step, one column, one loop."""

from collections.abc import Callable

import torch
from torch import cat, tanh

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.comparing import same, whole_numbers
from seqviz.checks.verdict import Refused, ramp


@check("right for three sizes.")
def rnn_step() -> Cases:
    """Check one step of an Elman RNN, `rnn_step(x, h, W_xh, W_hh, b) -> h`.

    Source: deck 000, "(Vanilla) Recurrent Neural Networks"; deck 003, "Update Equations".
    """
    for units, columns, size in ((5, 2, 1.0), (4, 4, 3.0), (1, 3, 1.0)):
        x, h = size * ramp(columns, low=-0.7), ramp(units, low=-0.5)
        b = ramp(units, low=0.4, high=-0.3)
        W_xh = ramp(units, columns, low=-0.8, high=0.9)
        W_hh = ramp(units, units, low=0.7, high=-0.6)
        inside, swapped = W_hh @ h + W_xh @ x + b, cat([W_hh, W_xh], dim=1) @ cat([x, h]) + b
        slips = {
            "tanh is missing": inside,
            "the bias b is missing": tanh(inside - b),
            "the bias b is added twice": tanh(inside + b),
            "the previous state h is not used": tanh(W_xh @ x + b),
            "the input x is not used": tanh(W_hh @ h + b),
            "W_hh is transposed": tanh(W_hh.T @ h + W_xh @ x + b),
            "the squashing function is a sigmoid, not tanh": inside.sigmoid(),
            "the matrices stand in one order, h and x in the other": tanh(swapped),
        }
        given = {"x": x, "h": h, "W_xh": W_xh, "W_hh": W_hh, "b": b}
        yield Case(f", {units} × {columns},", given, tanh(inside), slips)


@check("right for every letter of three vocabularies.", name="column")
def one_hot_column() -> Cases:
    """Check `column(W, k)`: what W times the one-hot vector of `k` gives, without a product.

    Source: deck 000, "Matrix multiply with a one-hot vector just extracts a column".
    """
    for rows, columns in ((3, 4), (5, 5), (1, 3)):
        W = ramp(rows, columns)
        for k in range(columns):
            asked = f"(W, {k}), W {rows} × {columns},"
            slips = {
                "this is the column before, Python counts from 0": W[:, k - 1],
                "this is a row, not a column": W[k % rows],
            }
            yield Case(asked, {"W": W, "k": k}, W[:, k], slips)
            unread = torch.full_like(W, torch.inf)  # in a product inf * 0 is NaN
            unread[:, k] = W[:, k]
            product = "a product was used; look the column up, W has it already."
            yield Case(asked, {"W": unread, "k": k}, W[:, k], nan=product)


@check("right for three starts, with the state carried on.", name="generate")
def sampling_loop() -> Cases:
    """Check `generate(step, first, length, choose)`: each choice is the next input.

    `step(token, state) -> (scores, state)`; `choose(scores) -> token`; the loop starts from
    `state=None` and returns the list of the `length` chosen tokens, without `first`.

    Source: deck 000, "At test-time sample characters one at a time, feed back to model".
    """
    for vocab, first, length in ((7, 1, 6), (4, 3, 5), (11, 0, 1)):
        asked = f"(step, {first}, {length}, choose)"
        named, chosen = f"generate{asked}", []

        def run(feed=True, keep=True, highest=False):
            step, choose = _sampler(vocab, length, "", [])
            tokens, token, state = [], first, None
            for _ in range(length):
                scores, state = step(token, state if keep else None)
                tokens.append(int(scores.argmax()) if highest else choose(scores))
                token = tokens[-1] if feed else first
            return tokens

        def read(answer):
            if len(chosen) > length and whole_numbers(named, answer) != run():
                raise Refused(
                    f"{named}: choose was called {len(chosen)} times for {length} tokens; each "
                    "call draws anew, so keep what it gave."
                )
            return answer

        slips = {
            "the chosen token is not fed back as the next input": run(feed=False),
            "the state is not carried to the next step": run(keep=False),
            "the first token must not be in the result": [first, *run()],
            "the highest score is taken; call choose(scores)": run(highest=True),
        }
        step, choose = _sampler(vocab, length, named, chosen)
        given = {"step": step, "first": first, "length": length, "choose": choose}
        yield Case(asked, given, run(), slips, read=read)


def _sampler(vocab: int, length: int, asked: str, chosen: list) -> tuple[Callable, Callable]:
    """A step and a choose that say how they are used wrongly; choices are noted in `chosen`."""
    given = []

    def step(token, state):
        if not given and state is not None:
            raise Refused(f"{asked}: the first state is None; step was given {state!r}.")
        count = 0 if state is None else int(state[0])
        rows = torch.arange(vocab, dtype=torch.float64)
        given.append(((3 * rows + 2 * int(token) + count**2 + 1) % vocab).cos())
        return given[-1].clone(), torch.tensor([count + 1])

    def choose(scores):  # a draw: the same scores give another token at the next call
        if not (given and same(scores, given[-1])):
            raise Refused(f"{asked}: choose takes the scores of the step as they are.")
        order = given[-1].argsort()[:-1]  # never the highest
        chosen.append(int(order[(len(chosen) ** 2 + 1) % len(order)]))
        return chosen[-1]

    runs_on = f"{asked} runs on: give {length} token{'s' * (length > 1)}, then return."
    return at_most(20 + length, step, runs_on), at_most(20 + 3 * length, choose, runs_on)
