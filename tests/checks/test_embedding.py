import pytest
import torch
import torch.nn.functional as F

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_gradient = of_lectures()["sampling_gradient"]
right_noise = of_lectures()["noise"]


def gradient_by_autograd(w, near, drawn):
    given = [x.clone().requires_grad_() for x in (w, near, drawn)]
    w, near, drawn = given
    loss = -F.logsigmoid((w * near).sum(1)).mean()
    loss = loss - F.logsigmoid(-(drawn @ w[:, :, None])).sum(1).mean()
    return list(torch.autograd.grad(loss, given))


def right_analogy(vectors, a, b, c, inputs=True):
    v = F.normalize(vectors, dim=1)
    scores = v @ (v[b] - v[a] + v[c])
    if inputs:
        scores[[a, b, c]] = -1e9
    return scores.argmax().item()


def analogy_by_loop(vectors, a, b, c):
    rows = [row / row.norm() for row in vectors]
    to = rows[b] - rows[a] + rows[c]
    return max((k for k in range(len(rows)) if k not in (a, b, c)), key=lambda k: to @ rows[k])


def noise_by_loop(counts):
    powers = [float(count) ** 0.75 for count in counts]
    return [power / sum(powers) for power in powers]


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.sampling_gradient, gradient_by_autograd),
        (checks.noise, noise_by_loop),
    ):
        accept(check, answer)


@pytest.mark.parametrize("answer", [right_analogy, analogy_by_loop])
def test_right_analogies_are_accepted(answer):
    assert checks.analogy(answer)
    assert checks.analogy(lambda *given: torch.tensor(answer(*given)))
    assert checks.analogy(lambda v, *words: answer(v.float(), *words))


def part(which, change):
    def answer(*given):
        three = list(right_gradient(*given))
        three[which] = change(three[which], *given)
        return three

    return answer


def among_the_best(vectors, a, b, c, many=3):
    """The first of the best three that is no input, or row 0."""
    scores = unit(vectors) @ (unit(vectors)[b] - unit(vectors)[a] + unit(vectors)[c])
    return next((k for k in scores.topk(many).indices.tolist() if k not in (a, b, c)), 0)


def unit(vectors):
    return F.normalize(vectors, dim=1)


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (
            checks.sampling_gradient,
            part(0, lambda g, w, n, d: right_gradient(w, n, d / d.shape[1])[0]),
            "is off by",
        ),
        (checks.noise, lambda x: right_noise(x).clamp(min=1e-7), "exactly 0"),
        (checks.noise, lambda x: right_noise(x + 1), "is off by"),
    ):
        refuse(check, answer, words)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (among_the_best, "2 questions about 9 words"),
        (lambda v, a, b, c: v[a], "whole numbers alone"),
    ],
)
def test_wrong_analogies_are_refused(answer, words):
    assert words in checks.analogy(answer).message
