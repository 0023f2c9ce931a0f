import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_step(s, h, W, U, v):
    a = scores(s, h, W, U, v).softmax(dim=2)
    return a @ h, a


def step_by_loop(s, h, W, U, v):
    contexts, weights = [], []
    for states, words in zip(s, h, strict=True):
        for one in states:
            e = torch.stack([v @ torch.tanh(W @ one + U @ h_i) for h_i in words])
            a = e.exp() / e.exp().sum()
            contexts.append(sum(a_i * h_i for a_i, h_i in zip(a, words, strict=True)))
            weights.append(a)
    return [torch.stack(rows).unflatten(0, s.shape[:2]) for rows in (contexts, weights)]


def right_mask(e, ids, padding):
    return e.masked_fill(ids == padding, -torch.inf).softmax(dim=1)


def mask_by_division(e, ids, padding):
    rows = []
    for scores, words in zip(e.tolist(), ids.tolist(), strict=True):
        grown = [
            2.718281828459045**x * (word != padding) for x, word in zip(scores, words, strict=True)
        ]
        rows.append([x / sum(grown) for x in grown])
    return torch.tensor(rows, dtype=e.dtype)


def right_error(weights, sure, possible):
    links = set(enumerate(weights.argmax(dim=1).tolist()))
    agree = len(links & sure) + len(links & possible)
    return 1 - agree / (len(links) + len(sure))


def error_by_counting(weights, sure, possible):
    agree, size = 0, len(sure)
    for t, row in enumerate(weights):
        link = (t, max(range(len(row)), key=lambda i, row=row: row[i]))
        agree += (link in sure) + (link in possible)
        size += 1
    return torch.tensor((size - agree) / size, dtype=torch.float64)


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.attention_steps, right_step),
        (checks.attention_steps, step_by_loop),
        (checks.padded_weights, right_mask),
        (checks.padded_weights, mask_by_division),
        (checks.alignment_error, right_error),
        (checks.alignment_error, error_by_counting),
    ],
)
def test_right_answers_pass(check, answer):
    accept(check, answer)


def scores(s, h, W, U, v):
    return ((s @ W.T)[:, :, None] + (h @ U.T)[:, None]).tanh() @ v


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda s, h, W, U, v: scores(s, h, W, U, v), "take their softmax"),
        (lambda s, h, W, U, v: scores(s, h, W, U, v).softmax(0), "runs over the batch"),
        (lambda s, h, W, U, v: scores(s, h, W, U, v).softmax(1), "runs over the steps"),
        (lambda s, h, W, U, v: (-scores(s, h, W, U, v)).softmax(2), "turned round"),
        (lambda s, h, W, U, v: scores(s, h, W, U, v).log_softmax(2), "the logs"),
        (
            lambda s, h, W, U, v: ((s @ W.T)[:, :, None] @ v + (h @ U.T @ v)[:, None]).softmax(2),
            "the tanh is missing",
        ),
        (
            lambda s, h, W, U, v: scores(s, h, W, U, torch.ones_like(v)).softmax(2),
            "v is missing",
        ),
        (lambda s, h, W, U, v: scores(0 * s, h, W, U, v).softmax(2), "s changes nothing"),
        (
            lambda s, h, W, U, v: (
                ((s @ W.T).tanh() @ v)[:, :, None] + ((h @ U.T).tanh() @ v)[:, None]
            ).softmax(2),
            "W s must be added to U h inside the tanh",
        ),
        (lambda s, h, W, U, v: scores(s, h, W, U, v)[..., :4].softmax(2), "expected (1, 5, 5)"),
        (
            lambda s, h, W, U, v: scores(s, h, W.T if len(W) == len(W.T) else W, U, v).softmax(2),
            "1 × 5 steps, 5 words, is off",
        ),
        (
            lambda s, h, W, U, v: scores(s, h, W, U, v).softmax(2 - (s.shape[1] == h.shape[1])),
            "runs over the steps",
        ),
        (lambda s, h, W, U, v: scores(s, 0 * h, W, U, v).softmax(2), "U h is missing"),
        (lambda s, h, W, U, v: scores(s, h, W, U, v).softmax(2).mT, "shape (2, 4, 3)"),
    ],
)
def test_wrong_weights_fail_with_their_cause(wrong, words):
    refuse(checks.attention_steps, lambda *given: (right_step(*given)[0], wrong(*given)), words)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda a, h, e: h.mean(1)[:, None].expand(-1, a.shape[1], -1), "the plain mean"),
        (lambda a, h, e: h.sum(1)[:, None].expand(-1, a.shape[1], -1), "the sum of all h"),
        (lambda a, h, e: a[..., None] * h[:, None], "not added up over the words"),
        (lambda a, h, e: (a[..., None] * h[:, None]).mean(2), "already add up to 1"),
        (lambda a, h, e: e @ h, "not their softmax"),
        (lambda a, h, e: h[torch.arange(len(h))[:, None], a.argmax(2)], "only the best word"),
        (lambda a, h, e: (a @ h)[:, None], "one dimension too many"),
    ],
)
def test_a_wrong_context_fails_with_its_cause(wrong, words):
    def student(s, h, W, U, v):
        a = right_step(s, h, W, U, v)[1]
        return wrong(a, h, scores(s, h, W, U, v)), a

    refuse(checks.attention_steps, student, words)


