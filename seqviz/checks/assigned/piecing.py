"""Checks of assignment A6: words to pieces, and spans to hide."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, sole
from seqviz.checks.verdict import Refused, Verdict, check

KNOWN = {"un", "##bel", "##iev", "##ably", "play", "##ing", "##s", "p", "##lay", "a", "##a", "##ab"}
KNOWN |= {
    "pl",
    "##ayed",
    "believ",
    "##believ",
    "able",
    "##e",
    "b",
    "##b",
    "playing",
    "##play",
    "##l",
    "##bl",
    "é",
    "##x2",
    "###",
}
WORDS = (
    "unbelievably",
    "plays",
    "playing",
    "aab",
    "unplay",
    "able",
    "x",
    "playx",
    "aaaab",
    "unxa",
    "played",
    "Play",
    "éa",
    "ea",
    "ax2",
    "a#b",
)
LESS = KNOWN - {"playing", "##ing"}


def longest_first(word: str, known: set[str]) -> list[str]:
    """The pieces of a word, the longest that is known taken first from the left."""
    found, at = [], 0
    while at < len(word):
        mark = "##" if at else ""
        ends = [end for end in range(len(word), at, -1) if mark + word[at:end] in known]
        if not ends:
            return ["[UNK]"]
        found.append(mark + word[at : ends[0]])
        at = ends[0]
    return found


def _shortest_first(word: str, known: set[str]) -> list[str]:
    found, at = [], 0
    while at < len(word):
        mark = "##" if at else ""
        ends = [end for end in range(at + 1, len(word) + 1) if mark + word[at:end] in known]
        if not ends:
            return ["[UNK]"]
        found.append(mark + word[at : ends[0]])
        at = ends[0]
    return found


def _rest_unknown(word: str, known: set[str]) -> list[str]:
    for end in range(len(word), 0, -1):
        if longest_first(word[:end], known) != ["[UNK]"]:
            return [*longest_first(word[:end], known), *(["[UNK]"] if end < len(word) else [])]
    return ["[UNK]"]


def _going_back(word: str, known: set[str]) -> list[str]:
    best = {0: []}
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            if start in best and piece in known:
                best.setdefault(end, [*best[start], piece])
    return best.get(len(word), ["[UNK]"])


@check
def wordpiece(student: Callable) -> Verdict:
    """Check `wordpiece(word, vocabulary)`: the pieces of a word, the longest known one first.

    Source: Wu et al. (2016), section 4.1, as BERT's tokenizer applies it.
    """
    for word, known in [("una", {"un", "a"})] + [(w, k) for k in (KNOWN, LESS) for w in WORDS]:
        right = longest_first(word, known)
        bare = [piece.removeprefix("##") for piece in right]
        unmarked = known | {piece.removeprefix("##") for piece in known}
        wrong = {
            "pieces inside a word begin with ##": bare,
            "at each place take the longest piece that is known, not the shortest": (
                _shortest_first(word, known)
            ),
            "a word that cannot be cut to its end is one [UNK], as a whole": (
                _rest_unknown(word, known)
            ),
            "every place has its own [UNK]; the whole word is one": [
                piece if piece in known else "[UNK]" for piece in right
            ],
            "inside a word only pieces with ## count, at its start only those without": (
                longest_first(word, unmarked)
            ),
            "the word is not known as a whole": [word],
            "the rule never goes back to try a shorter piece": _going_back(word, known),
            "give a list of pieces": " ".join(right),
            "nothing is no answer: give [UNK]": [],
            "capitals are letters of their own": longest_first(word.lower(), known),
        }
        asked = f"wordpiece of {word!r}"
        answer = call(student, word=word, vocabulary=known)
        if isinstance(answer, list | tuple) and all(isinstance(piece, str) for piece in answer):
            answer = list(answer)
        elif not isinstance(answer, str):
            raise Refused(f"{asked} gives {answer!r:.200}, expected a list of pieces, {right!r}.")
        cause = sole(wrong, answer, right)
        if answer != right:
            raise Refused(f"{asked} gives {answer!r:.200}, expected {right!r}{cause}.")
    return Verdict(True, f"wordpiece: right for {len(WORDS)} words and two vocabularies.")


def hidden_spans(words: Tensor, draws: list[tuple[int, int]], share: float) -> Tensor:
    """What is hidden: spans of whole words, until the share is reached."""
    hidden = torch.zeros(len(words), dtype=torch.bool)
    budget = share * int((words >= 0).sum())
    for first, length in draws:
        if hidden.sum() >= budget:
            break
        hidden |= (words >= first) & (words < first + length) & (words >= 0)
    return hidden


@check
def mask_spans(student: Callable) -> Verdict:
    """Check `mask_spans(words, draws, share)`: spans of whole words, until enough is hidden.

    `words` is (time,), the number of the word of each token, -1 at special ones.

    Source: Joshi et al. (2020), "SpanBERT", section 3.1.
    """
    for numbers, draws, share in SPANS:
        words = torch.tensor(numbers)
        right = hidden_spans(words, draws, share)
        ordinary = words >= 0
        starts = torch.tensor([k == 0 or n != numbers[k - 1] for k, n in enumerate(numbers)])
        tokens = torch.zeros(len(words), dtype=torch.bool)
        for first, length in draws:
            if tokens.sum() < share * ordinary.sum():
                place = numbers.index(first)
                tokens[place : place + length] = True
        wrong = {
            "special tokens do not count in the share": hidden_spans(
                words, draws, share * len(words) / int(ordinary.sum())
            ),
            "it goes on when enough is hidden": hidden_spans(words, draws, 2.0),
            "the draws count words, not tokens: hide all pieces of a word": tokens & ordinary,
            "only the first piece of each word is hidden": right & starts,
            "a span has one word more": hidden_spans(
                words, [(first, length + 1) for first, length in draws], share
            ),
            "a span has one word less": hidden_spans(
                words, [(first, length - 1) for first, length in draws], share
            ),
            "this says what stays; say what is hidden": ~right,
            "special tokens are never hidden": right | ~ordinary,
            "a token that is hidden twice counts once": _counted(words, draws, share, "spans"),
            "the share is one of tokens, not of words": _counted(words, draws, share, "words"),
            "a span may reach over the end; hide what there is": hidden_spans(
                words, [d for d in draws if sum(d) <= words.max() + 1], share
            ),
            "the first number is that of a word, not of a token": _places(words, draws, share),
            "only the first draw is used": hidden_spans(words, draws[:1], share),
            "the last span may go over the share: it is not left out": _within(words, draws, share),
        }
        asked = f"mask_spans of words {numbers}, draws {draws}, share {share:g},"
        answer = call(student, words=words, draws=draws, share=share)
        values = {text: slip.long() for text, slip in wrong.items()}
        compare(asked, _truth(asked, answer), right.long(), values)
    return Verdict(True, f"mask_spans: right for {len(SPANS)} texts.")


def _within(words: Tensor, draws: list[tuple[int, int]], share: float) -> Tensor:
    hidden = torch.zeros(len(words), dtype=torch.bool)
    for first, length in draws:
        more = hidden | ((words >= first) & (words < first + length) & (words >= 0))
        if more.sum() <= share * int((words >= 0).sum()):
            hidden = more
    return hidden


def _places(words: Tensor, draws: list[tuple[int, int]], share: float) -> Tensor:
    hidden = torch.zeros(len(words), dtype=torch.bool)
    for first, length in draws:
        if hidden.sum() < share * (words >= 0).sum():
            hidden[first : first + length] = True
    return hidden


def _counted(words: Tensor, draws: list[tuple[int, int]], share: float, what: str) -> Tensor:
    """What is hidden if the share is counted in another way."""
    hidden, spans = torch.zeros(len(words), dtype=torch.bool), 0
    total = int((words >= 0).sum()) if what == "spans" else int(words.max()) + 1
    for first, length in draws:
        done = spans if what == "spans" else len(words[hidden].unique())
        if done >= share * total:
            break
        span = (words >= first) & (words < first + length) & (words >= 0)
        spans, hidden = spans + int(span.sum()), hidden | span
    return hidden


def _truth(asked: str, answer):
    """Truth values as whole numbers; numbers are refused, what is none is left as it is."""
    try:
        values = torch.as_tensor(answer)
    except (TypeError, ValueError, RuntimeError):
        return answer
    if values.dtype != torch.bool:
        raise Refused(f"{asked} gives numbers, expected True or False for each token.")
    return values.long()


SPANS = (
    ([-1, 0, 1, 1, 2, 3, 4, 4, 4, 5, -1], [(4, 1), (0, 2), (2, 3)], 0.4),
    ([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1], [(9, 3), (1, 2), (5, 2)], 0.15),
    ([-1, 0, 0, 0, 1, 2, 3, -1, -1, -1], [(2, 3), (0, 1), (1, 2)], 0.5),
    ([-1, 0, 1, 2, 3, 4, 5, -1], [(1, 3), (0, 3), (2, 1), (4, 2)], 0.75),
    ([-1, 0, 1, 2, 3, -1, -1, -1], [(0, 1), (1, 1), (2, 1), (3, 1)], 0.5),
    ([0, 1, 1, 2], [(1, 1), (0, 2), (2, 2)], 0.75),
    ([-1, *range(20), -1], [(2, 2), (8, 1), (12, 1)], 0.15),
    ([-1, 0, 1, 1, -1, 2, 3, -1], [(1, 2), (3, 1), (0, 1)], 0.75),
    ([-1, 0, 1, -1], [(1, 1)], 0.0),
)
