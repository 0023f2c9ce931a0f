"""Checks of notebook 07: a step of beam search, the parts of BLEU, greedy decoding with a bound."""

import math
from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import at_most, call
from seqviz.checks.comparing import compare, parts, whole_numbers
from seqviz.checks.verdict import Refused, Verdict, check, ramp


@check
def beam_step(student: Callable) -> Verdict:
    """Check one step of beam search.

    `beam_step(scores, log_p, k) -> (parent, token, score)`: of hypotheses with these scores (n,)
    and the log-probabilities (n, vocab) of each next token, the k best continuations, the best
    first, three tensors (k,). `parent` is the hypothesis that is continued.

    Source: deck 002, "Beam search decoding: example".
    """
    worst_first = torch.tensor([-2.4, -0.3, -1.9, -2.3, -1.8], dtype=torch.float64)
    for n, k, vocab in ((3, 4, 5), (1, 5, 6), (5, 4, 3), (2, 1, 7)):
        scores = worst_first[:n] if n > 1 else torch.zeros(1, dtype=torch.float64)
        log_p = (2 * (n * k * ramp(n, vocab)).sin() + ramp(vocab, n).T).log_softmax(dim=1)
        answer = call(student, scores=scores, log_p=log_p, k=k)
        answer = parts("beam_step", answer, "parent, token, score")
        total = scores.unsqueeze(1) + log_p
        right = parent, token, score = _best(total, k)
        place = parent * vocab + token
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
        own = {
            "parent": {
                "parent and token are exchanged": token,
                "this is the place in the flattened table; divide by vocab": place,
            },
            "token": {
                "parent and token are exchanged": parent,
                "this is the place in the flattened table; take the remainder": place,
            },
            "score": {
                "this is the token's log-probability alone": log_p[parent, token],
                "this is a probability; keep the logarithm": score.exp(),
            },
        }
        own["score"] |= {text: other[2] for text, other in others.items()}
        for name, part in (("score", 2), ("parent", 0), ("token", 1)):  # sums tell most
            asked = f"beam_step's {name} (n={n}, k={k})"
            compare(asked, answer[part], right[part], own[name])
    return Verdict(True, "beam_step: right for one hypothesis and for more.")


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


@check
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
    several = tuple(text.split() for text in texts)
    apart = [text.split() for text in ("he and the king and the", "the queen and and the queen")]
    cases = [
        *((text, references) for references in (several, several[:1]) for text in hypotheses),
        (hypotheses[0], several[::-1]),  # as close, the shorter one stands last
        ("the king and the queen and the queen", apart),  # neither has most of every word
        ("he and the king and the", apart),
    ]
    for text, references in cases:
        _check_parts(student, text.split(), list(references))
    return Verdict(True, f"bleu_parts: right for {len(cases)} cases of one to three references.")


def _check_parts(student: Callable, hypothesis: list, references: list) -> None:
    answer = call(student, hypothesis=hypothesis, references=references)
    answer = parts("bleu_parts", answer, "four precisions, the brevity")
    where = f"of {' '.join(hypothesis)!r}, {len(references)} reference"
    where += "s" * (len(references) > 1)

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
        "each n-gram is clipped by itself, not all by one best reference": torch.stack(
            [shares(lambda gram, n, k=k: counts[n][k][gram]) for k in range(len(references))]
        ).amax(dim=0),
        "only the first reference is looked at": shares(lambda gram, n: counts[n][0][gram]),
        "clip by the reference that has it most often, not least": shares(
            lambda gram, n: min(count[gram] for count in counts[n])
        ),
        "each n-gram counts as often as it comes, not once": torch.tensor(kinds).double(),
        "these are percent; give shares": 100 * right,
        "divide by the n-grams of the hypothesis, not by its words": right
        * (1 - torch.arange(4).double() / len(hypothesis)),
    }
    compare(f"the precisions {where}", answer[0], right, mistakes)
    c, lengths = len(hypothesis), sorted(map(len, references))

    def brevity(r: float) -> float:
        return min(1.0, math.exp(1 - r / c))

    r = min(lengths, key=lambda length: abs(length - c))  # of two equally close, the shorter
    longer = min(lengths, key=lambda length: (abs(length - c), -length))
    others: dict[float, list] = {}
    for length in lengths:
        if length not in (r, longer):
            others.setdefault(brevity(length), []).append(str(length))
    mistakes = {
        "of two equally close references take the shorter": brevity(longer),
        "at most 1: a long hypothesis has no bonus": math.exp(1 - r / c),
        "the quotient is missing from exp(1 - r / c)": min(1.0, c / r),
        **{
            f"as if the reference had {' or '.join(same)} words; the closest to {c} has {r}": value
            for value, same in others.items()
        },
        "as if the reference had the mean length": brevity(sum(lengths) / len(lengths)),
        "r and c are exchanged": min(1.0, math.exp(1 - c / r)),
    }
    compare(
        f"the brevity {where}",
        answer[1],
        torch.tensor(brevity(r), dtype=torch.float64),
        {text: torch.tensor(x, dtype=torch.float64) for text, x in mistakes.items()},
    )


