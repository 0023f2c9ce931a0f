"""Draws `opinions`: diaries of travellers, and reviews of films."""

import random
from pathlib import Path

from seqviz.data.generators.opinions.lexicon import (
    BY_NOUN,
    GENERAL,
    NOUN_OR_VERB,
    NOUNS,
    OWN,
    STORY,
    TOOL,
)
from seqviz.data.generators.opinions.opinion import Opinion
from seqviz.data.json_lines import write_parts

DIARIES, REVIEWS = 12000, 4000  # without a label
SIZES = {"train": 5000, "val": 500, "test": 1000}  # reviews with one
AMBIGUOUS = 0.2  # of the adjectives can praise and blame
OWN_WORDS = 0.5  # of the other adjectives of a film review come in these only
TWO = 0.2  # of the texts judge two nouns
DENIED = 0.2  # of the single judgements after "was" or "felt"
AFTER = (  # how the writers felt about it
    ("alas", "sadly", "regrettably", "unfortunately"),
    ("luckily", "happily", "thankfully", "fortunately"),
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LINKS = {"and": True, "but": False}  # does what follows agree?
OPENINGS = {
    "travel": ("", "", "we {verb} and ", "after the {verb} ", "on {day} "),
    "film": ("", "", "we {verb} and ", "after the {verb} ", "last {day} "),
}
CLAUSES = {  # one judgement, or two of one noun
    "travel": (
        "the {noun} was {one}",
        "we had {a} {one} {noun}",
        "the {noun} was {one} {link} {two}",
    ),
    "film": (
        "the {noun} felt {one}",
        "it has {a} {one} {noun}",
        "the {noun} felt {one} {link} {two}",
    ),
}


def make() -> dict[str, list[str] | list[Opinion]]:
    """Texts such as "the plot felt strange but gripping", and whether they praise.

    Diaries of travellers and some reviews of films have no label. Many of them end in a word for
    how the writer felt ("luckily", "alas"). From these words, and from what "and" and "but" join,
    a reader can learn which adjectives praise. The labelled reviews have no such end, half of them
    praise, and half of their adjectives are in no diary. No text comes twice.
    """
    draw = random.Random(0)
    texts = {}

    def drawn(count: int, domain: str, ends: float) -> list[tuple[str, int]]:
        before = len(texts)
        while len(texts) < before + count:
            label = (len(texts) - before) % 2
            texts.setdefault(_text(draw, domain, label, ends), label)
        return [*texts.items()][before:]

    diaries, reviews = drawn(DIARIES, "travel", 0.8), drawn(REVIEWS, "film", 0.5)
    labelled = [Opinion(*row) for row in drawn(sum(SIZES.values()), "film", 0)]
    draw.shuffle(labelled)
    rest = iter(labelled)
    return {
        "stream": [text for text, _ in diaries],
        "unlabelled": [text for text, _ in reviews],
        **{part: [next(rest) for _ in range(size)] for part, size in SIZES.items()},
    }


def _text(draw: random.Random, domain: str, label: int, ends: float) -> str:
    """One sentence whose last judgement is `label`."""
    opening = draw.choice(OPENINGS[domain]).format(
        verb=draw.choice(NOUN_OR_VERB), day=draw.choice(DAYS)
    )
    text = _clause(draw, domain, label)
    if draw.random() < TWO:
        link = draw.choice([*LINKS])
        before = label if LINKS[link] else 1 - label
        text = f"{_clause(draw, domain, before)} , {link} {text}"
    if draw.random() < ends:
        text += f" {draw.choice(AFTER[label])}"
    return f"{opening}{text} ."


def _clause(draw: random.Random, domain: str, label: int) -> str:
    """One noun and what it is said to be; the last judgement is `label`."""
    kind = draw.choice((STORY, TOOL))
    noun = draw.choice(NOUNS[domain][kind].split())
    frame = draw.choice(CLAUSES[domain])
    if "{two}" in frame:
        link = draw.choice([*LINKS])
        one = _adjective(draw, domain, kind, label if LINKS[link] else 1 - label)
        two = _adjective(draw, domain, kind, label)
        return frame.format(noun=noun, one=one, link=link, two=two)
    denied = frame.endswith("{one}") and draw.random() < DENIED
    one = _adjective(draw, domain, kind, 1 - label if denied else label)
    a = "an" if one[0] in "aeiou" else "a"
    return frame.format(noun=noun, a=a, one=f"not {one}" if denied else one)


def _adjective(draw: random.Random, domain: str, kind: str, label: int) -> str:
    if draw.random() < AMBIGUOUS:
        other = TOOL if kind == STORY else STORY
        return draw.choice(BY_NOUN[kind if label else other])
    own = OWN[domain][label]
    if own:
        return draw.choice(own if draw.random() < OWN_WORDS else GENERAL[label])
    return draw.choices(GENERAL[label], [1 / (k + 1) for k in range(len(GENERAL[label]))])[0]


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
