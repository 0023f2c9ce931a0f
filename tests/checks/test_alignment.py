import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def step_by_loop(s, h, W, U, v):
    contexts, weights = [], []
    for states, words in zip(s, h, strict=True):
        for one in states:
            e = torch.stack([v @ torch.tanh(W @ one + U @ h_i) for h_i in words])
            a = e.exp() / e.exp().sum()
            contexts.append(sum(a_i * h_i for a_i, h_i in zip(a, words, strict=True)))
            weights.append(a)
    return [torch.stack(rows).unflatten(0, s.shape[:2]) for rows in (contexts, weights)]


def mask_by_division(e, ids, padding):
    rows = []
    for scores, words in zip(e.tolist(), ids.tolist(), strict=True):
        grown = [
            2.718281828459045**x * (word != padding) for x, word in zip(scores, words, strict=True)
        ]
        rows.append([x / sum(grown) for x in grown])
    return torch.tensor(rows, dtype=e.dtype)


def error_by_counting(weights, sure, possible):
    agree, size = 0, len(sure)
    for t, row in enumerate(weights):
        link = (t, max(range(len(row)), key=lambda i, row=row: row[i]))
        agree += (link in sure) + (link in possible)
        size += 1
    return torch.tensor((size - agree) / size, dtype=torch.float64)


def test_right_answers_pass():
    for check, answer in (
        (checks.attention_steps, step_by_loop),
        (checks.padded_weights, mask_by_division),
        (checks.alignment_error, error_by_counting),
    ):
        accept(check, answer)


def test_a_wrong_mask_fails_with_its_cause():
    for wrong, words in (
        (
            lambda e, ids, padding: e.masked_fill(ids != padding, -torch.inf).softmax(1),
            "wrong way round",
        ),
        (
            lambda e, ids, padding: e.masked_fill(ids == padding, -30).softmax(1),
            "exactly 0",
        ),
    ):
        refuse(checks.padded_weights, wrong, words)
