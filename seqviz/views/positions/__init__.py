"""Position tables: the rows, the hand of each pair, and whether a shift is one matrix."""

from seqviz.views.positions.widget import PositionTable, positions

__all__ = ["PositionTable", "positions"]
