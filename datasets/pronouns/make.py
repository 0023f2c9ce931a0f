"""Draws `pronouns`: sentences whose pronoun says no gender, with translations that must."""

import random
from itertools import product
from pathlib import Path

from seqviz.data.json_lines import write_parts
from seqviz.data.pairs import Pair

PROFESSIONS = {  # Finnish: English, of ten translations so many say "he"
    "insinööri": ("engineer", 9),
    "lääkäri": ("doctor", 9),
    "tuomari": ("judge", 8),
    "maanviljelijä": ("farmer", 7),
    "opettaja": ("teacher", 5),
    "opiskelija": ("student", 5),
    "kirjailija": ("writer", 5),
    "kirjastonhoitaja": ("librarian", 3),
    "sihteeri": ("secretary", 2),
    "tanssija": ("dancer", 1),
    "sairaanhoitaja": ("nurse", 1),
}
FRAMES = {  # Finnish has no article, and "hän" is he or she
    "hän on": "is",
    "hän oli": "was",
    "hän ei ole": "is not",
    "hän ei ollut": "was not",
}
QUALITIES = {"": "", "hyvä": "good", "nuori": "young", "vanha": "old"}
CONTEXTS = {"train": 12, "val": 2, "test": 2}  # of a frame and a quality, for each profession


def make() -> dict[str, list[Pair]]:
    """Finnish sentences like "hän on lääkäri", in English "he is a doctor" or "she is a doctor".

    The same sentence comes ten times, with both translations in the shares of `PROFESSIONS`: a
    doctor is "he" in nine of ten. Nothing else in the sentence tells which. No sentence stands in
    two parts. There are no links.
    """
    draw = random.Random(0)
    parts = {part: [] for part in CONTEXTS}
    for profession in PROFESSIONS:
        contexts = [*product(FRAMES, QUALITIES)]
        draw.shuffle(contexts)
        for part, count in CONTEXTS.items():
            for _ in range(count):
                parts[part] += _ten(profession, *contexts.pop())
    for pairs in parts.values():
        draw.shuffle(pairs)
    return parts


def _ten(profession: str, frame: str, quality: str) -> list[Pair]:
    """A sentence ten times, with "he" as often as the profession says."""
    english, men = PROFESSIONS[profession]
    words = f"{QUALITIES[quality]} {english}".split()
    article = "an" if words[0][0] in "aeiou" else "a"
    source = tuple(f"{frame} {quality} {profession}".split())
    end = (*FRAMES[frame].split(), article, *words)
    return [Pair(source, (pronoun, *end)) for pronoun in ["he"] * men + ["she"] * (10 - men)]


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
