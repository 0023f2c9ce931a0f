import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

loop = of_lectures()["sampling_loop"]


def step_by_units(x, h, W_xh, W_hh, b):
    return [
        torch.tanh(sum(W_hh[i, j] * h[j] for j in range(len(h))) + (W_xh[i] * x).sum() + b[i])
        for i in range(len(b))
    ]


def loop_that_steps_once_more(step, first, length, choose):
    tokens = []
    scores, state = step(first, None)
    while len(tokens) < length:
        tokens.append(choose(scores))
        scores, state = step(tokens[-1], state)
    return torch.tensor(tokens)


def test_right_answers_pass():
    for check, answer in (
        (checks.rnn_step, step_by_units),
        (checks.one_hot_column, lambda W, k: [row[k] for row in W]),
        (checks.sampling_loop, loop_that_steps_once_more),
    ):
        accept(check, answer)


def test_a_product_in_the_place_of_a_column_is_named():
    def student(W, k):
        return W @ torch.eye(W.shape[1], dtype=W.dtype)[k]

    refuse(checks.one_hot_column, student, "a product was used")


def generate(feed=True, carry=True, begin=None, given=lambda scores: scores, twice=False):
    def student(step, first, length, choose):
        tokens, token, state = [], first, begin
        for _ in range(length):
            scores, new = step(token if feed else first, state)
            state = new if carry else None
            token = choose(given(scores))
            tokens.append(choose(scores) if twice else token)
        return tokens

    return student


def test_a_wrong_loop_fails_with_its_cause():
    for wrong, words in (
        (lambda step, first, *others: loop(step, first or 1, *others), "gives"),
        (generate(begin=0), "the first state is None; step was given 0"),
        (generate(given=lambda scores: scores.softmax(0)), "takes the scores of the step as they"),
        (generate(twice=True), "choose was called 12 times for 6 tokens"),
        (lambda *given: loop(*given)[:-1], "gives [5, 6, 1, 1, 5], expected"),
        (lambda *given: [float(token) for token in loop(*given)], "a float in it"),
        (lambda *given: loop(*given[:2], 6, given[3]), "called 6 times for 5 tokens"),
    ):
        refuse(checks.sampling_loop, wrong, words)
