"""Checks of notebook 14: negative sampling's gradient, an analogy, what negatives come from."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts, whole_numbers
from seqviz.checks.verdict import Refused, Verdict, check, ramp

SIZES = ((2, 3, 4), (3, 5, 2), (1, 2, 7))  # batch, drawn words, numbers in a vector


@check
def sampling_gradient(student: Callable) -> Verdict:
    """Check `sampling_gradient(w, near, drawn) -> (dw, dnear, ddrawn)`.

    `w` and `near` are (batch, dim), `drawn` is (batch, k, dim): vectors of the centres, of a word
    near each, and of k words drawn for each. Wanted is the gradient of the mean over the batch of
    -log sigmoid(w . near) - sum over k of log sigmoid(-w . drawn).

    Source: decks 001 and 003, word2vec; Mikolov et al. (2013), equation 4.
    """
    for batch, k, dim in SIZES:
        w = (7 * ramp(batch, dim)).sin()
        near = 0.8 * (5 * ramp(batch, dim)).cos()
        drawn = 1.2 * (11 * ramp(batch, k, dim) + 1).sin()
        s, t = (w * near).sum(1, keepdim=True), drawn @ w.unsqueeze(2)  # (batch, 1), (batch, k, 1)
        pull, push = s.sigmoid() - 1, t.sigmoid()
        dw = (pull * near + (push * drawn).sum(1)) / batch
        dnear, ddrawn = pull * w / batch, push * w.unsqueeze(1) / batch
        wrong_w = {
            "this is the gradient of the sum over the batch; the loss is the mean": dw * batch,
            "the sign is turned: it should lead up, from a small loss to a large one": -dw,
            "the drawn words are missing": pull * near / batch,
            "the drawn words count as if they were near: sigmoid(s) is what pushes them away": (
                pull * near + ((push - 1) * drawn).sum(1)
            )
            / batch,
            "the near word has sigmoid(s) - 1 in front, not sigmoid(s)": (
                (pull + 1) * near + (push * drawn).sum(1)
            )
            / batch,
            "the drawn words are added up, not averaged": (pull * near + (push * drawn).mean(1))
            / batch,
        }
        wrong_near = {
            "this is the gradient of the sum over the batch; the loss is the mean": dnear * batch,
            "the sign is turned": -dnear,
            "the near word has sigmoid(s) - 1 in front, not sigmoid(s)": (pull + 1) * w / batch,
            "it points along w, not along near": pull * near / batch,
        }
        wrong_drawn = {
            "this is the gradient of the sum over the batch; the loss is the mean": ddrawn * batch,
            "the sign is turned": -ddrawn,
            "a drawn word has sigmoid(s) in front, not sigmoid(s) - 1": (push - 1)
            * w.unsqueeze(1)
            / batch,
            "it points along w, not along drawn": push * drawn / batch,
            "each drawn word has a gradient of its own, it is not divided by k": ddrawn / k,
        }
        answer = call(student, w=w, near=near, drawn=drawn)
        got = parts("sampling_gradient", answer, "dw, dnear, ddrawn")
        asked = f"{batch} centres with {k} drawn words"
        compare(f"sampling_gradient's dw, {asked},", got[0], dw, wrong_w)
        compare(f"sampling_gradient's dnear, {asked},", got[1], dnear, wrong_near)
        compare(f"sampling_gradient's ddrawn, {asked},", got[2], ddrawn, wrong_drawn)
    return Verdict(True, "sampling_gradient: right, all three, for three sizes.")


def _first(v: Tensor, to: Tensor, without: tuple[int, ...], score: float = -torch.inf) -> Tensor:
    """The row with the largest product; some rows get a score that leaves them out."""
    scores = v @ to
    scores[list(without)] = score
    return scores.argmax()


def _answers(vectors: Tensor, a: int, b: int, c: int) -> dict[str, Tensor]:
    """The right row under "", and those that mistakes give."""
    v = vectors / vectors.norm(dim=1, keepdim=True)
    to, inputs = v[b] - v[a] + v[c], (a, b, c)
    raw = vectors[b] - vectors[a] + vectors[c]
    return {
        "": _first(v, to, inputs),
        "a, b and c are no answers: leave their rows out": _first(v, to, ()),
        "c is no answer either: leave all three inputs out": _first(v, to, (a, b)),
        "a is no answer either: leave all three inputs out": _first(v, to, (b, c)),
        "b is no answer either: leave all three inputs out": _first(v, to, (a, c)),
        "it is b - a + c, not a - b + c": _first(v, v[a] - v[b] + v[c], inputs),
        "b - a alone is a direction; it starts from c": _first(v, v[b] - v[a], inputs),
        "bring the rows to length 1: a long one wins by its length": _first(vectors, raw, inputs),
        "bring the rows to length 1 before you add them": _first(v, raw, inputs),
        "where all products are negative an input with 0 wins: give it -inf": (
            _first(v, to, inputs, 0.0)
        ),
        "the candidates too are taken at length 1": _first(vectors, to, inputs),
    }


@check
def analogy(student: Callable) -> Verdict:
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
        given, found = [], []
        for a, b, c in asked:
            answer = call(student, vectors=vectors, a=a, b=b, c=c)
            given += whole_numbers("analogy", [answer])
            found.append(_answers(vectors, a, b, c))
        by_slip = {slip: torch.stack([one[slip] for one in found]) for slip in found[0]}
        right = by_slip.pop("")
        name = f"analogy's answers to {len(asked)} questions about {words} words"
        compare(name, given, right, by_slip)
    return Verdict(True, "analogy: right, inputs left out, for tables of three sizes.")


@check
def noise(student: Callable) -> Verdict:
    """Check `noise(counts) -> p`: with which probability each word is drawn as a negative.

    `counts` is (words,), how often each word comes; p is the count to the power 3/4, made to sum
    to 1.

    Source: Mikolov et al. (2013), section 2.2.
    """
    for counts in ([1.0, 16.0, 81.0], [0.0, 3.0, 700.0, 20.0, 1.0], [5.0, 5.0, 2.0, 10000.0]):
        x = torch.tensor(counts, dtype=torch.float64)
        lifted = x**0.75
        wrong = {
            "these are the shares of the words; the power 3/4 is missing": x / x.sum(),
            "it does not sum to 1: divide by the sum after the power": (x / x.sum()) ** 0.75,
            "it does not sum to 1: divide by the sum": lifted,
            "divide by the sum of the powers, not of the counts": lifted / x.sum(),
            "the power is 3/4, which lifts rare words; 4/3 lowers them": x ** (4 / 3)
            / (x ** (4 / 3)).sum(),
            "all words alike would be the power 0": torch.full_like(x, 1 / len(x)),
            "softmax does not take a power": x.softmax(0),
        }
        asked = f"noise of {len(x)} words"
        p = compare(asked, call(student, counts=x), lifted / lifted.sum(), wrong)
        if p[x == 0].any():
            raise Refused(f"{asked}: a word that never comes is never drawn, exactly 0.")
    return Verdict(True, "noise: right, for three vocabularies, one with a word that never comes.")
