"""Draws paragraphs of a small world, in which most words follow from others."""

import random

from seqviz.arguments import checked_integer
from seqviz.data.generators.facts.frames import (
    ASIDE,
    DEED,
    MENTIONS,
    OPENING,
    ROLES,
    STORY,
)
from seqviz.data.generators.facts.lexicon import (
    ADJECTIVES,
    DAYS,
    DIRECTIONS,
    NAMES,
    STORIES,
    TRADES,
    VERBS,
)
from seqviz.data.generators.facts.paragraph import Paragraph

TRAIN, VAL = 6000, 400  # paragraphs
TEST = 200  # paragraphs with a combination unseen in training, and as many without one
HELD_OUT = 24  # of all combinations of a trade with a story
Combination = tuple[tuple[str, ...], tuple[str, ...]]


def paragraphs(seed: int = 0) -> tuple[list[Paragraph], list[Paragraph], list[Paragraph]]:
    """Paragraphs such as "a coat hung near the oven . it felt wet with this bread . ...".

    Each is about one place and one trade there, of three words that belong together (baker, bread,
    oven), and tells one story, of three words as well (rain, coat, wet). So most words follow from
    others, which may stand before or after them, in the same sentence or in another one. All
    orders are equally frequent. No two sentences in a row have a word of the trade or of the story
    in common.

    Half of the test part has a trade with a story that come together neither in train nor in val.
    No paragraph comes twice.

    Parameters
    ----------
    seed : int
        0 or more. Seed of the choice, the order and the held-out combinations.

    Returns
    -------
    tuple of three lists of Paragraph
        6,000, 400 and 400 to train, to validate and to test.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    held_out = {*draw.sample(all_combinations(), HELD_OUT)}
    wanted = {False: TRAIN + VAL + TEST, True: TEST}  # is it held out?
    lines = {False: {}, True: {}}
    while any(len(lines[new]) < wanted[new] for new in wanted):
        combination, line = drawn_paragraph(draw)
        new = combination in held_out
        if len(lines[new]) < wanted[new]:
            lines[new][line] = None
    known, new = ([Paragraph.from_line(line) for line in lines[new]] for new in wanted)
    test = known[TRAIN + VAL :] + new
    draw.shuffle(test)
    return known[:TRAIN], known[TRAIN : TRAIN + VAL], test


def all_combinations() -> list[Combination]:
    """Every trade with every story."""
    stories = [story for rows in STORIES.values() for story in rows]
    return [(trade, story) for trades in TRADES.values() for trade in trades for story in stories]


def drawn_paragraph(draw: random.Random) -> tuple[Combination, str]:
    """A trade with a story, and a paragraph about them."""
    place = draw.choice([*TRADES])
    trade = draw.choice(TRADES[place])
    kind = draw.choice([*STORIES])
    story = draw.choice(STORIES[kind])
    to = draw.choice(DIRECTIONS)
    words = {"place": place, "to": to, "verb": VERBS[place][to]}
    words |= dict(zip(ROLES, trade, strict=True)) | dict(zip("abc", story, strict=True))
    sentences, before = [], ()
    for part in _parts(draw):
        alone = part == "opening" or part in STORY[kind]
        before = _drawn_roles(draw, before, 1 if alone else 2)
        frames = {"opening": OPENING, "aside": ASIDE.get(before), "deed": DEED.get(before)}
        frame = draw.choice(frames.get(part) or STORY[kind][part])
        sentences.append(
            frame.format(
                **words,
                mention=MENTIONS[before[0]].format(**words),
                name=draw.choice(NAMES),
                day=draw.choice(DAYS),
                adjective=draw.choice(ADJECTIVES),
            )
        )
    return (trade, story), " ".join(sentences)


def _parts(draw: random.Random) -> list[str]:
    """What the sentences are: two or three of the story ("ab", "c"), a deed, perhaps others."""
    letters = draw.sample("abc", 3)
    cuts = draw.choice(((1,), (2,), (1, 2)))
    parts = ["".join(sorted(letters[i:k])) for i, k in zip((0, *cuts), (*cuts, 3), strict=True)]
    parts.insert(draw.choice((draw.randrange(len(parts)), len(parts))), "deed")
    if draw.random() < 0.2:
        parts.insert(draw.randrange(len(parts)), "aside")
    if draw.random() < 0.3:
        parts.insert(0, "opening")
    return parts


def _drawn_roles(draw: random.Random, before: tuple[str, ...], most: int) -> tuple[str, ...]:
    """One or two words of the trade, none of the sentence before."""
    others = [role for role in ROLES if role not in before]
    drawn = draw.sample(others, draw.randint(1, min(most, len(others))))
    return tuple(role for role in ROLES if role in drawn)
