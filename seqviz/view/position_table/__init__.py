"""Position tables: the rows, the hand of each pair, and whether a shift is one matrix."""

from seqviz.view.position_table.widget import PositionTable, positions

__all__ = ["PositionTable", "positions"]
