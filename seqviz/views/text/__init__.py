"""A text in the colours of any value a token."""

from seqviz.views.text.widget import ColouredText, text

__all__ = ["ColouredText", "text"]
