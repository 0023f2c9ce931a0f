import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_rows = of_lectures()["choice_rows"]


def nucleus_by_loop(probabilities, p):
    order = sorted(range(len(probabilities)), key=lambda i: -float(probabilities[i]))
    kept, total = [], 0.0
    for i in order:
        if total >= p:
            break
        kept.append(i)
        total += float(probabilities[i])
    share = [float(x) if i in kept else 0.0 for i, x in enumerate(probabilities)]
    return [x / sum(share) for x in share]


def nucleus_from_below(probabilities, p):
    """Keeps the last of equal tokens."""
    ranked, places = probabilities.sort(stable=True)
    kept = torch.where(ranked.flip(0).cumsum(0).flip(0) - ranked < p, ranked, 0)
    return torch.zeros_like(kept).scatter(0, places, kept / kept.sum())


def right_step(q, k, v, keys, values, scale=None):
    keys, values = torch.cat([keys, k[None]]), torch.cat([values, v[None]])
    a = (keys @ q / (scale or len(q) ** 0.5)).softmax(0)
    return a @ values, keys, values


def step_by_loop(q, k, v, keys, values):
    keys, values = torch.stack([*keys, k]), torch.stack([*values, v])
    scores = torch.stack([(key * q).sum() / len(q) ** 0.5 for key in keys])
    weights = scores.exp() / scores.exp().sum()
    o = sum(a * value for a, value in zip(weights, values, strict=True))
    return [o, keys, values]


def rows_by_loop(context, answers, start, delimiter, extract):
    rows = [[start, *context, delimiter, *answer, extract] for answer in answers]
    longest = max(len(row) for row in rows)
    ends = [row.index(extract) for row in rows]
    return [row + [0] * (longest - len(row)) for row in rows], ends


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.nucleus, nucleus_from_below),
        (checks.cached_step, step_by_loop),
        (checks.choice_rows, rows_by_loop),
    ):
        accept(check, answer)


def test_a_nucleus_by_a_loop_is_accepted():
    assert checks.nucleus(nucleus_by_loop)


def hardest(q, k, v, keys, values):
    _, keys, values = right_step(q, k, v, keys, values)
    return values[(keys @ q).argmax()], keys, values


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (checks.cached_step, hardest, "o after 4 tokens is off by up to 0.706; first"),
        (checks.choice_rows, lambda c, a, *_: right_rows(c, a, 1, 2, 3), "of 2 answers"),
    ):
        refuse(check, answer, words)
