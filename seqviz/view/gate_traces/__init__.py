"""The gates over time: maps, lines, and a cell with valves."""

from seqviz.view.gate_traces.widget import GateTraces, gates

__all__ = ["GateTraces", "gates"]
