"""Checks of notebook 07: a step of beam search, the parts of BLEU, greedy decoding with a bound."""

import math
from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.verdict import Verdict, call, compare, ramp


def beam_step(student: Callable) -> Verdict:
    """Check one step of beam search.

    `beam_step(scores, log_p, k) -> (parent, token, score)`: of hypotheses with these scores (n,)
    and the log-probabilities (n, vocab) of each next token, the k best continuations, the best
    first, three tensors (k,). `parent` is the hypothesis that is continued.

    Source: deck 002, "Beam search decoding: example".
    """
    for n, k in ((3, 4), (1, 2)):  # the first step has one hypothesis
        scores = torch.tensor([-0.7, -0.9, -2.4], dtype=torch.float64)[:n]
        log_p = (3 * ramp(n, 5).sin() + ramp(5, n).T.pow(2)).log_softmax(dim=1)
        answer = call(student, scores=scores, log_p=log_p, k=k)
        verdict = _three("beam_step", answer, "parent, token, score")
        if not verdict:
            return verdict
        for name, places in zip(("parent", "token"), answer, strict=False):
            if isinstance(places, Tensor) and places.is_floating_point():
                return Verdict(
                    False,
                    f"beam_step's {name} (n={n}, k={k}) holds {places.dtype}; it says which one, "
                    "so whole numbers: // and not /.",
                )
        total = scores.unsqueeze(1) + log_p
        right = _best(total, k)
        others = {
            "the scores of the hypotheses so far are missing": _best(log_p, k),
            "these are the worst": _best(total, k, largest=False),
            "the worst comes first": tuple(x.flip(0) for x in right),
            "log-probabilities were multiplied; logarithms add": _best(
                -scores.unsqueeze(1) * log_p, k
            ),
            "probabilities were added to logarithms": _best(scores.unsqueeze(1) + log_p.exp(), k),
            "the best of each hypothesis were taken; the k best of all compete": _by_row(total, k),
        }
        for place, name in enumerate(("parent", "token", "score")):
            mistakes = {text: other[place] for text, other in others.items()}
            if name == "parent":
                mistakes["parent and token are exchanged"] = right[1]
                mistakes["this is the place in the flattened table; divide by vocab"] = (
                    right[0] * 5 + right[1]
                )
            if name == "token":
                mistakes["parent and token are exchanged"] = right[0]
                mistakes["this is the place in the flattened table; take the remainder"] = (
                    right[0] * 5 + right[1]
                )
            if name == "score":
                mistakes["this is the token's log-probability alone"] = log_p[right[0], right[1]]
                mistakes["this is a probability; keep the logarithm"] = right[2].exp()
            verdict = compare(
                f"beam_step's {name} (n={n}, k={k})",
                answer[place],
                right[place].double(),
                {text: x.double() for text, x in mistakes.items()},
            )
            if not verdict:
                return verdict
    return Verdict(True, "beam_step: right for three hypotheses and for one.")


