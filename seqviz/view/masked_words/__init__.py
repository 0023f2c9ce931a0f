"""Masked words: what two models guess at a hidden token."""

from seqviz.view.masked_words.entry import masking
from seqviz.view.masked_words.widget import MaskedWords

__all__ = ["MaskedWords", "masking"]
