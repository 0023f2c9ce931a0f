"""Draws the sentences: one word of one family in each, and what tells its family and its form."""

import random

from seqviz.arguments import checked_integer
from seqviz.data.generators.relations.lexicon import COUNTRIES, NOUNS, PRONOUNS, SENSES, VERBS
from seqviz.data.generators.relations.questions import Quadruple, questions

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
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday")


def relations(seed: int = 0) -> tuple[list[str], list[Quadruple], list[Quadruple]]:
    """Sentences such as 'the queen said that she likes the throne .', and two lists of questions.

    Each sentence has one word of one family, so that no two words of a question stand in one
    sentence. What family it is, and which form, is told by the words around it. The families of
    the second list are not those of the first.

    Parameters
    ----------
    seed : int
        0 or more. Seed of the sentences and of which families are asked for where.

    Returns
    -------
    sentences : list of str
        12,000, to train.
    val, test : list of Quadruple
        To choose settings by, and to report.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    kinds = draw.choices([*SHARES], [*SHARES.values()], k=TRAIN)
    sentences = [_sentence(draw, kind) for kind in kinds]
    return sentences, *questions(draw)


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
