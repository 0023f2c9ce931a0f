"""Clauses in English and in French: who does what, and where and when."""

import random

from groups import (
    Group,
    drawn_complement,
    drawn_group,
    drawn_month,
    group,
    known,
)
from lexicon import (
    ADJECTIVES,
    CITIES,
    COUNTRIES,
    DAYS,
    NOUNS,
    PERSONS,
    YEARS,
)
from phrases import NOTHING, Phrase, phrase
from verbs import DEEDS, DOINGS, MOVES, PLACELESS, Verb

GRADED = ("small", "large", "long", "young", "old", "beautiful", "important", "famous")
UNGRADED = ("secret", "red", "white")
WHEN = {
    "last": {"m": "dernier", "f": "dernière"},
    "following": {"m": "suivant", "f": "suivante"},
    "previous": {"m": "précédent", "f": "précédente"},
}
SPANS = {"week": ("la", "semaine", "f"), "month": ("le", "mois", "m"), "year": ("la", "année", "f")}
TENSES = ("past", "perfect", "denied")  # signed, has signed, has not signed


def verbal(subject: Group, verb: Verb, tense: str) -> Phrase:
    """A verb that agrees with its subject; with être its participle does, too."""
    has = subject.form("has", "have")
    if verb.auxiliary == "être":
        auxiliary, participle = subject.form("est", "sont"), subject.agreed(verb.french)
    else:
        auxiliary, participle = subject.form("a", "ont"), verb.french
    if tense == "past":
        return phrase(verb.past, f"{auxiliary}?0 {participle}=0")
    if tense == "perfect":
        return phrase(f"{has} {verb.participle}", f"{auxiliary}=0 {participle}=1")
    negated = f"ne?1 {auxiliary}=0 pas=1 {participle}=2"
    return phrase(f"{has} not {verb.participle}", negated)


def passive(thing: Group, verb: Verb, tense: str = "past") -> Phrase:
    """The law was signed: la loi a été signée."""
    was, a = thing.form("was", "were"), thing.form("a", "ont")
    participle = thing.agreed(verb.french)
    if tense == "denied":
        negated = f"ne?1 {a}?0 pas=1 été=0 {participle}=2"
        return thing.said + phrase(f"{was} not {verb.participle}", negated)
    return thing.said + phrase(f"{was} {verb.participle}", f"{a}?0 été=0 {participle}=1")


def drawn_deed(draw: random.Random, wealth: float, tense: str) -> Phrase:
    """Somebody does something, or it is done."""
    verb = DEEDS[draw.choice([*DEEDS])]
    name = draw.choice(verb.objects)
    definite = tense == "denied"
    thing = drawn_group(draw, name, wealth, definite)
    subject = drawn_group(draw, draw.choice(verb.subjects), wealth, definite)
    if tense != "perfect" and draw.random() < 0.45:
        by = phrase("by", "par=0") + subject.said if draw.random() < 0.4 else NOTHING
        said = passive(thing, verb, tense) + by
    else:
        said = subject.said + verbal(subject, verb, tense) + thing.said
    if verb.past == "sent" and draw.random() < 0.5:
        return said + _to_somebody(draw, wealth)
    if tense == "past" and verb.past not in PLACELESS and draw.random() < 0.4 * wealth:
        return said + _in_country(draw, "in")
    return said


def drawn_doing(draw: random.Random, wealth: float, tense: str) -> Phrase:
    """Somebody works, speaks, waits, stays somewhere."""
    return _drawn_intransitive(draw, wealth, tense, DOINGS)


def drawn_move(draw: random.Random, wealth: float, tense: str) -> Phrase:
    """Somebody arrives, leaves, goes."""
    return _drawn_intransitive(draw, wealth, tense, MOVES)


def _drawn_intransitive(
    draw: random.Random, wealth: float, tense: str, verbs: dict[str, Verb]
) -> Phrase:
    verb = verbs[draw.choice([*verbs])]
    subject = drawn_group(draw, draw.choice(verb.subjects), wealth, definite=tense == "denied")
    where = _where(draw, draw.choice(verb.objects), wealth)
    return subject.said + verbal(subject, verb, tense) + where


