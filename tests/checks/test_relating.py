import torch
import torch.nn.functional as F

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_events = of_lectures()["note_events"]
right_scores = of_lectures()["clipped_scores"]


def events_tick_by_tick(notes):
    numbers, now = [], 0

    def wait(until):
        nonlocal now
        while now < until:
            step = min(100, until - now)
            numbers.append(255 + step)
            now += step

    for pitch, start, end in notes:
        wait(start)
        numbers.append(pitch)
        wait(end)
        numbers.append(pitch + 128)
    return torch.tensor(numbers)


def scores_by_loop(q, e):
    scores = torch.zeros(len(q), len(q), dtype=q.dtype)
    for i in range(len(q)):
        for j in range(i + 1):
            scores[i, j] = q[i] @ e[min(i - j, len(e) - 1)]
    return scores


def scores_by_skewing(q, e):
    n = len(q)
    back = torch.arange(n - 1, -1, -1).clamp(max=len(e) - 1)
    return F.pad(q @ e[back].T, (1, 0)).flatten()[n:].view(n, n).tril()


def skew_by_reshaping(products):
    n = len(products)
    flat = F.pad(products, (0, 1)).flatten()[n - 1 : -1]
    return flat.view(n, 2 * n - 1)[:, :n]


def skew_by_loop(products):
    n = len(products)
    return torch.stack([products[i, n - 1 - i : 2 * n - 1 - i] for i in range(n)])


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.note_events, events_tick_by_tick),
        (checks.clipped_scores, scores_by_loop),
        (checks.clipped_scores, scores_by_skewing),
        (checks.two_sided_skew, skew_by_reshaping),
        (checks.two_sided_skew, skew_by_loop),
    ):
        accept(check, answer)


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (checks.note_events, lambda notes: right_events(notes)[:-1], "expected [60, 305"),
        (checks.note_events, lambda notes: right_events(notes) or [355], "a rest without notes"),
        (
            checks.clipped_scores,
            lambda q, e: right_scores(q, e) + 1e-9 * torch.ones(len(q), len(q)).triu(1),
            "exactly 0",
        ),
    ):
        refuse(check, answer, words)
