"""Sentences in English and in French: clauses, alone or joined."""

import random
from itertools import combinations

from clauses import (
    TENSES,
    drawn_birth,
    drawn_deed,
    drawn_doing,
    drawn_move,
    drawn_state,
    drawn_time,
    passive,
)
from groups import group
from lexicon import ADJECTIVES, MONTHS, NOUNS
from phrases import Phrase, phrase
from verbs import DEEDS

SINGULARS = {form: name for name, noun in NOUNS.items() for form in noun.english}


def together(words: tuple[str, ...]) -> set[tuple[str, str, str]]:
    """Every two adjectives that stand before the same noun, with it, in an English sentence."""
    found, adjectives = set(), []
    for word in words:
        if word in SINGULARS:
            found |= {(*two, SINGULARS[word]) for two in combinations(adjectives, 2)}
        adjectives = [*adjectives, word] if word in ADJECTIVES else []
    return found


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


def european_economic_area() -> Phrase:
    """The sentence of decks 000 to 004."""
    area = group("the", ("european", "economic"), "area").said
    agreement = group("the", (), "agreement", complement=phrase("on", "sur=0") + area)
    date = phrase("in", "en=0") + phrase("august 1992", "août=0 1992=1")
    return passive(agreement, DEEDS["signed"]) + date