def test_the_two_in_the_wrong_order_are_found():
    verdict = checks.attention_steps(lambda *given: right_step(*given)[::-1])
    assert not verdict
    assert "they come first" in verdict.message


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda e, ids, padding: e.softmax(1), "still gets weight"),
        (lambda e, ids, padding: e.softmax(1) * (ids != padding), "no longer add up to 1"),
        (lambda e, ids, padding: (e * (ids != padding)).softmax(1), "exp(0) is 1"),
        (lambda e, ids, padding: e.masked_fill(ids == padding, 0).softmax(1), "exp(0) is 1"),
        (
            lambda e, ids, padding: e.masked_fill(ids != padding, -torch.inf).softmax(1),
            "wrong way round",
        ),
        (
            lambda e, ids, padding: e.masked_fill(ids == padding, -torch.inf).softmax(0),
            "over the batch",
        ),
        (lambda e, ids, padding: right_mask(e, ids, 0), "not always id 0"),
        (
            lambda e, ids, padding: e.masked_fill(ids == padding, -torch.inf),
            "take their softmax",
        ),
        (
            lambda e, ids, padding: e.masked_fill(e * (ids != padding) == 0, -torch.inf).softmax(1),
            "off by up to",
        ),
        (
            lambda e, ids, padding: e.masked_fill(ids == padding, -30).softmax(1),
            "exactly 0",
        ),
        (
            lambda e, ids, padding: e.masked_fill(
                (ids == padding).flip(1).cumprod(1).flip(1) > 0, -torch.inf
            ).softmax(1),
            "it can stand anywhere",
        ),
        (
            lambda e, ids, padding: e.masked_fill(
                (ids == padding) & (torch.arange(ids.shape[1]) >= 2), -torch.inf
            ).softmax(1),
            "off by up to",
        ),
    ],
)
def test_a_wrong_mask_fails_with_its_cause(wrong, words):
    refuse(checks.padded_weights, wrong, words)


def best(weights):
    return set(enumerate(weights.argmax(dim=1).tolist()))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda w, s, p: 1 - right_error(w, s, p), "take it from 1"),
        (lambda w, s, p: right_error(w, s, s), "taken for sure ones"),
        (lambda w, s, p: right_error(w, p, p), "possible links were taken for sure"),
        (lambda w, s, p: 1 - len(best(w) & p) / len(best(w)), "missing sure links cost"),
        (lambda w, s, p: 1 - len(best(w) & s) / len(s), "wrong links cost"),
        (
            lambda w, s, p: right_error(w, {link[::-1] for link in s}, {link[::-1] for link in p}),
            "wrong way round",
        ),
        (
            lambda w, s, p: 1 - (len(best(w) & s) + len(best(w) & p)) / (len(best(w)) + len(p)),
            "|A| + |P|",
        ),
        (
            lambda w, s, p: 1 - (len(best(w) & s) + len(best(w) & p)) / len(best(w)),
            "|A| alone",
        ),
        (
            lambda w, s, p: right_error(w.T, s, p),
            "of each column made a link; each row makes one: dim",
        ),
        (
            lambda w, s, p: right_error(
                w.T, {link[::-1] for link in s}, {link[::-1] for link in p}
            ),
            "of each column made a link (target, source)",
        ),
        (
            lambda w, s, p: 1 - len(set(enumerate(w.argmax(dim=1))) & (s | p)) / (len(w) + len(s)),
            ".tolist() makes them of a tensor",
        ),
        (lambda w, s, p: 0.0, "off by up to"),
        (lambda w, s, p: right_error(w[:4], s, p), "off by up to"),
    ],
)
def test_a_wrong_error_rate_fails_with_its_cause(wrong, words):
    refuse(checks.alignment_error, wrong, words)


def test_of_two_largest_weights_one_makes_a_link():
    def student(weights, sure, possible):
        A = {(t, i) for t, i in (weights == weights.amax(1, keepdim=True)).nonzero().tolist()}
        return 1 - (len(A & sure) + len(A & possible)) / (len(A) + len(sure))

    refuse(checks.alignment_error, student, "of a sentence of vague weights is off")


@pytest.mark.parametrize(("least", "words"), [(0.5, "above a half"), (1 / 3, "above a third")])
def test_weights_above_a_threshold_are_not_the_best_of_their_row(least, words):
    def student(weights, sure, possible):
        A = {(t, i) for t, i in (weights > least).nonzero().tolist()}
        return 1 - (len(A & sure) + len(A & possible)) / (len(A) + len(sure))

    refuse(checks.alignment_error, student, words)
