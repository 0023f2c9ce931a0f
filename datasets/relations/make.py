"""Draws `relations`: sentences whose words come in families, and questions about the families."""

import random
from itertools import permutations
from pathlib import Path

from lexicon import COUNTRIES, NOUNS, PRONOUNS, SENSES, VERBS

from seqviz.data.items import Quadruple
from seqviz.data.json_lines import write_parts

TRAIN = 12000  # sentences
SHARES = {"noun": 0.46, "verb": 0.26, "country": 0.22, "sense": 0.06}
NOUN = (  # of one, then of many
    (
        "this {noun} has {his} own {thing} beside the {other} .",
        "the {noun} said that {he} likes the {thing} and the {other} .",
        "a {noun} was near the {thing} when {he} saw the {other} .",
        "i saw the {noun} with the {thing} and the {other} .",
        "the {thing} and the {other} were left by the {noun} .",
        "the {noun} looked for the {thing} near the {other} .",
    ),
    (
        "one of these {noun} has {his} own {thing} beside the {other} .",
        "each of the {noun} said that {he} likes the {thing} and the {other} .",
        "one of two {noun} was near the {thing} when {he} saw the {other} .",
        "i saw the {noun} with the {thing} and the {other} .",
        "the {thing} and the {other} were left by both {noun} .",
        "the {noun} looked for the {thing} near the {other} .",
    ),
)
VERB = (  # base, past, progressive
    (
        "every {day} they {verb} the {thing} or the {other} .",
        "people will {verb} the {thing} and the {other} .",
        "can you {verb} your {thing} with my {other} ?",
        "the {thing} and the {other} that we {verb} on {day} .",
    ),
    (
        "last {day} they {verb} the {thing} or the {other} .",
        "people once {verb} the {thing} and the {other} .",
        "you never {verb} your {thing} with my {other} .",
        "the {thing} and the {other} that we {verb} on {day} .",
    ),
    (
        "this {day} they are {verb} the {thing} or the {other} .",
        "people keep {verb} the {thing} and the {other} .",
        "are you {verb} your {thing} with my {other} ?",
        "the {thing} and the {other} that we were {verb} on {day} .",
    ),
)
COUNTRY = (  # country, capital, the adjective
    (
        "the army of {name} likes {thing} and {other} .",
        "villages in {name} sell {thing} and {other} .",
        "{thing} and {other} come from {name} .",
        "in {name} you find {thing} beside {other} .",
    ),
    (
        "the mayor of {name} likes {thing} and {other} .",
        "streets in {name} sell {thing} and {other} .",
        "{thing} and {other} come from {name} .",
        "in {name} you find {thing} beside {other} .",
    ),
    (
        "she speaks {name} and likes {thing} and {other} .",
        "a {name} shop sells {thing} and {other} .",
        "the {name} word for {thing} is near that for {other} .",
        "in {name} shops you find {thing} beside {other} .",
    ),
)
SENSE = {
    "bank": (
        (
            "the {word} lent them money for the debt .",
            "our {word} charges interest on every loan .",
            "she asked the {word} for cash and a loan .",
            "the {word} was ruined when debt and interest rose .",
        ),
        (
            "the boat drifted to the {word} of the river .",
            "reeds stand on the muddy {word} by the water .",
            "we swam from one {word} of the river to the boat .",
            "ducks rest on the {word} where the water is muddy .",
        ),
    ),
    "stick": (
        (
            "the dog fetched a wooden {word} from under the tree .",
            "he carved the {word} with a knife from dry wood .",
            "a dry {word} lay under the tree in the forest .",
            "the dog chewed the {word} until the wood split .",
        ),
        (
            "they must {word} to the rules of the agreement .",
            "please {word} to the plan and to your promise .",
            "we {word} to our promise whatever the rules are .",
            "will you {word} to the agreement and the plan ?",
        ),
    ),
}
# Which two forms of a family are the pair, for each relation; families of which table.
RELATIONS = {
    "gender": (NOUNS, ((0, 1), (2, 3))),
    "plural": (NOUNS, ((0, 2), (1, 3))),
    "past": (VERBS, ((0, 1),)),
    "capital": (COUNTRIES, ((0, 1),)),
}
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday")


def make() -> dict[str, list[str] | list[Quadruple]]:
    """Sentences such as 'the queen said that she likes the throne .', and two lists of questions.

    Each sentence has one word of one family, so that no two words of a question stand in one
    sentence. What family it is, and which form, is told by the words around it. The families of
    the second list are not those of the first: `val` is to choose settings by, `test` to report.
    """
    draw = random.Random(0)
    kinds = draw.choices([*SHARES], [*SHARES.values()], k=TRAIN)
    sentences = [_sentence(draw, kind) for kind in kinds]
    val, test = _questions(draw)
    return {"train": sentences, "val": val, "test": test}


def _sentence(draw: random.Random, kind: str) -> str:
    """A sentence of this kind, each family and form of it equally likely."""
    if kind == "sense":
        word = draw.choice([*SENSES])
        sense = draw.randrange(2)
        frame = draw.choice(SENSE[word][sense])
        return frame.format(word=draw.choice((word, SENSES[word][sense])))
    table, frames = {
        "noun": (NOUNS, NOUN),
        "verb": (VERBS, VERB),
        "country": (COUNTRIES, COUNTRY),
    }[kind]
    family = draw.choice([*table])
    form = draw.randrange(len(family))
    word, (thing, other) = family[form], draw.sample(table[family], 2)
    if kind == "noun":
        number, gender = divmod(form, 2)
        frame = draw.choice(frames[number])
        return frame.format(noun=word, thing=thing, other=other, **PRONOUNS[gender])
    frame, day = draw.choice(frames[form]), draw.choice(DAYS)
    return frame.format(verb=word, name=word, thing=thing, other=other, day=day)


def _questions(draw: random.Random) -> tuple[list[Quadruple], list[Quadruple]]:
    """Questions about half of each table's families, then about the other half; both directions."""
    halves = {id(table): draw.sample([*table], len(table)) for table in (NOUNS, VERBS, COUNTRIES)}
    asked: tuple[list[Quadruple], list[Quadruple]] = [], []
    for relation, (table, forms) in RELATIONS.items():
        families = halves[id(table)]
        half = len(families) // 2
        for part, mine in zip(asked, (families[:half], families[half:]), strict=True):
            for one, other in permutations(mine, 2):
                for x, y in forms:
                    part.append(Quadruple(relation, one[x], one[y], other[x], other[y]))
                    part.append(Quadruple(relation, one[y], one[x], other[y], other[x]))
    return asked


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