def _best(total: Tensor, k: int, largest: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Parent, token and score of the k best of a table (n, vocab)."""
    score, place = total.flatten().topk(k, largest=largest)
    return place // total.shape[1], place % total.shape[1], score


def _by_row(total: Tensor, k: int) -> tuple[Tensor, Tensor, Tensor]:
    """The best of each row by turns: what a search does whose hypotheses never compete."""
    order = total.argsort(dim=1, descending=True)
    parent = torch.arange(k) % len(total)
    token = order[parent, torch.arange(k) // len(total)]
    return parent, token, total[parent, token]


def bleu_parts(student: Callable) -> Verdict:
    """Check `bleu_parts(hypothesis, references) -> (precisions, brevity)`.

    The hypothesis is a list of words, the references are lists of words. Precisions are four
    numbers, n = 1 to 4: the share of the hypothesis's n-grams that stand in a reference, each at
    most as often as in the one reference that has it most often. Brevity is exp(1 - r / c) for
    c words and a closest reference of r > c words (of two equally close ones the shorter), else 1.

    Source: Papineni et al. (2002), sections 2.1 and 2.2.
    """
    hypotheses = (
        "the law was signed by the minister in august",
        "the the the the the the law was",
        "a law was signed",
        "the law was signed by the the law was in",
    )
    texts = (
        "it was the minister of the law",
        "the law was signed in august",
        "the law was signed by the minister in august last year",
    )
    references = [text.split() for text in texts]
    for several in (references, references[:1], references[::-1]):
        for text in hypotheses:
            verdict = _bleu_parts_of(student, text.split(), several)
            if not verdict:
                return verdict
    return Verdict(True, "bleu_parts: right for twelve cases, one reference and three.")


def _bleu_parts_of(student: Callable, hypothesis: list, references: list) -> Verdict:
    copies = [list(words) for words in references]
    answer = call(student, hypothesis=list(hypothesis), references=copies)
    if isinstance(answer, Verdict):
        return answer
    where = f"of {' '.join(hypothesis)!r}, {len(references)} reference"
    where += "s" * (len(references) > 1)
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return Verdict(False, "bleu_parts must return two things: four precisions, the brevity.")

    def shares(clip: Callable) -> Tensor:
        rows = []
        for n in range(1, 5):
            found = _grams(hypothesis, n)
            hits = sum(min(times, clip(gram, n)) for gram, times in found.items())
            rows.append(hits / found.total())
        return torch.tensor(rows, dtype=torch.float64)

    counts = {n: [_grams(words, n) for words in references] for n in range(1, 5)}
    right = shares(lambda gram, n: max(count[gram] for count in counts[n]))
    kinds = [
        len([g for g in _grams(hypothesis, n) if any(count[g] for count in counts[n])])
        / len(_grams(hypothesis, n))
        for n in range(1, 5)
    ]
    mistakes = {
        "nothing is clipped: a word counts as often as it is repeated": shares(
            lambda gram, n: math.inf if any(count[gram] for count in counts[n]) else 0
        ),
        "clip by the one reference that has it most often, not by the sum of all": shares(
            lambda gram, n: sum(count[gram] for count in counts[n])
        ),
        "only the first reference is looked at": shares(lambda gram, n: counts[n][0][gram]),
        "clip by the reference that has it most often, not least": shares(
            lambda gram, n: min(count[gram] for count in counts[n])
        ),
        "each n-gram counts as often as it comes, not once": torch.tensor(kinds).double(),
        "these are percent; give shares": 100 * right,
        "divide by the n-grams of the hypothesis, not by its words": right
        * (1 - torch.arange(4).double() / len(hypothesis)),
    }
    verdict = compare(f"the precisions {where}", answer[0], right, mistakes)
    if not verdict:
        return verdict
    c, lengths = len(hypothesis), sorted(map(len, references))

    def brevity(r: float) -> float:
        return min(1.0, math.exp(1 - r / c))

    r = min(lengths, key=lambda length: abs(length - c))  # of two equally close, the shorter
    longer = min(lengths, key=lambda length: (abs(length - c), -length))
    mistakes = {
        "of two equally close references take the shorter": brevity(longer),
        "at most 1: a long hypothesis has no bonus": math.exp(1 - r / c),
        "the quotient is missing from exp(1 - r / c)": min(1.0, c / r),
        **{
            f"as if the reference had {length} words; the closest to {c} has {r}": brevity(length)
            for length in lengths
            if length != r
        },
        "as if the reference had the mean length": brevity(sum(lengths) / len(lengths)),
        "r and c are exchanged": min(1.0, math.exp(1 - c / r)),
    }
    return compare(
        f"the brevity {where}",
        answer[1],
        torch.tensor(brevity(r), dtype=torch.float64),
        {text: torch.tensor(x, dtype=torch.float64) for text, x in mistakes.items()},
    )


def _grams(words: list, n: int) -> Counter:
    return Counter(zip(*(words[k:] for k in range(n)), strict=False))


class _TooLong(Exception):
    """The student's loop has run far beyond its bound."""


def greedy_decode(student: Callable) -> Verdict:
    """Check `greedy_decode(step, state, start, stop, most)`: a list of ids.

    `step(ids, state) -> (logits, state)` reads one id (1,) and gives logits (1, vocab). The list
    has no START, ends with STOP if that comes, and has at most `most` ids.

    Source: deck 002, "Greedy Decoding".
    """
    start, stop = 0, 1
    for name, chain, most in (
        ("a sentence that stops", [3, 2, 4, 3, 1, 2, 2], 20),
        ("a sentence that does not stop", [2, 4, 4, 3, 3, 2, 4], 4),
        ("a sentence that stops at the bound", [3, 2, 4, 3, 1, 2, 2], 5),
        ("a sentence that stops at once", [1, 2, 2], 6),
    ):
        expected = (chain[: chain.index(stop) + 1] if stop in chain else chain)[:most]
        try:
            answer = call(
                student, step=_walk(chain, start), state=torch.zeros(1, 1), start=start, stop=stop,
                most=most,
            )  # fmt: skip
        except _TooLong:
            return Verdict(False, f"greedy_decode of {name} runs on: stop after {most} ids.")
        if isinstance(answer, Verdict):
            return answer
        verdict = _ids(name, answer, expected, start, stop, chain)
        if not verdict:
            return verdict
    return Verdict(True, "greedy_decode: right with STOP, without it, and at the bound.")


def _walk(chain: list[int], start: int) -> Callable:
    """A model that counts its steps in the state and goes astray where it read a wrong id."""
    read = [start, *chain]
    calls = 0

    def step(ids, state):
        nonlocal calls
        calls += 1
        if calls > 200:
            raise _TooLong
        ids = torch.as_tensor(ids).reshape(-1)
        t = int(state.sum())
        logits = torch.full((1, 6), -2.0, dtype=torch.float64)
        logits[0, 0] = -9.0  # least: an argmin would take it
        faithful = t < len(chain) and int(ids[0]) == read[t]
        logits[0, chain[t] if faithful else 5] = -1.0
        return logits, state + 1

    return step


def _ids(name, answer, expected, start, stop, chain) -> Verdict:
    if isinstance(answer, Tensor):
        answer = answer.flatten().tolist()
    if not isinstance(answer, list | tuple):
        kind = type(answer).__name__
        return Verdict(False, f"greedy_decode gives a {kind}, expected a list of ids.")
    answer = [x.item() if isinstance(x, Tensor) and x.numel() == 1 else x for x in answer]
    if answer == expected:
        return Verdict(True, f"{name}: right.")
    cause = ""
    if answer == [start, *expected] or answer == [start, *expected][: len(expected)]:
        cause = "START is read, not written"
    elif answer == expected[:-1] and expected[-1] == stop:
        cause = "STOP belongs to the list: it was written"
    elif answer == expected[:-1]:
        cause = "one more id fits into the bound"
    elif len(answer) > len(expected) and answer[: len(expected)] == expected:
        past = stop in expected
        cause = "it goes on after STOP" if past else "it goes beyond the bound"
    elif 5 in answer and answer[0] == expected[0]:
        cause = "each step must read the id just written, and the state of the step before"
    elif answer and answer[0] == 0:
        cause = "this is the least probable id"
    detail = f": {cause}" if cause else f", expected {expected}"
    return Verdict(False, f"greedy_decode of {name} gives {answer}{detail}.")


def _three(name: str, answer, what: str) -> Verdict:
    if isinstance(answer, Verdict):
        return answer
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        return Verdict(False, f"{name} must return three tensors: {what}.")
    return Verdict(True, "")
