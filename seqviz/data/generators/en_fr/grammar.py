"""English sentences and their French translations, drawn from a grammar."""

import random
from itertools import combinations, pairwise, product

from seqviz.arguments import checked_integer
from seqviz.data.generators.en_fr.clauses import (
    TENSES,
    drawn_birth,
    drawn_deed,
    drawn_doing,
    drawn_move,
    drawn_state,
    drawn_time,
    passive,
)
from seqviz.data.generators.en_fr.groups import group
from seqviz.data.generators.en_fr.lexicon import ADJECTIVES, MONTHS, NOUNS
from seqviz.data.generators.en_fr.phrases import Phrase, pair, phrase
from seqviz.data.generators.en_fr.verbs import DEEDS
from seqviz.data.pairs import Pair

LONGEST = 25  # source words
TRAIN, VAL = 8000, 500  # pairs
TEST = 500  # pairs with a combination of words unseen in training, and as many without one
HELD_OUT = 0.12  # of all combinations
SEALED = 424244  # seed of the test part, which was drawn when all settings stood
REPEATABLE = {
    *("the", "a", "an", "this", "these", "two", "three", "several", "and", "not"),
    *("of", "on", "in", "at", "to", "by", "was", "were", "has", "have"),
}
SINGULARS = {form: name for name, noun in NOUNS.items() for form in noun.english}
Combination = tuple[str, str, str]


def translations(seed: int = 0) -> tuple[list[Pair], list[Pair], list[Pair]]:
    """English sentences with their French translations and the links between their words.

    French puts some adjectives before the noun and some after it, these in mirrored order. They
    agree with it, and so do determiners and participles. Half of the test part has two adjectives
    with a noun in a combination that neither train nor val has; the decks' "the agreement on the
    european economic area was signed in august 1992" is among them. No sentence comes twice.

    Parameters
    ----------
    seed : int
        0 or more. Seed of the choice, the order and the held-out combinations.

    Returns
    -------
    tuple of three lists of Pair
        8,000, 500 and 1,000 pairs to train, to validate and to test.
    """
    seed = checked_integer("seed", seed, 0)
    draw, sealed = random.Random(seed), random.Random(SEALED + seed)
    every = sorted(_all_combinations())
    held_out = {("european", "economic", "area"), *draw.sample(every, int(HELD_OUT * len(every)))}
    decks = _european_economic_area()
    known, _ = _drawn(draw, held_out, TRAIN + VAL, 0, set())
    test = _drawn(sealed, held_out, TEST, TEST - 1, {decks.source, *(s.source for s in known)})
    pairs, test = [pair(said) for said in known], [pair(said) for said in sum(test, [decks])]
    sealed.shuffle(test)
    return pairs[:TRAIN], pairs[TRAIN:], test


def _drawn(
    draw: random.Random, held_out: set, known: int, new: int, taken: set
) -> tuple[list[Phrase], list[Phrase]]:
    """Sentences that are not taken: so many without a combination held out, so many with one."""
    parts = {}, {}
    while len(parts[0]) < known or len(parts[1]) < new:
        said = drawn_sentence(draw)
        if _is_fine(said) and said.source not in taken:
            is_new = not held_out.isdisjoint(together(said.source))
            if len(parts[is_new]) < (known, new)[is_new]:
                parts[is_new][said.source] = said
    return tuple([*part.values()] for part in parts)


def together(words: tuple[str, ...]) -> set[Combination]:
    """Every two adjectives that stand before the same noun, with it, in an English sentence."""
    found, adjectives = set(), []
    for word in words:
        if word in SINGULARS:
            found |= {(*two, SINGULARS[word]) for two in combinations(adjectives, 2)}
        adjectives = [*adjectives, word] if word in ADJECTIVES else []
    return found


def _all_combinations() -> set[Combination]:
    return {
        (*two, name)
        for name, noun in NOUNS.items()
        for groups in combinations(noun.adjectives, 2)
        for two in product(*groups)
    }


def _is_fine(said: Phrase) -> bool:
    """Not too long, no noun, verb or adjective twice, nobody born old, no politique politique."""
    source, target = said.source, [linked.word for linked in said.target]
    content = [SINGULARS.get(word, word) for word in source if word not in REPEATABLE]
    once = len({*content}) == len(content) and all(a != b for a, b in pairwise(target))
    return once and len(source) <= LONGEST and not {"born", "old"} <= {*source}


def drawn_sentence(draw: random.Random) -> Phrase:
    """One clause, or two or three joined by and, but, when."""
    wealth = draw.random()
    match draw.choices(("one", "and", "but", "when", "three"), (12, 7, 2, 2, 1))[0]:
        case "and":
            return _joined([drawn_clause(draw, 0.8 * wealth) for _ in range(2)])
        case "three":
            return _joined([drawn_clause(draw, 0.3 * wealth) for _ in range(3)])
        case "but":
            first = _timed(draw, drawn_deed(draw, wealth, "past"))
            return first + phrase("but", "mais=0") + drawn_deed(draw, wealth, "denied")
        case "when":
            first = draw.choice((drawn_deed, drawn_doing))(draw, wealth, "past")
            return first + phrase("when", "quand=0") + drawn_move(draw, wealth, "past")
    return drawn_clause(draw, wealth)


def _joined(clauses: list[Phrase]) -> Phrase:
    first, *others = clauses
    for clause in others:
        first = first + phrase("and", "et=0") + clause
    return first


def drawn_clause(draw: random.Random, wealth: float) -> Phrase:
    """A clause with its time, if it has one."""
    kinds = (drawn_deed, drawn_doing, drawn_move, drawn_birth, drawn_state)
    make = draw.choices(kinds, (12, 2, 3, 1, 2))[0]
    if make in (drawn_birth, drawn_state):
        return make(draw, wealth)
    tense = draw.choices(TENSES, (6, 1, 1))[0]
    said = make(draw, wealth, tense)
    return _timed(draw, said) if tense == "past" else said


def _timed(draw: random.Random, said: Phrase) -> Phrase:
    """A clause and when it happened; nothing is added to "the treaty of may 1994 was signed"."""
    return said if any(word in MONTHS for word in said.source) else said + drawn_time(draw)


def _european_economic_area() -> Phrase:
    """The sentence of decks 000 to 004."""
    area = group("the", ("european", "economic"), "area").said
    agreement = group("the", (), "agreement", complement=phrase("on", "sur=0") + area)
    date = phrase("in", "en=0") + phrase("august 1992", "août=0 1992=1")
    return passive(agreement, DEEDS["signed"]) + date
