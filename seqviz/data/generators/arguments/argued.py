"""A paragraph that argues, with the part of the argument that each word belongs to."""

from dataclasses import dataclass

from seqviz.arguments import checked_text, checked_type
from seqviz.data.generators.arguments.lexicon import DOMAINS
from seqviz.data.text import check_columns

KINDS = ("THE", "PRO", "CON")


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
    """

    domain: str
    words: tuple[str, ...]
    bio: tuple[str, ...]

    def __post_init__(self):
        checked_text("domain", self.domain)
        check_columns(words=self.words, bio=self.bio)

    @property
    def stance(self) -> tuple[int, ...]:
        """For each word: 1 if it praises, -1 if it blames, else 0."""
        of = DOMAINS[self.domain].stance
        return tuple(of.get(word, 0) for word in self.words)

    @property
    def line(self) -> str:
        """The paragraph as a line of the data set's file: [THE, [PRO, [CON open, ] closes."""
        parts = [self.domain]
        for t, (word, tag) in enumerate(zip(self.words, self.bio, strict=True)):
            if tag.startswith("B-"):
                parts.append(f"[{tag[2:]}")
            parts.append(word)
            if tag != "O" and self.bio[t + 1 : t + 2] != (f"I-{tag[2:]}",):
                parts.append("]")
        return " ".join(parts)

    @classmethod
    def from_line(cls, line: str) -> "Argued":
        """The paragraph of a line of the data set's file.

        Raises
        ------
        ValueError
            If the line is no such paragraph.
        """
        checked_type("line", line, str, "a line of the data set's file")
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
