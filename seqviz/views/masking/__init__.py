"""Masked words: what two models guess at a hidden token."""

from seqviz.views.masking.entry import masking
from seqviz.views.masking.widget import MaskedWords

__all__ = ["MaskedWords", "masking"]
