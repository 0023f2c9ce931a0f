"""A text with a class."""

from dataclasses import dataclass

from seqviz.arguments import checked_integer, checked_text, checked_type


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

    @classmethod
    def from_line(cls, line: str) -> "Labelled":
        """The text and class of a line of a file: text, a tab, 0 or 1. Quotes mean themselves.

        Raises
        ------
        ValueError
            If the line is no such row.
        """
        checked_type("line", line, str, "a line of the data set's file")
        text, _, label = line.rpartition("\t")
        if not text or "\t" in text or label not in ("0", "1"):
            raise ValueError(f"line must be a text, a tab and a label, 0 or 1, got {line!r}")
        return cls(text, int(label))