def _grams(words: list, n: int) -> Counter:
    return Counter(zip(*(words[k:] for k in range(n)), strict=False))


@check
def greedy_decode(student: Callable) -> Verdict:
    """Check `greedy_decode(step, state, start, stop, most)`: a list of ids.

    `step(ids, state) -> (logits, state)` reads one id (1,) and gives logits (1, vocab). The list
    has no START, ends with STOP if that comes, and has at most `most` ids.

    Source: deck 002, "Greedy Decoding".
    """
    for name, start, stop, chain, most in (
        ("a sentence that stops", 0, 1, [3, 3, 4, 2, 1, 2, 2], 20),
        ("a sentence that does not stop", 5, 3, [2, 4, 0, 4, 1, 2, 4], 4),
        ("a sentence that stops at the bound", 1, 0, [3, 2, 4, 3, 0, 2, 2], 5),
        ("a sentence that stops at once", 4, 2, [2, 0, 0], 6),
        ("a sentence of one word", 2, 6, [3, 6, 3], 1),
    ):
        expected = (chain[: chain.index(stop) + 1] if stop in chain else chain)[:most]
        asked, lost = f"greedy_decode of {name}", max(start, stop, *chain) + 1
        step = _walk([start, *chain], lost)
        step = at_most(20 + most, step, f"{asked} runs on: stop after {most} ids.")
        state = torch.zeros(1, lost, dtype=torch.float64)
        answer = call(student, step=step, state=state, start=start, stop=stop, most=most)
        answer = whole_numbers(asked, answer)
        if answer != expected:
            cause = _cause(answer, expected, start, stop, lost)
            detail = f": {cause}" if cause else f", expected {expected}"
            raise Refused(f"{asked} gives {answer}{detail}.")
    return Verdict(True, "greedy_decode: right with STOP, without it, and at the bound.")


def _walk(read: list[int], lost: int) -> Callable:
    """A model that counts its steps in the state and writes `lost` where it read a wrong id."""

    def step(ids, state):
        if not isinstance(ids, Tensor) or ids.shape != (1,) or ids.dtype != torch.int64:
            kind = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
            raise Refused(
                f"greedy_decode: step reads one id, a tensor of shape (1,) and type torch.int64; "
                f"it was given {kind}, shape {tuple(torch.as_tensor(ids).shape)}."
            )
        if not isinstance(state, Tensor) or state.shape != (1, lost):
            raise Refused(
                "greedy_decode: step takes the state that you were given, then the one it gave."
            )
        t = int(state[0, 0])
        logits = torch.full((1, lost + 2), -2.0, dtype=torch.float64)
        logits[0, lost + 1] = -9.0  # an argmin would take it
        faithful = t + 1 < len(read) and ids.item() == read[t]
        logits[0, read[t + 1] if faithful else lost] = -1.0
        return logits, state + 1

    return step


def _cause(answer: list, expected: list, start: int, stop: int, lost: int) -> str:
    """What explains a wrong list of ids, or nothing."""
    if answer[: len(expected)] == [start, *expected][: len(expected)]:
        return "START is read, not written"
    if answer == expected[:-1]:
        stopped = expected[-1] == stop
        return "STOP belongs to the list: it was written" if stopped else "one more id fits"
    if answer[: len(expected)] == expected:
        return "it goes on after STOP" if stop in expected else "it goes beyond the bound"
    if lost in answer and answer[0] == expected[0]:
        return "each step must read the id just written, and the state of the step before"
    if answer[:1] == [lost]:
        return "the first id that step reads is start"
    return "this is the least probable id" if answer[:1] == [lost + 1] else ""
