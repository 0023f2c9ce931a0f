"""Draws `students`: sentences like "the students opened their books" (deck 002)."""

import random
from itertools import product
from pathlib import Path

from seqviz.data.json_lines import write_parts

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


def make() -> dict[str, list[str]]:
    """168, 24 and 24 sentences to train, to validate and to test.

    Subject and verb decide the last word, up to two equally frequent ones. The word before it
    is always "their" and tells nothing: what was read earlier must be carried along.
    All sentences differ, and each last word is equally frequent in each part. A beginning stands
    in one part only, with both of its last words, so that nothing favours one of the two.
    """
    draw = random.Random(0)
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
    return {"train": train, "val": val, "test": test}


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
