"""The sentences over the map and over the senses, made from the numbers on screen."""

from decimal import ROUND_HALF_UP, Decimal

from seqviz.views.embedding.questions import Answer
from seqviz.views.embedding.senses import Senses
from seqviz.views.embedding.word_map import WordMap
from seqviz.views.shared.wording import readable

LETTERS = 20  # of a word
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def quoted(word: str) -> str:
    """A word in quotes."""
    return f"“{readable(word, LETTERS)}”"


def nth(n: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def counted(n: float) -> str:
    """A number of sentences; those that share a tie make one with a decimal."""
    if abs(n - round(n)) < 1e-9:
        return str(round(n))
    return str(Decimal(n).quantize(Decimal("0.1"), ROUND_HALF_UP))


def of_word(shown: WordMap, place: int) -> str:
    """Where the list and the map disagree over a word."""
    word, (ids, _) = shown.lexicon.words[place], shown.ten(place)
    far = [(rank, k, shown.nearer(place, k)) for rank, k in enumerate(ids, 1)]
    far = [one for one in far if one[2] >= shown.far]
    if not far:
        return (
            f"{quoted(word)}: its {NUMBERS[len(ids) - 1]} nearest words lie close on the map too."
        )
    rank, k, nearer = far[0]
    order = "nearest" if rank == 1 else f"{nth(rank)} nearest"
    other = quoted(shown.lexicon.words[k])
    return f"{other} is {order} to {quoted(word)}; on the map {nearer} words lie nearer."


def of_answer(shown: WordMap, answer: Answer) -> str:
    """What is nearest to a sum, and whether it is what was expected."""
    words = shown.lexicon.words
    plus, minus, added = (quoted(words[k]) for k in answer.question.inputs)
    total, first = f"{plus} − {minus} + {added}", quoted(words[answer.first])
    if answer.rank in (None, 1):
        return f"{total} lands nearest to {first}."
    expected = quoted(words[answer.question.expected])
    return f"{total} gives ✗ {first}; {expected} is {nth(answer.rank)}."


def of_senses(word: str, senses: Senses, layer: int, sentence: int) -> str:
    """At a layer, whether the nearest sentence has the same sense: of one, or of all."""
    if sentence:
        return _of_sentence(senses, layer, sentence - 1)
    count, right = len(senses.sense), senses.right
    here = f"{counted(right[layer])} of {count}"
    sure = next((k for k in range(len(right)) if min(right[k:]) > count - 1e-9), len(right))
    if layer >= sure < len(right) - 1:
        return f"From layer {sure} on the nearest {quoted(word)} has the same sense: {here}."
    if right[layer] <= senses.chance + 1e-9:
        return f"Layer {layer} does not tell the senses of {quoted(word)} apart: {here}."
    return f"At layer {layer} the nearest {quoted(word)} has the same sense in {here}."


def _of_sentence(senses: Senses, layer: int, k: int) -> str:
    near, right = senses.nearest(layer, k), senses.share_right(layer, k)
    where = f"At layer {layer} sentence {k + 1}"
    if len(near) > 1:
        same = round(right * len(near))
        return f"{where} has {len(near)} that are equally near: {same} with the same sense."
    return f"{where} is nearest to {near[0] + 1}: {'the same' if right else '✗ another'} sense."
