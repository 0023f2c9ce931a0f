import pytest
import torch
from torch.nn.utils.rnn import pad_sequence

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_nucleus(probabilities, p, scale=True, late=False, descending=True):
    ranked, places = probabilities.sort(descending=descending)
    total = ranked.cumsum(0) - (0 if late else ranked)
    kept = torch.where(total < p, ranked, 0) if late is not None else ranked
    if late and not kept.any():
        kept[0] = ranked[0]
    kept = kept / kept.sum() if scale else kept
    return torch.zeros_like(kept).scatter(0, places, kept)


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


def right_rows(context, answers, start, delimiter, extract):
    rows = [[start, *context, delimiter, *answer, extract] for answer in answers]
    ends = torch.tensor([len(row) - 1 for row in rows])
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True), ends


def rows_by_loop(context, answers, start, delimiter, extract):
    rows = [[start, *context, delimiter, *answer, extract] for answer in answers]
    longest = max(len(row) for row in rows)
    ends = [row.index(extract) for row in rows]
    return [row + [0] * (longest - len(row)) for row in rows], ends


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.nucleus, right_nucleus),
        (checks.nucleus, nucleus_from_below),
        (checks.cached_step, right_step),
        (checks.cached_step, step_by_loop),
        (checks.choice_rows, right_rows),
        (checks.choice_rows, rows_by_loop),
    ],
)
def test_right_answers_are_accepted(check, answer):
    accept(check, answer)


def test_a_nucleus_by_a_loop_is_accepted():
    assert checks.nucleus(nucleus_by_loop)


def ranked_nucleus(probabilities, p):
    return right_nucleus(probabilities, p).sort(descending=True).values


def one_more(probabilities, p):
    ranked, places = probabilities.sort(descending=True)
    count = int((ranked.cumsum(0) - ranked < p).sum()) + 1
    kept = torch.where(torch.arange(len(ranked)) < count, ranked, 0)
    return torch.zeros_like(kept).scatter(0, places, kept / kept.sum())


def also_at_p(probabilities, p):
    ranked, places = probabilities.sort(descending=True)
    kept = torch.where(ranked.cumsum(0) - ranked <= p, ranked, 0)
    return torch.zeros_like(kept).scatter(0, places, kept / kept.sum())


def with_ties(probabilities, p):
    least = probabilities[right_nucleus(probabilities, p) > 0].min()
    kept = torch.where(probabilities >= least, probabilities, 0)
    return kept / kept.sum()


def as_they_stand(probabilities, p):
    kept = torch.where(probabilities.cumsum(0) - probabilities < p, probabilities, 0)
    return kept / kept.sum()


def forgetful(q, k, v, keys, values):
    return right_step(q, k, v, keys, values)[0], keys, values


def past_only(q, k, v, keys, values):
    o, *cache = right_step(q, k, v, keys, values)
    return (keys @ q / len(q) ** 0.5).softmax(0) @ values if len(keys) else o, *cache


def scores_only(q, k, v, keys, values):
    _, keys, values = right_step(q, k, v, keys, values)
    return (keys @ q / len(q) ** 0.5) @ values, keys, values


def hardest(q, k, v, keys, values):
    _, keys, values = right_step(q, k, v, keys, values)
    return values[(keys @ q).argmax()], keys, values


def in_front(q, k, v, keys, values):
    o, _, values = right_step(q, k, v, keys, values)
    return o, torch.cat([k[None], keys]), values


def mixed_order(q, k, v, keys, values):
    _, keys_now, values_now = right_step(q, k, v, keys, values)
    front = torch.cat([v[None], values])
    return (keys_now @ q / len(q) ** 0.5).softmax(0) @ front, keys_now, values_now


def changed(change):
    def answer(context, answers, start, delimiter, extract):
        rows = [change(start, context, delimiter, answer, extract) for answer in answers]
        _, ends = right_rows(context, answers, start, delimiter, extract)
        return pad_sequence([torch.tensor(row) for row in rows], batch_first=True), ends

    return answer


