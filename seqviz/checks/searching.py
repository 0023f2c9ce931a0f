"""Checks of notebook 07: a step of beam search, the parts of BLEU, greedy decoding with a bound."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import whole_numbers
from seqviz.checks.ngrams import brevity, closest, shares
from seqviz.checks.verdict import Refused, ramp


@check("right for one hypothesis and for more.")
def beam_step() -> Cases:
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
        total = scores[:, None] + log_p
        score, place = total.flatten().topk(k)
        parent, token = place // vocab, place % vocab

        def best(table: Tensor, largest: bool = True) -> Tensor:
            return table.flatten().topk(k, largest=largest).values

        order = total.argsort(dim=1, descending=True)  # what never compete
        turn = torch.arange(k) % n, torch.arange(k) // n
        own = {
            "score": {
                "the scores of the hypotheses so far are missing": best(log_p),
                "these are the worst": best(total, largest=False),
                "the worst comes first": score.flip(0),
                "log-probabilities were multiplied; logarithms add": best(-scores[:, None] * log_p),
                "probabilities were added to logarithms": best(scores[:, None] + log_p.exp()),
                "the best of each hypothesis were taken; the k best of all compete": (
                    total.gather(1, order)[turn]
                ),
                "this is the token's log-probability alone": log_p[parent, token],
                "this is a probability; keep the logarithm": score.exp(),
            },
            "parent": {
                "parent and token are exchanged": token,
                "this is the place in the flattened table; divide by vocab": place,
            },
            "token": {
                "parent and token are exchanged": parent,
                "this is the place in the flattened table; take the remainder": place,
            },
        }
        given = {"scores": scores, "log_p": log_p, "k": k}
        right = {"parent": parent, "token": token, "score": score}
        sums_tell_most = "score, parent, token"
        yield Case(f" (n={n}, k={k})", given, right, by_part(own), sums_tell_most)


@check("right for 11 cases of one to three references.")
def bleu_parts() -> Cases:
    """Check `bleu_parts(hypothesis, references) -> (precisions, brevity)`.

    The hypothesis is a list of words, the references are lists of words. Precisions are four
    numbers, n = 1 to 4: the share of the hypothesis's n-grams that stand in a reference, each at
    most as often as in the one reference that has it most often. Brevity is exp(1 - r / c) for
    c words and a closest reference of r > c words (of two equally close ones the shorter), else 1.

    Source: Papineni et al. (2002), sections 2.1 and 2.2.
    """
    for text, references in _texts():
        words = text.split()
        c, lengths = len(words), sorted(map(len, references))
        r, longer = closest(c, lengths), closest(c, lengths, longer=True)

        def precisions(slip: str = "", references=references) -> Tensor:
            return torch.tensor(shares([words], [references], slip), dtype=torch.float64)

        of_precisions = {
            "nothing is clipped: a word counts as often as it is repeated": precisions("clip none"),
            "clip by the one reference that has it most often, not by the sum of all": (
                precisions("clip sum")
            ),
            "each n-gram is clipped by itself, not all by one best reference": (
                torch.stack([precisions("", [one]) for one in references]).amax(dim=0)
            ),
            "only the first reference is looked at": precisions("clip first"),
            "clip by the reference that has it most often, not least": precisions("clip least"),
            "each n-gram counts as often as it comes, not once": precisions("once"),
            "these are percent; give shares": 100 * precisions(),
            "divide by the n-grams of the hypothesis, not by its words": precisions("words"),
        }
        of_brevity = {
            "of two equally close references take the shorter": brevity(c, longer),
            "at most 1: a long hypothesis has no bonus": math.exp(1 - r / c),
            "the quotient is missing from exp(1 - r / c)": min(1.0, c / r),
            "as if the reference had the mean length": brevity(c, sum(lengths) / len(lengths)),
            "r and c are exchanged": brevity(r, c),
        }
        others: dict[float, list] = {}
        for length in {*lengths} - {r, longer}:
            others.setdefault(brevity(c, length), []).append(str(length))
        others.pop(brevity(c, r), None)
        for value, same in others.items():
            had = " or ".join(sorted(same))
            of_brevity[f"as if the reference had {had} words; the closest to {c} has {r}"] = value
        asked = f" of {text!r}, {len(references)} reference{'s' * (len(references) > 1)}"
        right = {"precisions": precisions(), "brevity": brevity(c, r)}
        slips = by_part({"precisions": of_precisions, "brevity": of_brevity})
        yield Case(asked, {"hypothesis": words, "references": list(references)}, right, slips)


def _texts() -> list[tuple[str, list]]:
    """(hypothesis, references) of each case."""
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
    several = [text.split() for text in texts]
    apart = [text.split() for text in ("he and the king and the", "the queen and and the queen")]
    return [
        *((text, references) for references in (several, several[:1]) for text in hypotheses),
        (hypotheses[0], several[::-1]),  # as close, the shorter one stands last
        ("the king and the queen and the queen", apart),  # neither has most of every word
        ("he and the king and the", apart),
    ]


@check("right with STOP, without it, and at the bound.")
def greedy_decode() -> Cases:
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
        right = (chain[: chain.index(stop) + 1] if stop in chain else chain)[:most]
        asked, lost = f" of {name}", max(start, stop, *chain) + 1

        def read(answer):
            ids = whole_numbers(f"greedy_decode{asked}", answer)
            if ids != right and (cause := _cause(ids, right, start, stop, lost)):
                raise Refused(f"greedy_decode{asked} gives {ids}: {cause}.")
            return ids

        runs_on = f"greedy_decode{asked} runs on: stop after {most} ids."
        step = at_most(20 + most, _walk([start, *chain], lost), runs_on)
        given = {"step": step, "state": torch.zeros(1, lost, dtype=torch.float64)}
        given |= {"start": start, "stop": stop, "most": most}
        yield Case(asked, given, right, read=read)


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
