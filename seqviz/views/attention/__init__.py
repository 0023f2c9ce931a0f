"""Every head of every layer: its values in Python, its picture in JavaScript, side by side."""

from seqviz.views.attention.entry import attention
from seqviz.views.attention.widget import AttentionExplorer

__all__ = ["AttentionExplorer", "attention"]
