"""What the parts of a data set hold: a text, a sentence or a question, and what is known of it."""

from dataclasses import dataclass
from typing import Any

from seqviz.arguments import checked_integer, checked_text, checked_type, checked_words

Words = tuple[str, ...]
DOMAINS = ("technology", "town", "school")
KINDS = ("THE", "PRO", "CON")


@dataclass(frozen=True)
class Labelled:
    """A text and its class.

    Parameters
    ----------
    text : str
        As it was written down, not split.
    label : int
        Its class; in "sst2" 1 for praise and 0 for blame.
    """

    text: str
    label: int

    def __post_init__(self):
        checked_text("text", self.text)
        checked_integer("label", self.label, 0)


@dataclass(frozen=True)
class Tagged:
    """A sentence with two tags for each word.

    Parameters
    ----------
    words : tuple of str
        The sentence, split.
    pos : tuple of str
        Part of speech of each word, named as in Universal Dependencies: DET, NOUN, VERB, ...
    bio : tuple of str
        "B-" where a name begins, "I-" where it goes on, with PER, LOC or ORG; "O" outside.
    """

    words: Words
    pos: Words
    bio: Words

    def __post_init__(self):
        _check_columns(words=self.words, pos=self.pos, bio=self.bio)


@dataclass(frozen=True)
class Quoted:
    """A short talk with the right answer at each word.

    Parameters
    ----------
    words : tuple of str
        The talk, split. An opening and a closing quotation mark are the same word.
    labels : tuple of str
        "inside" or "outside" of quotation marks, at a mark what holds after it; at the last word,
        the question mark, the name of who spoke first.
    """

    words: Words
    labels: Words

    def __post_init__(self):
        _check_columns(words=self.words, labels=self.labels)


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

    words: Words
    position: int
    label: int
    one_sided: int

    def __post_init__(self):
        words = checked_words("words", self.words)
        checked_integer("position", self.position, 0, len(words) - 1)
        checked_integer("label", self.label, 0, 1)
        checked_integer("one_sided", self.one_sided, 0, 1)


@dataclass(frozen=True)
class Quadruple:
    """A question: a is to b as c is to d.

    Parameters
    ----------
    relation : {"gender", "plural", "past", "capital"}
        What b is to a, and d to c.
    a, b, c, d : str
        The words. The last one is to be found.
    """

    relation: str
    a: str
    b: str
    c: str
    d: str


@dataclass(frozen=True)
class Paragraph:
    """Some sentences about one place, with a label for each word.

    Parameters
    ----------
    sentences : tuple of tuple of str
        The words of each sentence.
    labels : tuple of tuple of str
        Where the evidence that determines a word lies. "left": the words before it in the
        paragraph are enough. "right": these are not, those after it are. "both": neither side is,
        the two together are. "open": several words fit whatever is read. "grammar": a word of the
        sentence's frame, which its neighbours tell.
    topic : str
        The place, such as "bakery".
    about : str
        Who works there in this paragraph, such as "baker".
    """

    sentences: tuple[Words, ...]
    labels: tuple[Words, ...]
    topic: str
    about: str

    def __post_init__(self):
        checked_type("sentences", self.sentences, tuple, "a tuple of sentences")
        checked_type("labels", self.labels, tuple, "a tuple of labels for each sentence")
        if len(self.sentences) != len(self.labels):
            raise ValueError(f"labels must have one for each sentence, got {len(self.labels)}")
        for sentence, labels in zip(self.sentences, self.labels, strict=True):
            _check_columns(sentences=sentence, labels=labels)
        for name in ("topic", "about"):
            checked_text(name, getattr(self, name))

    @property
    def line(self) -> str:
        """All words as one text."""
        return " ".join(word for sentence in self.sentences for word in sentence)


@dataclass(frozen=True)
class Argued:
    """A paragraph that argues for something.

    Parameters
    ----------
    domain : {"technology", "town", "school"}
        What it is about.
    words : tuple of str
        Its words and its punctuation.
    bio : tuple of str
        A tag for each word. "B-" where a component begins, "I-" where it goes on: THE is the
        claim, PRO supports it, CON speaks against it. "O" outside.
    stance : tuple of int
        For each word: 1 if it praises, -1 if it blames, else 0. Empty where nobody has said so.
    """

    domain: str
    words: Words
    bio: Words
    stance: tuple[int, ...] = ()

    def __post_init__(self):
        checked_text("domain", self.domain)
        _check_columns(words=self.words, bio=self.bio)

    @classmethod
    def from_line(cls, line: str) -> "Argued":
        """Read a paragraph in one line: its domain, its words, [THE, [PRO, [CON open, ] closes.

        Raises
        ------
        ValueError
            If the line is no such paragraph.
        """
        checked_type("line", line, str, "a domain and words with components such as [THE ... ]")
        domain, *parts = line.split() or [""]
        words, bio, kind, begins = [], [], "", False
        for part in parts:
            if not kind and part in {f"[{kind}" for kind in KINDS}:
                kind, begins = part[1:], True
            elif kind and not begins and part == "]":
                kind = ""
            elif "[" in part or "]" in part:
                raise ValueError(
                    f"line must be words, each [THE, [PRO and [CON closed by ], got {line!r}"
                )
            else:
                words.append(part)
                bio.append(f"{'B' if begins else 'I'}-{kind}" if kind else "O")
                begins = False
        if domain not in DOMAINS or not words or kind:
            raise ValueError(
                f"line must be a domain ({', '.join(DOMAINS)}) and words with components such as "
                f"[THE ... ], got {line!r}"
            )
        return cls(domain, tuple(words), tuple(bio))


def _check_columns(**columns: Any) -> None:
    """Check lines of words that stand side by side: each has one for each word of the first."""
    (first, words), *_ = columns.items()
    for name, column in columns.items():
        if len(checked_words(name, column)) != len(words):
            many = f"one for each of {len(words)} {first}"
            raise ValueError(f"{name} must have {many}, got {len(column)}")
