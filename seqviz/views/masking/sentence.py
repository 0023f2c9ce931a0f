"""The sentences over masked words, made from the numbers on screen."""

import math
from decimal import ROUND_HALF_UP, Decimal

from seqviz.pieces import bare
from seqviz.views.masking.values import Sentence
from seqviz.views.shared.wording import readable

LETTERS = 24  # of a token
# From which probability a word is given away, or a wrong guess is more than one of many; up to
# which nothing is known; what share of it the left alone must reach to have told already.
SURE, WRONG, OPEN, TOLD = 0.6, 0.5, 0.4, 0.55
LOST, WON = 0.2, -0.05  # what a second mask must take away, or bring
FEW = 20  # tokens that are counted rather than turned into per cent


def chance(p: float) -> str:
    """A probability, never a round 0 or 1 for one that is not."""
    if 0 < p < 0.001:
        return "<0.001"
    if 0.995 <= p < 1:
        return ">0.99"
    digits = "0.001" if 0 < p < 0.0095 else "0.01"
    return str(Decimal(float(p)).quantize(Decimal(digits), ROUND_HALF_UP))


def percent(share: float) -> str:
    """A share in per cent, with one decimal."""
    return f"{Decimal(100 * float(share)).quantize(Decimal('0.1'), ROUND_HALF_UP)} %"


def quoted(sentence: Sentence, k: int, token: str | None = None, marks: str = "") -> str:
    """The token at a position in quotes, or another in its place; a piece with its word.

    What goes on with a word keeps its mark where there is none. A piece of a character, which is
    "1/2 of é", is said without a word that is no more than the character, or nobody knows.
    """
    word, texts, letters = sentence.words[k], sentence.pieces.bare, sentence.pieces.letters
    own = texts[k] if token is None else bare(token, marks)
    if len(word) == 1:
        own = own if token is None or marks != "##" else token
        return f"“{readable(own, LETTERS)}”"
    cut = any(texts[j] != letters[j] for j in word)
    whole = "".join(own if j == k and token is not None else letters[j] for j in word)
    if cut and (token is not None or own.endswith(f" of {readable(whole, LETTERS)}")):
        return f"“{readable(own, LETTERS)}”"
    return f"“{readable(own, LETTERS)}” of “{readable(whole, LETTERS)}”"


def headline(view) -> str:
    """The sentence for a view of `masking`, as the page writes it."""
    here = view.here
    if not view.mask:
        return _overview(view, here)
    k = view.mask - 1
    both, left = map(float, view.answer.truth[view.row])
    word = quoted(here, k)
    if view.second:
        other = quoted(here, view.second - 1)
        return _of_two(word, other, float(here.guesses.truth[k, 0]), both)
    rank = int(view.answer.ranks[view.row, 0])
    if rank > 1:
        words = view.vocabulary
        best = quoted(here, k, words.shown[int(view.answer.ids[view.row, 0])], words.marks)
        return _not_first(word, both, rank, best, float(view.answer.p[view.row, 0]))
    if not view.compared:
        gives = f"give {word} away" if both >= SURE else f"favour {word}"
        return f"The words around it {gives}: {chance(both)}."
    start, end = _compared(both, left)
    return f"{start} {word}{end}: {_from_both(view, both, left)}."


def _compared(both: float, left: float) -> tuple[str, str]:
    """What stands before and behind the word, chosen by its two probabilities alone."""
    if both < OPEN:
        return "Both sides leave", " open"
    if left > TOLD * both:
        return "The left side already tells", ""
    return ("The right side helps", "") if both < SURE else ("The right side gives", " away")


def _from_both(view, both: float, left: float) -> str:
    first, second = map(readable, view.names)
    return f"{chance(left)} from {second}, {chance(both)} from {first}"


def _overview(view, here: Sentence) -> str:
    k = here.gains[0]
    both, left = map(float, here.guesses.truth[k])
    if not view.compared:
        return f"Nothing is masked. Easiest to guess is {quoted(here, k)}: {chance(both)}."
    if both <= left:
        return "Nothing is masked. No token gains from the right side."
    return (
        f"Nothing is masked. The right side helps {quoted(here, k)} most: "
        f"{_from_both(view, both, left)}."
    )


def _of_two(word: str, other: str, before: float, now: float) -> str:
    if before - now > LOST:
        change = f"hides evidence: {word} falls from {chance(before)} to {chance(now)}"
    elif before - now < WON:
        change = f"helps: {word} rises from {chance(before)} to {chance(now)}"
    else:
        change = f"changes little: {word} had {chance(before)}, now {chance(now)}"
    return f"Masking {other} too {change}."


def _not_first(word: str, both: float, rank: int, best: str, most: float) -> str:
    if most >= WRONG:
        return (
            f"✗ Wrong: the best guess is {best} with {chance(most)}; the true {word} has rank "
            f"{rank:,} with {chance(both)}."
        )
    return (
        f"Many tokens fit: the true {word} has rank {rank:,} with {chance(both)}, the best guess "
        f"is {best} with {chance(most)}."
    )


def lesson(view) -> str:
    """The sentence over the second pane: what the draws gave, and what the share is worth."""
    clauses = []
    if view.draws:
        clauses.append(_of_draws(view.draws.counts(view.rate, view.draw)[1:]))
    if view.rates is not None:
        clauses.append(_of_rate(view.rates, view.rate))
    return " ".join(clauses).replace(" %", "\u00a0%")


def _of_draws(counts: list[int]) -> str:
    """What became of the chosen tokens: masked, replaced, kept."""
    n = sum(counts)
    if n == 0:
        return "No token is chosen yet."
    masked, replaced, kept = (f"{k:,}" if n < FEW else percent(k / n) for k in counts)
    return (
        f"Of {n:,} chosen token{'s' * (n > 1)} {masked} become [MASK], {replaced} another token, "
        f"{kept} stay."
    )


def nearest(rates, rate: float) -> int:
    """The row of `rates` that stands for a rate."""
    return int(abs(rates[:, 0].astype(float) - rate).argmin())


def _of_rate(rates, rate: float) -> str:
    """How many are guessed at a rate, beside the rate where most are."""
    share, accuracy, error = map(float, rates[nearest(rates, rate)])
    best, most, other = map(float, rates[rates[:, 1].argmax()])
    right = f"With {percent(share)} chosen {percent(accuracy)} are guessed right"
    if share == best:
        return f"{right}, the most of all."
    apart = most - accuracy > 2 * math.hypot(error, other)
    beside = f"{percent(most)} with {percent(best)}"
    if apart:
        return f"{right}; the most are {beside}."
    return f"{right}; the most, {beside}, lie within the error."