def ends_by(change):
    def answer(*given):
        rows, ends = right_rows(*given)
        return rows, change(rows, ends)

    return answer


def extract_late(context, answers, start, delimiter, extract):
    rows = [torch.tensor([start, *context, delimiter, *answer]) for answer in answers]
    rows = pad_sequence(rows, batch_first=True)
    rows = torch.cat([rows, torch.full((len(rows), 1), extract)], dim=1)
    return rows, torch.full((len(rows),), rows.shape[1] - 1)


def zeros_in_front(*given):
    rows, ends = right_rows(*given)
    turned = [row[: end + 1].flip(0) for row, end in zip(rows, ends, strict=True)]
    return pad_sequence(turned, batch_first=True).flip(1), ends


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (checks.nucleus, lambda x, p: right_nucleus(x, p, scale=False), "by its sum"),
        (checks.nucleus, lambda x, p: right_nucleus(x, p, late=True), "is kept, too"),
        (checks.nucleus, one_more, "one token less"),
        (checks.nucleus, also_at_p, "5 tokens with p = 0.75"),
        (checks.nucleus, with_ties, "4 tokens with p = 0.5"),
        (checks.nucleus, ranked_nucleus, "to its own place"),
        (checks.nucleus, lambda x, p: right_nucleus(x, p, descending=False), "sort descending"),
        (checks.nucleus, as_they_stand, "as they stand"),
        (checks.nucleus, lambda x, p: x.clone(), "all tokens are kept"),
        (checks.cached_step, lambda *g: right_step(*g, scale=1.0), "divided by sqrt(d_k)"),
        (checks.cached_step, lambda *g: right_step(*g, scale=len(g[0])), "not by d_k"),
        (
            checks.cached_step,
            lambda *g: right_step(*g, scale=(len(g[3]) + 1) ** 0.5),
            "not of the number of keys",
        ),
        (checks.cached_step, lambda *g: right_step(*g, scale=len(g[2]) ** 0.5), "not of d_v"),
        (checks.cached_step, hardest, "after 4 tokens: o is off by up to 0.706; first"),
        (checks.cached_step, forgetful, "the next step needs it"),
        (checks.cached_step, past_only, "append first"),
        (checks.cached_step, scores_only, "a softmax makes weights"),
        (checks.cached_step, in_front, "behind the others"),
        (checks.cached_step, mixed_order, "in one order"),
        (checks.cached_step, lambda q, k, v, *_: (v, k[None], v[None]), "not by the new key"),
        (
            checks.choice_rows,
            changed(lambda s, c, d, a, e: [s, *c, *a, e]),
            "the delimiter is missing",
        ),
        (checks.choice_rows, changed(lambda s, c, d, a, e: [s, *c, d, *a]), "extract stands"),
        (checks.choice_rows, changed(lambda s, c, d, a, e: [*c, d, *a, e]), "begins with start"),
        (
            checks.choice_rows,
            changed(lambda s, c, d, a, e: [s, *a, d, *c, e]),
            "the context comes first",
        ),
        (checks.choice_rows, extract_late, "right behind the answer"),
        (checks.choice_rows, lambda c, a, *_: right_rows(c, a, 1, 2, 3), "choice_rows of 2"),
        (
            checks.choice_rows,
            lambda *g: [part.squeeze(0) for part in right_rows(*g)],
            "one dimension too few",
        ),
        (checks.choice_rows, zeros_in_front, "not before it"),
        (checks.choice_rows, ends_by(lambda rows, ends: ends + 1), "these are lengths"),
        (
            checks.choice_rows,
            ends_by(lambda rows, ends: torch.full_like(ends, rows.shape[1] - 1)),
            "the ends of the padding",
        ),
        (checks.choice_rows, ends_by(lambda rows, ends: ends - rows.shape[1]), "from the front"),
    ],
)
def test_wrong_answers_are_refused_by_their_slip(check, answer, words):
    refuse(check, answer, words)
