"""Checks of assignment A6: words to pieces, and spans to hide."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import Refused

KNOWN = """
un ##bel ##iev ##ably play ##ing ##s p ##lay a ##a ##ab pl ##ayed believ ##believ able ##e b ##b
playing ##play ##l ##bl é ##x2 ###
"""
WORDS = "unbelievably plays playing aab unplay able x playx aaaab unxa played Play éa ea ax2 a#b"


def cut(word: str, known: set[str], shortest: bool = False) -> list[str]:
    """The pieces of a word, the longest that is known taken first from the left."""
    found, at = [], 0
    while at < len(word):
        mark = "##" if at else ""
        ends = [end for end in range(at + 1, len(word) + 1) if mark + word[at:end] in known]
        if not ends:
            return ["[UNK]"]
        end = ends[0 if shortest else -1]
        found.append(mark + word[at:end])
        at = end
    return found


def _rest_unknown(word: str, known: set[str]) -> list[str]:
    for end in range(len(word), 0, -1):
        if cut(word[:end], known) != ["[UNK]"]:
            return [*cut(word[:end], known), *(["[UNK]"] if end < len(word) else [])]
    return ["[UNK]"]


def _going_back(word: str, known: set[str]) -> list[str]:
    best = {0: []}
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            if start in best and piece in known:
                best.setdefault(end, [*best[start], piece])
    return best.get(len(word), ["[UNK]"])


@check("right for 16 words and two vocabularies.")
def wordpiece() -> Cases:
    """Check `wordpiece(word, vocabulary)`: the pieces of a word, the longest known one first.

    Source: Wu et al. (2016), section 4.1, as BERT's tokenizer applies it.
    """
    whole, words = {*KNOWN.split()}, WORDS.split()
    both = whole, whole - {"playing", "##ing"}
    for word, known in [("una", {"un", "a"})] + [(w, k) for k in both for w in words]:
        right = cut(word, known)
        unmarked = known | {piece.removeprefix("##") for piece in known}
        slips = {
            "pieces inside a word begin with ##": [piece.removeprefix("##") for piece in right],
            "at each place take the longest piece that is known, not the shortest": (
                cut(word, known, shortest=True)
            ),
            "a word that cannot be cut to its end is one [UNK], as a whole": (
                _rest_unknown(word, known)
            ),
            "inside a word only pieces with ## count, at its start only those without": (
                cut(word, unmarked)
            ),
            "the word is not known as a whole": [word],
            "the rule never goes back to try a shorter piece": _going_back(word, known),
            "give a list of pieces": " ".join(right),
            "nothing is no answer: give [UNK]": [],
            "capitals are letters of their own": cut(word.lower(), known),
        }
        yield Case(f" of {word!r}", {"word": word, "vocabulary": known}, right, slips)


@check("right for 9 texts.")
def mask_spans() -> Cases:
    """Check `mask_spans(words, draws, share)`: spans of whole words, until enough is hidden.

    `words` is (time,), the number of the word of each token, -1 at special ones.

    Source: Joshi et al. (2020), "SpanBERT", section 3.1.
    """
    for numbers, draws, share in SPANS:
        words = torch.tensor(numbers)
        ordinary, count = words >= 0, int((words >= 0).sum())
        starts = torch.tensor([k == 0 or n != numbers[k - 1] for k, n in enumerate(numbers)])

        def hidden(
            draws=draws, budget=share * count, counted=lambda gone, spans: gone.sum(), span=None
        ) -> Tensor:
            """What is hidden: spans of whole words, until the budget is used up."""
            gone, spans = torch.zeros(len(words), dtype=torch.bool), 0
            for first, length in draws:
                if counted(gone, spans) >= budget:
                    break
                inside = (words >= first) & (words < first + length) & ordinary
                inside = span(first, length) if span else inside
                gone, spans = gone | inside, spans + int(inside.sum())
            return gone

        def from_place(first: int, length: int) -> Tensor:
            return (torch.arange(len(words)) >= first) & (torch.arange(len(words)) < first + length)

        right, within = hidden(), torch.zeros_like(ordinary)
        for first, length in draws:
            more = within | ((words >= first) & (words < first + length) & ordinary)
            within = more if more.sum() <= share * count else within
        tokens = hidden(span=lambda first, length: from_place(numbers.index(first), length))
        slips = {
            "special tokens do not count in the share": hidden(budget=share * len(words)),
            "it goes on when enough is hidden": hidden(budget=2.0 * count),
            "the draws count words, not tokens: hide all pieces of a word": tokens & ordinary,
            "only the first piece of each word is hidden": right & starts,
            "a span has one word more": hidden([(first, n + 1) for first, n in draws]),
            "a span has one word less": hidden([(first, n - 1) for first, n in draws]),
            "this says what stays; say what is hidden": ~right,
            "special tokens are never hidden": right | ~ordinary,
            "a token that is hidden twice counts once": hidden(counted=lambda gone, spans: spans),
            "the share is one of tokens, not of words": hidden(
                budget=share * (int(words.max()) + 1),
                counted=lambda gone, spans: len(words[gone].unique()),
            ),
            "a span may reach over the end; hide what there is": (
                hidden([draw for draw in draws if sum(draw) <= words.max() + 1])
            ),
            "the first number is that of a word, not of a token": hidden(span=from_place),
            "only the first draw is used": hidden(draws[:1]),
            "the last span may go over the share: it is not left out": within,
        }
        asked = f" of words {numbers}, draws {draws}, share {share:g},"

        def read(answer):
            try:
                numbers = torch.as_tensor(answer).dtype != torch.bool
            except (TypeError, ValueError, RuntimeError):
                return answer
            if numbers:
                raise Refused(
                    f"mask_spans{asked} gives numbers, expected True or False for each token."
                )
            return answer

        given = {"words": words, "draws": draws, "share": share}
        yield Case(asked, given, right, slips, read=read)


SPANS = (
    ([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1], [(9, 3), (1, 2), (5, 2)], 0.15),
    ([-1, 0, 1, 2, 3, 4, 5, -1], [(1, 3), (0, 3), (2, 1), (4, 2)], 0.75),
    ([-1, 0, 1, 1, 2, 3, 4, 4, 4, 5, -1], [(4, 1), (0, 2), (2, 3)], 0.4),
    ([-1, 0, 0, 0, 1, 2, 3, -1, -1, -1], [(2, 3), (0, 1), (1, 2)], 0.5),
    ([-1, 0, 1, 2, 3, -1, -1, -1], [(0, 1), (1, 1), (2, 1), (3, 1)], 0.5),
    ([0, 1, 1, 2], [(1, 1), (0, 2), (2, 2)], 0.75),
    ([-1, *range(20), -1], [(2, 2), (8, 1), (12, 1)], 0.15),
    ([-1, 0, 1, 1, -1, 2, 3, -1], [(1, 2), (3, 1), (0, 1)], 0.75),
    ([-1, 0, 1, -1], [(1, 1)], 0.0),
)
