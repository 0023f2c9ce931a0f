"""Draws `tagging`: parts of speech and names, some of them open until the context is read."""

import random
from itertools import product
from pathlib import Path

from seqviz.data.items import Tagged
from seqviz.data.json_lines import write_parts

FIRST = (
    *("mirel", "osko", "tavi", "lunet", "brisa", "joren"),
    *("kelda", "wilmo", "nerin", "pelo", "sorva", "davik"),
)
MIDDLE = ("", "rose", "winter")
LAST = {
    "PER": ("vandel", "moorik", "hasko", "brennar"),
    "LOC": ("bay", "hill", "harbour", "bridge"),
    "ORG": ("press", "bank", "choir", "college"),
}
NOUNS_OR_VERBS = ("walk", "talk", "dance", "work", "watch", "swim", "rest", "call")
POINTERS = ("this", "that", "each", "another")  # before a noun a DET, alone a PRON
THINGS = ("boat", "song", "book", "garden", *LAST["LOC"], *LAST["ORG"])
SUBJECTS = ("she/PRON", "he/PRON", "the/DET guide/NOUN", "a/DET sailor/NOUN")
SUBJECTS += tuple(f"{name}/PROPN/B-PER" for name in LAST["PER"])
MANY = ("they/PRON", "we/PRON", "the/DET sailors/NOUN", "some/DET guides/NOUN")
PAST = ("liked", "saw", "remembered", "praised")
ADVERBS = ("", "often/ADV", "seldom/ADV")
ADJECTIVES = ("old", "long", "quiet", "strange")
SETS = {"train": 40, "val": 12, "test": 12}  # of each kind


def make() -> dict[str, list[Tagged]]:
    """Sentences for tagging (decks 002 and 003: parts of speech, names), made in sets.

    The sentences of a set differ where one word is open. "walk" after "the" is a noun, after
    "they" a verb, and what follows it is the same: it needs the left side. "that" in "that boat
    was old" is a DET, in "that was old" a PRON, after the same beginning: it needs the right side.
    "mirel" begins a person ("mirel vandel"), a place ("mirel bay") or an organisation ("mirel
    press"), again after the same beginning. All readings are equally frequent in each part.
    A set lies whole in one part. No first name has the same last word in two parts.
    """
    draw, seen, parts = random.Random(0), set(), {}
    for part, sets in SETS.items():
        lines = []
        for variants_of in [_noun_or_verb, _pointer, _name] * sets:
            variants = variants_of(draw, part)
            while not seen.isdisjoint(variants):
                variants = variants_of(draw, part)
            seen.update(variants)
            lines += variants
        draw.shuffle(lines)
        parts[part] = [_tagged(line) for line in lines]
    return parts


def _tagged(line: str) -> Tagged:
    """The sentence of word/part of speech/name ...; a word without a name is outside."""
    columns = zip(*[(*token.split("/"), "O")[:3] for token in line.split()], strict=True)
    return Tagged(*columns)


def _noun_or_verb(draw: random.Random, part: str) -> list[str]:
    word = draw.choice(NOUNS_OR_VERBS)
    noun = f"{_saw(draw)} the/DET {_adjective(draw)} {word}/NOUN"
    verb = f"{draw.choice(MANY)} {draw.choice(ADVERBS)} {word}/VERB"
    return _joined([noun, verb], _endings(draw, part))


def _pointer(draw: random.Random, part: str) -> list[str]:
    word, thing, adjective = draw.choice(POINTERS), draw.choice(THINGS), _adjective(draw)
    if draw.random() < 0.5:
        start, rest = "", f"was/AUX very/ADV {draw.choice(ADJECTIVES)}/ADJ"
    else:
        start, rest = _saw(draw), ""
    alone, before = f"{word}/PRON", f"{word}/DET {adjective} {thing}/NOUN"
    return _joined([start], [alone, before], [rest], _endings(draw, part))


def _name(draw: random.Random, part: str) -> list[str]:
    if draw.random() < 0.5:
        start, rest = "", f"was/AUX very/ADV {draw.choice(ADJECTIVES)}/ADJ"
    else:
        start, rest = _saw(draw), draw.choice(("", "today/ADV"))
    return _joined([start], _names(draw, part), [rest], ["./PUNCT"])


def _endings(draw: random.Random, part: str) -> list[str]:
    """The end of a sentence, in three readings if there is a name in it."""
    kind = draw.randrange(4)
    if kind == 0:
        return [f"near/ADP {name} ./PUNCT" for name in _names(draw, part)]
    near = f"near/ADP the/DET {_adjective(draw)} {draw.choice(THINGS)}/NOUN"
    return [f"{('', near, 'today/ADV')[kind - 1]} ./PUNCT"]


def _names(draw: random.Random, part: str) -> list[str]:
    """A person, a place and an organisation that begin alike, kept for this part."""
    first, middle = draw.randrange(len(FIRST)), draw.choice(MIDDLE)
    turn = {"train": draw.choice((0, 1)), "val": 2, "test": 3}[part]
    names = []
    for kind, lasts in LAST.items():
        inside = [word for word in (middle, lasts[(first + turn) % len(lasts)]) if word]
        tags = [f"{word}/PROPN/I-{kind}" for word in inside]
        names.append(" ".join([f"{FIRST[first]}/PROPN/B-{kind}", *tags]))
    return names


def _saw(draw: random.Random) -> str:
    return f"{draw.choice(SUBJECTS)} {draw.choice(PAST)}/VERB"


def _adjective(draw: random.Random) -> str:
    return draw.choice(("", f"{draw.choice(ADJECTIVES)}/ADJ"))


def _joined(*alternatives: list[str]) -> list[str]:
    """Every way to take one of each, with single spaces and no gap."""
    return [" ".join(" ".join(choice).split()) for choice in product(*alternatives)]


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
