"""Checks of notebook 14: negative sampling's gradient, an analogy, what negatives come from."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import whole_numbers
from seqviz.checks.verdict import ramp


@check("right, all three, for three sizes.")
def sampling_gradient() -> Cases:
    """Check `sampling_gradient(w, near, drawn) -> (dw, dnear, ddrawn)`.

    `w` and `near` are (batch, dim), `drawn` is (batch, k, dim): vectors of the centres, of a word
    near each, and of k words drawn for each. Wanted is the gradient of the mean over the batch of
    -log sigmoid(w . near) - sum over k of log sigmoid(-w . drawn).

    Source: decks 001 and 003, word2vec; Mikolov et al. (2013), equation 4.
    """
    for batch, k, dim in ((2, 3, 4), (3, 5, 2), (1, 2, 7)):
        w = (7 * ramp(batch, dim)).sin()
        near = 0.8 * (5 * ramp(batch, dim)).cos()
        drawn = 1.2 * (11 * ramp(batch, k, dim) + 1).sin()
        s, t = (w * near).sum(1, keepdim=True), drawn @ w[:, :, None]  # (batch, 1), (batch, k, 1)
        pull, push, row = s.sigmoid() - 1, t.sigmoid(), w[:, None]
        of_near, of_drawn = pull * near, push * drawn
        dw, dnear = (of_near + of_drawn.sum(1)) / batch, pull * w / batch
        right = {"dw": dw, "dnear": dnear, "ddrawn": push * row / batch}
        whole = "this is the gradient of the sum over the batch; the loss is the mean"
        no_one = "the near word has sigmoid(s) - 1 in front, not sigmoid(s)"
        own = {
            "dw": {
                "the sign is turned: it should lead up, from a small loss to a large one": -dw,
                "the drawn words are missing": of_near / batch,
                "the drawn words count as if they were near: sigmoid(s) is what pushes them away": (
                    dw - drawn.sum(1) / batch
                ),
                no_one: dw + near / batch,
                "the drawn words are added up, not averaged": (of_near + of_drawn.mean(1)) / batch,
            },
            "dnear": {
                "the sign is turned": -dnear,
                no_one: (pull + 1) * w / batch,
                "it points along w, not along near": of_near / batch,
            },
            "ddrawn": {
                "the sign is turned": -push * row / batch,
                "a drawn word has sigmoid(s) in front, not sigmoid(s) - 1": (push - 1)
                * row
                / batch,
                "it points along w, not along drawn": of_drawn / batch,
                "each drawn word has a gradient of its own, it is not divided by k": (
                    push * row / batch / k
                ),
            },
        }
        slips = by_part(own) | {whole: {part: g * batch for part, g in right.items()}}
        given = {"w": w, "near": near, "drawn": drawn}
        yield Case(f", {batch} centres with {k} drawn words,", given, right, slips)


def _first(v: Tensor, to: Tensor, without: tuple[int, ...], score: float = -torch.inf) -> Tensor:
    """The row with the largest product; some rows get a score that leaves them out."""
    scores = v @ to
    scores[list(without)] = score
    return scores.argmax()


@check("right, inputs left out, for tables of three sizes.")
def analogy() -> Cases:
    """Check `analogy(vectors, a, b, c) -> row`: a is to b as c is to the word of which row?

    `vectors` is (words, dim); a, b and c are numbers of rows. All rows are brought to length 1.
    The answer is the row with the largest cosine to b - a + c, none of a, b, c.

    Source: deck 001, "Word Analogies"; Mikolov, Yih and Zweig (2013), section 4.
    """
    for words, dim, aside in ((9, 3, 0), (14, 4, 0), (25, 6, 0), (9, 3, 20)):
        steps = torch.arange(words * dim, dtype=torch.float64).reshape(words, dim)
        vectors = (0.37 * steps**2 + steps).sin() * (1 + torch.arange(words) % 4)[:, None]
        asked = [(a, (a + 3) % words, (3 * a + 5) % words) for a in range(words)]
        asked = [row for row in asked if len({*row}) == 3]
        if aside:  # the inputs lie together, all other words on the other side
            asked = [(5, 2, 7), (5, 7, 2)]
            vectors[:, 0] = -aside
            vectors[[2, 5, 7], 0] *= -1
        v = vectors / vectors.norm(dim=1, keepdim=True)
        found, by_slip = [], {}
        for a, b, c in asked:
            to, inputs, raw = v[b] - v[a] + v[c], (a, b, c), vectors[b] - vectors[a] + vectors[c]
            slips = {
                "a, b and c are no answers: leave their rows out": _first(v, to, ()),
                "c is no answer either: leave all three inputs out": _first(v, to, (a, b)),
                "a is no answer either: leave all three inputs out": _first(v, to, (b, c)),
                "b is no answer either: leave all three inputs out": _first(v, to, (a, c)),
                "it is b - a + c, not a - b + c": _first(v, v[a] - v[b] + v[c], inputs),
                "b - a alone is a direction; it starts from c": _first(v, v[b] - v[a], inputs),
                "bring the rows to length 1: a long one wins by its length": (
                    _first(vectors, raw, inputs)
                ),
                "bring the rows to length 1 before you add them": _first(v, raw, inputs),
                "where all products are negative an input with 0 wins: give it -inf": (
                    _first(v, to, inputs, 0.0)
                ),
                "the candidates too are taken at length 1": _first(vectors, to, inputs),
            }
            for text, row in {"": _first(v, to, inputs), **slips}.items():
                by_slip[text] = torch.stack([*by_slip.get(text, ()), row])

            def read(answer):
                found.extend(whole_numbers("analogy", [answer]))
                return found

            given = {"vectors": vectors, "a": a, "b": b, "c": c}
            if (a, b, c) != asked[-1]:
                yield Case("", given, None, read=read)
        name = f"'s answers to {len(asked)} questions about {words} words"
        yield Case(name, given, by_slip.pop(""), by_slip, read=read)


@check("right, for three vocabularies, one with a word that never comes.")
def noise() -> Cases:
    """Check `noise(counts) -> p`: with which probability each word is drawn as a negative.

    `counts` is (words,), how often each word comes; p is the count to the power 3/4, made to sum
    to 1.

    Source: Mikolov et al. (2013), section 2.2.
    """
    for counts in ([1.0, 16.0, 81.0], [0.0, 3.0, 700.0, 20.0, 1.0], [5.0, 5.0, 2.0, 10000.0]):
        x = torch.tensor(counts, dtype=torch.float64)
        lifted, lowered = x**0.75, x ** (4 / 3)
        slips = {
            "these are the shares of the words; the power 3/4 is missing": x / x.sum(),
            "it does not sum to 1: divide by the sum after the power": (x / x.sum()) ** 0.75,
            "it does not sum to 1: divide by the sum": lifted,
            "divide by the sum of the powers, not of the counts": lifted / x.sum(),
            "the power is 3/4, which lifts rare words; 4/3 lowers them": lowered / lowered.sum(),
            "all words alike would be the power 0": torch.full_like(x, 1 / len(x)),
            "softmax does not take a power": x.softmax(0),
        }
        never = "a word that never comes is never drawn, exactly 0."
        yield Case(f" of {len(x)} words", {"counts": x}, lifted / lifted.sum(), slips, zero=never)
