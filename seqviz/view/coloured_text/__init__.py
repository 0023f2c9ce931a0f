"""A text in the colours of any value a token."""

from seqviz.view.coloured_text.widget import ColouredText, text

__all__ = ["ColouredText", "text"]
