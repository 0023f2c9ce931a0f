"""Check of assignment A3: BLEU of a whole text, and what becomes of it by one slip."""

import math
from itertools import chain

from seqviz.checks.cases import Case, Cases, check, slipped
from seqviz.checks.ngrams import brevity, closest, shares

SLIPS = {
    "mean": "this is the mean of the sentences' BLEUs; add the counts up before you divide",
    "shares": "the precisions of the sentences were averaged; add the counts up, then divide",
    "penalties": "each sentence got a brevity penalty of its own; the text has one",
    "clip none": "nothing is clipped: a word counts as often as it is repeated",
    "clip sum": "clip by the one reference that has it most often, not by the sum of all",
    "clip first": "only the first reference is read",
    "clip best": "each n-gram is clipped by itself, not all by one best reference",
    "clip text": "the n-grams of all sentences were thrown together; each has its own references",
    "joined": "no n-gram reaches from one sentence into the next",
    "r shortest": "r takes the shortest reference; it takes the closest",
    "r longest": "r takes the longest reference; it takes the closest",
    "r first": "r takes the first reference; it takes the closest",
    "r mean": "r takes the mean length; it takes the length of the closest reference",
    "r tie": "of two equally close references r takes the shorter",
    "bonus": "at most 1: a long text has no bonus",
    "no penalty": "the brevity penalty is missing",
    "turned": "r and c are exchanged",
    "no root": "the root of the product is missing",
    "left out": "without a hit of some n BLEU is 0; no precision is left out",
    "short": "a sentence of fewer than four words counts too, with what it has",
    "arithmetic": "this is the arithmetic mean of the precisions; take the geometric one",
    "words": "divide by the number of n-grams, not of words",
    "once": "each n-gram counts as often as it comes, not once",
}


@check("right for 13 texts.")
def corpus_bleu() -> Cases:
    """Check `corpus_bleu(hypotheses, references)`: BLEU of a text, 0 to 100.

    Counts of all sentences are added up before they are divided. Each sentence has one or more
    references; r takes the closest length, of two equally close the shorter.

    Source: Papineni et al. (2002), section 2.3.
    """
    for name, hypotheses, references in _texts():
        given = {"hypotheses": hypotheses, "references": references}
        right = bleu_of(**given)
        slips = slipped(bleu_of, SLIPS, given)
        slips["this is a share; give 0 to 100"] = right / 100
        yield Case(f" of {name}", given, right, slips)


def bleu_of(hypotheses: list, references: list, slip: str = "") -> float:
    """BLEU of a text; a slip changes one thing."""
    if slip in ("mean", "shares", "penalties"):
        return _averaged(hypotheses, references, slip)
    if slip == "short":
        kept = [k for k, words in enumerate(hypotheses) if len(words) > 3]
        hypotheses, references = [hypotheses[k] for k in kept], [references[k] for k in kept]
    if slip == "joined":
        most = max(map(len, references))
        rows = [[*right, *right[-1:] * (most - len(right))] for right in references]
        joined = [list(chain(*column)) for column in zip(*rows, strict=True)]
        hypotheses, references = [list(chain(*hypotheses))], [joined]
    return 100 * _brevity(hypotheses, references, slip) * _precision(hypotheses, references, slip)


def _averaged(hypotheses: list, references: list, slip: str) -> float:
    single = [([words], [right]) for words, right in zip(hypotheses, references, strict=True)]
    if slip == "mean":
        return sum(bleu_of(*one) for one in single) / len(single)
    if slip == "penalties":
        factor = sum(_brevity(*one, "") for one in single) / len(single)
        return 100 * factor * _precision(hypotheses, references, "")
    means = [
        sum(column) / len(single) for column in zip(*(shares(*one) for one in single), strict=True)
    ]
    return 100 * _brevity(hypotheses, references, "") * math.prod(means) ** 0.25


def _precision(hypotheses: list, references: list, slip: str) -> float:
    found = shares(hypotheses, references, slip)
    if slip == "left out":
        found = [share for share in found if share]
        return math.prod(found) ** (1 / max(1, len(found)))
    if slip == "no root":
        return math.prod(found)
    return sum(found) / 4 if slip == "arithmetic" else math.prod(found) ** 0.25


def _brevity(hypotheses: list, references: list, slip: str) -> float:
    c = r = 0
    for words, right in zip(hypotheses, references, strict=True):
        lengths, own = sorted(map(len, right)), len(words)
        c += own
        r += {
            "r shortest": lengths[0],
            "r longest": lengths[-1],
            "r first": len(right[0]),
            "r mean": sum(lengths) / len(lengths),
            "r tie": closest(own, lengths, longer=True),
        }.get(slip, closest(own, lengths))
    if slip == "no penalty" or c == 0:
        return float(slip == "no penalty")
    if slip == "turned":
        return brevity(r, c)
    return math.exp(1 - r / c) if slip == "bonus" else brevity(c, r)


def _texts() -> list[tuple[str, list, list]]:
    """(name, hypotheses, references) of each case."""
    minister = "the law was signed by the minister"
    law = (
        "the law was signed by the minister in august",
        f"{minister} in august last year | in august the law was signed",
    )
    king = (
        "the king and the queen and the queen",
        "he and the king and the | the queen and and the queen",
    )
    dog = (
        "a dog and a cat sleep in the the house",
        "a dog and a cat sleep in house | the cat and a dog and a cat sleep in the old house",
    )
    short, none = ("he sleeps", "he sleeps"), ("", "he reads a book | he reads")
    exact = ("the old king left the house", "the old king left the house")
    several = (minister, f"{minister} in august last year | {minister} now | the law was signed")
    tie = (exact[0], f"{exact[1]} now | the old king left house")
    soon = ("he sleeps", "he sleeps there | now he sleeps in the house")
    long = ("he said that he left and he left the house and he said it", "he said that he left it")
    marks = (
        "He left now here , he said .",
        "he left nowhere , He said . | now he left here .",
    )
    cut = (minister, f"{minister} in august last year")
    cases = {
        "five sentences, one of them empty": (dog, none, king, short, exact),
        "three sentences": (law, king, dog),
        "two sentences, one cut short": (cut, exact),
        "three sentences, one of two words": (several, tie, soon),
        "a sentence as close to one reference as to the other": (tie,),
        "more words than the references": (long, exact, short),
        "sentences that are all right": (exact, short),
        "a text of two words": (short,),
        "a text without four words in a row": (("he and she", "he and she"), short),
        "a wrong word alone, and a sentence": (("she", "he"), exact),
        "a text in which nothing is written": (none, ("", exact[1])),
        "capitals, marks and joined words": (marks, exact),
        "a text without a hit of four words": (("the king and a queen", "the king or a queen"),),
    }
    return [
        (
            name,
            [written.split() for written, _ in case],
            [[one.split() for one in right.split(" | ")] for _, right in case],
        )
        for name, case in cases.items()
    ]
