import re

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from seqviz import checks
from tests.assignments.reading import COURSE, exercises
from tests.checks.styles import accept, refuse

SOURCE = COURSE / "source" / "A1" / "A1_rnn_bptt.ipynb"
EXERCISES = {exercise.name: exercise for exercise in exercises(SOURCE)}
CAUSES = {  # of wrong answers, and what their message must name
    "masked_states": {
        "the mask is not used": "the mask is not used",
        "padding sets the state to zero": "set to zero at padding",
        "only the input is masked": "a step with x = 0",
        "padding goes back to the start state": "goes back to h_0",
        "padded rows of the result are blanked afterwards": "the state stays what it was",
        "the mask is read the wrong way round": "the wrong way round",
        "the start state is left out": "h_0 is missing",
        "only the last state is given back": "only the last state",
        "the bias is forgotten": "the bias b is missing",
        "W_hh is not transposed": "W_hh is transposed",
    },
    "token_loss": {
        "padding is counted in the mean": "counted in the number you divide by",
        "the sum, not the mean": "this is the sum over the tokens",
        "padding is learned as word 0": "as if it were tokens",
        "the minus is missing": "the sign is wrong",
        "the perplexity in the place of the loss": "this is the perplexity",
        "a mean over sentences of their means": "a mean over sentences",
        "the -100 decides, not the mask": "the mask alone says what counts",
        "exp overflows": "scores up to 1,000",
        "0 / 0 without a token": "no token at all",
        "the gradient is that of the sum": "the gradient of the sum, not of the mean",
        "padding gets a gradient": "padding gets a gradient",
    },
    "numeric_gradient": {
        "not divided by 2": "the two points are 2 steps apart",
        "all numbers are pushed at once": "pushed at once",
        "the sign": "the sign is wrong",
        "one side only": "to one side only",
        "the pushes pile up": "is still there",
        "a flat list": "a flat list",
        "loss gets the single number that was pushed": "loss wants all of w",
        "half a step to each side": "half a step",
    },
    "bptt": {
        "padding is treated like a token": "padding is treated like a token",
        "nothing comes back from the next step": "nothing comes back",
        "the slope of tanh is missing": "the slope of tanh is missing",
        "the slope is taken at the state before": "at the state before",
        "the slope is 1 - h": "not 1 - h",
        "the state after the step in the gradient of W_hh": "stands for the one before it",
        "the weights' gradients are transposed": "it is transposed",
        "the gradient goes past the real steps as well": "goes past the real steps",
        "a padded step stops the gradient": "a padded step stops the gradient",
        "scores at padding are left out": "d_scores at padding is left out",
        "W_hh is transposed on the way back": "W_hh is transposed on the way back",
        "the mean over the batch": "the mean over the batch",
        "the start state's gradient is summed over the batch": "each row has its own",
    },
    "leaky_norms": {
        "the slope is taken at the state": "tanh's own value is another number",
        "what the state keeps passes no gradient": "passes no gradient",
        "the way through tanh has no factor a": "has no factor a",
        "the slope of tanh is missing": "the slope of tanh is missing",
        "a and 1 - a are exchanged": "are exchanged",
        "the last state comes first": "h_0 comes first",
        "the norm at the last state is left out": "the last state is missing",
        "squared norms": "squared norms",
        "W_hh is transposed": "W_hh is transposed",
    },
    "update_windows": {
        "a window begins before step 0": "before step 0",
        "back is counted from where counting begins": "from the end of the window",
        "the windows do not overlap": "do not overlap",
        "all that is read is counted": "counted twice",
        "one step short": "one step short",
        "two numbers for each update": "three numbers",
        "the steps that are left get no update": "the last steps are left out",
        "the last window runs over the end": "runs over the end",
    },
}


def defined(code: str, name: str):
    names = {"torch": torch, "F": F}
    exec(code, names)
    return names[name]


def solution(name: str):
    return defined(EXERCISES[name].solution, name)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_right_answers_pass_in_every_style(name):
    accept(getattr(checks, name), solution(name))
    for answer in EXERCISES[name].answers()[0]:
        if answer.kind == "right":
            verdict = getattr(checks, name)(defined(answer.code, name))
            assert verdict, (answer.cause, verdict)


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [(name, cause, words) for name, some in CAUSES.items() for cause, words in some.items()],
)
def test_a_slip_is_named(name, cause, words):
    (answer,) = [a for a in EXERCISES[name].answers()[0] if a.cause == cause]
    refuse(getattr(checks, name), defined(answer.code, name), words)


def test_a_verdict_or_nothing_is_no_answer():
    for name in EXERCISES:
        assert not getattr(checks, name)(lambda *given: None)
        assert not getattr(checks, name)(lambda *given: checks.Verdict(True, ""))


@pytest.mark.parametrize("odd", [None, "x", {}, [[1], [2, 3]], [torch.ones(1), torch.ones(2)], len])
def test_an_odd_part_is_refused_in_words(odd):
    right = solution("token_loss")
    assert not checks.token_loss(lambda *given: (odd, right(*given)[1]))
    assert not checks.token_loss(lambda *given: (right(*given)[0], odd))


