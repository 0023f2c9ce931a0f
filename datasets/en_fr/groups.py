"""Nouns with their determiners, adjectives and complements, in English and in French."""

import random
from dataclasses import dataclass

from lexicon import (
    ADJECTIVES,
    COUNTRIES,
    MONTHS,
    NATIONS,
    NOUNS,
    OF,
    PACTS,
    TEXTS,
    TOPICS,
    YEARS,
    Noun,
)
from phrases import NOTHING, Phrase, opens_with_vowel, phrase

SINGULAR = {"the": ("le", "la"), "a": ("un", "une"), "this": ("ce", "cette")}
PLURAL = {"the": "les", "these": "ces", "two": "deux", "three": "trois", "several": "plusieurs"}
COMPLEMENTS = {  # beside those of OF; what comes twice is drawn twice as often
    **dict.fromkeys(PACTS.split(), ("topic", "topic", "month", "with", "between")),
    **dict.fromkeys(("report", "decision", "law"), ("topic", "topic", "month")),
    **dict.fromkeys(("king", "queen", "ambassador"), ("country",)),
}
KINGDOMS = ("france", "italy", "portugal")


@dataclass(frozen=True)
class Group:
    """A noun with what belongs to it, and what must agree with it."""

    said: Phrase
    feminine: bool
    plural: bool

    def agreed(self, participle: str) -> str:
        """A participle that agrees with the noun: signé, signée, signés, signées."""
        return participle + "e" * self.feminine + "s" * self.plural

    def form(self, singular: str, plural: str) -> str:
        """The one of two forms that agrees in number."""
        return plural if self.plural else singular


def group(
    determiner: str,
    adjectives: tuple[str, ...],
    name: str,
    plural: bool = False,
    complement: Phrase = NOTHING,
) -> Group:
    """A noun with its adjectives. French mirrors those that it puts after the noun.

    "the new european economic area" is "la nouvelle zone économique européenne".
    """
    noun = NOUNS[name]
    before = [i for i, word in enumerate(adjectives) if ADJECTIVES[word].before]
    after = [i for i, word in enumerate(adjectives) if not ADJECTIVES[word].before]
    words = [(noun.french[plural], len(adjectives))]
    for i in reversed(before):
        words.insert(0, (_form(adjectives[i], noun, plural, following=words[0][0]), i))
    words += [(_form(adjectives[i], noun, plural), i) for i in reversed(after)]
    article = PLURAL[determiner] if plural else SINGULAR[determiner][noun.feminine]
    english = (*adjectives, noun.english[plural])
    source = f"{_before(determiner, english[0])} {' '.join(english)}"
    target = " ".join(f"{word}={i + 1}" for word, i in [(article, -1), *words])
    return Group(phrase(source, target) + complement, noun.feminine, plural)


def _before(determiner: str, word: str) -> str:
    """An agreement, a european agreement, a university."""
    vowel = word.startswith(tuple("aeiou")) and not word.startswith(("eu", "uni"))
    return "an" if determiner == "a" and vowel else determiner


def _form(english: str, noun: Noun, plural: bool, following: str = "") -> str:
    adjective = ADJECTIVES[english]
    if not noun.feminine and not plural and opens_with_vowel(following):
        return adjective.before_vowel
    return adjective.forms[2 * noun.feminine + plural]


def drawn_group(draw: random.Random, name: str, wealth: float, definite: bool = False) -> Group:
    """A noun with what chance gives it; `wealth` from 0 (bare) to 1 (two adjectives and more).

    A `definite` one has no "a", "two", "three" or "several": what is denied is known.
    """
    plural = draw.random() < 0.3
    determiners = [*(PLURAL if plural else SINGULAR)]
    determiner = draw.choice(["the"] * 8 + determiners)
    if definite and determiner not in ("this", "these"):
        determiner = "the"
    adjectives = drawn_adjectives(draw, name, wealth)
    if determiner in ("two", "three", "several"):
        adjectives = tuple(word for word in adjectives if word != "first")
    more = determiner in ("the", "a") and draw.random() < 0.8 * wealth
    complement = drawn_complement(draw, name, adjectives, wealth) if more else NOTHING
    return group(determiner, adjectives, name, plural, complement)


def drawn_adjectives(draw: random.Random, name: str, wealth: float) -> tuple[str, ...]:
    """No adjective, one, two or three, in the order of English."""
    groups = NOUNS[name].adjectives
    many = draw.choices((0, 1, 2, 3), (1.2 - wealth, 0.5, wealth, wealth / 5))[0]
    chosen = sorted(draw.sample(range(len(groups)), min(many, len(groups))))
    return tuple(draw.choice(groups[i]) for i in chosen)


def drawn_complement(
    draw: random.Random, name: str, adjectives: tuple[str, ...], wealth: float
) -> Phrase:
    """What may stand after a noun: on the market, with japan, of the bank; or nothing."""
    kinds = [*COMPLEMENTS.get(name, ()), *["of"] * (name in OF)]
    if any(word in NATIONS.split() for word in adjectives):  # no italian treaty with japan
        kinds = [kind for kind in kinds if kind in ("topic", "month")]
    match draw.choice(kinds or ["none"]):
        case "topic":
            return phrase("on", "sur=0") + known(draw, TOPICS, wealth, many=True)
        case "of":
            many = name in TEXTS.split()
            return phrase("of", "de=0") + known(draw, OF[name], wealth / 2, many)
        case "month":
            return phrase("of", "de=0") + drawn_month(draw)
        case "with":
            return phrase("with", "avec=0") + country(draw.choice([*COUNTRIES]))
        case "between":
            first, second = draw.sample([*COUNTRIES], 2)
            both = country(first) + phrase("and", "et=0") + country(second)
            return phrase("between", "entre=0") + both
        case "country":
            return _of_country(draw.choice([*COUNTRIES] if name == "ambassador" else KINGDOMS))
    return NOTHING


def known(draw: random.Random, names: str, wealth: float, many: bool = False) -> Phrase:
    """One of some nouns with "the" and adjectives; `many` allows a plural."""
    name = draw.choice(names.split())
    plural = many and draw.random() < 0.3
    return group("the", drawn_adjectives(draw, name, wealth), name, plural).said


def country(name: str) -> Phrase:
    """A country with its French article: japan, le japon."""
    article, french = COUNTRIES[name]
    return phrase(name, f"{article}?0 {french}=0")


def _of_country(name: str) -> Phrase:
    """The ambassador of japan is "du japon", that of italy "d' italie"."""
    if COUNTRIES[name][0] == "le":
        return phrase("of", "de=0") + country(name)
    return phrase(f"of {name}", f"de=0 {COUNTRIES[name][1]}=1")


def drawn_month(draw: random.Random) -> Phrase:
    """A month and a year."""
    name, year = draw.choice([*MONTHS]), draw.choice(YEARS)
    return phrase(f"{name} {year}", f"{MONTHS[name]}=0 {year}=1")
