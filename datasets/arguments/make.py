"""Draws `arguments`: paragraphs that argue, in domains that share sentences and not cues."""

import random
from dataclasses import replace
from pathlib import Path

from lexicon import BLAME, DOMAINS, NEUTRAL, PRAISE, Domain

from seqviz.data.items import Argued
from seqviz.data.json_lines import write_parts

SIZES = {"train": 160, "val": 20, "test": 60}  # of each domain
CUED = 0.9  # share of the components that have a cue before them
CLAIMS = (
    "{subject} is a good choice for {purpose}",
    "{subject} would be the right choice for {purpose}",
    "we should choose {subject}",
    "we need {subject} for {purpose}",
    "{subject} is a good idea",
)
FACTS = (
    "it is {a}",
    "it is {a} and {b}",
    "it is {a} , {b} and {c}",
    "it has a very {a} side",
    "it is {a} and has many {b} {objects}",
    "it would {verb} our {objects}",
    "it would {verb} the {objects} , such as the {a} {others}",
    "it would {verb} and {second} the {objects}",
)
SIDES = {"PRO": PRAISE, "CON": BLAME, "O": NEUTRAL}


def make() -> dict[str, list[Argued]]:
    """Paragraphs that argue for a technology, a plan of a town or a change in a school (deck 001).

    A claim (THE) is supported (PRO) and opposed (CON); between them stands what is neither (O).
    PRO, CON and O have the same sentences: PRO has words that praise, CON words that blame, O has
    neutral ones. Before a component stands a cue, such as "because", with the probability `CUED`.
    Cues, the order of the components and the words that praise or blame are different in each
    domain; the frames of the sentences are the same. Each part has as many paragraphs of each
    domain; no two are equal.
    """
    draw, seen, parts = random.Random(0), set(), {}
    for part, size in SIZES.items():
        found = []
        for name in DOMAINS:
            while sum(one.domain == name for one in found) < size:
                one = _paragraph(draw, name)
                if one not in seen:
                    seen.add(one)
                    found.append(one)
        draw.shuffle(found)
        parts[part] = found
    return parts


def _paragraph(draw: random.Random, name: str) -> Argued:
    domain = DOMAINS[name]
    subject = draw.choice(domain.subjects)
    parts = [name]
    for component in draw.choice(domain.orders):
        kind, mark = component.split()
        cue = draw.choice(domain.cues[kind]) if draw.random() < CUED else ""
        clause = _claim(draw, domain, subject) if kind == "THE" else _fact(draw, domain, kind)
        parts += [cue, clause if kind == "O" else f"[{kind} {clause} ]", mark]
    said = Argued.from_line(" ".join(parts))
    return replace(said, stance=tuple(domain.stance.get(word, 0) for word in said.words))


def _claim(draw: random.Random, domain: Domain, subject: str) -> str:
    return draw.choice(CLAIMS).format(subject=subject, purpose=draw.choice(domain.purposes))


def _fact(draw: random.Random, domain: Domain, kind: str) -> str:
    """A clause that praises, blames or does neither, by what it is for."""
    side = SIDES[kind]
    a, b, c = draw.sample(domain.adjectives[side], 3)
    verb, second = draw.sample(domain.verbs[side], 2)
    objects, others = draw.sample(domain.objects, 2)
    return draw.choice(FACTS).format(
        a=a, b=b, c=c, verb=verb, second=second, objects=objects, others=others
    )


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
