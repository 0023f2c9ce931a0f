"""Checks of assignment A9: a table of counts, lifted by noise, and the ranks of its analogies."""

import math

import torch
from torch import Tensor, where
from torch.nn.functional import normalize

from seqviz.checks.cases import Case, Cases, check, slipped
from seqviz.checks.verdict import ramp

SLIPS = {
    "plain": "the noise is the neighbours' shares to the power; the power is missing",
    "both": "the centre's share has the power too; only the noise has it",
    "centre": "the power belongs to the neighbours, the columns, not to the centres",
    "loose": "the noise does not add up to 1: divide by the sum after the power",
    "k": "log k is taken off, not k",
    "more": "log k is taken off, not added",
    "unshifted": "log k is missing",
    "negative": "what is below 0 becomes 0",
    "early": "what is below 0 becomes 0 last, after log k was taken off",
    "bits": "these are logs to base 2",
    "ratio": "these are ratios; take their log",
}


def lifted(X: Tensor, k: float, power: float, slip: str = "") -> Tensor:
    """The shifted PPMI; a slip changes one thing."""
    p = X / X.sum()
    of_center, of_near = p.sum(dim=1, keepdim=True), p.sum(dim=0)
    noise = of_near if slip in ("plain", "centre") else of_near**power
    noise = noise if slip == "loose" else noise / noise.sum()
    if slip in ("both", "centre"):
        of_center = of_center**power / (of_center**power).sum()
    ratio = p / (of_center * noise) / (1 if slip in ("unshifted", "k", "more", "early") else k)
    if slip == "ratio":
        return where(X > 0, ratio, 0.0)
    found = ratio.log() / (math.log(2) if slip == "bits" else 1)
    found = found - {"k": k, "more": -math.log(k)}.get(slip, 0)
    if slip == "early":
        return where(X > 0, found, 0.0).clamp(min=0) - math.log(k)
    return where(X > 0, found, 0.0).clamp(min=-math.inf if slip == "negative" else 0)


@check("right for 4 tables.")
def shifted_ppmi() -> Cases:
    """Check `shifted_ppmi(X, k, power)`: PPMI against the noise, less log k.

    `X` is (words, words): how often the word of a column stood near that of a row.

    Source: Levy and Goldberg (2014), section 3; Levy, Goldberg and Dagan (2015), 3.2.
    """
    for words, k, power, absent in (
        (4, 1, 0.75, 4),
        (6, 2, 0.5, 3),
        (5, 3, 1.0, 5),
        (3, 1.5, 2, 0),
    ):
        X = (9 * (5 * ramp(words, words, low=-0.8)).sin() + 2).round().clamp(min=0)
        X[absent : absent + 1] = 0
        X[:, absent : absent + 1] = 0
        given = {"X": X, "k": k, "power": power}
        nan = "a word that never came has a share of 0; its row and its column are 0."
        slips = slipped(lifted, SLIPS, given)
        yield Case(
            f" of {words} words, k {k}, power {power},", given, lifted(**given), slips, nan=nan
        )


RANKS = {
    "kept": "a, b and c are no answers: leave all three out",
    "c": "the same words are left out with c alone: a, b and c",
    "zero": "the nearest has rank 1, not 0",
    "first": "equally near words share the mean of their places; d got the first one",
    "last": "equally near words share the mean of their places; d got the last one",
    "far": "the nearest comes first; here the farthest has rank 1",
    "turned": "it is b - a + c, not a - b + c",
    "step": "b - a is a direction; it starts from c",
    "raw": "bring the rows to length 1: a long one wins by its length",
    "late": "bring the rows to length 1 before you add them",
    "long": "the candidates too are taken at length 1",
    "b": "the control knows c alone, not b",
    "inverse": "these are 1 / rank",
    "exchanged": "b - a + c comes first, then c alone",
}


def ranked(vectors: Tensor, questions: Tensor, slip: str = "") -> dict[str, Tensor]:
    """Both ranks; a slip changes one thing."""
    rows = vectors if slip in ("raw", "late") else normalize(vectors, dim=1)
    a, b, c, _ = (rows[ids] for ids in questions.T)
    to = {"turned": a - b + c, "step": b - a}.get(slip, b - a + c)
    table = vectors if slip in ("raw", "long") else normalize(vectors, dim=1)
    found = []
    for alone, aim in enumerate((to, b if slip == "b" else c)):
        scores = aim @ table.T * (-1 if slip == "far" else 1)
        left_out = questions[:, 2:3] if slip == "c" and alone else questions[:, :3]
        if slip != "kept":
            scores = scores.scatter(1, left_out, -torch.inf)
        own = scores.gather(1, questions[:, 3:])
        above, equal = scores > own + 1e-6, (scores - own).abs() <= 1e-6
        share = {"first": 0, "last": 1}.get(slip, 0.5)
        rank = (slip != "zero") + above.sum(dim=1) + share * (equal.sum(dim=1) - 1)
        found.append(1 / rank if slip == "inverse" else rank.double())
    return dict(zip(("ranks", "alone"), found[:: -1 if slip == "exchanged" else 1], strict=True))


@check("right, with the control, for 4 tables.")
def analogy_ranks() -> Cases:
    """Check `analogy_ranks(vectors, questions) -> (ranks, alone)`.

    `vectors` is (words, dim) and `questions` (n, 4), ids of a, b, c, d: the rank of d among the
    words nearest to b - a + c, and to c alone; a, b and c are left out.

    Source: deck 001, "Word Analogies"; Linzen (2016), the baselines.
    """
    for words, dim, what in (
        (16, 3, ""),
        (14, 4, ", two words alike,"),
        (9, 5, ", one of them 0,"),
    ):
        steps = torch.arange(words * dim, dtype=torch.float64).reshape(words, dim)
        vectors = (0.37 * steps**2 + steps).sin() * (1 + torch.arange(words) % 4)[:, None]
        if "alike" in what:
            vectors[7:10] = vectors[6]
        if "0" in what:
            vectors[4] = 0
        asked = [(a, (a + 3) % words, (3 * a + 5) % words, (a + 7) % words) for a in range(words)]
        questions = torch.tensor([row for row in asked if len({*row}) == 4])
        yield _asked(f" of {words} words{what}", vectors, questions)
    same = torch.ones(7, 2).double()
    yield _asked(" of 7 equal words", same, torch.tensor([[0, 1, 2, 3], [4, 6, 5, 0]]))


def _asked(name: str, vectors: Tensor, questions: Tensor) -> Case:
    given = {"vectors": vectors, "questions": questions}
    nan = "a row of zeros has no direction: leave it as it is, its cosine is 0."
    right = ranked(**given)
    nans = dict.fromkeys(right, nan)
    return Case(name, given, right, slipped(ranked, RANKS, given), nan=nans)
