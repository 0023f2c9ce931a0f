from functools import partial

import pytest
import torch

from seqviz import checks


def right_step(x, h, W_xh, W_hh, b):
    return torch.tanh(W_hh @ h + W_xh @ x + b)


def right_loop(step, first, length, choose):
    tokens, token, state = [], first, None
    for _ in range(length):
        scores, state = step(token, state)
        token = choose(scores)
        tokens.append(token)
    return tokens


def test_right_answers_pass():
    assert checks.rnn_step(right_step)
    assert checks.one_hot_column(lambda W, k: W[:, k])
    assert checks.sampling_loop(right_loop)


def test_another_right_answer_passes():
    def by_units(x, h, W_xh, W_hh, b):
        return [
            torch.tanh(sum(W_hh[i, j] * h[j] for j in range(3)) + (W_xh[i] * x).sum() + b[i])
            for i in range(3)
        ]

    assert checks.rnn_step(by_units)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda x, h, W_xh, W_hh, b: W_hh @ h + W_xh @ x + b, "tanh is missing"),
        (lambda x, h, W_xh, W_hh, b: torch.tanh(W_hh @ h + W_xh @ x), "bias b is missing"),
        (lambda x, h, W_xh, W_hh, b: torch.tanh(W_xh @ x + b), "previous state h is not used"),
        (lambda x, h, W_xh, W_hh, b: torch.tanh(W_hh.T @ h + W_xh @ x + b), "transposed"),
        (lambda x, h, W_xh, W_hh, b: torch.sigmoid(W_hh @ h + W_xh @ x + b), "sigmoid"),
        (
            lambda x, h, W_xh, W_hh, b: torch.tanh(
                torch.cat([W_hh, W_xh], dim=1) @ torch.cat([x, h]) + b
            ),
            "one order, h and x in the other",
        ),
        (
            lambda x, h, W_xh, W_hh, b: right_step(x, h, W_xh, W_hh, b)[:, None],
            "one dimension too many",
        ),
        (lambda x, h, W_xh, W_hh, b: x, r"shape \(4,\), expected \(3,\)"),
        (lambda x, h, W_xh, W_hh, b: h * 0 + 7, "off by up to"),
        (lambda x, h, W_xh, W_hh, b: None, "not solved yet"),
        (lambda x, h, W_xh, W_hh, b: ..., "not solved yet"),
    ],
)
def test_a_wrong_step_fails_with_its_cause(wrong, words):
    verdict = checks.rnn_step(wrong)
    assert not verdict
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(verdict.message)


def test_a_row_is_not_a_column():
    assert "row" in checks.one_hot_column(lambda W, k: W[k % 3]).message
    assert "counts from 0" in checks.one_hot_column(lambda W, k: W[:, k - 1]).message


def no_feedback(step, first, length, choose):
    state, tokens = None, []
    for _ in range(length):
        scores, state = step(first, state)
        tokens.append(choose(scores))
    return tokens


def no_state(step, first, length, choose):
    tokens, token = [], first
    for _ in range(length):
        token = choose(step(token, None)[0])
        tokens.append(token)
    return tokens


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (no_feedback, "not fed back"),
        (no_state, "not carried"),
        (lambda *given: [given[1], *right_loop(*given)], "first token must not"),
        (lambda *given: right_loop(*given)[:-1], "expected"),
        (lambda *given: right_loop(*given[:3], lambda scores: int(scores.argmax())), "highest"),
    ],
)
def test_a_wrong_loop_fails_with_its_cause(wrong, words):
    verdict = checks.sampling_loop(wrong)
    assert not verdict
    assert words in verdict.message


def test_an_error_in_the_students_code_keeps_its_traceback():
    with pytest.raises(RuntimeError, match=r"mat1|size"):
        checks.rnn_step(lambda x, h, W_xh, W_hh, b: W_xh @ h)


def test_an_unsolved_stub_that_raises_is_told_apart():
    def stub(W, k):
        raise NotImplementedError

    assert "stub is not solved yet" in checks.one_hot_column(stub).message


@pytest.mark.parametrize(("by", "passes"), [(1e-12, True), (1e-6, False)])
def test_the_tolerance(by, passes):
    assert bool(checks.rnn_step(lambda *given: right_step(*given) + by)) == passes
    assert bool(checks.one_hot_column(lambda W, k: W[:, k] + by)) == passes


@pytest.mark.parametrize("answer", [3, [None], "abc", {}, object(), [[1.0], [1.0, 2.0]]])
def test_an_answer_of_a_wrong_type_gives_a_verdict(answer):
    assert "expected" in checks.rnn_step(lambda *given: answer).message
    assert "expected" in checks.one_hot_column(lambda *given: answer).message
    verdict = checks.sampling_loop(lambda *given: answer)
    assert not verdict
    assert "generate(step, 1, 6, choose)" in verdict.message


def test_an_input_changed_in_place_is_wrong():
    def in_place(x, h, W_xh, W_hh, b):
        answer = right_step(x, h, W_xh, W_hh, b)
        h += 1
        b.zero_()
        return answer

    def overwritten(W, k):
        W[:, 0] = W[:, k]
        return W[:, 0]

    verdict = checks.rnn_step(in_place)
    assert not verdict
    assert "in_place changed its input h and b in place" in verdict.message
    assert "changed its input W in place" in checks.one_hot_column(overwritten).message


@pytest.mark.parametrize(
    "product",
    [
        lambda W, k: W @ torch.eye(4, dtype=torch.float64)[k],
        lambda W, k: (W * torch.eye(4, dtype=torch.float64)[k]).sum(dim=1),
    ],
)
def test_a_product_is_no_column(product):
    verdict = checks.one_hot_column(product)
    assert not verdict
    assert "a product was used; look the column up" in verdict.message


def test_a_function_without_a_name():
    assert checks.one_hot_column(partial(lambda W, k, dim: W.select(dim, k), dim=1))
    stub = partial(lambda *given: None)
    assert "your function is not solved yet" in checks.one_hot_column(stub).message


def test_float32_is_near_enough_and_complex_is_not_real():
    def single(x, h, W_xh, W_hh, b):
        return right_step(x, h, W_xh, W_hh, b).float()

    assert checks.rnn_step(single)
    assert "right to 1e-06" in checks.rnn_step(single).message
    assert not checks.rnn_step(lambda *given: single(*given) + 1e-5)
    verdict = checks.rnn_step(lambda *given: right_step(*given) + 1j)
    assert not verdict
    assert "complex" in verdict.message


def test_an_error_of_torch_is_not_an_unsolved_stub():
    def wrong(x, h, W_xh, W_hh, b):
        return torch.nn.ModuleList()(x)

    with pytest.raises(NotImplementedError, match="forward"):
        checks.rnn_step(wrong)
