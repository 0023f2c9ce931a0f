"""Tokens as people read them: bytes as characters, marks, and where a word begins."""

from seqviz.pieces.guesses import readable
from seqviz.pieces.scripts import letters_of
from seqviz.pieces.spelling import together
from seqviz.pieces.words import (
    Pieces,
    alone,
    bare,
    breaks,
    distinct,
    pieces_of,
    running,
)

__all__ = [
    "Pieces",
    "alone",
    "bare",
    "breaks",
    "distinct",
    "letters_of",
    "pieces_of",
    "readable",
    "running",
    "together",
]
