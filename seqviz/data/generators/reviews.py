"""Reviews in which a word means what both sides of it say."""

import random
from dataclasses import dataclass
from itertools import product

from seqviz.arguments import checked_integer, checked_type, checked_words

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


@dataclass(frozen=True)
class Review:
    """A sentence, and what its word "terribly" means there.

    Parameters
    ----------
    words : tuple of str
        The sentence, split.
    position : int
        Where "terribly" stands in `words`.
    label : int
        1 for praise, 0 for blame. It is the XOR of a flag on the left, which affirms or denies,
        and of the adjective on the right: "not terribly boring" is praise.
    one_sided : int
        1 if the adjective praises, 0 if it blames. The right side alone decides it, as in the
        decks' "terribly exciting".
    """

    words: tuple[str, ...]
    position: int
    label: int
    one_sided: int

    @property
    def line(self) -> str:
        """The review as a line of the data set's file: label, one-sided label, sentence."""
        return f"{self.label} {self.one_sided} {' '.join(self.words)}"

    def __post_init__(self):
        words = checked_words("words", self.words)
        checked_integer("position", self.position, 0, len(words) - 1)
        checked_integer("label", self.label, 0, 1)
        checked_integer("one_sided", self.one_sided, 0, 1)

    @classmethod
    def from_line(cls, line: str) -> "Review":
        """The review of a line of the data set's file.

        Raises
        ------
        ValueError
            If the line is no such review.
        """
        checked_type("line", line, str, "a line of the data set's file")
        labels, words = line.split()[:2], tuple(line.split()[2:])
        if not {*labels} <= {"0", "1"} or WORD not in words:
            raise ValueError(
                f"line must be two labels, each 0 or 1, and a sentence with {WORD!r}, got {line!r}"
            )
        return cls(words, words.index(WORD), *map(int, labels))


def reviews(seed: int = 0) -> tuple[list[Review], list[Review], list[Review]]:
    """Reviews like "the movie was terribly exciting !" (decks 002 and 003, two directions).

    They come in foursomes: one sentence with two places varied, a flag left of "terribly" that
    affirms or denies, and an adjective right of it that praises or blames. Within a foursome the
    label is the XOR of the two, so that neither side, no single word and no length tells it.
    A foursome lies whole in one part, its four sentences in a row. Keep it whole in a batch too, or
    the noise of single sentences drowns the XOR and training stalls. In `val` and `test` every
    sentence has a subject and an adjective that never come together in `train`.

    Parameters
    ----------
    seed : int
        0 or more. Seed of the choice, the order and the held-out combinations.

    Returns
    -------
    tuple of three lists of Review
        To train, to validate and to test.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
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
    return tuple([review for four in foursomes for review in four] for foursomes in parts.values())


def _foursome(subject, adjectives, flags, opening, past, aside, closing) -> list[Review]:
    """The four reviews that differ in flag and adjective only."""
    frame, pair = flags
    four = []
    for (denied, flag), (blamed, adjective) in product(enumerate(pair), enumerate(adjectives)):
        left = frame.format(subject=subject, past=past, flag=flag)
        words = f"{opening} {left} {WORD} {aside} {adjective} {closing}".split()
        four.append(Review(tuple(words), words.index(WORD), int(denied == blamed), int(not blamed)))
    return four
