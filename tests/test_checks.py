"""What all checks do with a student's function: run it, watch it, compare what it gives."""

import inspect
import re
import sys
import threading
import time
from functools import partial

import numpy as np
import pytest
import torch

from seqviz import checks
from seqviz.checks import calling
from seqviz.checks.comparing import compare
from seqviz.checks.verdict import Refused

OF_EACH_KIND = (checks.rnn_step, checks.lstm_step, checks.bio_names, checks.sampling_loop)


def step(x, h, W_xh, W_hh, b):
    return torch.tanh(W_hh @ h + W_xh @ x + b)


@pytest.mark.parametrize("check", OF_EACH_KIND)
def test_what_is_no_answer_gets_a_sentence(check):
    for nothing in (None, ...):
        message = check(lambda *given, answer=nothing: answer).message
        assert "not solved yet: it gives back nothing." in message
    for answer in (checks.Verdict(True, ""), 3, [None], "abc", {}, object(), [[1.0], [1.0, 2.0]]):
        verdict = check(lambda *given, answer=answer: answer)
        assert not verdict, answer
        assert "raised" not in verdict.message
    for result in (None, torch.ones(3), 7):
        verdict = check(result)
        assert not verdict
        assert "your function itself" in verdict.message
        assert type(result).__name__ in verdict.message
    assert "keep the arguments of the exercise" in check(lambda: 1).message


def test_a_check_leaves_the_random_state_and_the_gradients_alone():
    state = torch.get_rng_state()
    with torch.inference_mode():
        for check in OF_EACH_KIND:
            assert not check(lambda *given: torch.rand(3))
        assert torch.is_inference_mode_enabled()
    assert torch.equal(torch.get_rng_state(), state)


def test_gradients_are_off_where_they_are_to_be_found_by_hand():
    seen = []
    checks.attend_backward(lambda dc, s, h, W, a: seen.append(torch.is_grad_enabled()))
    checks.attend(lambda s, h, W, padding: seen.append(torch.is_grad_enabled()))
    assert seen == [False, True]


def test_an_exception_is_told_with_its_last_line_in_the_students_code():
    def helper(W, v):
        return W @ v

    def student(x, h, W_xh, W_hh, b):
        return helper(W_xh, h)

    verdict = checks.rnn_step(student)
    assert not verdict
    assert f"student raised RuntimeError in line {inspect.getsourcelines(helper)[1] + 1}" in str(
        verdict.message
    )
    assert "`return W @ v`: size mismatch" in verdict.message


def test_an_exception_inside_what_the_check_hands_out_is_told_with_the_students_line():
    def student(step, X, h):
        return step("abc", h)

    verdict = checks.from_the_right(student)
    assert "raised AttributeError in line" in verdict.message
    assert '`return step("abc", h)`' in verdict.message


def test_an_exception_without_a_line_or_a_text():
    assert "dot raised TypeError: dot()" in checks.one_hot_column(torch.dot).message

    def student(W, k):
        raise ValueError

    assert checks.one_hot_column(student).message.endswith("`raise ValueError`.")


def test_a_stub_is_told_from_an_error_of_torch():
    def stub(W, k):
        raise NotImplementedError

    assert "stub is not solved yet" in checks.one_hot_column(stub).message
    assert (
        "your function is not solved yet" in checks.one_hot_column(partial(lambda *g: None)).message
    )
    unwritten = torch.nn.ModuleList()
    assert "NotImplementedError" in checks.one_hot_column(lambda W, k: unwritten(W)).message


def for_ever(W, k):
    while True:
        k += 1


def for_ever_and_stubborn(W, k):
    while True:
        try:
            k += 1
        except BaseException:
            k = 0


def numbers_without_end(W, k):
    while True:
        yield k


def asleep(W, k):
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize("student", [for_ever, for_ever_and_stubborn, asleep])
def test_an_answer_that_hangs_is_stopped(monkeypatch, student):
    monkeypatch.setattr(calling, "LIMIT", 0.05)
    verdict = checks.one_hot_column(student)
    assert f"{student.__name__} was stopped: it had not come to an end after 0.05" in str(verdict)
    assert not checks.one_hot_column(numbers_without_end)
    assert checks.one_hot_column(lambda W, k: W[:, k])  # nothing is left behind


def test_the_code_runs_in_the_callers_thread_and_ctrl_c_goes_through():
    def student(W, k):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.one_hot_column(student)


def test_every_kind_of_input_is_watched():
    def tensors(x, h, W_xh, W_hh, b):
        h += 1
        b.zero_()
        return step(x, h, W_xh, W_hh, b)

    def words(tags):
        tags.append("O")
        return set()

    def links(weights, sure, possible):
        possible -= sure
        return 0.0

    def net(ahead, back, X):
        back.weight_hh_l0.zero_()
        return X

    for check, student, what in (
        (checks.rnn_step, tensors, "h and b in place; make a new tensor"),
        (checks.bio_names, words, "tags in place; work on a copy"),
        (checks.alignment_error, links, "possible in place"),
        (checks.two_directions, net, "back in place"),
    ):
        verdict = check(student)
        assert not verdict
        assert f"{student.__name__} changed its input {what}" in verdict.message


