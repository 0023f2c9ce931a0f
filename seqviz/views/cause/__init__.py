"""A state carried from one text into another: what it reaches, and who wrote the answer."""

from seqviz.views.cause.entry import cause
from seqviz.views.cause.widget import Cause

__all__ = ["Cause", "cause"]
