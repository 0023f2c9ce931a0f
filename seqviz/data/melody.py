"""A melody, and where its motif stands."""

from dataclasses import dataclass

from seqviz.data.performance import Note, notes_to_events

HEARD = 2  # notes of a return that tell which motif it is, and how high


@dataclass(frozen=True)
class Melody:
    """Notes, one after the other, in which a motif returns.

    Parameters
    ----------
    notes : tuple of Note
    statements : tuple of tuple of int
        Of each time the motif is heard, the places of its notes, from 0. The first one states it,
        the others are its returns; the melody may end inside the last.
    """

    notes: tuple[Note, ...]
    statements: tuple[tuple[int, ...], ...]

    @property
    def events(self) -> list[str]:
        """The notes as a language model reads them (`sv.data.notes_to_events`)."""
        return notes_to_events(self.notes)

    @property
    def continued(self) -> list[int]:
        """The places of a return's third note and those after it, which the first two tell."""
        return [place for one in self.statements[1:] for place in one[HEARD:]]
