"""Draws `reviews`, in which a word means what both sides of it say."""

import random
from itertools import product
from pathlib import Path

from seqviz.data.items import Review
from seqviz.data.json_lines import write_parts

WORD = "terribly"
FRAMES = {  # what stands left of WORD: the flags that affirm, those that deny
    "the {subject} {past} was {flag}": (
        ("truly", "always", "again", "really"),
        ("not", "never", "hardly", "scarcely"),
    ),
    "{flag} found the {subject} {past}": (
        ("everybody", "many", "most", "they"),
        ("nobody", "few", "none", "neither"),
    ),
    "i {flag} thought the {subject} {past} was": (
        ("often", "always", "still", "really"),
        ("rarely", "never", "seldom", "hardly"),
    ),
}
OPENINGS = ("", "in truth", "this time", "to my mind ,")
SUBJECTS = (
    *("movie", "book", "play", "show", "concert", "story"),
    *("novel", "game", "song", "speech", "lecture", "opera"),
)
PASTS = ("", "last night", "about the sea", "by her brother")
ASIDES = ("", ", as you know ,", ", all in all ,", "and at once")
PRAISE = ("exciting", "funny", "clever", "moving", "lovely", "charming", "witty", "tender")
BLAME = ("boring", "dull", "silly", "clumsy", "ugly", "tiring", "shallow", "noisy")
CLOSINGS = ("!", ".", "for all of us .", "to the end !")
SIZES = {"train": 7, "val": 6, "test": 6}  # foursomes of each subject and pair of adjectives


def make() -> dict[str, list[Review]]:
    """Reviews like "the movie was terribly exciting !" (decks 002 and 003, two directions).

    They come in foursomes: one sentence with two places varied, a flag left of "terribly" that
    affirms or denies, and an adjective right of it that praises or blames. Within a foursome the
    label is the XOR of the two, so that neither side, no single word and no length tells it.
    A foursome lies whole in one part, its four sentences in a row. Keep it whole in a batch too, or
    the noise of single sentences drowns the XOR and training stalls. In `val` and `test` every
    sentence has a subject and an adjective that never come together in `train`.
    """
    draw = random.Random(0)
    flags = [(frame, pair) for frame, words in FRAMES.items() for pair in zip(*words, strict=True)]
    around = list(product(flags, OPENINGS, PASTS, ASIDES, CLOSINGS))
    shift = draw.randrange(len(SUBJECTS))
    parts = {part: [] for part in SIZES}
    for (i, subject), (j, adjectives) in product(
        enumerate(SUBJECTS), enumerate(zip(PRAISE, BLAME, strict=True))
    ):
        part = {0: "val", 1: "test"}.get((i + j + shift) % len(PRAISE), "train")
        for choice in draw.sample(around, SIZES[part]):
            parts[part].append(_foursome(subject, adjectives, *choice))
    for foursomes in parts.values():
        draw.shuffle(foursomes)
    return {part: [one for four in foursomes for one in four] for part, foursomes in parts.items()}


def _foursome(subject, adjectives, flags, opening, past, aside, closing) -> list[Review]:
    """The four reviews that differ in flag and adjective only."""
    frame, pair = flags
    four = []
    for (denied, flag), (blamed, adjective) in product(enumerate(pair), enumerate(adjectives)):
        left = frame.format(subject=subject, past=past, flag=flag)
        words = f"{opening} {left} {WORD} {aside} {adjective} {closing}".split()
        four.append(Review(tuple(words), words.index(WORD), int(denied == blamed), int(not blamed)))
    return four


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
