"""Checks of notebook 16: the nucleus of a distribution, a step with a cache, rows of a choice."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Refused, Verdict, check, ramp


def _mixed(V: int, step: int, sharp: float) -> Tensor:
    """A distribution in no order."""
    return (sharp * ramp(V))[torch.arange(V) * step % V].softmax(0)


def _eighths(*parts: float) -> Tensor:
    """A distribution whose sums are exact, whatever the order."""
    return torch.tensor(parts, dtype=torch.float64) / 8


def _kept(probabilities: Tensor, kept: Tensor) -> Tensor:
    """A distribution over the tokens that are kept."""
    left = torch.where(kept, probabilities, 0)
    return left / left.sum()


@check
def nucleus(student: Callable) -> Verdict:
    """Check `nucleus(probabilities, p)`: the fewest tokens with at least `p`, divided by their sum.

    `probabilities` is (V,), in no order.

    Source: Holtzman et al. (2020), 3.1.
    """
    for probabilities, p in (
        (_mixed(7, 3, 1.2), 0.6),
        (_mixed(11, 7, 9.0), 0.6),
        (_mixed(23, 5, 1.0), 0.95),
        (_eighths(1, 4, 0.5, 2, 0.5), 0.75),  # two tokens have p itself
        (_eighths(1, 2, 3, 2), 0.5),  # one of two equal tokens stays, whichever
        (_eighths(0.5, 4, 1, 2, 0.0625, 0.4375), 1),
    ):
        V = len(probabilities)
        rank, count = _ranks(probabilities, p)
        right = _kept(probabilities, rank < count)
        other = _kept(probabilities, _ranks(probabilities.flip(0), p)[0].flip(0) < count)
        wrong = {
            "all tokens are kept": probabilities,
            "divide what is kept by its sum": torch.where(rank < count, probabilities, 0),
            "the token that brings the sum to p is kept, too": _kept(
                probabilities, rank < max(count - 1, 1)
            ),
            "one token less is enough for p": _kept(probabilities, rank <= count),
            "these are ranked; put each back to its own place": right.sort(descending=True).values,
            "the most probable tokens come first: sort descending": _kept(
                probabilities, _rising(probabilities, p)
            ),
            "the tokens are added up as they stand; the most probable come first": _kept(
                probabilities, probabilities.cumsum(0) - probabilities < p
            ),
        }
        answer = call(student, probabilities=probabilities, p=p)
        asked = f"nucleus of {V} tokens with p = {p}"
        try:
            compare(asked, answer, right, wrong)
        except Refused:
            if other.equal(right):
                raise
            compare(asked, answer, other, wrong)
    return Verdict(True, "nucleus: right, for sharp and for flat distributions, and for p = 1.")


def _ranks(probabilities: Tensor, p: float) -> tuple[Tensor, int]:
    """The rank of each token, of equal ones the first first, and how many have p."""
    ranked, places = probabilities.sort(descending=True, stable=True)
    return places.argsort(), int((ranked.cumsum(0) - ranked < p).sum())


def _rising(probabilities: Tensor, p: float) -> Tensor:
    """The least probable tokens up to p."""
    ranked, places = probabilities.sort()
    return torch.zeros_like(probabilities, dtype=torch.bool).scatter(
        0, places, ranked.cumsum(0) - ranked < p
    )


@check
def cached_step(student: Callable) -> Verdict:
    """Check `cached_step(q, k, v, keys, values) -> (o, keys, values)` of one causal head.

    `keys` (t, d_k) and `values` (t, d_v) are those of the tokens before; the new token's are `k`
    (d_k,) and `v` (d_v,). It attends to itself as well.

    Source: deck 004, "Masked self-attention"; Vaswani et al. (2017), 3.2.
    """
    for t, d_k, d_v in ((4, 3, 6), (0, 2, 3), (9, 6, 2)):
        q, k = 2 * ramp(d_k, low=-0.7), 1.5 * ramp(d_k, low=0.9, high=-0.8)
        v = ramp(d_v, low=0.2, high=1.9)
        keys, values = (5 * ramp(t, d_k)).sin(), (7 * ramp(t, d_v)).cos()
        both, all_values = torch.cat([keys, k[None]]), torch.cat([values, v[None]])

        def attended(keys: Tensor, values: Tensor, scale: float, q: Tensor = q) -> Tensor:
            return (keys @ q / scale).softmax(0) @ values

        right = attended(both, all_values, d_k**0.5)
        wrong = {
            "the scores are divided by sqrt(d_k)": attended(both, all_values, 1.0),
            "the scores are divided by sqrt(d_k), not by d_k": attended(both, all_values, d_k),
            "the scores are divided by the root of d_k, not of the number of keys": attended(
                both, all_values, (t + 1) ** 0.5
            ),
            "the scores are divided by the root of d_k, not of d_v": attended(
                both, all_values, d_v**0.5
            ),
            "the query is multiplied by the keys, not by the new key alone": v,
        }
        if t:
            wrong["the new token attends to itself as well: append first"] = attended(
                keys, values, d_k**0.5
            )
            wrong["these are scores; a softmax makes weights of them"] = (
                both @ q / d_k**0.5
            ) @ all_values
            front = torch.cat([v[None], values])
            wrong["keys and values must stand in one order: append both behind"] = attended(
                both, front, d_k**0.5
            )
            wrong["the weight of each key belongs to its own value: append both behind"] = attended(
                torch.cat([k[None], keys]), all_values, d_k**0.5
            )
        given = {"q": q, "k": k, "v": v, "keys": keys, "values": values}
        o, new_keys, new_values = parts("cached_step", call(student, **given), "o, keys, values")
        asked = f"cached_step after {t} tokens"
        compare(f"{asked}: o", o, right, wrong)
        not_appended = "the new token's row is missing; the next step needs it"
        wrong_order = "the new row stands behind the others"
        compare(
            f"{asked}: keys",
            new_keys,
            both,
            {not_appended: keys, wrong_order: torch.cat([k[None], keys])},
        )
        compare(
            f"{asked}: values",
            new_values,
            all_values,
            {not_appended: values, wrong_order: torch.cat([v[None], values])},
        )
    return Verdict(True, "cached_step: right, also for the first token, whose cache is empty.")


@check
def choice_rows(student: Callable) -> Verdict:
    """Check `choice_rows(context, answers, start, delimiter, extract) -> (rows, ends)`.

    A row for each answer: start, context, delimiter, answer, extract, then zeros; `ends` has the
    place of extract in each.

    Source: deck 003, "OpenAI GPT"; Radford et al. (2018), 3.3.
    """
    for context, answers, (start, between, end) in (
        ([7, 8, 9], [[5], [6, 5, 4], [4, 6]], (1, 2, 3)),
        ([9], [[13, 14, 15, 16, 17], [11, 12]], (40, 31, 22)),
        ([5, 6, 7, 8], [[9, 4], [4], [6, 6], [8, 7]], (3, 1, 2)),
        ([3, 1, 4, 2, 6, 3, 9, 5], [[5, 1, 2]], (50, 7, 60)),
        ([8, 2], [[4], [7]], (11, 13, 12)),
    ):
        marks = {"start": start, "delimiter": between, "extract": end}
        lines = [[start, *context, between, *answer, end] for answer in answers]
        right, ends = _padded(lines), torch.tensor([len(line) - 1 for line in lines])
        wrong = {
            "the delimiter is missing between context and answer": _padded(
                [[start, *context, *answer, end] for answer in answers]
            ),
            "extract stands at the end of each row": _padded([line[:-1] for line in lines]),
            "each row begins with start": _padded([line[1:] for line in lines]),
            "the context comes first, then the answer": _padded(
                [[start, *answer, between, *context, end] for answer in answers]
            ),
            "extract stands right behind the answer, the zeros behind it": _late(lines),
            "the zeros stand behind the row, not before it": _before(lines),
        }
        given = {"context": context, "answers": answers} | marks
        rows, places = parts("choice_rows", call(student, **given), "rows, ends")
        asked = f"choice_rows of {len(answers)} answers"
        compare(f"{asked}: rows", rows, right, wrong)
        longest = torch.full_like(ends, right.shape[1] - 1)
        mistakes = {
            "places count from 0; these are lengths": ends + 1,
            "each row has its own end; these are the ends of the padding": longest,
            "count backwards in no row: give the place from the front": ends - right.shape[1],
        }
        compare(f"{asked}: ends", places, ends, mistakes)
    return Verdict(True, "choice_rows: right, rows and ends, for one to four answers.")


def _padded(lines: list[list[int]]) -> Tensor:
    return pad_sequence([torch.tensor(line) for line in lines], batch_first=True)


def _late(lines: list[list[int]]) -> Tensor:
    """Extract behind the zeros."""
    rows = _padded([line[:-1] for line in lines])
    return torch.cat([rows, torch.full((len(lines), 1), lines[0][-1])], dim=1)


def _before(lines: list[list[int]]) -> Tensor:
    """Zeros in front."""
    return _padded([line[::-1] for line in lines]).flip(1)
