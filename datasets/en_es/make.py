"""Draws `en_es`: short English sentences and their Spanish translations."""

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from seqviz.data.json_lines import write_parts
from seqviz.data.pairs import Pair

ARTICLES = {"m": ("el", "los"), "f": ("la", "las")}
ADJECTIVES = {"red": "roj", "white": "blanc", "small": "pequeñ", "new": "nuev", "old": "viej"}
ENDINGS = {"m": ("o", "os"), "f": ("a", "as")}
NOUNS = {  # English plural; Spanish singular, plural and gender; adjectives
    "house": "houses casa casas f / red white small new old",
    "car": "cars coche coches m / red white small new old",
    "book": "books libro libros m / red white small new old",
    "letter": "letters carta cartas f / new old",
    "apple": "apples manzana manzanas f / red small",
    "tomato": "tomatoes tomate tomates m / red small",
}
PERSONS = {"the boy": "el niño", "the girl": "la niña", "the woman": "la mujer", "she": "ella"}
VERBS = {  # English base; Spanish; what it is done to
    "reads": "read lee / book letter",
    "eats": "eat come / apple tomato",
    "buys": "buy compra / house car book apple tomato",
    "sees": "see ve / house car book letter apple tomato",
}
SIZES = {"train": 200, "val": 50, "test": 50}


def make() -> dict[str, list[Pair]]:
    """Sentences like "the girl eats the red apples": la niña come las manzanas rojas.

    Spanish adjectives follow the noun here and agree with it; "no" stands before the verb.
    No sentence comes twice. There are no links.
    """
    drawn = iter(random.Random(0).sample([*_states(), *_deeds()], sum(SIZES.values())))
    return {part: [next(drawn) for _ in range(size)] for part, size in SIZES.items()}


def _states() -> Iterator[Pair]:
    """Whether something is so: the house is not white, la casa no es blanca."""
    for name, plural in product(NOUNS, (0, 1)):
        english, spanish, gender = _thing(name, plural)
        are, son = ("is", "are")[plural], ("es", "son")[plural]
        for word in NOUNS[name].split(" / ")[1].split():
            adjective = ADJECTIVES[word] + ENDINGS[gender][plural]
            yield _pair(f"{english} {are} {word}", f"{spanish} {son} {adjective}")
            yield _pair(f"{english} {are} not {word}", f"{spanish} no {son} {adjective}")


def _deeds() -> Iterator[Pair]:
    """What somebody does to something: she reads the new book, ella lee el libro nuevo."""
    for (who, quien), (does, verb) in product(PERSONS.items(), VERBS.items()):
        forms, things = verb.split(" / ")
        base, hace = forms.split()
        for name, plural in product(things.split(), (0, 1)):
            for word in ("", *NOUNS[name].split(" / ")[1].split()):
                english, spanish, _ = _thing(name, plural, word)
                yield _pair(f"{who} {does} {english}", f"{quien} {hace} {spanish}")
                yield _pair(f"{who} does not {base} {english}", f"{quien} no {hace} {spanish}")


def _thing(name: str, plural: int, adjective: str = "") -> tuple[str, str, str]:
    """A noun with its article, and an adjective or none: English, Spanish, gender."""
    many, *spanish, gender = NOUNS[name].split(" / ")[0].split()
    ending = ADJECTIVES[adjective] + ENDINGS[gender][plural] if adjective else ""
    english = f"the {adjective} {(name, many)[plural]}"
    return english, f"{ARTICLES[gender][plural]} {spanish[plural]} {ending}".strip(), gender


def _pair(english: str, spanish: str) -> Pair:
    return Pair(tuple(english.split()), tuple(spanish.split()))


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