@pytest.mark.parametrize(
    ("style", "by", "passes"),
    [
        (lambda x: x, 1e-6, True),
        (lambda x: x, 1e-5, False),
        (torch.Tensor.float, 3e-7, True),
        (torch.Tensor.float, 3e-5, False),
        (lambda x: x.float().numpy(), 3e-7, True),
        (lambda x: x.numpy()[::-1][::-1], 3e-7, True),
        (lambda x: x.to_sparse(), 0, True),
    ],
)
def test_the_tolerance_is_that_of_float32_in_whatever_type_it_comes(style, by, passes):
    assert bool(checks.rnn_step(lambda *given: style(step(*given) * (1 + by)))) == passes


@pytest.mark.parametrize(
    ("style", "name"),
    [
        (lambda x: [np.float16(value) for value in x], "torch.float16"),
        (lambda x: x.to(torch.float8_e4m3fn), "torch.float8_e4m3fn"),
    ],
)
def test_a_coarser_type_buys_no_tolerance(style, name):
    message = checks.rnn_step(lambda *given: style(step(*given))).message
    assert f"holds {name}, whose rounding" in message
    assert message.endswith("compute in torch.float32 or torch.float64.")
    assert checks.one_hot_column(lambda W, k: W[:, k] if k else W.float()[:, 0])


SLIP = {"a slip": torch.tensor([1.0, 3.0])}


@pytest.mark.parametrize(
    ("answer", "expected", "mistakes", "told"),
    [
        ([3e-6, 5e-7], [3e-6, 6e-7], {}, "first at [1]: got 5e-07, expected 6e-07"),
        ([3.00001, 1e-7], [3.0, 0.0], {}, "first at [0]: got 3.00001, expected 3"),
        ([1.0, 2.0 + 1e-6], [1.0, 2.0], {"a slip": torch.tensor([1.0, 2.0 + 1e-6])}, ""),
        ([1.0, 3.0 + 1e-6], [1.0, 2.0], SLIP, ": a slip."),
        ([1.0, 3.0], [1.0, 2.0], SLIP | {"also": torch.tensor([1, 3])}, "got 3, expected 2."),
        (torch.tensor([1.0, 3.01]).bfloat16(), [1.0, 2.0], SLIP, ": a slip."),
        ([10**6, 10**6 + 1], [10**6, 10**6], {}, "got 1000001, expected 1000000"),
        (torch.ones(2, dtype=torch.uint16), [1, 1], {}, ""),
        (torch.empty(2, dtype=torch.float4_e2m1fn_x2), [1.0, 1.0], {}, "no tensor of numbers"),
        ([2**70, 0], [1.0, 1.0], {}, "no tensor of numbers"),
        # the first difference that does not look like rounding is told
        ([1.00001, 5.0, 6.0], [1.0, 2.0, 3.0], {}, "up to 3; first at [1]: got 5, expected 2"),
        ([torch.inf, 5.0], [torch.inf, 2.0], {}, "first at [1]: got 5, expected 2"),
        ([torch.nan, 5.0], [1.0, 2.0], {}, "holds nan; first at [0]: got nan, expected 1"),
    ],
)
def test_equality_is_relative_to_what_is_asked_and_a_cause_is_the_only_one(
    answer, expected, mistakes, told
):
    if told:
        with pytest.raises(Refused, match=re.escape(told)):
            compare("x", answer, torch.tensor(expected), mistakes)
    else:
        compare("x", answer, torch.tensor(expected), mistakes)


def test_a_difference_is_shown_with_as_many_digits_as_it_needs():
    message = checks.rnn_step(lambda *given: step(*given) + 1e-5).message
    assert "is off by up to 1e-05; first at [0]: got " in message
    got, expected = message.split("got ")[1].rstrip(".").split(", expected ")
    assert got != expected


def test_shapes_come_first_and_complex_is_not_real():
    assert "has shape (5, 1), expected (5,): the values are right" in (
        checks.rnn_step(lambda *given: step(*given)[:, None]).message
    )
    assert "complex" in checks.rnn_step(lambda *given: step(*given) + 1j).message
    with_gradients = [torch.tensor(x, requires_grad=True) for x in (1.0, 2.0, 3.0, 4.0, 5.0)]
    assert "got 1, expected" in checks.rnn_step(lambda *given: with_gradients).message
    assert "torch.stack makes one" in checks.rnn_step(lambda *given: [step(*given)] * 3).message
    assert "holds nan; first at [0]" in checks.rnn_step(lambda *g: step(*g) * torch.nan).message


def test_a_check_comes_to_an_end_under_a_debugger():
    """Tracing, CPython 3.11 waits for ever for an exception that was taken back."""
    verdicts = []

    def traced():
        sys.settrace(lambda *_: None)
        verdicts.extend(checks.one_hot_column(lambda W, k: W[:, k]) for _ in range(3))

    thread = threading.Thread(target=traced, daemon=True)
    thread.start()
    thread.join(60)
    assert len(verdicts) == 3
    assert all(verdicts)
