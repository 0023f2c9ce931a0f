"""A piano roll that attends and sounds."""

import traitlets

from seqviz.telling import count
from seqviz.views.piano_roll.values import Piece
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import View, style


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

    def needs(self) -> list[str]:
        """The notes of the piece and the weights of the head."""
        name = f"piece {self.piece}"
        return [name, f"{name} head {self.head}"] if self.here.heads else [name]

    def _plain(self) -> str:
        """One plain line: of what the piece is, and where the controls stand."""
        here = self.here
        name = f" {here.name!r}" if here.name else ""
        head = f", head {here.heads[self.head - 1]!r}" if here.heads else ""
        where = f"piece {self.piece} of {len(self.pieces)}, note {self.note}{head}"
        return f"Piano roll{name} of {count(len(here.notes), 'note')}; {where}"

    def table(self) -> list[list]:
        """Every note and weight of every piece, a row each."""
        header = ["piece", "note", "quantity", "head", "on note", "value"]
        return [header, *(row for piece in self.pieces for row in piece.rows())]

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
        self.begin(note=self.here.opening, locked=False, head=head)
