"""The machine: a whole model as it computes a text, down to one number."""

from seqviz.views.machine.entry import machine
from seqviz.views.machine.widget import Machine

__all__ = ["Machine", "machine"]