def drawn_birth(draw: random.Random, wealth: float) -> Phrase:
    """Somebody was born; "was" is not the one of the passive."""
    subject = drawn_group(draw, draw.choice(PERSONS.split()), wealth)
    was, est = subject.form("was", "were"), subject.form("est", "sont")
    born = phrase(f"{was} born", f"{est}=0 {subject.agreed('né')}=1")
    return subject.said + born + draw.choice((_in_country(draw, "in"), NOTHING)) + drawn_date(draw)


def drawn_state(draw: random.Random, wealth: float) -> Phrase:
    """Something is as an adjective says."""
    name = draw.choice([name for name in NOUNS if _predicates(name)])
    more = drawn_complement(draw, name, (), wealth) if draw.random() < wealth else NOTHING
    subject = group("the", (), name, draw.random() < 0.3, more)
    word = draw.choice(_predicates(name))
    form = ADJECTIVES[word].forms[2 * subject.feminine + subject.plural]
    is_, est = subject.form("is", "are"), subject.form("est", "sont")
    states = [
        phrase(f"{is_} {word}", f"{est}=0 {form}=1"),
        phrase(f"{is_} not {word}", f"ne?1 {est}=0 pas=1 {form}=2"),
    ]
    if word in GRADED:
        states.append(phrase(f"{is_} very {word}", f"{est}=0 très=1 {form}=2"))
    return subject.said + draw.choice(states)


def _predicates(name: str) -> list[str]:
    allowed = {word for words in NOUNS[name].adjectives for word in words}
    return [word for word in (*GRADED, *UNGRADED) if word in allowed]


def _to_somebody(draw: random.Random, wealth: float) -> Phrase:
    return phrase("to", "à=0") + known(draw, PERSONS, wealth / 2, many=True)


def _in_country(draw: random.Random, word: str) -> Phrase:
    """A city or a country: in paris, to japan."""
    name = draw.choice((*CITIES, *COUNTRIES))
    if name in CITIES:
        return phrase(f"{word} {name}", f"à=0 {CITIES[name]}=1")
    article, french = COUNTRIES[name]
    if article == "le":
        return phrase(f"{word} {name}", f"à=0 le?1 {french}=1")
    return phrase(f"{word} {name}", f"en=0 {french}=1")


def _where(draw: random.Random, kind: str, wealth: float) -> Phrase:
    """Where somebody is, or to whom he speaks."""
    house, town = "hotel museum hospital school castle university", "city village"
    match kind:
        case "listener":
            return _to_somebody(draw, wealth)
        case "country":
            return _in_country(draw, "in")
        case "at":
            return phrase("at", "à=0") + known(draw, house, wealth)
        case "in":
            return phrase("in", "dans=0") + known(draw, town, wealth)
        case "near":
            near = phrase("near", "près=0 de?0")
            return near + known(draw, f"{town} {house} church river island", wealth, many=True)
        case "to":
            there = phrase("to", "à=0") + known(draw, f"{house} church", wealth)
            return draw.choice((there, _in_country(draw, "to")))
    return NOTHING


def drawn_date(draw: random.Random) -> Phrase:
    """In august 1992, on 3 may 1998, in 1994."""
    match draw.choice(("month", "day", "year")):
        case "month":
            return phrase("in", "en=0") + drawn_month(draw)
        case "day":
            day = draw.choice([*DAYS])
            return phrase(f"on {day}", f"le=0 {DAYS[day]}=1") + drawn_month(draw)
    year = draw.choice(YEARS)
    return phrase(f"in {year}", f"en=0 {year}=1")


def drawn_time(draw: random.Random) -> Phrase:
    """A date, yesterday, last week; or nothing."""
    date, span, yesterday = drawn_date(draw), drawn_span(draw), phrase("yesterday", "hier=0")
    return draw.choice([date] * 5 + [span] * 3 + [yesterday] + [NOTHING] * 5)


def drawn_span(draw: random.Random) -> Phrase:
    """Last week, the following month; "last" has no article of its own."""
    when, span = draw.choice([*WHEN]), draw.choice([*SPANS])
    article, noun, gender = SPANS[span]
    adjective = WHEN[when][gender]
    if when == "last":
        return phrase(f"last {span}", f"{article}?1 {noun}=1 {adjective}=0")
    return phrase(f"the {when} {span}", f"{article}=0 {noun}=2 {adjective}=1")
