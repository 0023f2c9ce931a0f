"""The gates over time: maps, lines, and a cell with valves."""

from seqviz.views.gates.widget import GateTraces, gates

__all__ = ["GateTraces", "gates"]
