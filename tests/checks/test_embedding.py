import pytest
import torch
import torch.nn.functional as F

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_gradient(w, near, drawn):
    pull = torch.sigmoid((w * near).sum(1)) - 1
    push = torch.sigmoid((drawn @ w[:, :, None])[:, :, 0])
    dw = pull[:, None] * near + torch.einsum("bk,bkd->bd", push, drawn)
    dnear, ddrawn = pull[:, None] * w, push[:, :, None] * w[:, None]
    return dw / len(w), dnear / len(w), ddrawn / len(w)


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


def right_noise(counts):
    return counts**0.75 / (counts**0.75).sum()


def noise_by_loop(counts):
    powers = [float(count) ** 0.75 for count in counts]
    return [power / sum(powers) for power in powers]


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.sampling_gradient, gradient_by_autograd),
        (checks.noise, noise_by_loop),
    ],
)
def test_right_answers_are_accepted(check, answer):
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


def by_raw(vectors, a, b, c):
    scores = vectors @ (vectors[b] - vectors[a] + vectors[c])
    scores[[a, b, c]] = -1e9
    return scores.argmax()


def first(v, to, *without, score=-1e9):
    scores = v @ to
    scores[list(without)] = score
    return scores.argmax()


def among_the_best(vectors, a, b, c, many=3):
    """The first of the best three that is no input, or row 0."""
    scores = unit(vectors) @ (unit(vectors)[b] - unit(vectors)[a] + unit(vectors)[c])
    return next((k for k in scores.topk(many).indices.tolist() if k not in (a, b, c)), 0)


def unit(vectors):
    return F.normalize(vectors, dim=1)


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (
            checks.sampling_gradient,
            part(0, lambda g, w, n, d: right_gradient(w, n, d / d.shape[1])[0]),
            "is off by",
        ),
        (checks.noise, lambda x: right_noise(x).clamp(min=1e-7), "exactly 0"),
        (checks.noise, lambda x: right_noise(x + 1), "is off by"),
    ],
)
def test_wrong_answers_are_refused_by_their_slip(check, answer, words):
    refuse(check, answer, words)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda v, a, b, c: right_analogy(v, a, b, c, inputs=False), "leave their rows out"),
        (
            lambda v, a, b, c: first(unit(v), unit(v)[b] - unit(v)[a] + unit(v)[c], a, b),
            "leave",
        ),
        (lambda v, a, b, c: right_analogy(v, b, a, c), "not a - b + c"),
        (
            lambda v, a, b, c: first(unit(v), unit(v)[b] - unit(v)[a], a, b, c),
            "a direction; it starts from c",
        ),
        (
            lambda v, a, b, c: first(unit(v), unit(v)[b] - unit(v)[a] + unit(v)[c], b, c),
            "a is no answer either",
        ),
        (
            lambda v, a, b, c: first(
                unit(v), unit(v)[b] - unit(v)[a] + unit(v)[c], a, b, c, score=0.0
            ),
            "give it -inf",
        ),
        (among_the_best, "2 questions about 9 words"),
        (by_raw, "a long one wins by its length"),
        (lambda v, a, b, c: first(unit(v), v[b] - v[a] + v[c], a, b, c), "before you add them"),
        (
            lambda v, a, b, c: first(v, unit(v)[b] - unit(v)[a] + unit(v)[c], a, b, c),
            "candidates too",
        ),
        (lambda v, a, b, c: v[a], "whole numbers alone"),
        (lambda v, a, b, c: None, "not solved yet"),
    ],
)
def test_wrong_analogies_are_refused_by_their_slip(answer, words):
    verdict = checks.analogy(answer)
    assert not verdict
    assert words in verdict.message, verdict
