"""Small texts from small grammars, with a phenomenon built in."""

import random
from itertools import product

from seqviz.arguments import checked_integer

OBJECTS = {
    ("students", "opened"): ("books", "exams"),
    ("students", "closed"): ("laptops", "bags"),
    ("chefs", "opened"): ("ovens", "jars"),
    ("chefs", "closed"): ("kitchens", "fridges"),
    ("drivers", "opened"): ("maps", "trunks"),
    ("drivers", "closed"): ("windows", "doors"),
}
OPENINGS = ("", "today ", "later ")
ADJECTIVES = ("", "young ", "tired ")
ADVERBS = ("", "slowly ")
HELD_OUT = 2  # beginnings of each subject and verb, in val and again in test


def students(seed: int = 0) -> tuple[list[str], list[str], list[str]]:
    """Sentences like "the students opened their books" (deck 002, language models).

    Subject and verb decide the last word, up to two equally frequent ones. The word before it
    is always "their" and tells nothing: what was read earlier must be carried along.
    All sentences differ, and each last word is equally frequent in each part. A beginning stands
    in one part only, with both of its last words, so that nothing favours one of the two.

    Parameters
    ----------
    seed : int
        0 or more. Seed of the order and of the choice of the held-out beginnings.

    Returns
    -------
    tuple of three lists of str
        168, 24 and 24 sentences to train, to validate and to test.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    train, val, test = [], [], []
    for (subject, verb), objects in OBJECTS.items():
        beginnings = [
            f"{opening}the {adjective}{subject} {adverb}{verb} their"
            for opening, adjective, adverb in product(OPENINGS, ADJECTIVES, ADVERBS)
        ]
        draw.shuffle(beginnings)
        for place, beginning in enumerate(beginnings):
            part = val if place < HELD_OUT else test if place < 2 * HELD_OUT else train
            part += [f"{beginning} {thing}" for thing in objects]
    for part in (train, val, test):
        draw.shuffle(part)
    return train, val, test
