"""A piano roll that attends and sounds."""

import traitlets

from seqviz.views.piano_roll.sentence import headline
from seqviz.views.piano_roll.table import rows_of
from seqviz.views.piano_roll.values import Piece
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import View, style
from seqviz.views.shared.wording import readable


class PianoRoll(View):
    """Notes over time; `piano_roll` builds it.

    Attributes
    ----------
    piece : int
        Which piece is on screen, from 1.
    note : int
        The note in focus, from 1; 0 for none.
    locked : bool
        Whether it is locked: then the pointer changes nothing.
    head : int
        Whose weights are drawn, from 1.
    """

    _esm = module("piano_roll/view.js")
    _css = style("piano_roll/style.css")

    piece = control(Whole(1))
    note = control(Whole(0))
    locked = control(traitlets.Bool(False))
    head = control(Whole(1))

    def __init__(self, pieces: list[Piece], title: str) -> None:
        self.pieces = pieces
        self._heard: frozenset[str] = frozenset()  # what a page is writing
        facts = {"title": title, "pieces": [piece.facts() for piece in pieces]}
        parts = {}
        for k, piece in enumerate(pieces, 1):
            parts |= piece.parts(k)
        first = ["piece 1", *(["piece 1 head 1"] if pieces[0].heads else [])]
        super().__init__(facts, parts, first, note=pieces[0].opening)

    @property
    def here(self) -> Piece:
        """The piece on screen."""
        return self.pieces[self.piece - 1]

    @property
    def focus(self) -> tuple[int | None, int]:
        """The note and the head that the controls point at, from 0."""
        return self.note - 1 if self.note else None, self.head - 1

    def needs(self) -> list[str]:
        """The notes of the piece and the weights of the head."""
        name = f"piece {self.piece}"
        return [name, f"{name} head {self.head}"] if self.here.heads else [name]

    @property
    def headline(self) -> str:
        """The sentence over the notes."""
        return headline(self.here, *self.focus)

    @property
    def alt(self) -> str:
        """What the picture shows now."""
        name = f" “{readable(self.here.name)}”" if self.here.name else ""
        which = f", piece {self.piece} of {len(self.pieces)}" * (len(self.pieces) > 1)
        count = len(self.here.notes)
        notes = f", {count} note{'s' * (count > 1)}" if self.note else ""
        return f"Piano roll{name}{which}{notes}. {self.headline}"

    def table(self) -> list[list]:
        """Every note, with the weight that the one in focus puts on it."""
        return rows_of(self.here, *self.focus)

    def set_state(self, sync_data: dict) -> None:
        """Take what a page writes; a piece comes with the note that it is opened at."""
        self._heard = frozenset(sync_data)
        try:
            super().set_state(sync_data)
        finally:
            self._heard = frozenset()

    @checks("piece", "note", "head")
    def _checked(self, name: str, value):
        here = self.here
        low, high = {
            "piece": (1, len(self.pieces)),
            "note": (0, len(here.notes)),
            "head": (1, max(1, len(here.heads))),
        }[name]
        return within(name, value, low, high)

    @traitlets.observe("piece")
    def _open(self, _) -> None:
        head = self.head if self.head <= len(self.here.heads) else 1
        start = {"note": self.here.opening, "locked": False, "head": head}
        for name in start.keys() - self._heard:
            setattr(self, name, start[name])
