"""A text that praises or blames, and what each of its words is and says."""

from dataclasses import dataclass

from seqviz.arguments import checked_integer, checked_text
from seqviz.data.generators.opinions.lexicon import (
    BY_NOUN,
    KIND,
    NOUN_OR_VERB,
    ONE_SENSE,
    sense,
)

ADJECTIVES = {*ONE_SENSE, *(word for row in BY_NOUN.values() for word in row)}
AMBIGUOUS = {word for row in BY_NOUN.values() for word in row}


@dataclass(frozen=True)
class Opinion:
    """A text with a class, and what it says word by word.

    Parameters
    ----------
    text : str
        Words and signs with a space between.
    label : int
        1 for praise, 0 for blame: what the last judgement says, "not" reckoned.
    """

    text: str
    label: int

    @property
    def words(self) -> tuple[str, ...]:
        """The text, split."""
        return tuple(self.text.split())

    @property
    def senses(self) -> tuple[str, ...]:
        """Of each word "praise", "blame" or ""; "not" in front of it changes nothing here.

        The noun tells it where a word has both senses: "an unpredictable plot" is praise, "an
        unpredictable train" blame.
        """
        words = self.words
        return tuple(
            ("blame", "praise")[sense(word, noun_of(words, t))] if word in ADJECTIVES else ""
            for t, word in enumerate(words)
        )

    @property
    def nouns(self) -> tuple[str, ...]:
        """Of each word that is a noun here and a verb elsewhere "noun", or "verb"; else ""."""
        words = self.words
        return tuple(
            ("verb" if words[t - 1] == "we" else "noun") if word in NOUN_OR_VERB else ""
            for t, word in enumerate(words)
        )

    def __post_init__(self):
        checked_text("text", self.text)
        checked_integer("label", self.label, 0)


def noun_of(words: tuple[str, ...], t: int) -> str:
    """The noun that the adjective at `t` judges: after "a" the next one, else the last one."""
    if words[t - 1] in ("a", "an"):
        return words[t + 1]
    return next(word for word in reversed(words[:t]) if word in KIND)
