"""Draws `newsnames`: persons, places, organisations and dates; those at test time are new."""

import random
from pathlib import Path

from seqviz.data.items import Tagged
from seqviz.data.json_lines import write_parts

SIZES = {"train": 300, "val": 60, "test": 150}
NAMES = {  # of the training part, of the other two
    "first": (
        "Anna Robert Maria David Laura Thomas Julia Peter Sarah Daniel Emma Martin Helen Paul Ruth "
        "Simon Clara Victor",
        "Michael Eva Oliver Nina George Alice Henry Irene",
    ),
    "last": (
        "Keller Moore Novak Fischer Santos Baker Rossi Larsen Murphy Weber Silva Cooper Khan "
        "Dubois Olsen Fraser Tanaka Petrov",
        "Meyer Collins Rivera Hansen Wright Bauer Costa Singh",
    ),
    "place": (
        "Berlin Oslo Madrid Lima Cairo Dublin Vienna Kyoto Warsaw Geneva Bergen Naples Boston "
        "Havana Riga Leeds Tunis Perth",
        "Prague Lisbon Athens Denver Zurich Hanoi Turin Malmo",
    ),
    "either": ("Lincoln Austin Florence Houston Wellington", "Jordan Madison Sydney Chester"),
    "brand": (
        "Atlas Delta Phoenix Crown Summit Pioneer Titan Aurora",
        "Eagle Orion Horizon Falcon",
    ),
}
TAILS = ("Bank", "Motors", "Airlines", "Press", "Group")
DAYS = ("Monday", "Tuesday", "Thursday", "Friday", "Sunday")
MONTHS = ("March", "April", "July", "October", "December")
SENTENCES = (
    "PER met/VERB PER in/ADP LOC DATE",
    "PER was/AUX born/VERB near/ADP LOC",
    "the/DET mayor/NOUN of/ADP LOC thanked/VERB PER",
    "PER ,/PUNCT the/DET head/NOUN of/ADP ORG ,/PUNCT resigned/VERB DATE",
    "ORG will/AUX open/VERB an/DET office/NOUN in/ADP LOC",
    "shares/NOUN of/ADP ORG fell/VERB by/ADP 4/NUM percent/NOUN DATE",
    "flights/NOUN from/ADP LOC to/ADP LOC were/AUX late/ADJ DATE",
    "ORG bought/VERB ORG for/ADP 30/NUM million/NUM DATE",
    "DATE PER joined/VERB ORG",
    "the/DET French/ADJ minister/NOUN will/AUX visit/VERB LOC DATE",
    "English/ADJ teams/NOUN won/VERB twice/ADV in/ADP LOC",
    "heavy/ADJ rain/NOUN hit/VERB LOC DATE",
    "Mr/NOUN PER told/VERB the/DET court/NOUN that/SCONJ ORG paid/VERB him/PRON",
    "the/DET Internet/NOUN was/AUX slow/ADJ all/DET over/ADP LOC",
    "in/ADP LOC the/DET market/NOUN was/AUX closed/ADJ DATE",
    "prices/NOUN rose/VERB again/ADV this/DET week/NOUN and/CCONJ ORG sold/VERB less/ADJ",
    "nobody/PRON knows/VERB what/PRON the/DET new/ADJ law/NOUN will/AUX cost/VERB",
    "PER said/VERB that/SCONJ the/DET new/ADJ bridge/NOUN was/AUX safe/ADJ",
)
ENDS = (
    "",
    "after/ADP many/ADJ months/NOUN of/ADP difficult/ADJ talks/NOUN",
    "and/CCONJ many/ADJ people/NOUN were/AUX quite/ADV happy/ADJ about/ADP it/PRON",
    "as/SCONJ the/DET evening/NOUN papers/NOUN had/AUX expected/VERB",
    "but/CCONJ nobody/PRON wanted/VERB to/PART say/VERB more/ADJ about/ADP this/PRON",
    "although/SCONJ the/DET weather/NOUN was/AUX very/ADV bad/ADJ",
)


def make() -> dict[str, list[Tagged]]:
    """Sentences as in the news, with names of four kinds: PER, LOC, ORG and DATE (decks 001, 004).

    First names, surnames, places and brands of the training part never come in the other two. Some
    words are a person or a place ("Lincoln", at test time "Jordan"), and the sentence decides.
    Places stand in names of organisations, too ("University of Oslo", "Oslo Bank"). Not every word
    with a capital is a name ("French", "Internet", the first of a sentence). No sentence comes
    twice.
    """
    draw, seen, parts = random.Random(0), set(), {}
    for part, size in SIZES.items():
        parts[part] = []
        while len(parts[part]) < size:
            one = _sentence(draw, part != "train")
            if one not in seen:
                seen.add(one)
                parts[part].append(one)
    return parts


def _sentence(draw: random.Random, new: bool) -> Tagged:
    tokens = []
    for word in f"{draw.choice(SENTENCES)} {draw.choice(ENDS)}".split():
        tokens += _slot(draw, word, new) if word in ("PER", "LOC", "ORG", "DATE") else [word]
    tokens[0] = tokens[0][0].upper() + tokens[0][1:]
    columns = zip(*[(*token.split("/"), "O")[:3] for token in [*tokens, "./PUNCT"]], strict=True)
    return Tagged(*columns)


def _slot(draw: random.Random, kind: str, new: bool) -> list[str]:
    """A name of a kind, as word/part of speech/tag."""

    def name(pool: str) -> str:
        return draw.choice(NAMES[pool][new].split())

    if kind == "DATE":
        return _date(draw)
    forms = {
        "PER": ([name("first"), name("last")], [name("last")], [name("either")]),
        "LOC": ([name("place")], ["New", name("place")], [name("either")]),
        "ORG": (
            [name("brand"), draw.choice(TAILS)],
            [name("place"), draw.choice(TAILS)],
            ["University", "of", name("place")],
        ),
    }
    words = draw.choice(forms[kind])
    pos = ["ADP" if word == "of" else "PROPN" for word in words]
    return _tagged(kind, words, pos)


def _date(draw: random.Random) -> list[str]:
    """A day with "on" before it, a month or a year with "in"."""
    month, year = draw.choice(MONTHS), str(draw.randrange(1990, 2020))
    before, words, pos = draw.choice(
        (
            ("on", [draw.choice(DAYS)], ["PROPN"]),
            ("on", [str(draw.randrange(1, 29)), month], ["NUM", "PROPN"]),
            ("in", [month, year], ["PROPN", "NUM"]),
            ("in", [year], ["NUM"]),
        )
    )
    return [f"{before}/ADP", *_tagged("DATE", words, pos)]


def _tagged(kind: str, words: list[str], pos: list[str]) -> list[str]:
    places = ["B"] + ["I"] * (len(words) - 1)
    return [f"{w}/{p}/{b}-{kind}" for w, p, b in zip(words, pos, places, strict=True)]


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
