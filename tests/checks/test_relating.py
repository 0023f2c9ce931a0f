import pytest
import torch
import torch.nn.functional as F

from seqviz import checks
from tests.checks.styles import accept, refuse


def shifts(ticks):
    return [355] * (ticks // 100) + [255 + ticks % 100] * (ticks % 100 > 0)


def right_events(notes):
    numbers, now = [], 0
    for pitch, start, end in notes:
        numbers += [*shifts(start - now), pitch, *shifts(end - start), 128 + pitch]
        now = end
    return numbers


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


def right_scores(q, e):
    i = torch.arange(len(q))
    back = (i[:, None] - i).clamp(0, len(e) - 1)
    return (q[:, None] * e[back]).sum(-1).tril()


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


def right_skew(products):
    n = len(products)
    i = torch.arange(n)
    return products.gather(1, i[None] - i[:, None] + n - 1)


def skew_by_reshaping(products):
    n = len(products)
    flat = F.pad(products, (0, 1)).flatten()[n - 1 : -1]
    return flat.view(n, 2 * n - 1)[:, :n]


def skew_by_loop(products):
    n = len(products)
    return torch.stack([products[i, n - 1 - i : 2 * n - 1 - i] for i in range(n)])


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.note_events, right_events),
        (checks.note_events, events_tick_by_tick),
        (checks.clipped_scores, right_scores),
        (checks.clipped_scores, scores_by_loop),
        (checks.clipped_scores, scores_by_skewing),
        (checks.two_sided_skew, right_skew),
        (checks.two_sided_skew, skew_by_reshaping),
        (checks.two_sided_skew, skew_by_loop),
    ],
)
def test_right_answers_are_accepted(check, answer):
    accept(check, answer)


def no_pause(notes):
    return [x for p, s, e in notes for x in (p, *shifts(e - s), 128 + p)]


def one_shift(notes):
    numbers, now = [], 0
    for pitch, start, end in notes:
        numbers += [255 + start - now] * (start > now) + [pitch, 255 + end - start, 128 + pitch]
        now = end
    return numbers


def since_the_beginning(notes):
    numbers = []
    for pitch, start, end in notes:
        numbers += [*shifts(start), pitch, *shifts(end - start), 128 + pitch]
    return numbers


def empty_shifts(notes):
    numbers, now = [], 0
    for pitch, start, end in notes:
        numbers += [*(shifts(start - now) or [255]), pitch, *shifts(end - start), 128 + pitch]
        now = end
    return numbers


def gathered(rows):
    def answer(q, e):
        i = torch.arange(len(q))
        return (q[:, None] * e[rows(i[:, None] - i, len(e) - 1)]).sum(-1)

    return answer


def lower(answer):
    return lambda q, e: answer(q, e).tril()


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (checks.note_events, no_pause, "between two notes is missing"),
        (checks.note_events, one_shift, "spans 100 ticks at most"),
        (checks.note_events, since_the_beginning, "since the one before has ended"),
        (checks.note_events, empty_shifts, "a shift of 0 ticks is no event"),
        (
            checks.note_events,
            lambda notes: [x for x in right_events(notes) if not 128 <= x < 256],
            "goes up again",
        ),
        (
            checks.note_events,
            lambda notes: [x for p, s, e in notes for x in (p, 128 + p)],
            "is held is missing",
        ),
        (
            checks.note_events,
            lambda notes: [x + (x > 255) for x in right_events(notes)],
            "the first one, 256",
        ),
        (checks.note_events, lambda notes: right_events(notes)[:-1], "expected [60, 305"),
        (checks.clipped_scores, gathered(lambda b, r: b.clamp(0, r)), "after the query have"),
        (
            checks.clipped_scores,
            lower(gathered(lambda b, r: r - b.clamp(0, r))),
            "you took it from the end",
        ),
        (checks.note_events, lambda notes: right_events(notes) or [355], "a rest without notes"),
        (
            checks.clipped_scores,
            lambda q, e: right_scores(q, e) + 1e-9 * torch.ones(len(q), len(q)).triu(1),
            "exactly 0",
        ),
        (
            checks.clipped_scores,
            lambda q, e: right_scores(q, e.flip(0) if len(e) == len(q) else e),
            "you took it from the end",
        ),
        (checks.clipped_scores, lambda q, e: right_scores(q, e).T, "row i is a query"),
        (
            checks.clipped_scores,
            lambda q, e: right_scores(q, e).triu(1 - len(e)),
            "the last vector counts, not none",
        ),
        (
            checks.clipped_scores,
            lower(gathered(lambda b, r: b.clamp(min=0) % (r + 1))),
            "not the first again",
        ),
        (
            checks.clipped_scores,
            gathered(lambda b, r: b.abs().clamp(max=r)),
            "in absolute value",
        ),
        (
            checks.clipped_scores,
            lambda q, e: right_scores(q, e) / q.shape[1] ** 0.5,
            "do not divide",
        ),
        (
            checks.two_sided_skew,
            lambda p: p.gather(
                1, len(p) - 1 + torch.arange(len(p))[:, None] - torch.arange(len(p))
            ),
            "you took i - j",
        ),
        (checks.two_sided_skew, lambda p: right_skew(p).T, "row i is a query"),
        (checks.two_sided_skew, lambda p: right_skew(p).tril(), "count as well"),
        (
            checks.two_sided_skew,
            lambda p: F.pad(p[:, : len(p)], (1, 0)).flatten()[len(p) :].view(len(p), len(p)),
            "the skewing of Build",
        ),
        (checks.two_sided_skew, lambda p: p[:, len(p) - 1 :], "a column is still a distance"),
        (checks.two_sided_skew, lambda p: p[:, : len(p)], "the first n columns"),
        (checks.two_sided_skew, lambda p: p, "has shape"),
    ],
)
def test_wrong_answers_are_refused_by_their_slip(check, answer, words):
    refuse(check, answer, words)