def test_a_loss_that_is_called_for_ever_ends_with_a_sentence():
    def forever(loss, w, step):
        while True:
            loss(w)

    verdict = checks.numeric_gradient(forever)
    assert "without an end" in verdict.message


def test_a_state_kept_through_padding_is_that_of_a_packed_batch():
    torch.manual_seed(0)
    ours, theirs = sv.nn.RNN(3, 5, dtype=torch.float64), nn.RNN(3, 5, dtype=torch.float64)
    theirs.load_state_dict(ours.state_dict())
    x, lengths = torch.randn(6, 4, 3, dtype=torch.float64), torch.tensor([6, 3, 1, 5])
    mask = torch.arange(6)[:, None] < lengths
    U, W, b, c = (p.detach() for p in ours.parameters())
    h_0 = torch.randn(4, 5, dtype=torch.float64)
    states = solution("masked_states")(x, mask, h_0, U, W, b + c)
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    _, last = theirs(packed, h_0[None])
    torch.testing.assert_close(states[-1], last[0], rtol=0, atol=1e-12)
    whole, _ = ours(x, h_0[None])
    torch.testing.assert_close(states[1:, 0], whole[:, 0], rtol=0, atol=1e-12)


def test_the_loss_is_that_of_cross_entropy_without_padding():
    torch.manual_seed(0)
    scores = torch.randn(5, 3, 7, dtype=torch.float64, requires_grad=True)
    targets = torch.randint(7, (5, 3))
    targets[3:, 1] = -100
    loss = F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=-100)
    (gradient,) = torch.autograd.grad(loss, scores)
    mine, d_scores = solution("token_loss")(scores.detach(), targets, targets >= 0)
    torch.testing.assert_close(mine, loss.detach(), rtol=0, atol=1e-12)
    torch.testing.assert_close(d_scores, gradient, rtol=0, atol=1e-12)


def test_the_gradients_are_those_of_the_language_model():
    torch.manual_seed(0)
    model = sv.nn.LanguageModel(6, 4, learn_h_0=True).double()
    nn.init.normal_(model.rnn.h_0)
    ids = torch.randint(6, (7, 3))
    mask = torch.arange(6)[:, None] < torch.tensor([6, 2, 4])
    targets = ids[1:].where(mask, -100)
    scores, _ = model(ids[:-1])
    F.cross_entropy(scores.flatten(0, 1), targets.flatten()).backward()
    rnn, output = model.rnn, model.output
    U, W, b, V = rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0, output.weight
    h_0, both = rnn.h_0[0].expand(3, -1).detach(), (b + rnn.bias_hh_l0).detach()
    x = F.one_hot(ids[:-1], 6).double()
    states = solution("masked_states")(x, mask, h_0, U.data, W.data, both)
    _, d_scores = solution("token_loss")(states[1:] @ V.data.T + output.bias, targets, mask)
    mine = solution("bptt")(d_scores.detach(), x, mask, states, W.data, V.data)
    theirs = [U.grad, W.grad, b.grad, V.grad, output.bias.grad, rnn.h_0.grad[0, 0]]
    for found, wanted in zip((*mine[:5], mine[5].sum(dim=0)), theirs, strict=True):
        torch.testing.assert_close(found, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("a", [1.0, 0.3])
def test_the_norms_are_those_of_autograd(a):
    torch.manual_seed(0)
    W, x, g = torch.randn(4, 4).double(), torch.randn(6, 4).double(), torch.randn(4).double()
    h = torch.randn(4, dtype=torch.float64, requires_grad=True)
    states = [h]
    for x_t in x:
        states.append((1 - a) * states[-1] + a * torch.tanh(W @ states[-1] + x_t))
    wanted = torch.stack([v.norm() for v in torch.autograd.grad(states[-1] @ g, states)])
    mine = solution("leaky_norms")(torch.stack(states).detach(), g, W, a)
    torch.testing.assert_close(mine, wanted, rtol=0, atol=1e-12)


def test_a_push_is_near_the_gradient_of_autograd():
    w = torch.tensor([[0.3, -1.2], [2.0, 0.7]], dtype=torch.float64, requires_grad=True)

    def loss(w):
        return (w.sin() * w.exp()).sum() + w.prod()

    (wanted,) = torch.autograd.grad(loss(w), w)
    mine = solution("numeric_gradient")(loss, w.detach(), 1e-5)
    torch.testing.assert_close(mine, wanted, rtol=1e-8, atol=1e-8)


def test_every_step_is_counted_once_and_reads_enough():
    for length in range(1, 14):
        for every in range(1, 6):
            for back in range(every, 9):
                found = solution("update_windows")(length, every, back)
                counted = [t for _, first, end in found for t in range(first, end)]
                assert counted == list(range(length))
                assert all(end - begin == min(back, end) for begin, _, end in found)


def test_hints_and_tasks_hold_no_line_of_a_solution():
    text = SOURCE.read_text(encoding="utf-8")
    for exercise in EXERCISES.values():
        inside = exercise.solution.split("### BEGIN SOLUTION")[1].split("### END SOLUTION")[0]
        lines = [line.strip() for line in inside.splitlines() if len(line.strip()) > 30]
        assert lines
        for line in lines:
            assert text.count(re.sub(r'(["\\])', r"\\\1", line)) == 1, line
