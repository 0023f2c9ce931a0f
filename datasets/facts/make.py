"""Draws `facts`: paragraphs of a small world, in which most words follow from others."""

import random
from pathlib import Path

from frames import ASIDE, DEED, MENTIONS, OPENING, ROLES, STORY
from lexicon import ADJECTIVES, DAYS, DIRECTIONS, NAMES, STORIES, TRADES, VERBS
from sides import evidence

from seqviz.data.items import Paragraph
from seqviz.data.json_lines import write_parts

TRAIN, VAL = 6000, 400  # paragraphs
TEST = 200  # paragraphs with a combination unseen in training, and as many without one
HELD_OUT = 24  # of all combinations of a trade with a story
Combination = tuple[tuple[str, ...], tuple[str, ...]]


def make() -> dict[str, list[Paragraph]]:
    """Paragraphs such as "a coat hung near the oven . it felt wet with this bread . ...".

    Each is about one place and one trade there, of three words that belong together (baker, bread,
    oven), and tells one story, of three words as well (rain, coat, wet). So most words follow from
    others, which may stand before or after them, in the same sentence or in another one. All
    orders are equally frequent. No two sentences in a row have a word of the trade or of the story
    in common.

    Half of the test part has a trade with a story that come together neither in train nor in val.
    No paragraph comes twice.
    """
    draw = random.Random(0)
    stories = [story for rows in STORIES.values() for story in rows]
    every = [(trade, story) for rows in TRADES.values() for trade in rows for story in stories]
    held_out = {*draw.sample(every, HELD_OUT)}
    wanted = {False: TRAIN + VAL + TEST, True: TEST}  # is it held out?
    found = {False: {}, True: {}}
    while any(len(found[new]) < wanted[new] for new in wanted):
        combination, one = _drawn(draw)
        new = combination in held_out
        if len(found[new]) < wanted[new]:
            found[new].setdefault(one.sentences, one)
    known, new = ([*found[new].values()] for new in wanted)
    test = known[TRAIN + VAL :] + new
    draw.shuffle(test)
    return {"train": known[:TRAIN], "val": known[TRAIN : TRAIN + VAL], "test": test}


def _drawn(draw: random.Random) -> tuple[Combination, Paragraph]:
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
            ).split()
        )
    labels = iter(evidence([word for sentence in sentences for word in sentence]))
    told = tuple(tuple(next(labels) for _ in sentence) for sentence in sentences)
    return (trade, story), Paragraph(tuple(map(tuple, sentences)), told, place, trade[0])


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


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
