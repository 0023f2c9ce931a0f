"""Checks of notebook 16: the nucleus of a distribution, a step with a cache, rows of a choice."""

import torch
from torch import Tensor, cat, where
from torch.nn.utils.rnn import pad_sequence

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import same
from seqviz.checks.verdict import ramp


def _mixed(V: int, step: int, sharp: float) -> Tensor:
    """A distribution in no order."""
    return (sharp * ramp(V))[torch.arange(V) * step % V].softmax(0)


def _eighths(*parts: float) -> Tensor:
    """A distribution whose sums are exact, whatever the order."""
    return torch.tensor(parts, dtype=torch.float64) / 8


@check("right, for sharp and for flat distributions, and for p = 1.")
def nucleus() -> Cases:
    """Check `nucleus(probabilities, p)`: the fewest tokens with at least `p`, divided by their sum.

    `probabilities` is (V,), in no order.

    Source: Holtzman et al. (2020), 3.1.
    """
    for x, p in (
        (_mixed(7, 3, 1.2), 0.6),
        (_mixed(11, 7, 9.0), 0.6),
        (_mixed(23, 5, 1.0), 0.95),
        (_eighths(1, 4, 0.5, 2, 0.5), 0.75),  # two tokens have p itself
        (_eighths(1, 2, 3, 2), 0.5),  # one of two equal tokens stays, whichever
        (_eighths(0.5, 4, 1, 2, 0.0625, 0.4375), 1),
    ):
        rank, count = _ranks(x, p)
        low, places = x.sort()
        rising = torch.zeros_like(rank).scatter(0, places, (low.cumsum(0) - low < p).long())

        def kept(some: Tensor) -> Tensor:
            left = where(some, x, 0)
            return left / left.sum()

        right, other = kept(rank < count), kept(_ranks(x.flip(0), p)[0].flip(0) < count)
        slips = {
            "all tokens are kept": x,
            "divide what is kept by its sum": where(rank < count, x, 0),
            "the token that brings the sum to p is kept, too": kept(rank < max(count - 1, 1)),
            "one token less is enough for p": kept(rank <= count),
            "these are ranked; put each back to its own place": right.sort(descending=True).values,
            "the most probable tokens come first: sort descending": kept(rising > 0),
            "the tokens are added up as they stand; the most probable come first": (
                kept(x.cumsum(0) - x < p)
            ),
        }

        def read(answer):
            """The other of two right answers is as good."""
            return right if same(answer, other) else answer

        given = {"probabilities": x, "p": p}
        yield Case(f" of {len(x)} tokens with p = {p}", given, right, slips, read=read)


def _ranks(probabilities: Tensor, p: float) -> tuple[Tensor, int]:
    """The rank of each token, of equal ones the first first, and how many have p."""
    ranked, places = probabilities.sort(descending=True, stable=True)
    return places.argsort(), int((ranked.cumsum(0) - ranked < p).sum())


@check("right, also for the first token, whose cache is empty.")
def cached_step() -> Cases:
    """Check `cached_step(q, k, v, keys, values) -> (o, keys, values)` of one causal head.

    `keys` (t, d_k) and `values` (t, d_v) are those of the tokens before; the new token's are `k`
    (d_k,) and `v` (d_v,). It attends to itself as well.

    Source: deck 004, "Masked self-attention"; Vaswani et al. (2017), 3.2.
    """
    for t, d_k, d_v in ((4, 3, 6), (0, 2, 3), (9, 6, 2)):
        q, k = 2 * ramp(d_k, low=-0.7), 1.5 * ramp(d_k, low=0.9, high=-0.8)
        v = ramp(d_v, low=0.2, high=1.9)
        keys, values = (5 * ramp(t, d_k)).sin(), (7 * ramp(t, d_v)).cos()
        K, V = cat([keys, k[None]]), cat([values, v[None]])
        new_K, new_V = cat([k[None], keys]), cat([v[None], values])

        def read(keys=K, values=V, scale=d_k**0.5) -> Tensor:
            return (keys @ q / scale).softmax(0) @ values

        of_o = {
            "the scores are divided by sqrt(d_k)": read(scale=1),
            "the scores are divided by sqrt(d_k), not by d_k": read(scale=d_k),
            "the scores are divided by the root of d_k, not of the number of keys": (
                read(scale=(t + 1) ** 0.5)
            ),
            "the scores are divided by the root of d_k, not of d_v": read(scale=d_v**0.5),
            "the query is multiplied by the keys, not by the new key alone": v,
        }
        if t:
            of_o |= {
                "the new token attends to itself as well: append first": read(keys, values),
                "these are scores; a softmax makes weights of them": (K @ q / d_k**0.5) @ V,
                "keys and values must stand in one order: append both behind": read(values=new_V),
                "the weight of each key belongs to its own value: append both behind": read(new_K),
            }
        missing = "the new token's row is missing; the next step needs it"
        front = "the new row stands behind the others"
        of_keys, of_values = {missing: keys, front: new_K}, {missing: values, front: new_V}
        given = {"q": q, "k": k, "v": v, "keys": keys, "values": values}
        right = {"o": read(), "keys": K, "values": V}
        slips = by_part({"o": of_o, "keys": of_keys, "values": of_values})
        yield Case(f" after {t} tokens", given, right, slips)


@check("right, rows and ends, for one to four answers.")
def choice_rows() -> Cases:
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
        lines = [[start, *context, between, *answer, end] for answer in answers]
        right, ends = _padded(lines), torch.tensor([len(line) - 1 for line in lines])
        bare = _padded([line[:-1] for line in lines])
        of_rows = {
            "the delimiter is missing between context and answer": (
                _padded([[start, *context, *answer, end] for answer in answers])
            ),
            "extract stands at the end of each row": bare,
            "each row begins with start": _padded([line[1:] for line in lines]),
            "the context comes first, then the answer": (
                _padded([[start, *answer, between, *context, end] for answer in answers])
            ),
            "extract stands right behind the answer, the zeros behind it": (
                cat([bare, torch.full((len(lines), 1), end)], dim=1)
            ),
            "the zeros stand behind the row, not before it": (
                _padded([line[::-1] for line in lines]).flip(1)
            ),
        }
        of_ends = {
            "places count from 0; these are lengths": ends + 1,
            "each row has its own end; these are the ends of the padding": (
                torch.full_like(ends, right.shape[1] - 1)
            ),
            "count backwards in no row: give the place from the front": ends - right.shape[1],
        }
        marks = {"start": start, "delimiter": between, "extract": end}
        given, slips = {"context": context, "answers": answers}, {"rows": of_rows, "ends": of_ends}
        right = {"rows": right, "ends": ends}
        yield Case(f" of {len(answers)} answers", given | marks, right, by_part(slips))


def _padded(lines: list[list[int]]) -> Tensor:
    return pad_sequence([torch.tensor(line) for line in lines], batch_first=True)
