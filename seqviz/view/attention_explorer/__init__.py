"""Every head of every layer: its values in Python, its picture in JavaScript, side by side."""

from seqviz.view.attention_explorer.entry import attention
from seqviz.view.attention_explorer.widget import AttentionExplorer

__all__ = ["AttentionExplorer", "attention"]
